"""The share of runs of a sweep that succeed, drawn against an axis."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from walking_robots.documents.extras import extra_needed
from walking_robots.sweeps.combinations import Sweep
from walking_robots.sweeps.statistics import wilson_interval

SIZE = (7.0, 4.2)
DOTS_PER_INCH = 110
BESIDE = 0.08
"""How far apart lines are, in mean distances of two values."""

Count = tuple[int, int]
"""Runs that succeed, or have what is counted, and all runs."""

Counts = Mapping[tuple[str, ...], Count]
"""Counts by the values of a combination."""

FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""


def check_format(path: Path) -> None:
    """Refuse a file that no picture is written into; raises ValueError, one sentence."""
    if path.suffix not in FORMATS:
        raise ValueError(f'{path.name} must end in {" or ".join(FORMATS)}')


def draw(
    sweep: Sweep, counts: Counts, path: Path, also: Mapping[str, Mapping[str, Count]]
) -> None:
    """Draw shares of runs, with 95 % intervals, against the first axis.

    ``counts`` have a line for each combination of the other axes; ``also`` are more lines by
    their labels, with counts by the values of the first axis.
    """
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    (name, places), others = sweep.axes[0], sweep.axes[1:]
    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.add_subplot(
        xlabel=name.removeprefix('--').replace('-', ' '),
        ylabel='share of runs',
        title=f'{sweep.experiment}, {max(len(sweep.seeds), 1)} seeds each',
        ylim=(-0.03, 1.03),
    )
    lines: dict[str, dict[str, Count]] = {}
    for (place, *chosen), count in counts.items():
        words = [f'{other.removeprefix("--")} {value}'
                 for (other, _), value in zip(others, chosen, strict=True)]  # fmt: skip
        lines.setdefault(', '.join(words) or 'succeed', {})[place] = count
    lines |= {label: dict(line) for label, line in also.items()}
    positions = _positions(places)
    beside = BESIDE * (max(positions) - min(positions)) / max(len(positions) - 1, 1)
    for number, (label, line) in enumerate(lines.items()):
        found = [good / runs for good, runs in line.values()]
        ends = [wilson_interval(good, runs) for good, runs in line.values()]
        down = [share - low for share, (low, _) in zip(found, ends, strict=True)]
        up = [high - share for share, (_, high) in zip(found, ends, strict=True)]
        # Beside each other, so that none hides another.
        aside = beside * (number - 0.5 * (len(lines) - 1))
        at = [positions[places.index(place)] + aside for place in line]
        axes.errorbar(at, found, (down, up), marker='o', capsize=3, label=label)
    axes.set_xticks(positions, places)
    if len(lines) > 1:
        axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=DOTS_PER_INCH)


def _positions(places: Sequence[str]) -> list[float]:
    """Return where values are drawn: numbers to scale, others at equal distances."""
    try:
        return [float(place) for place in places]
    except ValueError:
        return [float(number) for number in range(len(places))]
