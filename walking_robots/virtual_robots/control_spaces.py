"""From a control to a motion of the body, within the limits of a robot (mdle.md §2.3)."""

from walking_robots.geometry.differential_drive import Wheels, body_twist
from walking_robots.geometry.se2 import Screw2
from walking_robots.mdle.robot import RobotSpec, SpaceSpec

Control = tuple[float, ...]


def saturate(space: SpaceSpec, control: Control) -> Control:
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
        return control
    # Rounding leads beyond no limit.
    return tuple(
        max(channel.low, min(channel.high, factor * value))
        for channel, value in zip(space.channels, control, strict=True)
    )


def twist_of(spec: RobotSpec, space: str, control: Control) -> Screw2:
    """Return the motion of the body that a control of ``body2``, ``body3`` or ``wheels2`` means.

    Raises ValueError for another space.
    """
    if space == 'body2':
        v, w = control
        return Screw2(v, 0.0, w)
    if space == 'body3' and space in spec.spaces:
        return Screw2(*control)
    if space == 'wheels2' and spec.separation > 0.0:
        left, right = control
        v, w = body_twist(Wheels(left, right), spec.separation)
        return Screw2(v, 0.0, w)
    raise ValueError(f'{spec.name} cannot be driven in the space {space!r}; use body2')
