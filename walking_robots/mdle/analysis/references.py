"""What names, calls and channels in the expressions of an element refer to."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from walking_robots.mdle.knowledge.names import Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.types import STR, Type, list_of, type_named
from walking_robots.mdle.robot import OutputSpec, RobotSpec

EXPRESSIONS = frozenset(get_args(ast.Expression))


def subexpressions(expression: ast.Node) -> list[ast.Expression]:
    """Return the expressions directly in an expression; of a call of a name its arguments."""
    parts: list[Any] = list(ast.children(expression))
    if isinstance(expression, ast.Call) and spelled(expression.base):
        del parts[0]
    return [part.value if isinstance(part, ast.Argument) else part for part in parts]


def all_expressions(element: Any) -> Iterator[ast.Expression]:
    """Yield the expressions in an element, and those in them; a dotted name as a whole only."""
    waiting: list[Any] = [element] if isinstance(element, ast.Node) else [*element.parameters]
    while waiting:
        here = waiting.pop()
        if type(here) in EXPRESSIONS:
            yield here
            named = isinstance(here, ast.Name) or bool(spelled(here))
            if isinstance(here, ast.Call) or not named:
                waiting += reversed(subexpressions(here))
        else:
            waiting += reversed(list(ast.children(here)))


def statements(element: Any) -> Iterator[ast.Node]:
    """Yield an element and the parts in it that are no expressions; none of one in Python."""
    waiting: list[ast.Node] = [element] if isinstance(element, ast.Node) else []
    while waiting:
        here = waiting.pop()
        yield here
        parts = [part for part in ast.children(here) if type(part) not in EXPRESSIONS]
        waiting += reversed(parts)


def outputs_of(steps: Iterable[ast.Step], names: Names) -> list[tuple[str, ast.Parameter | None]]:
    """Return the names that steps write, each with the output that the element declares."""
    waiting, found = list(steps), []
    for step in waiting:
        if isinstance(step, ast.Condition):
            waiting += step.then + step.otherwise
        elif isinstance(step, ast.Run | ast.Parallel):
            waiting += step.steps
        if isinstance(step, ast.Run):
            found += outputs_of_run(step, names)
    return found


def outputs_of_run(step: ast.Run, names: Names) -> list[tuple[str, ast.Parameter | None]]:
    """Return the names that one step writes; with a name before it, only that one."""
    found = names.called(step.call) if step.call else None
    outputs: tuple[ast.Parameter, ...] = getattr(found.element, 'outputs', ()) if found else ()
    if not step.output:
        return [(output.name, output) for output in outputs]
    same = [output for output in outputs if output.name == step.output]
    return [(step.output, next(iter((*same, *outputs)), None))]


@dataclass(slots=True)
class ArgumentMatch:
    """Arguments by parameter; extra: those that fit none; missing: parameters without one."""

    given: dict[str, ast.Expression] = field(default_factory=dict)
    extra: list[ast.Argument] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def arguments_of(expression: ast.Expression) -> tuple[ast.Argument, ...]:
    """Return the arguments of a call; ``contact`` and ``contact()`` have none."""
    return expression.arguments if isinstance(expression, ast.Call) else ()


def match_arguments(
    parameters: Sequence[ast.Parameter], arguments: Sequence[ast.Argument]
) -> ArgumentMatch:
    """Assign arguments to parameters, by name or by position."""
    found = ArgumentMatch()
    names = [parameter.name for parameter in parameters]
    for index, argument in enumerate(arguments):
        name = argument.name or (names[index] if index < len(names) else '')
        if name in names and name not in found.given:
            found.given[name] = argument.value
        else:
            found.extra.append(argument)
    found.missing = [p.name for p in parameters if p.default is None and p.name not in found.given]
    return found


def signature(parameters: Sequence[ast.Parameter]) -> str:
    """Return parameters as they are written: (p: point, speed: m/s = ...)."""
    optional = ('' if p.default is None else ' = ...' for p in parameters)
    written = (f'{p.name}: {p.type}{more}' for p, more in zip(parameters, optional, strict=True))
    return f'({", ".join(written)})'


class ChannelRead(NamedTuple):
    """A channel or blackboard value, and the parts taken of it.

    kind: of the own robot, its value at entry, a partner's, the blackboard's; channel: its dotted
    path, a partner's without the name; spec: None where it is not known; parts: taken of it;
    partner: its name.
    """

    kind: Literal['now', 'entry', 'partner', 'board']
    channel: str
    spec: OutputSpec | None
    parts: tuple[str, ...]
    partner: str = ''


def channel_read(
    expression: ast.Expression, variables: Container[str], robot: RobotSpec | None
) -> ChannelRead | None:
    """Return what ``y.pose.x``, ``y0.pose``, ``y@alpha.pose`` or ``bb.target`` reads, else None.

    Variables hide ``y``, ``y0`` and ``bb``. The longest dotted name that the robot offers is the
    channel, the rest are its parts.
    """
    if not isinstance(expression, ast.Member):
        return None
    names: list[str] = []
    base: ast.Expression = expression
    while isinstance(base, ast.Member):
        names.append(base.name)
        base = base.base
    parts = tuple(reversed(names))
    root = base.base if isinstance(base, ast.Partner) else base
    if not isinstance(root, ast.Name) or root.name in variables:
        return None
    outputs = robot.outputs if robot else {}
    if isinstance(base, ast.Partner):
        if root.name != 'y':
            return None
        return ChannelRead('partner', parts[0], outputs.get(parts[0]), parts[1:], base.name)
    if root.name == 'bb':
        return ChannelRead('board', parts[0], None, parts[1:])
    if root.name not in ('y', 'y0'):
        return None
    kind: Literal['now', 'entry'] = 'now' if root.name == 'y' else 'entry'
    for length in range(len(parts), 0, -1):
        channel = '.'.join(parts[:length])
        if channel in outputs:
            return ChannelRead(kind, channel, outputs[channel], parts[length:])
    return ChannelRead(kind, '.'.join(parts), None, ())


def type_of_channel(read: ChannelRead) -> Type | None:
    """Return the type of a channel without its parts, None where it is not known."""
    if read.kind == 'partner' and read.channel == 'state':
        return STR
    if read.spec is None:
        return None
    single = type_named(read.spec.type)
    return list_of(single.dimension) if read.spec.size else single
