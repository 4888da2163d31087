"""How many walks succeed against the share of forbidden cells: walk them, and draw it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from walking_robots.documents.extras import extra_needed
from walking_robots.trials.common.parallel import side_by_side
from walking_robots.trials.hexapod.asv import AsvTrial, run, run_and_bound
from walking_robots.trials.hexapod.referee import WalkResult
from walking_robots.trials.hexapod.sweep import by_seed

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
"""Shares of forbidden cells."""

LINES = {'possible': '#888888', 'planned': '#2a7ab9', 'rules': '#c25b12'}
"""What is counted, and its colour: walks by each gait, and terrains that can be crossed at all."""

SIZE = (7.0, 4.2)
DOTS_PER_INCH = 110
FORMATS = ('.png', '.svg')
"""Suffixes of the files that can be written."""

Counts = Mapping[tuple[str, float], int]
"""How many succeed, by what is counted and the share of forbidden cells."""


def trials_of_figure(trial: AsvTrial, seeds: int) -> list[AsvTrial]:
    """Return the walks of a figure: the trial with all shares, both gaits and so many seeds."""
    return [
        walk
        for share in SHARES
        for gait in ('rules', 'planned')
        for walk in by_seed(replace(trial, forbidden=share, gait=gait), seeds)
    ]


def run_for_figure(trials: Sequence[AsvTrial], jobs: int) -> Iterator[WalkResult]:
    """Run walks, ``jobs`` at a time; those by plans say whether the goal is possible."""
    return side_by_side(_walked, trials, jobs)


def _walked(trial: AsvTrial) -> WalkResult:
    return run_and_bound(trial) if trial.gait == 'planned' else run(trial)


def count_successes(trials: Sequence[AsvTrial], results: Sequence[WalkResult]) -> Counts:
    """Count the walks that succeed, and the terrains that can be crossed."""
    counts: Counter[tuple[str, float]] = Counter()
    for trial, result in zip(trials, results, strict=True):
        counts[trial.gait, trial.forbidden] += result.completed
        counts['possible', trial.forbidden] += result.possible == 'yes'
    return counts


def check_format(target: Path) -> None:
    """Refuse a file that no picture is written into; raises ValueError, one sentence."""
    if target.suffix not in FORMATS:
        raise ValueError(f'{target.name} must end in {" or ".join(FORMATS)}')


def draw_successes(counts: Counts, seeds: int, title: str, target: Path) -> None:
    """Draw counts of so many seeds into a picture; the suffix of ``target`` is its format.

    Raises ValueError for another suffix and OSError where nothing can be written.
    """
    check_format(target)
    # Loaded by whoever wants a picture, and by nobody else.
    with extra_needed('figures'):
        from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout='constrained')
    axes = figure.add_subplot(
        xlabel='forbidden cells, %', ylabel=f'walks of {seeds}', title=title,
        xlim=(0.0, 100.0), ylim=(-0.03 * seeds, 1.05 * seeds),
    )  # fmt: skip
    percent = [100.0 * share for share in SHARES]
    for name, colour in LINES.items():
        width = 5.0 if name == 'possible' else 2.0
        found = [counts[name, share] for share in SHARES]
        axes.plot(percent, found, color=colour, linewidth=width, marker='o', label=name)
    axes.legend(loc='lower left')
    axes.grid(alpha=0.3)
    figure.savefig(target, dpi=DOTS_PER_INCH)
