"""Measure the cartographer: CPU time of a ring of sonars, a scan, and of finding the pose."""

import math
import statistics
import time
from collections.abc import Callable
from random import Random

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.map_particles import Estimate, MapParticles
from walking_robots.mdle.cartographer.occupancy_grid import OccupancyGrid
from walking_robots.mdle.cartographer.range_likelihood import reference_of
from walking_robots.mdle.cartographer.scan_beams import see
from walking_robots.mdle.cartographer.sonar_cone import hear
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.worlds.random_worlds import random_world
from walking_robots.worlds.rays import RayCaster

__all__ = ['measure']

ROUNDS, TIMES = 9, 20
RING_MS, SCAN_MS, POSE_MS = 0.3, 0.5, 1.0
"""Most CPU time in the median, ms: a ring in the map, 360 beams, and a ring for the pose."""


def measure(write: Callable[[str], object]) -> bool:
    """Measure, write a line each; return whether all are fast enough."""
    world = random_world(2, SUPER_SCOUT.radius)
    caster, rng = RayCaster(world.world), Random(1)
    ring = SUPER_SCOUT.sonar
    mounts = [
        Pose2(0.2 * math.cos(ring.bearing(n)), 0.2 * math.sin(ring.bearing(n)), ring.bearing(n))
        for n in range(ring.count)
    ]
    half = 0.5 * ring.field_of_view
    angles = np.linspace(-math.pi, math.pi, 360, endpoint=False)
    start = world.start

    def ranges(pose: Pose2) -> list[float]:
        found = []
        for mount in mounts:
            x, y, axis = pose @ mount
            cone = axis + np.linspace(-half, half, 9)
            found.append(float(caster.cast(x, y, cone).distance.min()) * rng.gauss(1.0, 0.02))
        return found

    poses = [start @ Pose2(0.0, 0.0, 0.1 * turn) for turn in range(TIMES)]
    rings = [ranges(pose) for pose in poses]
    scans = [caster.cast(p.x, p.y, angles + p.heading, 12.0).distance for p in poses]
    grid, seen = OccupancyGrid(), OccupancyGrid()
    for pose, scan in zip(poses, scans, strict=True):
        see(seen, pose, angles, scan, 12.0)
    reference = reference_of(seen.log_odds, seen.origin, seen.resolution, 0.6)
    particles = MapParticles(
        Estimate(start, np.eye(3) * 1e-3), 0.01, 0.345, np.random.default_rng(1)
    )

    def draw() -> None:
        for pose, distances in zip(poses, rings, strict=True):
            for mount, distance in zip(mounts, distances, strict=True):
                hear(grid, pose, mount, distance, half)

    def look() -> None:
        for pose, beams in zip(poses, scans, strict=True):
            see(seen, pose, angles, beams, 12.0)

    def find() -> None:
        for distances in rings:
            for mount, distance in zip(mounts, distances, strict=True):
                particles.move(Pose2(0.0, 0.0, 0.1 / ring.count))
                particles.hear(reference, mount, distance, half)
            particles.resample()
            particles.estimate()

    fast = True
    for name, act, most in (
        ('map, a ring of 16 sonars', draw, RING_MS),
        ('map, 360 beams', look, SCAN_MS),
        ('pose in a known map, a ring of 16', find, POSE_MS),
    ):
        act()
        found = statistics.median(_cpu_ms(act) / TIMES for _ in range(ROUNDS))
        write(f'{name}: {found:.3f} ms (at most {most:g})')
        fast &= found <= most
    return fast


def _cpu_ms(act: Callable[[], None]) -> float:
    begin = time.thread_time()
    act()
    return (time.thread_time() - begin) * 1e3
