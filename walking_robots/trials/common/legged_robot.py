"""A simulated robot on legs as programs drive it, in simulated time (mdle.md §2.3)."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from walking_robots.body.motion import Command
from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2, Twist2, wrap
from walking_robots.mdle.robot import Observation, RobotSpec, StopMode
from walking_robots.virtual_robots.control_spaces import saturate, twist_of
from walking_robots.virtual_robots.state_estimation import StateEstimator
from walking_robots.worlds.contact import nearest_wall
from walking_robots.worlds.world import World

SECOND = 1_000_000_000
REST: Command = (0.0, 0.0, 0.0)
STILL = 0.05
"""Share of its greatest speed at which a robot counts as at rest."""


class Stride(NamedTuple):
    """What a robot measures after a step: its pose in the frame of odometry, and its channels."""

    pose: Pose2
    felt: Mapping[str, Any]


class WalkingLoop(Protocol):
    """A simulated robot with its gait; ``dt``: time of a step, s; ``start``: how it stands."""

    dt: float
    start: Stride

    def walk(self, command: Command) -> Stride:
        """Walk a step by a command (vx, vy, wz), m/s and rad/s."""


class LeggedRobot:
    """Walks as it was last commanded, for as long as that is valid, and then comes to rest.

    In a world the walls hold its body, a disc; it feels them as a bumper. ``walls`` and
    ``radius`` are that world and that disc, m.
    """

    def __init__(
        self,
        spec: RobotSpec,
        loop: WalkingLoop,
        start: Pose2 = ORIGIN,
        *,
        world: World | None = None,
        radius: float = 0.0,
    ) -> None:
        """Stand at ``start``; ``radius`` of the body, m.

        Raises ValueError where a wall is there.
        """
        self.spec, self._loop = spec, loop
        self._frame = start @ loop.start.pose.inverse()
        self.walls, self.radius = world, radius
        self._senses = StateEstimator(spec)
        self._begin: int | None = None
        self._steps = self._now = self._until = 0
        self._command = Screw2(*REST)
        self.true_pose = start
        self._rest = spec.sway or STILL * spec.limits()['limit.v']
        self._gap, self._bearing = self._wall(start)
        if self._gap < 0.0:
            raise ValueError(
                f'{spec.name} does not fit at x {start.x:g} m, y {start.y:g} m: a wall'
            )

    def read(self, now: int) -> Observation:
        """Walk up to ``now``, ns, and return a snapshot."""
        if self._begin is None:
            self._begin = self._now = now
            self._take(self._loop.start, now)
        period = round(self._loop.dt * SECOND)
        while (due := self._begin + (self._steps + 1) * period) <= now:
            held = self._now >= self._until or self._pushes_wall()
            self._take(self._loop.walk(REST if held else self._command), due)
            self._steps, self._now = self._steps + 1, due
        self._now = now
        return self._senses.observe(now)

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Take a control for ``valid_for`` s, made smaller where it is beyond the limits."""
        if space == 'none':
            return
        self._command = twist_of(self.spec, space, saturate(self.spec.spaces[space], control))
        self._until = self._now + round(valid_for * SECOND)
        self._senses.commanded(self._command, self._now)

    def stop(self, mode: StopMode = 'brake') -> None:
        """Come to rest, whatever the mode."""
        self._command, self._until = Screw2(*REST), 0
        self._senses.commanded(self._command, self._now)

    def stopped(self) -> bool:
        """Return whether the body rests."""
        return self._senses.still(self._rest, self._now)

    @property
    def touches(self) -> bool:
        """Return whether the body touches a wall."""
        return self._gap <= 0.0

    def _take(self, stride: Stride, stamp: int) -> None:
        """Take in what was measured at a time, ns."""
        before, pose = self.true_pose, self._frame @ stride.pose
        # The heading of odometry is wrapped.
        pose = pose._replace(heading=before.heading + wrap(pose.heading - before.heading))
        motion = (before.inverse() @ pose).log(self._loop.dt)
        self.true_pose = pose
        self._senses.moves(pose, Twist2(motion.v, motion.w), stamp)
        self._gap, self._bearing = self._wall(pose)
        ahead = math.cos(self._bearing - pose.heading) if self.touches else 0.0
        bumper = {
            'bumper.any': self.touches,
            'bumper.front': ahead > 0.0,
            'bumper.rear': ahead < 0.0,
        }
        self._senses.feels({**stride.felt, **bumper}, stamp)

    def _wall(self, pose: Pose2) -> tuple[float, float]:
        """Return the gap, m, between the body and the nearest wall, and the bearing of that."""
        if self.walls is None:
            return math.inf, 0.0
        return nearest_wall(self.walls, pose.x, pose.y, self.radius)

    def _pushes_wall(self) -> bool:
        """Return whether the command leads into a wall that the body touches."""
        command, relative = self._command, self._bearing - self.true_pose.heading
        into = command.v * math.cos(relative) + command.aside * math.sin(relative)
        return self.touches and into > 0.0
