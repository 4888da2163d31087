"""The fields of goals and results of ARS MAGNA: how each is filled and read."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from walking_robots.ars_magna.agent.messages import PartName, Sighting
from walking_robots.nodes.ars_magna import conversions as convert

__all__ = ['GIVE', 'READ', 'TAKE', 'give_found', 'put_argument']

_BIN = 'bin'


# Arguments


TAKE: Mapping[str, Callable[[Any], Any]] = {
    'specification': convert.specification_data,
    'designators': tuple,
    'arguments': lambda messages: tuple(map(convert.value_of, messages)),
}
_PUT: Mapping[str, Callable[[Any], Any]] = {
    'specification': convert.constraints,
    'designators': lambda numbers: [_whole(number, 64) for number in numbers],
    'arguments': lambda values: [convert.attribute('', value) for value in values],
}


def put_argument(goal: Any, name: str, value: Any) -> None:
    """Set an argument of a command in a goal; raises ValueError for what it cannot be.

    Messages themselves do not look at what they are given.
    """
    kind = goal.get_fields_and_field_types()[name]
    if name in _PUT:
        value = _PUT[name](value)
    elif kind == 'double':
        value = convert.number(value)
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


def give_found(message: Any, value: Sighting | None) -> None:
    """Fill in the designator of a message."""
    message.designator = convert.designator(value)


def _give_all(message: Any, value: Any) -> None:
    found = [value] if isinstance(value, Sighting) else value or []
    message.designators = list(map(convert.designator, found))


def _give_inside(message: Any, value: Any) -> None:
    in_bin = value is not None and not isinstance(value, Sighting)
    message.designator = convert.designator(None if in_bin else value)
    message.bin = value[1] if in_bin else convert.NOTHING


def _read_inside(message: Any) -> Any:
    if message.bin != convert.NOTHING:
        return PartName(_BIN, message.bin)
    return convert.sighting(message.designator)


def _give_part(message: Any, value: tuple[str, int] | None) -> None:
    message.part_kind, message.part = value or ('', convert.NOTHING)


def _give_value(message: Any, value: Any) -> None:
    message.value = convert.attribute('', value)


def _give_interrupted(message: Any, value: Any) -> None:
    message.interrupted = bool(value)


GIVE: Mapping[str, Callable[[Any, Any], None]] = {
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
READ: Mapping[str, Callable[[Any], Any]] = {
    'value_in_force': _read_number('value_in_force'),
    'angle': _read_number('angle'),
    'place_type': lambda message: message.place_type or None,
    'view': lambda message: tuple(message.view) or None,
    'found': lambda message: convert.sighting(message.designator),
    'designators': lambda message: tuple(map(convert.sighting, message.designators)) or None,
    'inside': _read_inside,
    'part': lambda message: (
        PartName(message.part_kind, message.part) if message.part_kind else None
    ),
    'value': lambda message: convert.value_of(message.value),
    'interrupted': lambda message: message.interrupted,
}
