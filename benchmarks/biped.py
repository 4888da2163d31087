"""Measure the blind bipeds: how much faster than time a trial runs, and a tick of the controller.

Control at 250 Hz, servos and physics at 1 kHz, on MuJoCo's contacts. The walker of dm_control, a
planar biped too, is measured beside them where it is installed.
"""

import statistics
import time
from collections.abc import Callable
from itertools import pairwise

from benchmarks.dm_control_peer import peer as dm_control_peer
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.robots.kwalk import KWALKS
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.trial import BipedLoop, BipedTrial, senses_of

__all__ = ['measure']

ROUNDS = 7
SECONDS = 4.0
LEAST_RATIO = 30.0
"""Seconds of a trial in one of the processor, at least, in the median."""
MOST_TICK_US = 25.0
"""Most CPU time of a tick of the controller in the median, µs."""
CASES = {
    'A, level': ('a', 'level', 'literal'),
    'B, level': ('b', 'level', 'literal'),
    'B, very rough': ('b', 'very-rough', 'tuned'),
}


def _trial(robot: str, terrain: str, kind: str) -> BipedTrial:
    """Return the trial of a case."""
    ground = find_ground(terrain)
    _, parameters = shipped_sets().find(robot, kind, ground.kind)
    return BipedTrial(KWALKS[robot], parameters, ground.profile, time=SECONDS)


def _round(trial: BipedTrial) -> tuple[float, float]:
    """Walk once; give seconds in one of the processor, and the time of a tick, µs."""
    loop = BipedLoop(trial)
    begin = time.process_time_ns()
    ticks = [loop.tick() for _ in range(round(trial.time / trial.control_step))]
    ratio = trial.time / ((time.process_time_ns() - begin) * 1e-9)
    felt = [
        (before.gait.memory, senses_of(tick.state, trial.control_step))
        for before, tick in pairwise(ticks)
    ]
    begin = time.process_time_ns()
    for memory, senses in felt:
        loop.gait.tick(memory, senses)
    return ratio, (time.process_time_ns() - begin) * 1e-3 / len(felt)


def _row(write: Callable[[str], object], name: str, found: list[float]) -> None:
    write(f'  {name:15} {min(found):7.1f} {statistics.median(found):7.1f} {max(found):7.1f}')


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds; return whether all is fast enough."""
    trials = {name: _trial(*case) for name, case in CASES.items()}
    peer = dm_control_peer('walker', SECONDS)
    ratios: dict[str, list[float]] = {name: [] for name in trials}
    ticks: dict[str, list[float]] = {name: [] for name in trials}
    others: list[float] = []
    for _ in range(ROUNDS):
        for name, trial in trials.items():
            ratio, tick = _round(trial)
            ratios[name].append(ratio)
            ticks[name].append(tick)
        if peer is not None:
            others.append(peer[1]())
    write(
        f'Blind bipeds, control at 250 Hz, MuJoCo {mujoco_engine().__version__} at 1 kHz: '
        f'seconds in one of the processor (least, median, most of {ROUNDS} rounds of '
        f'{SECONDS:g} s)'
    )
    if peer is not None:
        ratios[peer[0]] = others
    for name, found in ratios.items():
        _row(write, name, found)
    write('  a tick of the controller, CPU time, µs')
    for name, found in ticks.items():
        _row(write, name, found)
    return all(
        statistics.median(ratios[name]) >= LEAST_RATIO
        and statistics.median(ticks[name]) <= MOST_TICK_US
        for name in trials
    )
