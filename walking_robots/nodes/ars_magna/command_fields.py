"""The fields of goals and results of ARS MAGNA: how each is filled and read."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from walking_robots.ars_magna.agent.messages import DesignatorReport, PartName
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

_BIN = 'bin'


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

    Messages themselves do not look at what they are given.
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


def _give_number(name: str) -> Callable[[Any, Any], None]:
    return lambda message, value: setattr(message, name, math.nan if value is None else value)


def _read_number(name: str) -> Callable[[Any], Any]:
    def read(message: Any) -> float | None:
        value: float = getattr(message, name)
        return None if math.isnan(value) else value

    return read


def _give_place(message: Any, value: str | None) -> None:
    message.place_type = value or ''


def _give_view(message: Any, value: Sequence[float] | None) -> None:
    message.view = value or ()


def give_found(message: Any, value: DesignatorReport | None) -> None:
    """Fill in the designator of a message."""
    message.designator = designator_to_msg(value)


def _give_all(message: Any, value: Any) -> None:
    found = [value] if isinstance(value, DesignatorReport) else value or []
    message.designators = list(map(designator_to_msg, found))


def _give_inside(message: Any, value: Any) -> None:
    in_bin = value is not None and not isinstance(value, DesignatorReport)
    message.designator = designator_to_msg(None if in_bin else value)
    message.bin = value[1] if in_bin else NOTHING


def _read_inside(message: Any) -> Any:
    if message.bin != NOTHING:
        return PartName(_BIN, message.bin)
    return designator_from_msg(message.designator)


def _give_part(message: Any, value: tuple[str, int] | None) -> None:
    message.part_kind, message.part = value or ('', NOTHING)


def _give_value(message: Any, value: Any) -> None:
    message.value = attribute_to_msg('', value)


def _give_interrupted(message: Any, value: Any) -> None:
    message.interrupted = bool(value)


VALUE_ENCODERS: Mapping[str, Callable[[Any, Any], None]] = {
    'value_in_force': _give_number('value_in_force'),
    'angle': _give_number('angle'),
    'place_type': _give_place,
    'view': _give_view,
    'found': give_found,
    'designators': _give_all,
    'inside': _give_inside,
    'part': _give_part,
    'value': _give_value,
    'interrupted': _give_interrupted,
}
VALUE_DECODERS: Mapping[str, Callable[[Any], Any]] = {
    'value_in_force': _read_number('value_in_force'),
    'angle': _read_number('angle'),
    'place_type': lambda message: message.place_type or None,
    'view': lambda message: tuple(message.view) or None,
    'found': lambda message: designator_from_msg(message.designator),
    'designators': lambda message: tuple(map(designator_from_msg, message.designators)) or None,
    'inside': _read_inside,
    'part': lambda message: (
        PartName(message.part_kind, message.part) if message.part_kind else None
    ),
    'value': lambda message: value_from_msg(message.value),
    'interrupted': lambda message: message.interrupted,
}
