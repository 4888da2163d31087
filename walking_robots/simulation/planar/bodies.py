"""Bodies that a simulated robot moves: free ones, and round ones that touch walls."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from walking_robots.geometry.differential_drive import Wheels, body_twist, wheel_speeds
from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.simulation.scout.body import ScoutBody
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.world import World

EVEN = Wheels(1.0, 1.0)


class PlanarBody(Protocol):
    """A body; ``pose`` is where it truly is, ``bumper`` the word of its switches."""

    @property
    def pose(self) -> Pose2:
        """Where it is; the heading is not wrapped."""

    @property
    def bumper(self) -> int:
        """The switches that are closed."""

    def has_room(self, disc: Disc) -> bool:
        """Return whether an object could be there beside the body."""

    def meet(self, disc: Disc) -> None:
        """Place the object there."""

    def move(self, twist: Twist2, dt: float) -> Twist2:
        """Try to move so for ``dt`` seconds; return the motion that its wheels measure."""


class FreeBody:
    """A body in an empty plane."""

    bumper = 0

    def __init__(
        self,
        start: Pose2,
        step: Callable[[Pose2, Twist2, float], Pose2],
        grip: Wheels = EVEN,
        separation: float = 0.0,
    ) -> None:
        """Begin somewhere; ``grip`` is the true travel of each wheel over what it measures."""
        self.pose = start
        self._step, self._grip, self._separation = step, grip, separation

    def has_room(self, disc: Disc) -> bool:
        """Return that nothing is in the way."""
        return True

    def meet(self, disc: Disc) -> None:
        """Pass through it."""

    def move(self, twist: Twist2, dt: float) -> Twist2:
        """Move for ``dt`` seconds; return the motion that its wheels measure."""
        true = twist
        if self._grip != EVEN:
            wheels = wheel_speeds(twist, self._separation)
            true = body_twist(
                Wheels(wheels.left * self._grip.left, wheels.right * self._grip.right),
                self._separation,
            )
        self.pose = self._step(self.pose, true, dt)
        return twist


class CollidingBody:
    """A round body in a world of walls, held by what it touches."""

    def __init__(
        self,
        world: World,
        model: WheeledModel,
        start: Pose2,
        grip: Wheels = EVEN,
        radius: float | None = None,
    ) -> None:
        """Begin somewhere; ``radius`` of the body, m, None for the model's.

        Raises ValueError when there is no room at ``start``.
        """
        self._separation = model.wheel_separation
        shape = model if radius is None else replace(model, radius=radius)
        self._body = ScoutBody(world, shape, grip, self._separation, start)

    @property
    def pose(self) -> Pose2:
        """Where it is; the heading is not wrapped."""
        return self._body.pose

    @property
    def bumper(self) -> int:
        """The switches that are closed."""
        return self._body.bumper

    def rebuild(self, world: World) -> None:
        """Find walls elsewhere from now on; raises ValueError where one is in the body."""
        self._body.rebuild(world)

    def has_room(self, disc: Disc) -> bool:
        """Return whether an object could be there beside the body."""
        return self._body.has_room(disc)

    def meet(self, disc: Disc) -> None:
        """Place the object there."""
        self._body.meet(disc)

    def move(self, twist: Twist2, dt: float) -> Twist2:
        """Move for ``dt`` s, at most as far as there is room; return what the wheels measure."""
        wheels = self._body.move(wheel_speeds(twist, self._separation), dt)
        return body_twist(wheels, self._separation)
