"""Draw how many trials have succeeded by each tick."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from walking_robots.documents.extras import extra_needed
from walking_robots.trials.ars_magna.trial import SUCCEEDED, ArsResult

SIZE = (7.0, 4.2)
DOTS_PER_INCH = 110
FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""


def check_format(target: Path) -> None:
    """Refuse a file whose suffix is no format, with ValueError."""
    if target.suffix not in FORMATS:
        raise ValueError(f'{target.name} must end in {" or ".join(FORMATS)}')


def draw_successes(results: Mapping[str, Sequence[ArsResult]], title: str, target: Path) -> None:
    """Draw a step curve for each program: the share of trials that succeeded within so many ticks.

    Raises ValueError for another suffix and OSError where nothing can be written.
    """
    check_format(target)
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.add_subplot(
        xlabel='ticks', ylabel='trials that succeeded, %', title=title, ylim=(0.0, 103.0)
    )
    last = max(result.ticks for found in results.values() for result in found)
    for name, found in results.items():
        ticks = sorted(result.ticks for result in found if result.outcome == SUCCEEDED)
        shares = [100.0 * (number + 1) / len(found) for number in range(len(ticks))]
        axes.step(
            [0, *ticks, last], [0.0, *shares, max(shares, default=0.0)], where='post', label=name
        )
    axes.legend(loc='lower right')
    axes.grid(alpha=0.3)
    figure.savefig(target, dpi=DOTS_PER_INCH)
