"""The true motion of a round body on two wheels, and what it runs into."""

import math

import numpy as np

from walking_robots.geometry.differential_drive import Wheels, body_twist, wheel_speeds
from walking_robots.geometry.se2 import Pose2, Twist2, wrap
from walking_robots.robots.wheeled import BumperModel, WheeledModel
from walking_robots.worlds.contact import Near, near_cells
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.world import World

TOUCH = 0.005
"""Gap, m, at which a bumper switch closes; a choice."""
LOOK = 0.3
"""How far round the body, m, one look at the world goes."""
OVERLAP = 1e-6
"""Overlap with a cell, m, that counts as none, so that a body can scrape along a wall."""

_REST = Wheels(0.0, 0.0)


class ScoutBody:
    """Moves through a world; ``pose`` and ``wheels`` (m/s) are true, ``bumper`` is the word.

    What touches the body takes its translation, since wheels do not go sideways; a round body
    may still turn, and move away.
    """

    def __init__(
        self, world: World, model: WheeledModel, grip: Wheels, separation: float, start: Pose2
    ) -> None:
        """Stand at a place; ``grip`` is the true travel of each wheel over that of its encoder.

        Raises ValueError when there is no room at ``start``.
        """
        self._world, self._radius, self._switches = world, model.radius, model.bumper
        self._push = model.top_acceleration
        self._grip, self._separation = grip, separation
        self._held: float | None = None
        self._disc: Disc | None = None
        self._seen_from = (math.nan, math.nan)
        self.wheels = _REST
        self.bumper = 0
        self.place(start)

    def place(self, pose: Pose2) -> None:
        """Put the body somewhere; raises ValueError where it would be inside a wall."""
        if not all(map(math.isfinite, pose)):
            raise ValueError('a pose must be finite numbers of m and rad')
        near = self._near(pose.x, pose.y, self._radius + LOOK)
        if near.gap.size and near.gap.min() < self._radius - OVERLAP:
            what = 'a wall' if self._disc is None else 'a wall, or the object'
            raise ValueError(f'the robot does not fit at x {pose.x:g} m, y {pose.y:g} m: {what}')
        self.pose = pose
        self._feel(near)

    def rebuild(self, world: World) -> None:
        """Find walls elsewhere from now on; raises ValueError where one is in the body."""
        before, self._world = self._world, world
        self._seen_from = (math.nan, math.nan)
        try:
            self.place(self.pose)
        except ValueError:
            self._world, self._seen_from = before, (math.nan, math.nan)
            raise

    def has_room(self, disc: Disc) -> bool:
        """Return whether an object could be there beside the body."""
        return disc.near(self.pose.x, self.pose.y)[0] >= self._radius - OVERLAP

    def meet(self, disc: Disc) -> None:
        """Place the fixed object there."""
        self._disc = disc
        self._feel(self._near(self.pose.x, self.pose.y, self._radius + LOOK))

    def move(self, wheels: Wheels, dt: float) -> Wheels:
        """Turn the wheels at these speeds of the encoders, m/s; give those that came of it."""
        if wheels == _REST:
            self.wheels, self._held = _REST, None
            return _REST
        left, right = wheels.left * self._grip.left, wheels.right * self._grip.right
        twist = body_twist(Wheels(left, right), self._separation)
        free = self._freed(twist.v, dt)
        goal = self.pose.advance(Twist2(free, twist.w), dt)
        way = abs(free) * dt
        if way < self._free:
            self.pose = goal
            self._free -= way
            share = 1.0
        else:
            dx, dy = goal.x - self.pose.x, goal.y - self.pose.y
            share = self._share(dx, dy)
            self.pose = Pose2(self.pose.x + share * dx, self.pose.y + share * dy, goal.heading)
            self._feel(self._look())
        came = share * free
        if came == twist.v:
            self.wheels, self._held = Wheels(left, right), None
            return wheels
        self.wheels, self._held = wheel_speeds(Twist2(came, twist.w), self._separation), came
        return Wheels(self.wheels.left / self._grip.left, self.wheels.right / self._grip.right)

    def _freed(self, speed: float, dt: float) -> float:
        """Return the speed, m/s, that a body has which was held a moment ago."""
        if self._held is None:
            return speed
        most = abs(self._held) + self._push * dt
        return max(-most, min(most, speed))

    def _share(self, dx: float, dy: float) -> float:
        """Return the share of a way that is free.

        Where the body does not fit at its end, each cell is replaced by the line through its
        nearest point, behind which the whole of it lies: the body never enters a cell.
        """
        near = self._look()
        closing = dx * np.cos(near.bearing) + dy * np.sin(near.bearing)
        ahead = closing > 0.0
        if not ahead.any():
            return 1.0
        room = np.maximum(near.gap[ahead] - self._radius, 0.0)
        share = float((room / closing[ahead]).min())
        if share >= 1.0:
            return 1.0
        there = self._near(self.pose.x + dx, self.pose.y + dy, self._radius)
        fits = min(self._radius - OVERLAP, float(near.gap.min()))
        return 1.0 if not there.gap.size or there.gap.min() >= fits else share

    def _look(self) -> Near:
        """Return what is round the body."""
        place = (self.pose.x, self.pose.y)
        if place != self._seen_from:
            self._seen = self._near(*place, self._radius + LOOK)
            self._seen_from = place
        return self._seen

    def _near(self, x: float, y: float, reach: float) -> Near:
        """Return the cells, and the object, up to ``reach`` from a place."""
        cells = near_cells(self._world, x, y, reach)
        if self._disc is None:
            return cells
        gap, bearing = self._disc.near(x, y)
        if gap > reach:
            return cells
        return Near(np.append(cells.gap, gap), np.append(cells.bearing, bearing))

    def _feel(self, near: Near) -> None:
        """Close the switches that something touches; note how far the next touch is."""
        self._seen, self._seen_from = near, (self.pose.x, self.pose.y)
        gaps = near.gap - self._radius
        self._free = (float(gaps.min()) if gaps.size else LOOK) - TOUCH
        self.bumper = 0
        if self._free <= 0.0:
            for bearing in near.bearing[gaps <= TOUCH].tolist():
                self.bumper |= _closed(self._switches, bearing - self.pose.heading)


def _closed(switches: BumperModel, bearing: float) -> int:
    """Return the bits of the switches that a touch at a bearing, rad, in the body closes."""
    half = 0.5 * switches.sector + 1e-9
    return sum(
        1 << bit
        for bit, centre in enumerate(switches.bearings)
        if abs(wrap(bearing - centre)) <= half
    )
