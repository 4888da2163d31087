"""Heights along x for robots in a plane: the rough ground of the thesis, slopes, bumps, steps.

biped.md §4: ground between two points is straight, and the same along y.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

Outside = Literal['zero', 'level', 'wrap']

ROUGH_UNITS = (
    0, 0, 0, 0, 0, 1, 2, 3, 1, 2, 1, 3, 2, 0, 3, 3, 1, 4, 3, 3, 0, 4, 1, 3, 0, 3, 3, 0,
    3, 2, 0, 2, 3, 0, 1, 2, 1, 3, 3, 3, 3, 3, 1, 3, 0, 0, 2, 4, 1, 2, 1, 4, 0, 2, 2, 0,
)  # fmt: skip
"""Heights of the rough ground in its unit of height, every 0.1 m from x = -0.3 m (§4.2)."""

GRID = 0.1
ROUGH_START = -0.3
ROUGH_UNIT, VERY_ROUGH_UNIT = 0.01, 0.02
MOST_UNITS = 4
LEVEL_POINTS = 6
"""Points at the beginning of random ground that are level (§4.2)."""
NARROWEST = 0.999e-4
"""m; between two points, so that there is a body of ground below each piece."""
SHORTEST_WRAP, MOST_A_METRE = 0.1, 100
"""Bounds of ground that repeats, m and points a metre, so that a long way has a bounded number."""
TOE_BUMP = 0.2
"""Base of a triangular bump, m (§16, check 24)."""


@dataclass(frozen=True)
class HeightProfile:
    """Points of the ground by growing x, m; straight lines between them.

    outside: what lies before the first and after the last point: height zero, the height of that
    point, or the same ground again and again (§4.1).
    """

    x: tuple[float, ...]
    z: tuple[float, ...]
    outside: Outside = 'level'

    def __post_init__(self) -> None:
        """Refuse points that are no ground."""
        if len(self.x) != len(self.z) or len(self.x) < 2:
            raise ValueError('a profile has at least two points, each with x and height')
        if not all(map(math.isfinite, (*self.x, *self.z))):
            raise ValueError('the points of a profile must be finite numbers')
        if not all(grows(a, b) for a, b in pairwise(self.x)):
            raise ValueError('the x of a profile must grow by 0.1 mm or more from point to point')
        if self.outside == 'wrap' and self.z[0] != self.z[-1]:
            raise ValueError('a profile that repeats must end at the height at which it begins')
        if self.outside == 'wrap':
            length, pieces = self.x[-1] - self.x[0], len(self.x) - 1
            if length < SHORTEST_WRAP - 1e-9:
                raise ValueError(
                    f'a profile that repeats must be at least {SHORTEST_WRAP:g} m long'
                )
            if pieces > MOST_A_METRE * length + 1e-9:
                raise ValueError(
                    f'a profile that repeats must have at most {MOST_A_METRE} points a metre'
                )

    def height(self, x: float) -> float:
        """Return the height of the ground at x, m."""
        points = self.x
        if not points[0] <= x < points[-1]:
            if self.outside == 'wrap':
                x = points[0] + (x - points[0]) % (points[-1] - points[0])
                if x >= points[-1]:
                    return self.z[-1]
            elif x == points[-1]:
                return self.z[-1]
            elif self.outside == 'zero':
                return 0.0
            else:
                return self.z[0] if x < points[0] else self.z[-1]
        after = bisect_right(points, x)
        x0, z0 = points[after - 1], self.z[after - 1]
        return z0 + (x - x0) * (self.z[after] - z0) / (points[after] - x0)

    def between(self, low: float, high: float) -> tuple[tuple[float, float], ...]:
        """Return the points (x, z), m, of the ground from low to high, both ends included.

        Where heights outside are zero, the ground falls or rises there at once: two points then
        share their x.
        """
        first, last = self.x[0], self.x[-1]
        inner = list(zip(self.x, self.z, strict=True))
        if self.outside == 'wrap':
            length = last - first
            turns = range(
                math.floor((low - first) / length), math.floor((high - first) / length) + 1
            )
            inner = [(x + n * length, z) for n in turns for x, z in inner[:-1]]
        elif self.outside == 'zero':
            before = [(first, 0.0)] if inner[0][1] else []
            inner = before + inner + ([(last, 0.0)] if inner[-1][1] else [])
        kept = [(x, z) for x, z in inner if low < x < high]
        return ((low, self.height(low)), *kept, (high, self.height(high)))


def grows(a: float, b: float) -> bool:
    """Return whether a point at b, m, may follow one at a."""
    return b - a >= NARROWEST


LEVEL = HeightProfile((0.0, 1.0), (0.0, 0.0))


def grid(
    units: Sequence[int],
    unit: float,
    *,
    start: float = ROUGH_START,
    spacing: float = GRID,
    outside: Outside = 'zero',
) -> HeightProfile:
    """Return the ground of whole heights times a unit at equal distances, all m (§4.1)."""
    x = tuple(round(start + spacing * n, 9) for n in range(len(units)))
    return HeightProfile(x, tuple(round(unit * value, 9) for value in units), outside)


def rough(unit: float = ROUGH_UNIT) -> HeightProfile:
    """Return the rough ground of the thesis; the unit 0.02 m makes it very rough (§4.2)."""
    return grid(ROUGH_UNITS, unit)


def random_rough(
    generator: np.random.Generator, unit: float = ROUGH_UNIT, points: int = len(ROUGH_UNITS)
) -> HeightProfile:
    """Return ground of equally likely heights of 0 to 4 units, its first six points level (§4.2).

    Beyond its last point it keeps that height.
    """
    units = generator.integers(0, MOST_UNITS, points, endpoint=True).tolist()
    units[:LEVEL_POINTS] = [0] * min(LEVEL_POINTS, points)
    return grid(units, unit, outside='level')


def slope(angle: float, *, start: float = 0.8, length: float = 12.0) -> HeightProfile:
    """Return level ground and then a slope, angle rad, positive up, over a length along x, m."""
    return HeightProfile((start, start + length), (0.0, length * math.tan(angle)))


def mound(up: float, down: float, *, start: float = 0.8, run: float = 1.0) -> HeightProfile:
    """Return a level, a rise, a plateau and a long slope down; angles rad, lengths m (§4.3)."""
    top, edge = run * math.tan(up), start + 2.0 * run
    end = edge + 12.0 * run
    return HeightProfile(
        (start, start + run, edge, end), (0.0, top, top, top - 12.0 * run * math.tan(down))
    )


def bump(height: float, apex: float = 1.1, base: float = TOE_BUMP) -> HeightProfile:
    """Return level ground with one triangular bump; all m (§16, check 24)."""
    return HeightProfile((apex - base / 2.0, apex, apex + base / 2.0), (0.0, height, 0.0))


def step(height: float, edge: float = 1.0, run: float = 0.02) -> HeightProfile:
    """Return level ground with one step, up or down, that rises over a short run; all m."""
    return HeightProfile((edge, edge + run), (0.0, height))
