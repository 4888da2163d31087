"""A disc that moves about in a world, such as somebody's leg or another robot, by a script."""

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

REST = 0.2
"""Time, s, for which a robot must not move before it has come to rest."""


class Disc(NamedTuple):
    """A round thing; m."""

    x: float
    y: float
    radius: float

    def cast(
        self, x: float, y: float, angles: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Follow rays from (x, y), m, at angles, rad, counter-clockwise from x.

        Gives the way to the disc, m, inf for a ray that passes it and 0 from within, and the
        cosine between each ray and the normal where it hits.
        """
        dx, dy = self.x - x, self.y - y
        if dx * dx + dy * dy <= self.radius * self.radius:
            return np.zeros(angles.shape), np.ones(angles.shape)
        cosine, sine = np.cos(angles), np.sin(angles)
        along = dx * cosine + dy * sine
        aside = (dy * cosine - dx * sine) / self.radius
        hit = (np.abs(aside) <= 1.0) & (along > 0.0)
        normal = np.sqrt(np.where(hit, 1.0 - aside * aside, 0.0))
        return np.where(hit, along - self.radius * normal, math.inf), normal

    def near(self, x: float, y: float) -> tuple[float, float]:
        """Return the gap, m, from a point to the disc, 0 within, and the bearing to it, rad."""
        dx, dy = self.x - x, self.y - y
        return max(math.hypot(dx, dy) - self.radius, 0.0), math.atan2(dy, dx)


class Jump(NamedTuple):
    """Where the disc is put, m, and when: at a time, s, or when the robot next comes to rest.

    wait: for how long, s, the robot must have rested then.
    """

    at: float | Literal['rest']
    x: float
    y: float
    wait: float = REST


class ScriptedDisc:
    """Puts a disc where its script says; ``disc`` may be set, and is None before it is anywhere.

    Jumps happen one after the other; where one has to wait until its place is free, those after it
    are later by that time. One that waits for the rest of a robot counts from the jump
    before it, and needs a robot that drove in between.
    """

    def __init__(self, radius: float, script: Sequence[Jump] = ()) -> None:
        """Take a radius, m, and a script; raises ValueError for one that cannot be."""
        if not 0.0 < radius < math.inf:
            raise ValueError('the radius of an object must be a length greater than 0, m')
        last = 0.0
        for number, jump in enumerate(script):
            if not (math.isfinite(jump.x) and math.isfinite(jump.y)):
                raise ValueError(f'jump {number} of the object must lead to finite x and y, m')
            if not REST <= jump.wait < math.inf:
                raise ValueError(f'jump {number} of the object must wait for {REST:g} s or more')
            if jump.at == 'rest':
                continue
            if not (isinstance(jump.at, int | float) and last <= jump.at < math.inf):
                raise ValueError(
                    f"jump {number} of the object must say 'rest', or a time, s, that is not "
                    f'before the last'
                )
            last = jump.at
        self._radius, self._jumps = radius, tuple(script)
        self._next, self._late = 0, 0.0
        self._drove = self._waited = False
        self._still_since: float | None = None
        self.disc: Disc | None = None

    def at(self, x: float, y: float) -> Disc:
        """Return the disc at a place, m; raises ValueError for one that is not finite."""
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError('an object needs a finite x and y, m')
        return Disc(x, y, self._radius)

    def step(
        self, time: float, moving: bool, is_free: Callable[[Disc], bool] = lambda disc: True
    ) -> bool:
        """Carry out what is due by a time, s; return whether the disc was moved.

        A jump to a place that is not free waits until it is.
        """
        rested = self._rested(time, moving)
        moved = False
        while self._next < len(self._jumps):
            jump = self._jumps[self._next]
            if jump.at == 'rest':
                due = self._waited = self._waited or (self._drove and rested >= jump.wait - 1e-9)
            else:
                due = time - self._late >= jump.at
            disc = Disc(jump.x, jump.y, self._radius)
            if not due:
                break
            if not is_free(disc):
                if jump.at != 'rest':
                    self._late = time - jump.at
                break
            self.disc, moved = disc, True
            self._next += 1
            self._waited = self._drove = False
        return moved

    def _rested(self, time: float, moving: bool) -> float:
        """Return for how long, s, the robot has been still."""
        if moving:
            self._drove, self._still_since = True, None
            return 0.0
        if self._still_since is None:
            self._still_since = time
        return time - self._still_since
