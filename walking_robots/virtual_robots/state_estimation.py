"""The channels of a program, from the topics of a robot."""

import math
from typing import Any

from walking_robots.geometry.se2 import Pose2, Screw2, Twist2, wrap
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject
from walking_robots.mdle.robot import Observation, RobotSpec

SECOND = 1_000_000_000


class StateEstimator:
    """Keeps the newest of every channel with the instant it was measured, ns.

    A channel of which nothing was heard is not in the observation. Sonars are clipped to what the
    robot can measure; what moved is found by them while the robot stands (mdle.md §9).
    """

    def __init__(self, spec: RobotSpec) -> None:
        """Begin knowing nothing; ``spec`` says which channels there are."""
        self._spec = spec
        self._values: dict[str, Any] = {}
        self._stamps: dict[str, int] = {}
        self._pose: Pose2 | None = None
        self._twist = Twist2()
        self._odometer = self._turn = 0.0
        sonar = spec.outputs.get('sonar')
        self._ranges = [math.nan] * (sonar.size if sonar else 0)
        self._heard = [0] * len(self._ranges)
        self._round = round(sonar.period * SECOND) if sonar else 0
        self._rest_since: int | None = None
        self._last_round = 0
        self._moved = MovedObject(far=sonar.high) if sonar else None

    def moves(self, pose: Pose2, twist: Twist2, stamp: int) -> None:
        """Take in odometry.

        Raises ValueError where it is not finite.
        """
        if not all(map(math.isfinite, (*pose, *twist))):
            raise ValueError('odometry must be finite')
        before = self._pose
        if before is None:
            self._turn = pose.heading
        else:
            # A pose that was set back to the origin is no way that was driven.
            self._odometer += before.distance(pose) if before.distance(pose) < 1.0 else 0.0
            self._turn += wrap(pose.heading - before.heading)
        self._pose, self._twist = pose, twist
        known = {
            'pose': pose._replace(heading=wrap(pose.heading)),
            'twist.v': twist.v,
            'twist.w': twist.w,
            'odometer': self._odometer,
            'turn': self._turn,
        }
        for name, value in known.items():
            self._keep(name, value, stamp)

    def hears(self, beam: int, distance: float, stamp: int) -> None:
        """Take in a range, m, of one sonar; no echo is infinite, too near is minus infinity.

        Raises ValueError for a sonar that is not there.
        """
        if not 0 <= beam < len(self._ranges):
            raise ValueError(f'there is no sonar {beam}')
        self._ranges[beam] = distance
        self._heard[beam] = stamp

    def feels(self, touched: dict[str, Any], stamp: int) -> None:
        """Take in contact, battery or emergency stop, by channel."""
        for name, value in touched.items():
            self._keep(name, value, stamp)

    def commanded(self, control: Screw2, stamp: int) -> None:
        """Take in a command to the robot."""
        self._keep('command.v', control.v, stamp)
        self._keep('command.w', control.w, stamp)

    def still(self, speed: float, now: int) -> bool:
        """Return whether the robot rests, by odometry not older than half a second."""
        fresh = now - self._stamps.get('pose', -SECOND) < SECOND // 2
        # A body half a metre in size turns its rim at about that speed.
        return fresh and abs(self._twist.v) <= speed and abs(self._twist.w) <= 4.0 * speed

    def observe(self, now: int) -> Observation:
        """Return what is known at ``now``, ns."""
        sonar = self._spec.outputs.get('sonar')
        stamps = self._stamps
        if sonar and not any(map(math.isnan, self._ranges)):
            ranges = tuple(min(max(r, sonar.low), sonar.high) for r in self._ranges)
            self._keep('sonar', ranges, min(self._heard))
            self._look(now)
        for name in ('command.v', 'command.w'):
            # What was last applied is known at any time.
            if name in self._spec.outputs:
                self._keep(name, self._values.get(name, 0.0), now)
        return Observation(dict(self._values), dict(stamps))

    def _look(self, now: int) -> None:
        """Look for what moved, once a round of the ring, from a round after coming to rest."""
        if self._moved is None or self._pose is None:
            return
        if not self.still(0.01, now):
            self._rest_since = None
        elif self._rest_since is None:
            self._rest_since = now
        fresh = (
            self._rest_since is not None
            and now - self._rest_since >= self._round
            and now - self._last_round >= self._round
        )
        if fresh:
            self._last_round = now
        sonar = self._spec.outputs['sonar']
        beams = [
            Beam(bearing, distance, fresh)
            for bearing, distance in zip(sonar.directions, self._ranges, strict=True)
        ]
        found = self._moved.step(now, self._pose, self._twist.w, beams)
        for name, value in found.values().items():
            self._keep(name, value, now)

    def _keep(self, name: str, value: Any, stamp: int) -> None:
        if name in self._spec.outputs:
            self._values[name] = value
            self._stamps[name] = stamp
