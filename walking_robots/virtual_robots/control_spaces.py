"""From one control space to another, and into the limits of a robot (mdle.md §2.3)."""

from typing import NamedTuple

from walking_robots.geometry.differential_drive import Wheels, body_twist, wheel_speeds
from walking_robots.geometry.se2 import Twist2
from walking_robots.mdle.robot import RobotSpec, SpaceSpec

Control = tuple[float, ...]


class Lowered(NamedTuple):
    """A control in a space, and the factor, at most 1, by which it was made smaller."""

    space: str
    control: Control
    factor: float = 1.0


def saturate(space: SpaceSpec, control: Control) -> Lowered:
    """Bring a control within the limits of its space by one factor for all channels.

    What must not move at all makes the factor 0. Raises ValueError where the number of values is
    not that of the channels.
    """
    if len(control) != len(space.channels):
        raise ValueError(
            f'{space.name} takes {len(space.channels)} values, and was given {len(control)}'
        )
    factor = 1.0
    for channel, value in zip(space.channels, control, strict=True):
        limit = max(channel.high, 0.0) if value > 0.0 else min(channel.low, 0.0)
        if abs(value) > abs(limit):
            factor = min(factor, limit / value)
    if factor == 1.0:
        return Lowered(space.name, control)
    return Lowered(space.name, tuple(factor * value for value in control), factor)


def twist_of(spec: RobotSpec, space: str, control: Control) -> Twist2:
    """Return the motion of the body that a control of ``body2`` or ``wheels2`` asks for.

    Raises ValueError for another space.
    """
    if space == 'body2':
        v, w = control
        return Twist2(v, w)
    if space == 'wheels2' and spec.separation > 0.0:
        left, right = control
        return body_twist(Wheels(left, right), spec.separation)
    raise ValueError(f'{spec.name} cannot be driven in the space {space!r}; use body2')


def lower(spec: RobotSpec, space: str, control: Control, to: str) -> Lowered:
    """Return a control of one space in another, kept within the limits of both (mdle.md §1.3).

    The path keeps its curvature; ``factor`` is by how much it becomes slower. Raises
    ValueError where the robot does not know a space, or no way leads from one to the other.
    """
    for name in (space, to):
        if name not in spec.spaces:
            raise ValueError(
                f'{spec.name} has no space {name!r}; it has {", ".join(sorted(spec.spaces))}'
            )
    first = saturate(spec.spaces[space], control)
    if space == to:
        return first
    twist = twist_of(spec, space, first.control)
    if to == 'body2':
        wanted: Control = tuple(twist)
    elif to == 'wheels2' and spec.separation > 0.0:
        wanted = tuple(wheel_speeds(twist, spec.separation))
    else:
        raise ValueError(f'no way leads from the space {space!r} to {to!r}')
    last = saturate(spec.spaces[to], wanted)
    return last._replace(factor=first.factor * last.factor)
