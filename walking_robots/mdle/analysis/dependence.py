"""What expressions read that may change while an element runs."""

from walking_robots.mdle.analysis.arguments import arguments_of
from walking_robots.mdle.analysis.channels import reached
from walking_robots.mdle.analysis.scopes import PARTS, Bound, Scope, called_in, remembered
from walking_robots.mdle.knowledge.elements import PythonGuard
from walking_robots.mdle.knowledge.names import Found, spelled
from walking_robots.mdle.language.ast import Call, Expression, Interrupt, Name

__all__ = ['reads']

UNKNOWN = frozenset('?')
"""What an expression reads that is too deep to be followed: something that may change."""


def reads(expression: Expression, scope: Scope) -> frozenset[str]:
    """Give all that may change while an element runs and that an expression reads.

    Channels by name, those of partners as '@name', of the blackboard as 'bb', and 't'.
    """
    if scope.too_deep:
        return UNKNOWN
    if isinstance(expression, Name) and expression.name in scope.variables:
        return scope.live
    found = reached(expression, scope.variables, scope.robot)
    if found:
        if found.kind == 'entry':
            return frozenset()
        kinds = {'now': found.channel, 'partner': f'@{found.channel}', 'board': 'bb'}
        return frozenset([kinds[found.kind]])
    if isinstance(expression, Name) and expression.name == 't':
        return frozenset('t')
    if isinstance(expression, Name | Call) or spelled(expression):
        called = called_in(expression, scope)
        if called:
            return _reads_of(called, expression, scope)
    parts = PARTS[type(expression)](expression)
    return frozenset[str]().union(*(reads(part, scope) for part in parts))


def _reads_of(called: Found, expression: Expression, scope: Scope) -> frozenset[str]:
    element = called.element
    given = frozenset[str]().union(
        *(reads(argument.value, scope) for argument in arguments_of(expression))
    )
    if isinstance(element, Interrupt):
        names = {parameter.name: Bound() for parameter in element.parameters}
        within = scope.deeper(element.condition, names=called.names, variables=names, live=given)
        found = remembered(
            within, element, lambda: reads(element.condition, within), 'reads', within.live
        )
        return given | found
    if isinstance(element, PythonGuard):
        return given | (element.reads or frozenset('t'))
    return given
