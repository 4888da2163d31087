"""The fields of goals and results of ARS MAGNA: how each is filled and read."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.messages import DesignatorReport, PartName
from walking_robots.ars_magna.commands import BIN
from walking_robots.nodes.ars_magna.conversions import (
    NOTHING,
    attribute_to_msg,
    designator_from_msg,
    designator_to_msg,
    number,
    specification_from_msg,
    specification_to_msg,
    value_from_msg,
)

# Arguments


ARGUMENT_DECODERS: Mapping[str, Callable[[Any], Any]] = {
    'specification': specification_from_msg,
    'designators': tuple,
    'arguments': lambda messages: tuple(map(value_from_msg, messages)),
}
ARGUMENT_ENCODERS: Mapping[str, Callable[[Any], Any]] = {
    'specification': specification_to_msg,
    'designators': lambda numbers: [_whole(number, 64) for number in numbers],
    'arguments': lambda values: [attribute_to_msg('', value) for value in values],
}


def put_argument(goal: Any, name: str, value: Any) -> None:
    """Set an argument of a command in a goal; raises ValueError for what it cannot be.

    Messages themselves do not check their values.
    """
    kind = goal.get_fields_and_field_types()[name]
    if name in ARGUMENT_ENCODERS:
        value = ARGUMENT_ENCODERS[name](value)
    elif kind == 'double':
        value = number(value)
    elif kind.startswith('int'):
        value = _whole(value, int(kind[3:]))
    elif kind == 'boolean':
        value = bool(value)
    elif not isinstance(value, str):
        raise ValueError(f'a name is needed, not {str(value)[:40]!r}')
    setattr(goal, name, value)


def _whole(value: Any, bits: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << (bits - 1):
        raise ValueError(f'a whole number is needed, not {str(value)[:40]!r}')
    return value


# What commands give; a failed one gives None


class ValueField(NamedTuple):
    """A value that commands give: as fields of a message, and read from one."""

    encode: Callable[[Any], Mapping[str, Any]]
    decode: Callable[[Any], Any]


def _number_field(name: str) -> ValueField:
    def decode(message: Any) -> float | None:
        value: float = getattr(message, name)
        return None if math.isnan(value) else value

    return ValueField(lambda value: {name: math.nan if value is None else value}, decode)


def _encode_all(value: Any) -> Mapping[str, Any]:
    found = [value] if isinstance(value, DesignatorReport) else value or []
    return {'designators': list(map(designator_to_msg, found))}


def _encode_inside(value: Any) -> Mapping[str, Any]:
    if value is None or isinstance(value, DesignatorReport):
        return {'designator': designator_to_msg(value), 'bin': NOTHING}
    return {'designator': designator_to_msg(None), 'bin': value[1]}


def _decode_inside(message: Any) -> Any:
    if message.bin != NOTHING:
        return PartName(BIN, message.bin)
    return designator_from_msg(message.designator)


def _encode_part(value: tuple[str, int] | None) -> Mapping[str, Any]:
    kind, index = value or ('', NOTHING)
    return {'part_kind': kind, 'part': index}


VALUES: Mapping[str, ValueField] = {
    'value_in_force': _number_field('value_in_force'),
    'angle': _number_field('angle'),
    'place_type': ValueField(
        lambda value: {'place_type': value or ''}, lambda message: message.place_type or None
    ),
    'view': ValueField(
        lambda value: {'view': value or ()}, lambda message: tuple(message.view) or None
    ),
    'found': ValueField(
        lambda value: {'designator': designator_to_msg(value)},
        lambda message: designator_from_msg(message.designator),
    ),
    'designators': ValueField(
        _encode_all,
        lambda message: tuple(map(designator_from_msg, message.designators)) or None,
    ),
    'inside': ValueField(_encode_inside, _decode_inside),
    'part': ValueField(
        _encode_part,
        lambda message: PartName(message.part_kind, message.part) if message.part_kind else None,
    ),
    'value': ValueField(
        lambda value: {'value': attribute_to_msg('', value)},
        lambda message: value_from_msg(message.value),
    ),
    'interrupted': ValueField(
        lambda value: {'interrupted': bool(value)}, lambda message: message.interrupted
    ),
}


def put_value(message: Any, name: str, value: Any) -> None:
    """Set a value that a command gives in a message."""
    for field, content in VALUES[name].encode(value).items():
        setattr(message, field, content)
