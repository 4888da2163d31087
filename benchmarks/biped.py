"""Measure the blind bipeds: how much faster than time a trial runs, and a tick of the controller.

Control at 250 Hz, servos and physics at 1 kHz, on MuJoCo's contacts. The walker of dm_control, a
planar biped too, is measured beside them where it is installed: with steps of physics and commands
as long as ours, and with its own, 2.5 ms and 25 ms; and so is ours with 2.5 ms.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.dm_control_peer import peer as dm_control_peer
from walking_robots.gaits.biped.parameter_files import shipped_sets, spatial_set
from walking_robots.gaits.biped.spatial.senses import posture
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import KWALKB3D
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.spatial_trial import SpatialLoop, SpatialTrial, spatial_senses_of
from walking_robots.trials.biped.trial import BipedLoop, BipedTrial, senses_of

__all__ = ['measure']

ROUNDS = 7
SECONDS = 4.0
SEED = 3
"""Of small disturbances in space, and of cells."""


class BipedCase(NamedTuple):
    """A walk: robot, ground, set, step of the physics, and the least ratio in the median, s/s."""

    robot: str
    terrain: str
    kind: str
    step: float
    least: float


CASES = {
    'A, level': BipedCase('a', 'level', 'literal', 0.001, 50.0),
    'B, level': BipedCase('b', 'level', 'tuned', 0.001, 50.0),
    'B, very rough': BipedCase('b', 'very-rough', 'tuned', 0.001, 45.0),
    'B, 2.5 ms': BipedCase('b', 'level', 'tuned', 0.0025, 80.0),
    'space, level': BipedCase('b3d', 'level', 'tuned', 0.001, 30.0),
    'space, cells': BipedCase('b3d', 'cells:2cm', 'tuned', 0.001, 20.0),
}
MOST_TICK_US = {'a': 18.0, 'b': 18.0, 'b3d': 42.0}
"""Most CPU time of a tick of the controller in the median, µs."""


def _loop(case: BipedCase) -> Any:
    """Set the walk of a case up."""
    settings = SimulationSettings('native', time_step=case.step)
    control = 0.004 if case.step == 0.001 else 2.0 * case.step
    if case.robot == KWALKB3D.letter:
        field = find_spatial_ground(case.terrain, SEED)
        numbers = spatial_set(shipped_sets(), case.robot, case.kind, field.kind)
        return SpatialLoop(
            SpatialTrial(KWALKB3D, numbers, field.ground, settings, SECONDS, control, seed=SEED)
        )
    ground = find_ground(case.terrain)
    _, parameters = shipped_sets().find(case.robot, case.kind, ground.kind)
    return BipedLoop(
        BipedTrial(KWALKS[case.robot], parameters, ground.profile, settings, SECONDS, control)
    )


def _round(case: BipedCase) -> tuple[float, float]:
    """Walk once; give seconds in one of the processor, and the time of a tick, µs."""
    loop = _loop(case)
    step = loop.trial.control_step
    count = round(SECONDS / step)
    begin = time.process_time_ns()
    for _ in range(count):
        loop.tick()
    ratio = SECONDS / ((time.process_time_ns() - begin) * 1e-9)
    loop = _loop(case)
    ticks = [loop.tick() for _ in range(count)]
    states = [tick.state for tick in ticks[1:]]
    if isinstance(loop, SpatialLoop):
        felt: list[Any] = [spatial_senses_of(at, posture(at.attitude), step) for at in states]
    else:
        felt = [senses_of(at, step) for at in states]
    begin = time.process_time_ns()
    for before, senses in zip(ticks, felt, strict=False):
        loop.gait.tick(before.gait.memory, senses)
    return ratio, (time.process_time_ns() - begin) * 1e-3 / len(felt)


def _row(write: Callable[[str], object], name: str, found: list[float], limit: str = '') -> None:
    write(
        f'  {name:15} {min(found):7.1f} {statistics.median(found):7.1f} {max(found):7.1f} {limit}'
    )


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds; return whether all is fast enough."""
    steps: tuple[tuple[float, ...], ...] = ((0.001, 0.004), (0.0025, 0.005), ())
    peers = dict(filter(None, (dm_control_peer('walker', SECONDS, *each) for each in steps)))
    ratios: dict[str, list[float]] = {name: [] for name in CASES}
    ticks: dict[str, list[float]] = {name: [] for name in CASES}
    others: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(ROUNDS):
        for name, case in CASES.items():
            ratio, tick = _round(case)
            ratios[name].append(ratio)
            ticks[name].append(tick)
        for name, once in peers.items():
            others[name].append(once())
    write(
        f'Blind bipeds, control at 250 Hz, MuJoCo {mujoco_engine().__version__} at 1 kHz: '
        f'seconds in one of the processor (least, median, most of {ROUNDS} rounds of '
        f'{SECONDS:g} s, and limit)'
    )
    for name, case in CASES.items():
        _row(write, name, ratios[name], f'{case.least:7.1f}')
    for name, found in others.items():
        _row(write, name, found)
    write('  a tick of the controller, CPU time, µs')
    for name, case in CASES.items():
        _row(write, name, ticks[name], f'{MOST_TICK_US[case.robot]:7.1f}')
    return all(
        statistics.median(ratios[name]) >= case.least
        and statistics.median(ticks[name]) <= MOST_TICK_US[case.robot]
        for name, case in CASES.items()
    )
