"""What changes in a world while a robot finds its way: somebody walks about, a door closes."""

from dataclasses import replace
from random import Random

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.cost_map import down_from, times_to
from walking_robots.mdle.planner.ground import KnownGround, ground_of
from walking_robots.mdle.planner.motion_model import MotionModel
from walking_robots.worlds.moving_disc import Jump
from walking_robots.worlds.world import World

WALKER = 0.2
"""Radius of who walks about, m."""
PACE, EVERY = 0.4, 0.2
"""Speed of the walker, m/s, and time between two of its steps, s."""
START_DISTANCE = 2.0
"""Distance from the robot's start, m, at which the walk begins."""
DOOR_TIME = (10.0, 40.0)
"""When the door closes, s."""
DOOR_AWAY = 1.0
"""Distance from start and goal, m, that a door has at least."""


Cell = tuple[int, int]


def way_over(ground: KnownGround, radius: float, start: Pose2, goal: Pose2) -> list[Cell]:
    """Return the cells of the quickest way of a disc, none where none leads there."""
    model = MotionModel(((0.0, 0.0, radius),))
    costs = ground.costs(model, 0.0)
    times = times_to(costs, model, goal.x, goal.y)
    return list(down_from(times, *costs.cell_of(start.x, start.y)))


def walk(world: World, start: Pose2, rng: Random, seconds: float) -> list[Jump]:
    """Return the steps of somebody who walks to places of a world, one after the other.

    start: of the robot, m, away from which the walk begins; who meets the robot waits.
    """
    ground = ground_of(world)
    room = np.argwhere(ground.to_occupied > WALKER + 0.1)

    def place() -> Pose2:
        row, column = room[rng.randrange(len(room))]
        return Pose2(*ground.centre_of(int(row), int(column)))

    here, now = place(), 0.0
    while here.distance(start) < START_DISTANCE:
        here = place()
    steps: list[Jump] = []
    while now < seconds:
        for cell in way_over(ground, WALKER + 0.05, here, place()):
            there = Pose2(*ground.centre_of(*cell))
            if here.distance(there) >= PACE * EVERY:
                steps.append(Jump(now, there.x, there.y))
                now, here = now + EVERY, there
        now += EVERY
    return steps


def closed_at(world: World, radius: float, start: Pose2, goal: Pose2) -> World | None:
    """Return a world in which the narrowest place of the way from a start to a goal is closed.

    radius: of the robot, m. None where there is no way, or no place away from both ends.
    """
    ground = ground_of(world)
    gaps = [
        (float(ground.to_occupied[cell]), Pose2(*ground.centre_of(*cell)))
        for cell in way_over(ground, radius, start, goal)
    ]
    doors = [
        (gap, place)
        for gap, place in gaps
        if min(place.distance(start), place.distance(goal)) > DOOR_AWAY
    ]
    if not doors:
        return None
    gap, door = min(doors, key=lambda found: found[0])
    rows, columns = np.indices(world.filled.shape)
    x = world.origin[0] + (columns + 0.5) * world.cell
    y = world.origin[1] + (rows + 0.5) * world.cell
    near = np.hypot(x - door.x, y - door.y) <= gap + 1.5 * world.cell
    return replace(world, filled=world.filled | near)
