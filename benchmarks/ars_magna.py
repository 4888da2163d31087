"""Measure the world of ARS MAGNA: CPU time of ticks, searches and maps, beside a peer's.

The peer is IR-SIM, where it can be imported: as many robots that drive ahead on an empty map,
without collisions and without a display, and 100 robots with a laser scanner of 100 beams, about
what a search looks along. Run it alone with ``python -m benchmarks.ars_magna``.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import NON_LOCAL, CommandRequest
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.design.files import load_design, parse_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.simulation.ground import GroundMap
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shared import shared_path
from walking_robots.trials.ars_magna.trial import ArsTrial, run

__all__ = ['measure']

ROUNDS = 9
TICKS = 1000
SIZE = 75
CROWDS = 1, 100, 1000
MOST_MS: Mapping[str, tuple[float, float, float]] = {
    'idle': (0.003, 0.02, 0.2),
    'driving': (0.009, 0.25, 2.5),
    'searching': (0.051, 1.0, 10.0),
}
"""Most CPU time of a tick in the median, ms, of so many robots as `CROWDS` has."""
MOST_OTHERS_MS: Mapping[str, float] = {
    'one search of a camera': 0.2,
    'saving the big room': 1.0,
    'returning to it': 1.0,
    'building the map of 75 x 75 cells': 20.0,
}
"""Most CPU time in the median, ms."""
LEAST_TICKS = 2000.0
"""Ticks a second of CPU time of the whole fetch plan, at least, in the median."""

_PARTS = (
    'cameras: [{fov: 45deg, resolution: 3}, {fov: 90deg, resolution: 5}], '
    'hands: [{strength: 10}, {strength: 4}], bins: [{capacity: 20}, {capacity: 5}]'
)
_PEER = """
world: {{height: {size}, width: {size}, step_time: 1.0, sample_time: 1.0,
         collision_mode: unobstructed}}
robot:
  - number: {robots}
    distribution: {{name: random, range_low: [5, 5, 0], range_high: [70, 70, 0]}}
    kinematics: {{name: diff}}
    shape: {{name: circle, radius: 0.1}}
    vel_max: [1, 1]
{sensors}
"""
_BEAMS = '    sensors: [{name: lidar2d, range_max: 30, angle_range: 1.57, number: 100}]'


def _design(robots: int) -> WorldDesign:
    """Return a map with walls around, with so many robots in rows and 20 things."""
    lines = ''.join(
        f'  - {{name: r{i}, at: [{3 + i % 35}, {3 + i // 35}], {_PARTS}}}\n' for i in range(robots)
    )
    things = ''.join(
        f'    - {{name: lamp, at: [{5 + 7 * i % 65}, {40 + i}], attrs: {{color: red, size: 2}}}}\n'
        for i in range(20)
    )
    return parse_design(
        f'ars_schema: 1\nworld:\n  name: bench\n  size: [{SIZE}, {SIZE}]\n'
        f'  walls: [{{rect: {{from: [0, 0], to: [{SIZE}, {SIZE}]}}}}]\n'
        f'  objects:\n{things}robots:\n{lines}',
        'bench',
    )


async def _idle(robot: Robot) -> None:
    await robot.wait(1_000_000)


async def _driving(robot: Robot) -> None:
    await robot.set_speed(0.05)
    while True:
        await robot.go_forward(1000)
        await robot.turn(2.0)


async def _looking(robot: Robot) -> None:
    while True:
        await robot.cameras[1].get_object_designator(NON_LOCAL, [('color', 'red')])


def _crowd(program: Callable[[Robot], Any], robots: int) -> Callable[[], float]:
    """Return a function that gives the CPU time of a tick, s, of robots with a program each."""
    simulator = Simulator(_design(robots), 1)
    tasks = [Task(program(connect(simulator, name))) for name in simulator.world.robots]
    for _ in range(20):
        simulator.tick()
    count = max(8, TICKS // robots)

    def round_() -> float:
        begin = time.process_time_ns()
        for _ in range(count):
            simulator.tick()
        found = (time.process_time_ns() - begin) * 1e-9 / count
        assert not any(task.done for task in tasks)
        return found

    return round_


def _peer(robots: int, sensors: str = '') -> Callable[[], float] | None:
    """Return the same of IR-SIM with robots that drive, None where it is not installed."""
    try:
        version('ir-sim')
    except PackageNotFoundError:
        return None
    said = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(said), redirect_stderr(said):
        path = Path(folder, 'world.yaml')
        path.write_text(_PEER.format(size=SIZE, robots=robots, sensors=sensors))
        world: Any = import_module('irsim').make(
            str(path), display=False, disable_all_plot=True, log_level='ERROR'
        )
    actions = [np.array([[0.05], [0.0]]) for _ in range(robots)]
    count = max(1, TICKS // 4 // robots)

    def round_() -> float:
        begin = time.process_time_ns()
        for _ in range(count):
            world.step(actions)
        return (time.process_time_ns() - begin) * 1e-9 / count

    return round_


def _searching() -> float:
    """Return the CPU time of a search by 50 rays, s, with the tick in which it is made."""
    simulator = Simulator(_design(1), 1)
    world = simulator.world
    world.parameters = world.parameters.with_values(camera_desig_delay=0)
    begin = time.process_time_ns()
    count = TICKS // 5
    for number in range(count):
        # From one pose it would see the same things again, without looking along rays.
        world.robots['r0'].heading += 0.01
        arguments = (NON_LOCAL, (('color', 'red'),), False)
        simulator.submit(CommandRequest('r0', number, 'find_object', 0, arguments))
        simulator.tick()
    return (time.process_time_ns() - begin) * 1e-9 / count


def _saving() -> tuple[Callable[[], float], Callable[[], float]]:
    """Return functions that give the CPU time, s, of saving the manual's room and of a return."""
    design = load_design(str(shared_path('config/worlds/big_room.yaml')))
    simulator = Simulator(design, 1)
    for _ in range(100):
        simulator.tick()
    saved = simulator.save()

    def timed(work: Callable[[], object]) -> float:
        begin = time.process_time_ns()
        for _ in range(100):
            work()
        return (time.process_time_ns() - begin) * 1e-11

    return partial(timed, simulator.save), partial(timed, partial(simulator.restore, saved))


def _building() -> float:
    """Return the CPU time of the map of the manual's room with its places, s."""
    path = shared_path('config/worlds/big_room.yaml')
    text = path.read_text(encoding='utf-8')
    begin = time.process_time_ns()
    design = parse_design(text, str(path))
    GroundMap(design.grid, design.definitions.place_types)
    return (time.process_time_ns() - begin) * 1e-9


def _fetching() -> float:
    """Return the CPU time of a tick of the manual's plan in its room, s."""
    world = str(shared_path('config/worlds/big_room.yaml'))
    begin = time.process_time_ns()
    result = run(ArsTrial((world,), seed=1, noise='clean'))
    return (time.process_time_ns() - begin) * 1e-9 / result.ticks


def measure(write: Callable[[str], object]) -> bool:
    """Print the figures; return whether all are within their limits."""
    works: dict[str, Callable[[], float]] = {
        _name(kind, robots): _crowd(program, robots)
        for kind, program in (('idle', _idle), ('driving', _driving), ('searching', _looking))
        for robots in CROWDS
    }
    saving, returning = _saving()
    works |= {
        'saving the big room': saving,
        'returning to it': returning,
        'one search of a camera': _searching,
        'building the map of 75 x 75 cells': _building,
        'the fetch plan, a tick': _fetching,
    }
    for robots in CROWDS:
        peer = _peer(robots)
        if peer is not None:
            works[f'IR-SIM, {_name("driving", robots)}'] = peer
    peer = _peer(100, _BEAMS)
    if peer is not None:
        works['IR-SIM, 100 robots with 100 beams'] = peer
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(1e3 * work())
    if any('IR-SIM' in name for name in works):
        write(f'with IR-SIM {version("ir-sim")}')
    write(f'ARS MAGNA: CPU time, ms (least, median, most of {ROUNDS} rounds)')
    for name, found in times.items():
        write(f'  {name:36} {min(found):8.4f} {statistics.median(found):8.4f} {max(found):8.4f}')
    medians = {name: statistics.median(found) for name, found in times.items()}
    limits = dict(MOST_OTHERS_MS) | {
        _name(kind, robots): most
        for kind, found in MOST_MS.items()
        for robots, most in zip(CROWDS, found, strict=True)
    }
    slow = [name for name, most in limits.items() if medians[name] > most]
    for name in slow:
        write(f'  {name}: more than {limits[name]:g} ms')
    return not slow and 1e3 / medians['the fetch plan, a tick'] >= LEAST_TICKS


def _name(kind: str, robots: int) -> str:
    return f'{robots} robot{"s" * (robots > 1)} {kind}, a tick'


if __name__ == '__main__':
    sys.exit(not measure(print))
