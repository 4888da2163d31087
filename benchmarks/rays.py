"""Measure the rays of a sonar ring in the big room of ARS MAGNA's manual: CPU time of a ring."""

import math
import statistics
import time
from collections.abc import Callable

import numpy as np

from walking_robots.worlds.clauses import Rect, Wall, draw
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

__all__ = ['measure']

ROUNDS = 7
RINGS = 300
LIMIT_MS = 0.25
"""Most CPU time a ring may take in the median, ms."""

SIDE, CONES, RAYS, CONE = 75, 16, 9, math.radians(25.0)


def big_room() -> World:
    """Build the room of ars_magna.md §4.1 with cells of 1 m."""
    drawing = draw(
        [
            Rect((0, 0), (SIDE, SIDE), 'bricks', (0.0, 10.0, 30.0, 25.0)),
            Wall((30, 10), (30, 50), 'slate', (10.0, 30.0)),
        ],
        SIDE,
        SIDE,
    )
    return World('big_room', 1.0, *drawing[:4])


def ring_times(caster: RayCaster) -> list[float]:
    """Return the CPU times, s, of rings about places all over the room, without limit of reach."""
    cones = np.arange(CONES) * (2.0 * math.pi / CONES)
    angles = cones[:, None] + np.linspace(-0.5 * CONE, 0.5 * CONE, RAYS)
    places = np.random.default_rng(7).uniform(1.0, SIDE - 1.0, (RINGS, 2))
    times = []
    for x, y in places.tolist():
        begin = time.process_time_ns()
        caster.cast(x, y, angles)
        times.append((time.process_time_ns() - begin) * 1e-9)
    return times


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds' medians; return whether they meet the limit."""
    caster = RayCaster(big_room())
    medians = [statistics.median(ring_times(caster)) * 1e3 for _ in range(ROUNDS)]
    median = statistics.median(medians)
    write(
        f'{CONES} sonar cones of {RAYS} rays, {SIDE} x {SIDE} cells: CPU time of a ring, ms '
        f'(least, median, most of {ROUNDS} rounds)'
    )
    write(f'  {"ring":12} {min(medians):7.3f} {median:7.3f} {max(medians):7.3f}')
    return median <= LIMIT_MS
