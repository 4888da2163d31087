"""Measure the world of ARS MAGNA: CPU time of ticks, searches and maps, beside a peer's.

The peer is IR-SIM, where it is installed: as many robots that drive ahead on an empty map, without
collisions and without a display, for as many steps.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from walking_robots.ars_magna.agent.messages import NON_LOCAL, CommandRequest
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.simulation.ground import GroundMap
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shared import shared_path
from walking_robots.trials.ars_magna.trial import ArsTrial, run

__all__ = ['measure']

ROUNDS = 9
TICKS = 200
SIZE = 75
MOST_MS: Mapping[str, float] = {
    'one robot moving, a tick': 0.05,
    '100 robots moving, a tick': 0.8,
    'one search of a camera': 0.2,
    'building the map of 75 x 75 cells': 20.0,
}
"""Most CPU time in the median, ms."""
LEAST_TICKS = 2000.0
"""Ticks a second of CPU time of the whole fetch plan, at least, in the median."""

_CAMERA = 'cameras: [{fov: 90deg, resolution: 5}]'
_PEER = """
world: {{height: {size}, width: {size}, step_time: 1.0, sample_time: 1.0,
         collision_mode: unobstructed}}
robot:
  - number: {robots}
    distribution: {{name: random, range_low: [5, 5, 0], range_high: [70, 70, 0]}}
    kinematics: {{name: diff}}
    shape: {{name: circle, radius: 0.1}}
    vel_max: [1, 1]
"""


def _design(robots: int) -> WorldDesign:
    """Return a map with walls around and so many robots in rows, and a thing far off."""
    lines = ''.join(
        f'  - {{name: r{i}, at: [{3 + i % 10}, {3 + i // 10}], {_CAMERA}}}\n'
        for i in range(robots)
    )
    return parse_design(
        f'ars_schema: 1\nworld:\n  name: bench\n  size: [{SIZE}, {SIZE}]\n'
        f'  walls: [{{rect: {{from: [0, 0], to: [{SIZE}, {SIZE}]}}}}]\n'
        f'  objects: [{{name: lamp, at: [60, 4], attrs: {{color: red}}}}]\nrobots:\n{lines}',
        'bench',
    )


def _moving(robots: int) -> Callable[[], float]:
    """Return a function that drives robots ahead and gives the CPU time of a tick, s."""

    def round_() -> float:
        simulator = Simulator(_design(robots), 1)
        for robot in simulator.world.robots.values():
            robot.speed = 0.2
            simulator.submit(CommandRequest(robot.name, 0, 'go_forward', 0, (10 * TICKS,)))
        for _ in range(10):
            simulator.tick()
        begin = time.process_time_ns()
        for _ in range(TICKS):
            simulator.tick()
        return (time.process_time_ns() - begin) * 1e-9 / TICKS

    return round_


def _peer(robots: int) -> Callable[[], float] | None:
    """Return the same of IR-SIM, None where it is not installed."""
    try:
        version('ir-sim')
    except PackageNotFoundError:
        return None
    said = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(said), redirect_stderr(said):
        path = Path(folder, 'world.yaml')
        path.write_text(_PEER.format(size=SIZE, robots=robots))
        world: Any = import_module('irsim').make(
            str(path), display=False, disable_all_plot=True, log_level='ERROR'
        )
    actions = [np.array([[0.2], [0.0]]) for _ in range(robots)]

    def round_() -> float:
        begin = time.process_time_ns()
        for _ in range(TICKS // 4):
            world.step(actions)
        return (time.process_time_ns() - begin) * 1e-9 / (TICKS // 4)

    return round_


def _searching() -> float:
    """Return the CPU time of a search by 50 rays, s, with the tick in which it is made."""
    simulator = Simulator(_design(1), 1)
    world = simulator.world
    world.parameters = world.parameters.with_values(camera_desig_delay=0)
    begin = time.process_time_ns()
    for number in range(TICKS):
        arguments = (NON_LOCAL, (('color', 'red'),), False)
        simulator.submit(CommandRequest('r0', number, 'find_object', 0, arguments))
        simulator.tick()
    return (time.process_time_ns() - begin) * 1e-9 / TICKS


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
        'one robot moving, a tick': _moving(1),
        '100 robots moving, a tick': _moving(100),
        'one search of a camera': _searching,
        'building the map of 75 x 75 cells': _building,
        'the fetch plan, a tick': _fetching,
    }
    for name, robots in (
        ('one robot of IR-SIM, a step', 1),
        ('100 robots of IR-SIM, a step', 100),
    ):
        peer = _peer(robots)
        if peer is not None:
            works[name] = peer
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(1e3 * work())
    if any('IR-SIM' in name for name in works):
        write(f'with IR-SIM {version("ir-sim")}')
    write(f'ARS MAGNA: CPU time, ms (least, median, most of {ROUNDS} rounds)')
    for name, found in times.items():
        write(f'  {name:35} {min(found):8.4f} {statistics.median(found):8.4f} {max(found):8.4f}')
    medians = {name: statistics.median(found) for name, found in times.items()}
    fast = all(medians[name] <= most for name, most in MOST_MS.items())
    return fast and 1e3 / medians['the fetch plan, a tick'] >= LEAST_TICKS
