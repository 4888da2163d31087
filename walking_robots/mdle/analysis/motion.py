"""What controls an atom can give, and how fast the robot moves by them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from walking_robots.mdle.analysis.intervals import (
    ANYTHING,
    Interval,
    hull,
    negated,
    point,
    product,
)
from walking_robots.mdle.analysis.nodes import Node
from walking_robots.mdle.analysis.ranges import value_of, vector_of
from walking_robots.mdle.analysis.scopes import Scope, number
from walking_robots.mdle.language.ast import Expression, Place
from walking_robots.mdle.language.ast import Atom, LawCall, Segments
from walking_robots.mdle.robot import Channel, RobotSpec, SpaceSpec

__all__ = ['Stretch', 'ahead', 'capped', 'fastest', 'moves', 'space_of', 'stretches']

CONVERTIBLE = ('wheels2', 'body2')
"""Spaces of which each can be had from the other, by the distance of the wheels."""


class Stretch(NamedTuple):
    """A part of an atom's control: its range, channel by channel, and its duration, s.

    control: None where nothing is known of it; values: the expressions, where they are written;
    written: of the duration, None for a control without one.
    """

    control: tuple[Interval, ...] | None
    duration: Interval | None
    values: tuple[Expression, ...]
    written: Expression | None
    place: Place


def stretches(node: Node) -> list[Stretch]:
    """Give what an atom drives, one after the other; nothing where it has no control."""
    if 'stretches' not in node.found:
        node.found['stretches'] = _stretches(node)
    found: list[Stretch] = node.found['stretches']
    return found


def _stretches(node: Node) -> list[Stretch]:
    control = node.source.control if isinstance(node.source, Atom) else None
    scope: Scope = node.scope
    if isinstance(control, Segments):
        return [
            Stretch(
                vector_of(segment.vector, scope),
                number(value_of(segment.duration, scope)),
                segment.vector,
                segment.duration,
                segment.place,
            )
            for segment in control.segments
        ]
    if isinstance(control, LawCall):
        return [Stretch(vector_of(control.call, scope), None, (), None, control.call.place)]
    if control:
        return [Stretch(vector_of(control, scope), None, control, None, control[0].place)]
    return []


def space_of(name: str, robot: RobotSpec) -> SpaceSpec | None:
    """Give a control space as a robot takes it, None where it does not.

    A robot with two wheels that offers one of wheels2 and body2 takes the other by conversion;
    then the limits are those in which both can be held for certain.
    """
    if name in robot.spaces:
        return robot.spaces[name]
    if name == 'none':
        return SpaceSpec('none', ())
    if name not in CONVERTIBLE or robot.separation <= 0.0:
        return None
    other = robot.spaces.get(CONVERTIBLE[name == 'wheels2'])
    if other is None or len(other.channels) != 2:
        return None
    return SpaceSpec(
        name,
        _converted(name, other.channels, robot.separation),
        other.driftless,
        other.symmetric,
        other.resources,
    )


def _converted(
    name: str, channels: Sequence[Channel], separation: float
) -> tuple[Channel, Channel]:
    """Give the greatest speeds that a body, or wheels, reach within the limits of the other."""
    first, second = (Interval(c.low, c.high) for c in channels)
    if name == 'body2':
        speed = product(hull(first, second), point(1.0))
        turn = (second.high - first.low) / separation
        return Channel('v', 'm/s', *speed), Channel('w', 'rad/s', -turn, turn)
    half = 0.5 * separation * second.largest
    wheel = ('m/s', first.low - half, first.high + half)
    return Channel('uL', *wheel), Channel('uR', *wheel)


def moves(node: Node) -> bool:
    """Tell whether an atom may drive the robot at all."""
    if getattr(node.source, 'space', 'none') == 'none':
        return False
    if node.kind == 'external':
        return True
    return any(
        stretch.control is None or any(c != (0.0, 0.0) for c in stretch.control)
        for stretch in stretches(node)
    )


def capped(
    control: Sequence[Interval] | None,
    alpha: Sequence[Interval] | None,
    space: SpaceSpec | None,
    size: int,
) -> tuple[Interval, ...]:
    """Give a control after the factors of a scale and the limits of the robot.

    size: channels that there should be, where the control is not known.
    """
    known = list(control) if control is not None else [ANYTHING] * size
    if alpha is not None and len(alpha) == len(known):
        known = [product(a, u) for a, u in zip(alpha, known, strict=True)]
    if space is None or len(space.channels) != len(known):
        return tuple(known)
    return tuple(
        Interval(min(max(u.low, c.low), c.high), max(min(u.high, c.high), c.low))
        for u, c in zip(known, space.channels, strict=True)
    )


def ahead(control: Sequence[Interval], space: str) -> Interval:
    """Give the speed ahead, m/s, that a control can mean; backwards is negative."""
    if space == 'wheels2' and len(control) == 2:
        return product(point(0.5), Interval(*map(sum, zip(*control, strict=True))))
    if space in ('body2', 'body3') and control:
        return control[0]
    return ANYTHING


def fastest(control: Sequence[Interval], space: str) -> float:
    """Give the greatest speed of the robot's middle, m/s."""
    if space == 'body3' and len(control) == 3:
        return math.hypot(control[0].largest, control[1].largest)
    if space in ('none', 'gait') or space.startswith('joints'):
        return 0.0
    return hull(ahead(control, space), negated(ahead(control, space))).high
