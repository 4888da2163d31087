"""Specifications of things, read from plain data (ars_magna.md §2.4)."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from walking_robots.ars_magna.inputs import finite, named, normal_name, shown, suggestion
from walking_robots.ars_magna.sensing.attributes import (
    UNKNOWN,
    Attribute,
    Substance,
    Value,
    checked,
)

_VARIABLE = re.compile(r'\?[a-z][a-z0-9_]{0,49}')


@dataclass(frozen=True, slots=True)
class OneOf:
    """The attribute has one of some values; of a substance, its type has."""

    attribute: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The number is in a range, or near a single one, of which ``low`` and ``high`` are equal.

    threshold: how far outside it may be, None for what the parameters say.
    """

    attribute: str
    low: float
    high: float
    threshold: float | None = None
    is_range: bool = True


@dataclass(frozen=True, slots=True)
class Variable:
    """The attribute has the same value as all that this variable stands for (§4.7)."""

    attribute: str
    name: str


Constraint: TypeAlias = OneOf | Between | Variable
Specification: TypeAlias = tuple[Constraint, ...]


def specification(
    data: object,
    attributes: Mapping[str, Attribute],
    variables: bool = False,
    substances: Collection[str] | None = None,
) -> Specification:
    """Read a specification, each attribute at most once.

    data: entries such as ('color', 'red'), ('color', ('red', 'blue')), ('size', 4), ('size', 4, 2)
    with a threshold, ('size', (3, 5)), ('size', (3, 5), 2), and, with ``variables``,
    ('lock_id', '?x'), or a single entry; or a mapping of names to the second parts, and
    [(3, 5), 2] there for a range with a threshold. A substance stands for its type, or, when that
    is unknown, its parameter; so the data of a designator is a specification. An empty one is
    fitted by everything. substances: those that may be named, None for any. Raises ValueError with
    one sentence.
    """
    constraints: dict[str, Constraint] = {}
    for written, value, threshold in entries(data):
        name = normal_name(written)
        attribute = named('attribute', name, attributes)
        if name in constraints:
            raise ValueError(f"a specification must name '{name}' once, with all that may fit")
        found = _constraint(attribute, value, threshold, variables)
        if attribute.kind == 'substance' and isinstance(found, OneOf):
            _check_substances(found, substances)
        constraints[name] = found
    return tuple(constraints.values())


def entries(data: object) -> list[tuple[str, object, object]]:
    """Return the entries of a specification: a name, what may fit, and a threshold or None.

    Raises ValueError with one sentence for what is no specification.
    """
    data = askable(data)
    if isinstance(data, Mapping):
        data = [
            (name, *value)
            if _is_list(value) and len(value) == 2 and _is_list(value[0])
            else (name, value)
            for name, value in data.items()
        ]
    if not _is_list(data):
        raise ValueError(
            'a specification must be a mapping such as {color: red}, or a list of entries such as '
            "('size', 4)"
        )
    found = []
    for entry in data:
        if not _is_list(entry) or not 2 <= len(entry) <= 3 or not isinstance(entry[0], str):
            raise ValueError(
                'an entry of a specification must be an attribute, what may fit, and maybe a '
                f'threshold, not {shown(entry)}'
            )
        found.append((entry[0], entry[1], entry[2] if len(entry) == 3 else None))
    return found


def askable(data: object) -> object:
    """Return a specification with the type in place of a substance, or its parameter.

    The data of a designator can be searched for in this way. One entry is taken for a list of it.
    """
    if isinstance(data, Mapping):
        return {name: _without_substance(value) for name, value in data.items()}
    if not _is_list(data):
        return data
    if data and isinstance(data[0], str):
        data = [data]
    return [tuple(map(_without_substance, entry)) if _is_list(entry) else entry for entry in data]


def _without_substance(value: object) -> object:
    if isinstance(value, Substance):
        return value.parameter if value.type == UNKNOWN else value.type
    return value


def _is_list(data: object) -> TypeGuard[Sequence[object]]:
    return isinstance(data, list | tuple)


def _check_substances(constraint: OneOf, known: Collection[str] | None) -> None:
    """Refuse a substance that nothing can have."""
    for name in map(str, constraint.values):
        if known is not None and name != UNKNOWN and name not in known:
            raise ValueError(f"there is no substance '{name:.40}'; {suggestion(name, known)}")


def _constraint(
    attribute: Attribute, value: object, threshold: object, variables: bool
) -> Constraint:
    """Read what may fit an attribute."""
    name = attribute.name
    if isinstance(value, str) and value.strip().startswith('?'):
        return _variable(name, value.strip().lower().replace('-', '_'), threshold, variables)
    values = value if _is_list(value) else [value]
    words = attribute.kind == 'substance' and all(isinstance(word, str) for word in values)
    if attribute.kind == 'discrete' or words:
        if threshold is not None:
            raise ValueError(f"'{name}' must have no threshold: list all values that may fit")
        if not values:
            raise ValueError(f"'{name}' must have at least one value that may fit")
        if words:
            return OneOf(name, tuple(normal_name(str(word)) for word in values))
        return OneOf(name, tuple(checked(attribute, word) for word in values))
    numbers = [_number(name, number) for number in values]
    if len(numbers) != (2 if _is_list(value) else 1):
        raise ValueError(f"'{name}' must be a number, or a range of two")
    if numbers[0] > numbers[-1]:
        raise ValueError(
            f"the range of '{name}' must have its lower end first; a threshold stands behind it"
        )
    allowed = None if threshold is None else _number(name, threshold)
    if allowed is not None and allowed < 0.0:
        raise ValueError(f"the threshold of '{name}' must be 0 or more, not {allowed:g}")
    return Between(name, numbers[0], numbers[-1], allowed, _is_list(value))


def _variable(name: str, text: str, threshold: object, variables: bool) -> Variable:
    """Read a variable, where there may be one."""
    if not variables:
        raise ValueError(
            f"'{name}' must have a value: only manipulations know variables such as {text[:20]}"
        )
    if threshold is not None or not _VARIABLE.fullmatch(text):
        raise ValueError(
            f"a variable for '{name}' must be ? and a name, without a threshold, such as ?x"
        )
    return Variable(name, text[1:])


def _number(name: str, value: object) -> float:
    """Read a finite number."""
    number = finite(value)
    if number is None:
        raise ValueError(
            f"'{name}' must be a finite number, or a range of two, not {shown(value)}"
        )
    return number
