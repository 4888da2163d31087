"""What a program knows of any robot that takes a velocity and gives odometry (mdle.md §2.3)."""

import math
from dataclasses import replace

from walking_robots.mdle.robot import Channel, OutputSpec, RobotSpec, SpaceSpec

BRAKING = 0.5
"""Deceleration, m/s^2, of a robot without a stated one (mdle.md §5.1)."""


def body_space(
    speed: float, turn: float, acceleration: float = math.inf, turn_rate: float = math.inf
) -> SpaceSpec:
    """Return the space ``body2``, [v, w], with limits in m/s and rad/s and their slopes."""
    return SpaceSpec(
        'body2',
        (
            Channel('v', 'm/s', -speed, speed, acceleration),
            Channel('w', 'rad/s', -turn, turn, turn_rate),
        ),
        resources=frozenset({'base'}),
    )


def motion_outputs() -> dict[str, OutputSpec]:
    """Return the channels of what a robot that drives knows of its motion.

    ``odometer`` is the way driven, m, which grows both ways; ``turn`` the heading, not wrapped;
    ``command.*`` what was last applied.
    """
    return {
        'pose': OutputSpec('pose'),
        'twist.v': OutputSpec('m/s'),
        'twist.w': OutputSpec('rad/s'),
        'odometer': OutputSpec('m', low=0.0),
        'turn': OutputSpec('rad'),
        'command.v': OutputSpec('m/s'),
        'command.w': OutputSpec('rad/s'),
    }


def twist_spec(
    *,
    name: str = 'twist',
    speed: float = 0.5,
    turn: float = 1.0,
    can_reverse: bool = True,
    braking: float = BRAKING,
    real: bool = True,
) -> RobotSpec:
    """Say what a robot offers of which nothing is known but that it drives.

    speed, turn: its limits, m/s and rad/s; braking: deceleration, m/s^2. It has no
    contact channels.
    """
    body = body_space(speed, turn)
    if not can_reverse:
        ahead = body.channels[0]._replace(low=0.0)
        body = replace(body, channels=(ahead, body.channels[1]), symmetric=False)
    spaces = (body, SpaceSpec('none', ()))
    return RobotSpec(
        name,
        {space.name: space for space in spaces},
        motion_outputs(),
        braking,
        front_guard='',
        rear_guard='',
        contact='',
        real=real,
    )
