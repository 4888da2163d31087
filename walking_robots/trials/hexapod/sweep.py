"""Many trials side by side, and what they say together."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from walking_robots.trials.common.parallel import side_by_side
from walking_robots.trials.hexapod.asv import AsvTrial, run_and_bound
from walking_robots.trials.hexapod.referee import WalkResult


@dataclass(frozen=True)
class Summary:
    """What a number of walks have in common; times in s, speeds in m/s, margins in m.

    The medians are of the completed walks, NaN where none was completed.
    """

    trials: int
    completed: int
    median_time_s: float
    median_speed_m_s: float
    least_margin_m: float


def by_seed(trial: AsvTrial, count: int) -> list[AsvTrial]:
    """Return the same trial for ``count`` seeds, from its own on."""
    return [replace(trial, seed=trial.seed + k) for k in range(count)]


def run_many(trials: Sequence[AsvTrial], jobs: int = 1) -> Iterator[WalkResult]:
    """Run walks in their order, ``jobs`` at a time, and yield each result as it is ready."""
    return side_by_side(run_and_bound, trials, jobs)


def summarise(results: Sequence[WalkResult]) -> Summary:
    """Summarise the results of some walks."""
    done = [result for result in results if result.completed]
    nan = float('nan')
    return Summary(
        trials=len(results),
        completed=len(done),
        median_time_s=statistics.median(r.sim_time_s for r in done) if done else nan,
        median_speed_m_s=statistics.median(r.mean_speed_m_s for r in done) if done else nan,
        least_margin_m=min((r.min_stability_margin_m for r in results), default=nan),
    )
