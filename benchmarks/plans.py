"""Measure planned footholds: CPU time of the bound of a terrain, and of plans on its walk."""

import time
from collections.abc import Callable, Iterator

from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.planned.bound import bound
from walking_robots.geometry.compiled import load
from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.loop import ClosedLoop

__all__ = ['measure']

TERRAINS = {
    '7 ft ditch, 40 %': (7.0, 0.4),
    '8 ft ditch, 30 %': (8.0, 0.3),
    '8 ft ditch, 40 %': (8.0, 0.4),
    '85 %': (0.0, 0.85),
    '90 %': (0.0, 0.9),
    '95 %': (0.0, 0.95),
    '9 ft ditch, 40 %': (9.0, 0.4),
    '10 ft ditch, 10 %': (10.0, 0.1),
}
"""Width of the ditch, ft, and share of forbidden cells."""

SEEDS = tuple(31_415 + 926 * k for k in range(4))

LEVEL = 8.0
"""Width of the widest ditch, ft, that a body crosses without a turn."""

BOUND_LIMIT, PLAN_LIMIT, LONGEST_PLAN = 0.1, 0.1, 0.5
"""Most CPU time of a bound without a turn and of a plan in the mean, and of any plan, s."""


def _trials(name: str) -> Iterator[AsvTrial]:
    ditch, share = TERRAINS[name]
    for seed in SEEDS:
        yield AsvTrial(gait='planned', ditch=ft(ditch), forbidden=share, seed=seed)


def _bound_time(trial: AsvTrial) -> float:
    """Return the CPU time of the bound of a terrain, s; the body may turn on a wide ditch."""
    terrain = trial.build_terrain()
    goal = complex(trial.goal, ASV.start_position[1])
    freedom = 'yaw' if trial.ditch > ft(LEVEL) else 'anywhere'
    begun = time.process_time()
    bound(ASV, terrain, goal, freedom)
    return time.process_time() - begun


def _plan_times(trial: AsvTrial) -> list[float]:
    """Return the CPU times of the plans of a walk, s."""
    loop = ClosedLoop(ASV, trial.build_terrain(), REPAIRED, gait=trial.gait)
    for _ in range(round(trial.time_limit() / ASV.timing.dt)):
        if loop.step(trial.command).after.position[0] >= trial.goal:
            break
    return loop.planning.times


def measure(write: Callable[[str], object]) -> bool:
    """Print mean and worst of each terrain; return whether they meet the limits."""
    load()
    write(f'ASV: CPU time of a bound and of a plan, s (mean, worst of {len(SEEDS)} terrains)')
    met = True
    for name in TERRAINS:
        trials = list(_trials(name))
        bounds = [_bound_time(trial) for trial in trials]
        plans = [seconds for trial in trials for seconds in _plan_times(trial)]
        means = sum(bounds) / len(bounds), sum(plans) / len(plans)
        level = TERRAINS[name][0] <= LEVEL
        met &= means[0] <= BOUND_LIMIT or not level
        met &= means[1] <= PLAN_LIMIT and max(plans) <= LONGEST_PLAN
        row = (
            f'{mean:7.3f} {max(times):7.3f}'
            for mean, times in zip(means, (bounds, plans), strict=True)
        )
        write(f'  {name:18} bound {next(row)}   plan {next(row)}')
    return met
