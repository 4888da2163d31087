"""Compare ways of the planner with those of IR-SIM and PyRoboSim in the same known worlds.

Neither belongs to this package. In an environment that has it, the one or both of these:
``pip install ir-sim pyrobosim numba``, then ``python -m benchmarks.planner_peers``. Without numba
the search of this package is not compiled.
"""

import argparse
import logging
import math
import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.cost_map import times_to
from walking_robots.mdle.planner.ground import ground_of
from walking_robots.mdle.planner.lattice import Lattice
from walking_robots.mdle.planner.motion_model import MotionModel, sampled
from walking_robots.mdle.planner.primitives import primitives
from walking_robots.worlds.random_worlds import RandomWorld, random_world

shapely: Any = import_module('shapely')
"""It comes with both."""
RADIUS = 0.205
CELL = 0.05
MARGIN = 0.02
"""Room round the body, m, that all planners are asked to keep."""
TOUCH = 1e-3
"""Depth, m, from which a way touches a wall."""
Way = np.ndarray | None
Plan = Callable[[], Way]
Make = Callable[[RandomWorld, Any], Plan]
"""From a world and its free ground, a function that plans; only that is timed."""


def lattice(weights: tuple[float, ...]) -> Make:
    """Return the planner of this package."""
    model = MotionModel(((0.0, 0.0, RADIUS),))
    search = Lattice(model, primitives(model))

    def make(world: RandomWorld, _: Any) -> Plan:
        goal = Pose2(*world.goal)

        def plan() -> Way:
            costs = ground_of(world.world).costs(model, MARGIN)
            times = times_to(costs, model, goal.x, goal.y, world.start[:2])
            ways = list(search.ways(costs, times, world.start, goal, weights=weights))
            if not ways:
                return None
            return sampled(ways[-1].moves, world.start, 0.01)[:, :2]

        return plan

    return make


def irsim_planner(name: str, **options: Any) -> Make:
    """Return a planner of IR-SIM; A* does not know of a body, so that its grid is inflated."""
    planners = import_module('irsim.lib.path_planners')
    maps = import_module('irsim.world.map')
    body = type('Body', (), {'original_geometry': shapely.Point(0, 0).buffer(RADIUS + MARGIN)})
    is_grid = name == 'AStarPlanner'

    def make(world: RandomWorld, free: Any) -> Plan:
        filled = world.world.filled
        rows, columns = filled.shape
        grid = np.where(filled, 100.0, 0.0)
        if is_grid:
            # It looks at cells and what touches them: that is a margin, too.
            room = shapely.buffer(free, -RADIUS, quad_segs=16)
            x, y = np.meshgrid(*((np.arange(n) + 0.5) * CELL for n in (columns, rows)))
            grid = np.where(shapely.contains_xy(room, x, y), 0.0, 100.0)
        known = maps.Map(columns * CELL, rows * CELL, CELL, grid=np.ascontiguousarray(grid.T))
        kind = getattr(planners, name)
        planner = kind(known) if is_grid else kind(known, body, **options)

        def plan() -> Way:
            start, goal = np.array(world.start[:2]), np.array(world.goal)
            found = planner.planning(start, goal, show_animation=False)
            return None if found is None else np.array(found).T

        return plan

    return make


def pyrobosim_planner(module: str, name: str, **options: Any) -> Make:
    """Return a planner of PyRoboSim; its world is the ground that its robot's middle may go to."""
    kind = getattr(import_module(f'pyrobosim.navigation.{module}'), name)
    core = import_module('pyrobosim.core.world'), import_module('pyrobosim.core.robot')
    pose_of = import_module('pyrobosim.utils.pose').Pose
    logging.disable(logging.CRITICAL)

    def make(world: RandomWorld, free: Any) -> Plan:
        there, robot = core[0].World(), core[1].Robot(name='robot', radius=RADIUS)
        there.add_room(name='room', footprint=list(free.envelope.exterior.coords))
        start, goal = world.start[:2], world.goal
        there.add_robot(robot, pose=pose_of(x=start[0], y=start[1]), show=False)
        room = shapely.buffer(free, -(RADIUS + MARGIN), quad_segs=16)
        shapely.prepare(room)
        there.total_internal_polygon = robot.total_internal_polygon = room
        there.set_inflation_radius = lambda _: None
        planner = kind(**options)
        robot.set_path_planner(planner)

        def plan() -> Way:
            if hasattr(planner, 'reset'):
                planner.reset()
            path = planner.plan(*(pose_of(x=x, y=y) for x, y in (start, goal)))
            return np.array([(p.x, p.y) for p in path.poses]) if path.num_poses else None

        return plan

    return make


def planners() -> Iterator[tuple[str, Make]]:
    """Yield the planners that can be imported here."""
    yield 'first way of the lattice', lattice((3.0,))
    yield 'best way of the lattice', lattice((3.0, 1.5, 1.0))
    choices: tuple[tuple[str, Callable[[], Make]], ...] = (
        ('PyRoboSim A*', lambda: pyrobosim_planner(
            'a_star', 'AStarPlanner', grid_resolution=CELL, grid_inflation_radius=0.0,
            compress_path=True)),
        ('PyRoboSim RRT-Connect*', lambda: pyrobosim_planner(
            'rrt', 'RRTPlanner', bidirectional=True, rrt_connect=True, rrt_star=True,
            max_connection_dist=0.5, max_nodes_sampled=5000, max_time=5.0, compress_path=True)),
        ('IR-SIM A*', lambda: irsim_planner('AStarPlanner')),
        ('IR-SIM RRT', lambda: irsim_planner('RRT', path_resolution=CELL, max_iter=5000)),
    )  # fmt: skip
    for name, make in choices:
        try:
            yield name, make()
        except ImportError as error:
            print(f'{name}: left out ({error})')


def free_ground(world: RandomWorld) -> Any:
    """Return the polygon of what is not filled."""
    rows, columns = np.nonzero(~world.world.filled)
    boxes = shapely.box(columns * CELL, rows * CELL, (columns + 1) * CELL, (rows + 1) * CELL)
    return shapely.union_all(boxes)


def main() -> None:
    """Print one row for each planner."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--worlds', type=int, default=50)
    parser.add_argument('--first', type=int, default=8000, help='seed')
    options = parser.parse_args()
    worlds: list[tuple[RandomWorld, Any]] = []
    seed = options.first
    while len(worlds) < options.worlds:
        world = random_world(seed, RADIUS)
        # What the margin closes is no way for anyone here.
        if world.reachable and world.narrowest_m > 2.0 * (RADIUS + MARGIN) + 0.05:
            worlds.append((world, free_ground(world)))
        seed += 1
    print(f'{len(worlds)} worlds, seeds {options.first} to {seed - 1}')
    for name, make in planners():
        found, times, ratios, touching = 0, [], [], 0
        make(*worlds[0])()
        for number, (world, free) in enumerate(worlds):
            random.seed(number)
            np.random.seed(number)
            plan = make(world, free)
            begun = time.thread_time()
            way = plan()
            times.append(1e3 * (time.thread_time() - begun))
            if way is None or len(way) < 2:
                continue
            found += 1
            line = shapely.LineString(way)
            ratios.append(line.length / world.best_path_m)
            touching += line.distance(free.boundary) < RADIUS - TOUCH
        median, high = np.percentile(times, (50, 95))
        print(
            f'{name:26} found {found:3}  length {np.median(ratios or [math.nan]):.3f} of the best,'
            f' longest {max(ratios, default=math.nan):.2f}  {median:.0f} ms, p95 {high:.0f}'
            f'  touching {touching}',
            flush=True,
        )


if __name__ == '__main__':
    main()
