"""Which argument of a call goes to which parameter."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.language.ast import (
    Argument,
    Atom,
    Call,
    Encapsulation,
    Expression,
    Interrupt,
    Law,
    Parameter,
)

__all__ = ['Callable', 'Match', 'arguments_of', 'match', 'signature']

Callable = Interrupt | Law | Atom | Encapsulation | PythonLaw | PythonGuard | PythonAtom


@dataclass(slots=True)
class Match:
    """The arguments by parameter; extra: those that fit none; missing: parameters without."""

    given: dict[str, Expression] = field(default_factory=dict)
    extra: list[Argument] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def arguments_of(expression: Expression) -> tuple[Argument, ...]:
    """Give the arguments of a call; ``contact`` and ``contact()`` have none."""
    return expression.arguments if isinstance(expression, Call) else ()


def match(parameters: Sequence[Parameter], arguments: Sequence[Argument]) -> Match:
    """Give each parameter its argument, by name or by position."""
    found = Match()
    names = [parameter.name for parameter in parameters]
    for index, argument in enumerate(arguments):
        name = argument.name or (names[index] if index < len(names) else '')
        if name in names and name not in found.given:
            found.given[name] = argument.value
        else:
            found.extra.append(argument)
    found.missing = [p.name for p in parameters if p.default is None and p.name not in found.given]
    return found


def signature(parameters: Sequence[Parameter]) -> str:
    """Give the parameters as they are written: (p: point, speed: m/s = ...)."""
    return f'({", ".join(_written(p) for p in parameters)})'


def _written(parameter: Parameter) -> str:
    optional = ' = ...' if parameter.default is not None else ''
    return f'{parameter.name}: {parameter.type}{optional}'
