"""Names that are one of a few: a word that is none of them never means anything (E302)."""

from collections.abc import Container

from walking_robots.mdle.analysis.channels import reached
from walking_robots.mdle.analysis.typist import Typist
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import Binary, Constant, Expression, Name, Text
from walking_robots.mdle.language.types import CHOICES, STR, Type

__all__ = ['STATES', 'check_compared', 'check_word']

STATES = ('notrun', 'running', 'paused', 'stopping', 'terminated', 'done')
"""What ``y@name.state`` can be: the phases of a partner's executor, and done after a success."""

DEEPEST = 40
"""Constants that are made of constants, as far as they are followed."""


def check_word(
    typist: Typist, expression: Expression, given: Type | None, wanted: Type | None
) -> None:
    """Check what stands where a word of an enumerated type is wanted: no other, nor any word."""
    choices = _choices(wanted)
    if choices and given == STR and _word(typist, expression) is None:
        text = f'expected {wanted}, found {given}, which may be any word'
        typist.tell('E302', expression.place, text, f'declare what gives it as {wanted}')
    _check(typist, expression, choices)


def check_compared(typist: Typist, comparison: Binary, left: Type, right: Type) -> None:
    """Check a word that is compared with one of an enumerated type, or with a state."""
    for one, given, other in (
        (comparison.left, left, comparison.right),
        (comparison.right, right, comparison.left),
    ):
        found = reached(one, typist.variables, typist.facts.robot)
        if found and found.kind == 'partner' and found.channel == 'state' and not found.parts:
            _check(typist, other, STATES)
        _check(typist, other, _choices(given))


def _choices(wanted: Type | None) -> tuple[str, ...]:
    return CHOICES.get(wanted.name, ()) if wanted and wanted.kind == 'other' else ()


def _check(typist: Typist, expression: Expression, choices: tuple[str, ...]) -> None:
    word = _word(typist, expression)
    if choices and word is not None and word not in choices:
        *others, last = (f'"{choice}"' for choice in choices)
        listed = f'{", ".join(others)} or {last}'
        typist.tell('E302', expression.place, f'"{word}" is none of {listed}', f'write {listed}')


def _word(typist: Typist, expression: Expression) -> str | None:
    """Give the word that is written, or that constants stand for; None where it is open."""
    names: Names = typist.names
    variables: Container[str] = typist.variables
    for _ in range(DEEPEST):
        if isinstance(expression, Text):
            return expression.value
        if isinstance(expression, Name) and expression.name in variables:
            return None
        found = names.called(expression)
        if found is None or not isinstance(found.element, Constant):
            return None
        expression, names, variables = found.element.value, found.names, ()
    return None
