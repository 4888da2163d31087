"""What controls an atom can give, and how fast the robot moves by them."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from walking_robots.mdle.analysis.program_node import ProgramNode
from walking_robots.mdle.analysis.values import (
    ANYTHING,
    ValueInterval,
    hull,
    negated,
    number,
    point,
    product,
    vector_of,
)
from walking_robots.mdle.language.ast import Expression, LawCall, Place, Segments
from walking_robots.mdle.robot import RobotSpec, SpaceSpec


class ControlPart(NamedTuple):
    """A part of an atom's control: its range, channel by channel, and its duration, s.

    control: None where nothing is known of it; values: the expressions, where they are written;
    written: of the duration, None for a control without one.
    """

    control: tuple[ValueInterval, ...] | None
    duration: ValueInterval | None
    values: tuple[Expression, ...]
    written: Expression | None
    place: Place


def control_parts(node: ProgramNode) -> list[ControlPart]:
    """Return what an atom drives, one part after the other; nothing without a control."""
    if node.control is None:
        node.control = list(_control_parts(node))
    parts: list[ControlPart] = node.control
    return parts


def _control_parts(node: ProgramNode) -> Iterator[ControlPart]:
    control, scope = getattr(node.source, 'control', None), node.scope
    if isinstance(control, Segments):
        for segment in control.segments:
            vector, duration = segment.vector, number(segment.duration, scope)
            values = vector_of(vector, scope)
            yield ControlPart(values, duration, vector, segment.duration, segment.place)
    elif isinstance(control, LawCall):
        yield ControlPart(vector_of(control.call, scope), None, (), None, control.call.place)
    elif control:
        yield ControlPart(vector_of(control, scope), None, control, None, control[0].place)


def durations(node: ProgramNode) -> list[ValueInterval]:
    """Return the durations of the segments of an atom, scaled and 0 or more, s."""
    unscaled = (part.duration for part in control_parts(node))
    scaled = (product(duration, node.scaling.beta) for duration in unscaled if duration)
    return [ValueInterval(max(0.0, low), max(0.0, high)) for low, high in scaled]


def space_of(name: str, robot: RobotSpec) -> SpaceSpec | None:
    """Return a control space as a robot takes it, None where it does not."""
    return robot.spaces.get(name) or (SpaceSpec('none', ()) if name == 'none' else None)


def moves(node: ProgramNode) -> bool:
    """Return whether an atom may drive the robot at all."""
    if getattr(node.source, 'space', 'none') == 'none':
        return False
    return node.kind == 'external' or any(
        part.control is None or any(c != (0.0, 0.0) for c in part.control)
        for part in control_parts(node)
    )


def capped_control(
    node: ProgramNode, part: ControlPart | None, space: SpaceSpec | None
) -> tuple[ValueInterval, ...]:
    """Return a part of a control after the scales around it and the limits of the robot."""
    control, alpha = part.control if part else None, node.scaling.alpha
    known = list(control or [ANYTHING] * (len(space.channels) if space else 2))
    if alpha is not None and len(alpha) == len(known):
        known = list(map(product, alpha, known))
    if space is None or len(space.channels) != len(known):
        return tuple(known)
    return tuple(
        ValueInterval(min(max(u.low, c.low), c.high), max(min(u.high, c.high), c.low))
        for u, c in zip(known, space.channels, strict=True)
    )


def speed_ahead(control: Sequence[ValueInterval], space: str) -> ValueInterval:
    """Return the speed ahead, m/s, that a control can mean; backwards is negative."""
    if space == 'wheels2' and len(control) == 2:
        return product(point(0.5), ValueInterval(*map(sum, zip(*control, strict=True))))
    if space in ('body2', 'body3') and control:
        return control[0]
    return ANYTHING


def speed_of(node: ProgramNode, part: ControlPart | None, robot: RobotSpec | None) -> float:
    """Return the greatest speed of the robot's middle, m/s, in a part of an atom's control."""
    name: str = node.source.space
    control = capped_control(node, part, space_of(name, robot) if robot else None)
    if name == 'body3' and len(control) == 3:
        return math.hypot(control[0].largest, control[1].largest)
    if name in ('none', 'gait') or name.startswith('joints'):
        return 0.0
    ahead = speed_ahead(control, name)
    return hull(ahead, negated(ahead)).high
