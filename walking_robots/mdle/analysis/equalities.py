"""What is measured is hardly ever exactly something (W606)."""

from walking_robots.mdle.analysis.channels import reached, type_of_output
from walking_robots.mdle.analysis.parts import parts_of
from walking_robots.mdle.analysis.typist import Typist
from walking_robots.mdle.knowledge.names import Element
from walking_robots.mdle.language.ast import Binary, Expression, Name
from walking_robots.mdle.language.types import NUM, Type

__all__ = ['check_equalities']


def check_equalities(element: Element, typist: Typist) -> None:
    """Check all comparisons of an element for equality."""
    quiet = typist.silenced(typist.names, typist.variables)
    for part in typist.facts.parts(element):
        if isinstance(part, Binary) and part.operator in ('==', '!='):
            _check(part, typist, quiet)


def _check(comparison: Binary, typist: Typist, quiet: Typist) -> None:
    sides = (comparison.left, comparison.right)
    given = quiet.of(comparison.left) or quiet.of(comparison.right)
    if given is None or given.kind != 'quantity':
        return
    if any(_is_measured(part, given, typist) for side in sides for part in parts_of(side)):
        text = f'exact comparison of {given} that is measured'
        typist.tell('W606', comparison.place, text, 'use a tolerance: abs(a - b) < ...')


def _is_measured(part: Expression, given: Type, typist: Typist) -> bool:
    variables = typist.variables
    if part == Name('t') and 't' not in variables:
        return True
    found = reached(part, variables, typist.facts.robot)
    if found is None or found.spec is None or found.kind == 'board':
        return False
    if given == NUM and type_of_output(found) == NUM:
        # A bare number may count something: then it is whole, and its range says so.
        return found.spec.low >= 0.0 and 0.0 < found.spec.high <= 1.0
    return True
