"""What a program knows of robots on legs (mdle.md §2.3)."""

import math
from collections import deque
from statistics import fmean

from walking_robots.mdle.robot import Channel, OutputSpec, RobotSpec, SpaceSpec
from walking_robots.robots.model import CommandLimits
from walking_robots.virtual_robots.twist import body_space, motion_outputs

TILT = {'imu.roll': 'rad', 'imu.pitch': 'rad'}
"""Channels of the attitude of the body, by an IMU, with their units."""

TWO_STEPS = 0.4
"""Time of two steps of a biped in space, s."""
SWAY = 0.08
"""Speed, m/s, that is left of steps on the spot: a robot in space never stands still."""


class MeanOverSteps:
    """The mean of numbers over two steps, which is without the sway of each."""

    def __init__(self) -> None:
        """Begin without any."""
        self._entries: deque[tuple[float, tuple[float, ...]]] = deque()

    def add(self, time: float, values: tuple[float, ...]) -> tuple[float, ...]:
        """Take in the numbers of a time, s, as many in each call, and return their means.

        A time that runs back begins anew.
        """
        entries = self._entries
        if entries and time < entries[-1][0]:
            entries.clear()
        while entries and time - entries[0][0] > TWO_STEPS - 1e-6:
            entries.popleft()
        entries.append((time, values))
        return tuple(map(fmean, zip(*(found for _, found in entries), strict=True)))


def hexapod_spec(
    name: str, limits: CommandLimits, *, deceleration: float = math.inf, stop_time: float
) -> RobotSpec:
    """Say what a hexapod offers by a gait.

    limits, deceleration (m/s^2): of the gait; stop_time: in which its body comes to rest, s. The
    bumper is the contact of its body with walls, where something measures that.
    """
    aside = Channel('vy', 'm/s', -limits.lateral, limits.lateral)
    body = body_space(limits.forward, limits.turn)
    ahead, turn = body.channels
    body3 = SpaceSpec(
        'body3', (ahead._replace(name='vx'), aside, turn), resources=frozenset({'base'})
    )
    contact = OutputSpec('bool')
    bumpers = dict.fromkeys(('bumper.any', 'bumper.front', 'bumper.rear'), contact)
    return RobotSpec(
        name,
        {space.name: space for space in (body, body3, SpaceSpec('none', ()))},
        {**motion_outputs(), **_felt(6), **bumpers},
        deceleration,
        stop_time=stop_time,
    )


def biped_spec(name: str, speed: float, *, turn: float = 0.0, stop_time: float) -> RobotSpec:
    """Say what a biped offers, which walks ahead; only one in space turns.

    speed, turn: its greatest, m/s and rad/s; stop_time: in which it comes to stand, s. A fall ends
    a program as a contact does.
    """
    body = body_space(speed, turn)
    ahead = body.channels[0]._replace(low=0.0)
    spaces = (
        SpaceSpec('body2', (ahead, body.channels[1]), symmetric=False, resources=body.resources),
        SpaceSpec('none', ()),
    )
    return RobotSpec(
        name,
        {space.name: space for space in spaces},
        {**motion_outputs(), **_felt(2), 'fallen': OutputSpec('bool')},
        speed / stop_time,
        front_guard='',
        rear_guard='',
        contact='fallen',
        stop_time=stop_time,
        sway=SWAY if turn else 0.0,
    )


def _felt(feet: int) -> dict[str, OutputSpec]:
    """Return the channels of attitude and foot switches; a switch is 1 on the ground, else 0."""
    tilt = {name: OutputSpec(unit) for name, unit in TILT.items()}
    return {**tilt, 'foot_contact': OutputSpec('num', low=0.0, high=1.0, size=feet)}
