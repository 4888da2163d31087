"""The share of runs of a sweep that succeed, drawn against an axis."""

from collections.abc import Mapping
from pathlib import Path

from walking_robots.documents.extras import extra_needed
from walking_robots.sweeps.combinations import Sweep
from walking_robots.sweeps.statistics import wilson_interval

SIZE = (7.0, 4.2)
DOTS_PER_INCH = 110
BESIDE = 0.03
"""How far apart lines are, in distances of two values."""

FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""


def check_format(path: Path) -> None:
    """Refuse a file that no picture is written into; raises ValueError, one sentence."""
    if path.suffix not in FORMATS:
        raise ValueError(f'{path.name} must end in {" or ".join(FORMATS)}')


def draw(sweep: Sweep, counts: Mapping[tuple[str, ...], tuple[int, int]], path: Path) -> None:
    """Draw the share of successes, with 95 % intervals, against the first axis.

    A line for each combination of the others. ``counts``: successes and runs by combination.
    """
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    name, places = sweep.axes[0]
    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.add_subplot(
        xlabel=name.removeprefix('--').replace('-', ' '),
        ylabel='share that succeeds',
        title=f'{sweep.experiment}, {max(len(sweep.seeds), 1)} seeds each',
        ylim=(-0.03, 1.03),
    )
    lines: dict[tuple[str, ...], dict[str, tuple[int, int]]] = {}
    for (place, *others), count in counts.items():
        lines.setdefault(tuple(others), {})[place] = count
    for number, (chosen, line) in enumerate(lines.items()):
        shares = [good / runs for good, runs in line.values()]
        ends = [wilson_interval(good, runs) for good, runs in line.values()]
        down = [share - low for share, (low, _) in zip(shares, ends, strict=True)]
        up = [high - share for share, (_, high) in zip(shares, ends, strict=True)]
        label = ', '.join(
            f'{other.removeprefix("--")} {value}'
            for (other, _), value in zip(sweep.axes[1:], chosen, strict=True)
        )
        # Beside each other, so that none hides another.
        aside = BESIDE * (number - 0.5 * (len(lines) - 1))
        at = [places.index(place) + aside for place in line]
        axes.errorbar(at, shares, (down, up), marker='o', capsize=3, label=label)
    axes.set_xticks(range(len(places)), places)
    if len(sweep.axes) > 1:
        axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=DOTS_PER_INCH)
