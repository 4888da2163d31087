"""Draw the stick figure as a view shows it."""

from pathlib import Path

import numpy as np

from walking_robots.documents.extras import extra_needed
from walking_robots.simulation.aquarobot.frames import Array
from walking_robots.simulation.aquarobot.views import Viewpoint

FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""
HEIGHT = 6.0
"""Of the picture, inches."""
DOTS_PER_INCH = 100


def draw(vertices: Array, view: Viewpoint, target: Path) -> None:
    """Draw the robot by its vertices, shape (32, 3); the suffix of ``target`` is the format.

    The same robot gives the same bytes.
    Raises ValueError for another suffix and OSError where nothing can be written.
    """
    if target.suffix not in FORMATS:
        raise ValueError(f'{target}: is not a picture; its suffix must be {" or ".join(FORMATS)}')
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        import matplotlib
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure

    lines = view.lines(vertices)
    figure = Figure(figsize=(view.aspect * HEIGHT, HEIGHT), facecolor=view.figure.background)
    axes = figure.add_axes(
        (0.0, 0.0, 1.0, 1.0),
        xlim=(view.low[0], view.high[0]),
        ylim=(view.low[1], view.high[1]),
    )
    axes.set_axis_off()
    for first, last, colour, width in view.figure.strokes:
        shown = [line for line in lines[first:last] if not np.isnan(line).any()]
        axes.add_collection(
            LineCollection(shown, colors=colour, linewidths=width, capstyle='round')
        )
    with matplotlib.rc_context({'svg.hashsalt': 'aquarobot'}):
        when = {'Date': None} if target.suffix == '.svg' else None
        figure.savefig(target, dpi=DOTS_PER_INCH, metadata=when)
