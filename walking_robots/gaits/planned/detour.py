"""Ways round ground that is too high to be stepped over, for a body that keeps its heading."""

import cmath
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.gaits.gait_step import Command
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

TOO_HIGH, WITHIN = 1.5, 1.5
"""Rise of the ground that feet do not get over, and the distance within which it counts, in
heights of a lift."""

ROOM, AMPLE, NARROW = 1.0, 3.0, 4.0
"""Least and ample distance between high ground and the body with its feet, in cells, and how many
times as far a way with less than that counts."""

FINEST = 128
"""Places along either side of the grid on which a way is looked for."""

AHEAD = 3
"""Steps of the way towards whose end the body goes."""

NEAR = 4
"""Places around a body among which one is looked for where it can be."""

SHARES = (0.25, 0.5, 0.75)
"""Where a straight way is looked at."""

DIRECTION = 0.02
"""Change of the direction of a command, rad, that asks for another way."""

Array = NDArray[np.float64]


class CostToGo(NamedTuple):
    """How far it is from places to the goal, m, narrow parts longer, inf where no body can be.

    ``left``: (n, m); ``first``: the first place, m; ``step``: distance between places, m.
    """

    left: Array
    first: complex
    step: float

    def direction(self, here: complex) -> complex:
        """Return the direction of the way at a place, m; 0 without one.

        It leads to the furthest of the next places that can be approached straight.
        """
        ahead, place = 0j, self._next(self._place(here), NEAR)
        for _ in range(AHEAD):
            if place is None:
                break
            way = self.first + complex(*place) * self.step - here
            if ahead and not all(self._is_free(here + share * way) for share in SHARES):
                break
            ahead, place = way, self._next(place, 1)
        return ahead / abs(ahead) if ahead else 0j

    def ahead(self, here: complex, length: float) -> list[complex]:
        """Return how far it is to the places of the way from a place on, up to a length, m."""
        found: list[complex] = []
        place = self._next(self._place(here), NEAR)
        while place is not None and len(found) * self.step < length:
            found.append(self.first + complex(*place) * self.step - here)
            place = self._next(place, 1)
        return found

    def _next(self, place: tuple[int, int], far: int) -> tuple[int, int] | None:
        """Return the place around another from which it is least far; None without one."""
        i, j = place
        for near in range(1, far + 1):
            low = max(i - near, 0), max(j - near, 0)
            around = self.left[low[0] : max(i + near + 1, 0), low[1] : max(j + near + 1, 0)]
            if np.isfinite(around).any():
                k, m = np.unravel_index(int(around.argmin()), around.shape)
                return low[0] + int(k), low[1] + int(m)
        return None

    def _place(self, point: complex) -> tuple[int, int]:
        offset = (point - self.first) / self.step
        return round(offset.real), round(offset.imag)

    def _is_free(self, point: complex) -> bool:
        i, j = self._place(point)
        inside = 0 <= i < self.left.shape[0] and 0 <= j < self.left.shape[1]
        return inside and math.isfinite(self.left[i, j])


class Detour:
    """Leads a body along commands, round high ground on their way.

    The body is as long as its feet stand at the start, and as wide as its feet may stand apart.
    """

    def __init__(self, model: HexapodModel) -> None:
        """Prepare for a robot."""
        self._model = model
        feet = [foot for leg in model.legs for foot in (leg.start_foot, leg.ready_foot)]
        cells = [place for leg in model.legs for place in leg.template]
        self._half = [max(abs(foot[0]) for foot in feet), max(abs(place[1]) for place in cells)]
        self._wanted, self._line = 0j, 0j
        self._goal: complex | None = None
        self._terrain: TernaryTerrain | None = None
        self._way: CostToGo | None = None

    def command(
        self, pose: Pose, command: Command, terrain: TernaryTerrain, goal: complex | None
    ) -> Command | None:
        """Return the command (m/s, rad/s) round high ground; None without a way.

        ``goal`` is the place, m, to which commands lead, if that is known.
        """
        velocity = complex(*command[:2]) * cmath.rect(1.0, pose.yaw())
        if not velocity or command[2]:
            return command
        here, wanted = complex(*pose.position[:2]), velocity / abs(velocity)
        veered = goal is None and abs(wanted - self._wanted) > DIRECTION
        if veered or goal != self._goal or terrain is not self._terrain:
            if veered or goal != self._goal:
                self._wanted, self._line, self._goal = wanted, here, goal
            self._terrain = terrain
            self._way = self._look(pose.yaw(), terrain)
        if self._way is None:
            return command
        ahead = self._way.direction(here)
        if not ahead:
            return None
        turned = abs(velocity) * ahead * cmath.rect(1.0, -pose.yaw())
        limits = self._model.command
        share = min(
            1.0,
            limits.forward / max(abs(turned.real), 1e-9),
            limits.lateral / max(abs(turned.imag), 1e-9),
        )
        return (share * turned.real, share * turned.imag, 0.0)

    def ahead(self, pose: Pose) -> Sequence[complex]:
        """Return how far, m, the body goes round high ground while a foot stands, at most."""
        return self._way.ahead(complex(*pose.position[:2]), self._half[0]) if self._way else ()

    def _look(self, yaw: float, terrain: TernaryTerrain) -> CostToGo | None:
        """Return the way over a terrain; None if nothing on it is too high."""
        high = too_high(terrain, self._model.timing.lift_height)
        if not high.any():
            return None
        cell = terrain.cell
        every = math.ceil(max(high.shape) / FINEST)
        free = ~self._widened(high, yaw, cell, ROOM)[::every, ::every]
        narrow = self._widened(high, yaw, cell, AMPLE)[::every, ::every]
        effort = np.where(free, np.where(narrow, NARROW, 1.0), np.inf)
        first = complex(terrain.first_row + 0.5, terrain.first_column + 0.5) * cell
        rows, columns = free.shape
        places = first + every * cell * (np.arange(rows)[:, None] + 1j * np.arange(columns))
        if self._goal is not None:
            start = np.where(np.abs(places - self._goal) <= every * cell, 0.0, np.inf)
        else:
            off = (places - self._line) * self._wanted.conjugate()
            end = off.real.max() - self._half[0] - (ROOM + every) * cell
            start = np.where(off.real >= end, np.abs(off.imag), np.inf)
        step = every * cell
        return CostToGo(_distances(start, effort, step), first, step)

    def _widened(
        self, high: NDArray[np.bool_], yaw: float, cell: float, room: float
    ) -> NDArray[np.bool_]:
        """Return the cells on which the middle of the body cannot be, those at the edges too."""
        length, width = (half + room * cell for half in self._half)
        most = math.ceil(math.hypot(length, width) / cell)
        padded = np.pad(high, most, constant_values=True)
        found = np.zeros_like(high)
        rows, columns = high.shape
        for i in range(-most, most + 1):
            for j in range(-most, most + 1):
                at = complex(i, j) * cell * cmath.rect(1.0, -yaw)
                if abs(at.real) <= length and abs(at.imag) <= width:
                    found |= padded[most + i : most + i + rows, most + j : most + j + columns]
        return found


def too_high(terrain: TernaryTerrain, lift: float) -> NDArray[np.bool_]:
    """Return the cells (rows, columns) that rise too much for feet with a lift, m."""
    if np.ptp(terrain.heights) <= TOO_HIGH * lift:
        return np.zeros(terrain.cells.shape, np.bool_)
    most = math.ceil(WITHIN * lift / terrain.cell)
    around = np.pad(terrain.heights, most, mode='edge')
    for axis in (0, 1):
        windows = np.lib.stride_tricks.sliding_window_view(around, 2 * most + 1, axis=axis)
        around = windows.min(axis=-1)
    high = terrain.heights - around > TOO_HIGH * lift
    found: NDArray[np.bool_] = high[:-1, :-1] | high[1:, :-1] | high[:-1, 1:] | high[1:, 1:]
    return found


def _distances(start: Array, effort: Array, step: float) -> Array:
    """Return the least distances to the goal, m, from those at its places, times the effort."""
    left = np.where(np.isfinite(effort), start, np.inf)
    ways = [
        (i, j, math.hypot(i, j) * step) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
    ]
    rows, columns = left.shape
    for _ in range(left.size):
        padded = np.pad(left, 1, constant_values=np.inf)
        found = left
        for i, j, way in ways:
            before = padded[1 + i : 1 + i + rows, 1 + j : 1 + j + columns]
            found = np.minimum(found, before + way * effort)
        if np.array_equal(found, left):
            break
        left = found
    return left
