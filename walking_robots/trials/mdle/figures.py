"""Draw the paths of the report's figures (mdle.md §1.7)."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from walking_robots.documents.extras import extra_needed
from walking_robots.trials.mdle.drives import Drive

FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""
SIZE = (6.0, 6.0)
DOTS_PER_INCH = 120
MOST_ARROWS = 24


def draw_paths(drives: Mapping[str, Drive], title: str, target: Path) -> None:
    """Draw drives by their names into one picture; the suffix of ``target`` is its format.

    Arrows show the heading; a ring is the beginning and a dot the end. The same drives give the
    same bytes. Raises ValueError for another suffix and OSError where nothing can be written.
    """
    if target.suffix not in FORMATS:
        raise ValueError(f'{target.name} must end in {" or ".join(FORMATS)}')
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        import matplotlib
        from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.add_subplot(
        aspect='equal', adjustable='datalim', xlabel='x in m', ylabel='y in m', title=title
    )
    axes.grid(alpha=0.3)
    for name, drive in drives.items():
        x, y, heading = drive.path.T
        [line] = axes.plot(x, y, label=name)
        colour = line.get_color()
        axes.plot(x[0], y[0], 'o', color=colour, fillstyle='none')
        axes.plot(x[-1], y[-1], 'o', color=colour)
        every = slice(None, None, max(len(x) // MOST_ARROWS, 1))
        axes.quiver(
            x[every], y[every], np.cos(heading[every]), np.sin(heading[every]),
            color=colour, width=0.003, scale=30.0, alpha=0.6,
        )  # fmt: skip
    if len(drives) > 1:
        axes.legend()
    with matplotlib.rc_context({'svg.hashsalt': title, 'svg.fonttype': 'path'}):
        when = {'Date': None} if target.suffix == '.svg' else None
        figure.savefig(target, dpi=DOTS_PER_INCH, metadata=when)
