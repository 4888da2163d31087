"""What an expression reads of the robot, of a partner and of the blackboard."""

from collections.abc import Container
from typing import Literal, NamedTuple

from walking_robots.mdle.language.ast import Expression, Member, Name, Partner
from walking_robots.mdle.language.types import STR, Type, list_of, type_named
from walking_robots.mdle.robot import OutputSpec, RobotSpec

__all__ = ['Reached', 'reached', 'type_of_output']


class Reached(NamedTuple):
    """A channel or a blackboard value, and what is taken of it.

    kind: of the own robot, its value at entry, a partner's, the blackboard's; channel: its dotted
    path, a partner's without the name; spec: None where it is not known; parts: taken of it;
    partner: its name.
    """

    kind: Literal['now', 'entry', 'partner', 'board']
    channel: str
    spec: OutputSpec | None
    parts: tuple[str, ...]
    partner: str = ''


def reached(
    expression: Expression, variables: Container[str], robot: RobotSpec | None
) -> Reached | None:
    """Tell what ``y.pose.x``, ``y0.pose``, ``y@alpha.pose`` or ``bb.target`` reads.

    None where it is something else; variables hide ``y``, ``y0`` and ``bb``. The longest dotted
    name that the robot offers is the channel, the rest are its parts.
    """
    parts: list[str] = []
    while isinstance(expression, Member):
        parts.append(expression.name)
        expression = expression.base
    parts.reverse()
    if isinstance(expression, Partner):
        base = expression.base
        if isinstance(base, Name) and base.name == 'y' and 'y' not in variables and parts:
            outputs = robot.outputs if robot else {}
            spec, name = outputs.get(parts[0]), expression.name
            return Reached('partner', parts[0], spec, tuple(parts[1:]), name)
        return None
    if not isinstance(expression, Name) or expression.name in variables or not parts:
        return None
    if expression.name == 'bb':
        return Reached('board', parts[0], None, tuple(parts[1:]))
    if expression.name not in ('y', 'y0'):
        return None
    kind: Literal['now', 'entry'] = 'now' if expression.name == 'y' else 'entry'
    for length in range(len(parts), 0, -1):
        channel = '.'.join(parts[:length])
        if robot and channel in robot.outputs:
            return Reached(kind, channel, robot.outputs[channel], tuple(parts[length:]))
    return Reached(kind, '.'.join(parts), None, ())


def type_of_output(found: Reached) -> Type | None:
    """Give the type of a channel without its parts, None where it is not known."""
    if found.kind == 'partner' and found.channel == 'state':
        return STR
    if found.spec is None:
        return None
    single = type_named(found.spec.type)
    return list_of(single.dimension) if found.spec.size else single
