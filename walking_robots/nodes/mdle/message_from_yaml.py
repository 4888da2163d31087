"""Fill a message of any kind from plain values, as they are written in YAML."""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from walking_robots.documents.markup import MarkupError, read_markup

_INTERFACE = re.compile(r'([a-z][a-z0-9_]*)/(msg|srv|action)/([A-Za-z][A-Za-z0-9]*)')


def find_interface(name: str) -> Any:
    """Return the class of an interface such as 'std_msgs/msg/Bool'.

    Raises ValueError where it is not installed.
    """
    found = _INTERFACE.fullmatch(name)
    if not found:
        raise ValueError(f'{name!r} is no interface')
    package, kind, title = found.groups()
    try:
        return getattr(import_module(f'{package}.{kind}'), title)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f'the interface {name!r} is not installed here') from error


def message_from_yaml(message: Any, text: str) -> Any:
    """Fill a message from a YAML text such as '{data: true}' and give it.

    Raises ValueError where the text does not fit.
    """
    try:
        values = read_markup(text).content
    except MarkupError:
        raise ValueError(f'{text!r} is no YAML; write it as {{data: true}}') from None
    fill(message, {} if values is None else values, type(message).__name__)
    return message


def fill(message: Any, values: Any, where: str) -> None:
    """Set fields of a message; raises ValueError for what it does not have or cannot hold."""
    if not isinstance(values, Mapping):
        raise ValueError(f'{where} takes fields such as {{data: true}}')
    fields = message.get_fields_and_field_types()
    for name, value in values.items():
        if name not in fields:
            raise ValueError(f'{where} has no field {name!r}, it has {", ".join(fields)}')
        present = getattr(message, name)
        if hasattr(present, 'get_fields_and_field_types'):
            fill(present, value, f'{where}.{name}')
            continue
        if fields[name].startswith('sequence<') and '/' in fields[name]:
            value = [_item(fields[name], item, f'{where}.{name}') for item in value]
        elif isinstance(present, float) and isinstance(value, int):
            value = float(value)
        try:
            setattr(message, name, value)
        except (AssertionError, TypeError) as error:
            reason = str(error).splitlines()[0] if str(error) else 'of the wrong type'
            raise ValueError(f'{where}.{name} cannot be {value!r} ({reason})') from None


def _item(kind: str, values: Any, where: str) -> Any:
    # sequence<geometry_msgs/Point>, and sequence<geometry_msgs/Point, 10> where it is bounded.
    parts = kind.removeprefix('sequence<').split(',')[0].rstrip('>').split('/')
    package, title = parts[0], parts[-1]
    item = find_interface(f'{package}/msg/{title}')()
    fill(item, values, where)
    return item
