"""Types of channels, of parts of values and of lists (E202, E302, E801)."""

from walking_robots.mdle.analysis.channels import Reached, reached, type_of_output
from walking_robots.mdle.analysis.fitting import VECTORS, constant_value, whole
from walking_robots.mdle.analysis.ledger import nearest
from walking_robots.mdle.analysis.naming import type_of_element
from walking_robots.mdle.analysis.typist import Typist
from walking_robots.mdle.knowledge.functions import MEMBERS
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.ast import Expression, Index, Member, Partner, Slice
from walking_robots.mdle.language.types import NUM, Type, quantity

__all__ = ['type_of_index', 'type_of_member', 'type_of_partner', 'type_of_slice']


def type_of_member(typist: Typist, expression: Member) -> Type | None:
    """Type what stands behind a point: a channel, a part, an element of a module."""
    found = reached(expression, typist.variables, typist.facts.robot)
    if found:
        return _type_of_reached(typist, expression, found)
    parts = spelled(expression)
    if parts and parts[0] not in typist.variables and _names_module(typist, parts):
        return type_of_element(typist, expression)
    return _type_of_part(typist, typist.of(expression.base), expression.name, expression)


def _names_module(typist: Typist, parts: tuple[str, ...]) -> bool:
    """Tell whether a dotted name can only be an element of a module."""
    if len(parts) == 2 and parts[0] in typist.names.aliases:
        return True
    return not typist.facts.offers(typist.names, parts[:1]) and len(parts) == 2


def _type_of_reached(typist: Typist, expression: Member, found: Reached) -> Type | None:
    robot = typist.facts.robot
    if found.kind in ('now', 'entry') and robot and not found.spec:
        close = nearest(found.channel, robot.outputs, typist.facts.ledger)
        text = f"robot '{robot.name}' has no output '{found.channel}'"
        typist.tell('E202', expression.place, text, close.removeprefix('; '))
        return None
    given = type_of_output(found)
    if found.kind == 'board':
        given = typist.facts.board.get(found.channel)
    for part in found.parts:
        given = _type_of_part(typist, given, part, expression)
    return given


def _type_of_part(
    typist: Typist, given: Type | None, part: str, expression: Member
) -> Type | None:
    if given is None:
        return None
    parts = MEMBERS.get(given.kind, {})
    if part in parts:
        return quantity(parts[part][0])
    hint = f'it has {", ".join(parts)}' if parts else ''
    typist.tell('E302', expression.place, f"{given} has no part '{part}'", hint)
    return None


def type_of_partner(typist: Typist, expression: Partner) -> None:
    """Tell that of a partner one channel must be named."""
    typist.tell('E302', expression.place, 'a channel of the partner is missing here')


def type_of_index(typist: Typist, expression: Index) -> Type | None:
    """Type one value of a list, or one channel of a control."""
    base = typist.of(expression.base)
    typist.expect(expression.index, NUM)
    if base is None:
        return None
    if base.kind == 'vector':
        units = VECTORS.get(base.name)
        if units is None:
            return None
        number = whole(expression.index)
        if _outside(typist, expression.index, len(units)) or number is None:
            return None
        return quantity(units[number])
    if base.kind != 'list':
        typist.tell('E302', expression.place, f'expected a list, found {base}')
        return None
    _outside(typist, expression.index, _size(typist, expression.base))
    return quantity(base.dimension)


def type_of_slice(typist: Typist, expression: Slice) -> Type | None:
    """Type some values of a list."""
    base = typist.of(expression.base)
    size = _size(typist, expression.base)
    for end in (expression.low, expression.high):
        typist.expect(end, NUM)
        _outside(typist, end, size)
    low, high = whole(expression.low), whole(expression.high)
    if low is not None and high is not None and low > high:
        text = f'{low} .. {high} holds nothing'
        typist.tell('E801', expression.low.place, text, 'write the smaller number first')
    if base is not None and base.kind != 'list':
        typist.tell('E302', expression.place, f'expected a list, found {base}')
        return None
    return base


def _size(typist: Typist, expression: Expression) -> int:
    """Give how many values a list has, 0 where that is not known."""
    found = reached(expression, typist.variables, typist.facts.robot)
    return found.spec.size if found and found.spec and found.kind != 'partner' else 0


def _outside(typist: Typist, index: Expression, size: int) -> bool:
    """Tell whether an index can only be wrong, and say so."""
    value = constant_value(index)
    if value is None or (value == int(value) >= 0 and (not size or value < size)):
        return False
    limits = f'0 .. {size - 1}' if size else '0 upwards, in whole numbers'
    typist.tell('E801', index.place, f'index {value:g} is outside {limits}')
    return True
