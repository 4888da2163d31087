"""Drives along all ground that a robot can cover, with what its sonars or a laser would measure.

The way is planned in the true world, so that a map, or an estimate of the pose, can be judged
without a planner.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.differential_drive import Wheels, body_twist, wheel_speeds
from walking_robots.geometry.se2 import Pose2, Twist2, wrap
from walking_robots.mdle.cartographer.cartographer import Cartographer
from walking_robots.mdle.cartographer.occupancy_grid import OccupancyGrid
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.scout.sonar_ring import SonarRing
from walking_robots.worlds import World
from walking_robots.worlds.distance_field import distance_field, flood, shortest_ways
from walking_robots.worlds.rays import RayCaster

EVEN = Wheels(0.0, 0.0)
STEP = 0.06
"""Time, s, of a step and between two firings."""
SPEED, TURN = 0.3, 0.8
"""m/s and rad/s."""
APART = 1.0
"""Distance, m, of the places that a tour visits."""


@dataclass(frozen=True)
class Drive:
    """Steps of STEP s: true poses (n, 3) at their ends and commanded motion (n, 2), v and w."""

    start: Pose2
    poses: NDArray[np.float64]
    twists: NDArray[np.float64]

    def odometry(self, slip: Wheels) -> NDArray[np.float64]:
        """Return the poses, (n, 3), that encoders give whose wheels slip by constant shares."""
        separation = SUPER_SCOUT.wheel_separation
        pose, found = self.start, []
        for v, w in self.twists.tolist():
            wheels = wheel_speeds(Twist2(v, w), separation)
            counted = Wheels(wheels.left / (1 + slip.left), wheels.right / (1 + slip.right))
            pose = pose.advance(body_twist(counted, separation), STEP)
            found.append(pose)
        return np.array(found)


def tour(world: World, start: Pose2, rng: Random, seconds: float = math.inf) -> Drive:
    """Visit places all over what the robot can cover, the nearest first, and stop at the end.

    With a time, s, tours follow one another, each in another order, until that is over.
    """
    gaps = distance_field(world.filled, world.cell) - 0.5 * world.cell
    free = gaps >= SUPER_SCOUT.radius + 0.04
    # Ways keep off walls where they can.
    cost = np.where(free, 1.0 + 3.0 * np.clip(0.45 - gaps, 0.0, 0.3) / 0.3, 0.0).astype(np.float32)
    reached = np.isfinite(shortest_ways(cost, world.cell_at(start.x, start.y)))
    pose, poses, twists = start, [], []  # type: ignore[var-annotated]
    while True:
        every = max(round(APART / world.cell), 1)
        offset = rng.randrange(every), rng.randrange(every)
        left = reached.copy()
        mask = np.zeros_like(left)
        mask[offset[0] :: every, offset[1] :: every] = True
        left &= mask
        while left.any() and len(poses) * STEP < seconds:
            ways = shortest_ways(cost, world.cell_at(pose.x, pose.y))
            if math.isfinite(seconds):
                rows, columns = np.nonzero(left & np.isfinite(ways))
                pick = rng.randrange(len(rows))
                goal = int(rows[pick]), int(columns[pick])
            else:
                goal = np.unravel_index(np.where(left, ways, np.inf).argmin(), ways.shape)
            left[goal] = False
            for x, y in _way(ways, world, goal):
                pose = _drive(pose, x, y, poses, twists)
        if len(poses) * STEP >= seconds or not math.isfinite(seconds):
            break
    return Drive(start, np.array(poses), np.array(twists))


def _way(ways, world: World, goal):  # type: ignore[no-untyped-def]
    """Return the points of the way to a cell, m, every fourth cell."""
    row, column = (int(part) for part in goal)
    cells = [(row, column)]
    while ways[row, column] > 0.0:
        near = ways[row - 1 : row + 2, column - 1 : column + 2]
        down, right = np.unravel_index(near.argmin(), near.shape)
        row, column = row + int(down) - 1, column + int(right) - 1
        cells.append((row, column))
    picked = [*cells[:-1:4][::-1]] or cells
    x0, y0 = world.origin
    return [(x0 + (c + 0.5) * world.cell, y0 + (r + 0.5) * world.cell) for r, c in picked]


def _drive(pose: Pose2, x: float, y: float, poses: list, twists: list) -> Pose2:  # type: ignore[type-arg]
    """Turn to a point and drive there."""
    while True:
        away = math.hypot(x - pose.x, y - pose.y)
        if away < 0.03:
            return pose
        turn = wrap(math.atan2(y - pose.y, x - pose.x) - pose.heading)
        w = max(-TURN, min(TURN, turn / STEP * 0.5))
        v = min(SPEED, away / STEP) if abs(turn) < 0.3 else 0.0
        pose = pose.advance(Twist2(v, w), STEP)
        poses.append(pose)
        twists.append((v, w))


@dataclass(frozen=True)
class Firings:
    """What the sonars measured, one a step: its number, (n,), and range, m, inf without echo."""

    sensor: NDArray[np.int64]
    range: NDArray[np.float64]


def listen(world: World, drive: Drive, echo: float, rough: float, rng: Random) -> Firings:
    """Fire the ring along a drive; echo: largest angle of incidence, degrees; rough: share."""
    model = SUPER_SCOUT.sonar
    settings = EmulatorSettings(
        sonar_noise=0.02, specular_angle=math.radians(echo), rough_probability=rough
    )
    ring = SonarRing(RayCaster(world), model, settings, rng)
    ring.configure(round(model.period * 1e6 / 4000), model.order, 0)
    sensors, ranges = [], []
    for number, pose in enumerate(drive.poses.tolist()):
        sensor = model.order[number % model.count]
        ring.step(round((number + 1) * model.period * 1e6), Pose2(*pose))
        inches = ring.readings[sensor]
        sensors.append(sensor)
        # Nearer than the least range, echoes are of something else (scout_protocol.md §5).
        ranges.append(inches * model.unit if 6 <= inches < 255 else math.inf)
    return Firings(np.array(sensors), np.array(ranges))


class MapFigures(NamedTuple):
    """How good a map is, as shares.

    precision: of occupied cells within one cell of a true wall; recall: of the surfaces round
    coverable ground with an occupied cell within one cell; known: of the ground that the body
    covers; wall_free: wall cells called free, for each cell of such a surface.
    """

    precision: float
    recall: float
    known: float
    wall_free: float


def figures_of(world: World, start: Pose2, grid: OccupancyGrid) -> MapFigures:
    """Compare a map with the truth; they share their frame."""
    filled, cell = np.pad(world.filled, 60, constant_values=True), world.cell
    rows, columns = np.indices(filled.shape)
    x = ((columns - 60 + 0.5) * cell + world.origin[0] - grid.origin[0]) / grid.resolution
    y = ((rows - 60 + 0.5) * cell + world.origin[1] - grid.origin[1]) / grid.resolution
    inside = (x >= 0) & (y >= 0) & (x < grid.columns) & (y < grid.rows)
    found = np.full(filled.shape, -1)
    found[inside] = grid.classes()[y[inside].astype(int), x[inside].astype(int)]
    free = distance_field(filled, cell) - 0.5 * cell >= SUPER_SCOUT.radius + 0.04
    row, column = world.cell_at(start.x, start.y)
    body = distance_field(flood(free, (row + 60, column + 60), corners=True), cell)
    surface = filled & (distance_field(~filled) <= 1.0) & (body <= SUPER_SCOUT.radius + 0.25)
    covered = body <= SUPER_SCOUT.radius
    occupied = found == 1
    # Within one cell means the eight neighbours, too.
    near_wall, near_found = (distance_field(mask) < 1.5 for mask in (filled, occupied))
    return MapFigures(
        precision=float((occupied & near_wall).sum() / max(occupied.sum(), 1)),
        recall=float((surface & near_found).sum() / surface.sum()),
        known=float((covered & (found != -1)).sum() / covered.sum()),
        wall_free=float((filled & (found == 0)).sum() / surface.sum()),
    )


def sensor_pose(number: int) -> Pose2:
    """Return the pose of a sonar on the robot."""
    ring = SUPER_SCOUT.sonar
    bearing = ring.bearing(number)
    return Pose2(ring.radius * math.cos(bearing), ring.radius * math.sin(bearing), bearing)


def drive_with(
    cartographer: Cartographer, drive: Drive, firings: Firings, slip: Wheels = EVEN
) -> NDArray[np.float64]:
    """Feed a cartographer the ranges of a drive; return its errors, (rings, 5).

    x, y, m, heading, rad, the normalised error and the largest sigma, m, after each ring.
    """
    half = 0.5 * SUPER_SCOUT.sonar.field_of_view
    cartographer.move(0, drive.start)
    errors = []
    rows = zip(drive.odometry(slip).tolist(), drive.poses.tolist(), firings.sensor.tolist(),
               firings.range.tolist(), strict=True)  # fmt: skip
    for number, (odometry, pose, sensor, distance) in enumerate(rows, 1):
        stamp = round(number * STEP * 1e9)
        cartographer.move(stamp, Pose2(*odometry))
        cartographer.hear(stamp, sensor, sensor_pose(sensor), distance, half)
        if number % 16 == 0:
            found, covariance = cartographer.estimate
            off = np.array(found) - pose
            off[2] = wrap(off[2])
            normalised = off @ np.linalg.solve(covariance, off)
            errors.append((*off, normalised, cartographer.estimate.sigma))
    return np.array(errors)
