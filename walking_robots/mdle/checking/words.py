"""Names that are one of a few: a word that is none of them never means anything (E302)."""

from walking_robots.mdle.checking.channels import reached
from walking_robots.mdle.checking.typist import Typist
from walking_robots.mdle.language.expressions import Binary, Expression, Name, Text
from walking_robots.mdle.language.program import Constant
from walking_robots.mdle.language.types import CHOICES, Type

__all__ = ['STATES', 'check_compared', 'check_word']

STATES = ('notrun', 'running', 'paused', 'stopping', 'terminated', 'done')
"""What ``y@name.state`` can be: the phases of a partner's executor, and done after a success."""


def check_word(typist: Typist, expression: Expression, wanted: Type | None) -> None:
    """Check a word that stands where one of an enumerated type is wanted."""
    if wanted and wanted.kind == 'other':
        _check(typist, expression, CHOICES.get(wanted.name, ()))


def check_compared(typist: Typist, comparison: Binary, left: Type, right: Type) -> None:
    """Check a word that is compared with one of an enumerated type, or with a state."""
    for one, given, other in (
        (comparison.left, left, comparison.right),
        (comparison.right, right, comparison.left),
    ):
        found = reached(one, typist.variables, typist.facts.robot)
        if found and found.kind == 'partner' and found.channel == 'state' and not found.parts:
            _check(typist, other, STATES)
        check_word(typist, other, given)


def _check(typist: Typist, expression: Expression, choices: tuple[str, ...]) -> None:
    word = _word(typist, expression)
    if choices and word is not None and word not in choices:
        *others, last = (f'"{choice}"' for choice in choices)
        listed = f'{", ".join(others)} or {last}'
        typist.tell('E302', expression.place, f'"{word}" is none of {listed}', f'write {listed}')


def _word(typist: Typist, expression: Expression) -> str | None:
    """Give the word that is written, or that a constant stands for; None where it is open."""
    if isinstance(expression, Name) and expression.name not in typist.variables:
        found = typist.names.called(expression)
        if found and isinstance(found.element, Constant):
            expression = found.element.value
    return expression.value if isinstance(expression, Text) else None
