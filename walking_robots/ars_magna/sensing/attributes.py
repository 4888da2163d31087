"""Attributes of things: their domains, how well they are read, and the values they take."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from walking_robots.ars_magna.inputs import finite, normal_name, shown, suggestion

SUBSTANCE = 'substance'
"""Name of the one attribute whose values are substances."""
UNKNOWN = 'unknown'
"""Type of a substance of which only the parameter is known (ars_magna.md §2.3)."""
_MEASURES = ('size', 'weight', 'capacity')
"""Attributes with which things are added up and compared."""
_NAME = re.compile(r'[a-z][a-z0-9_]{0,49}')


class Substance(NamedTuple):
    """What something is made of, and the number that a view shows of it."""

    type: str
    parameter: float


Value: TypeAlias = bool | float | str | Substance


@dataclass(frozen=True)
class Attribute:
    """An attribute that things can have (ars_magna.md §2.3, §4.6).

    domain: all values of a discrete one, None for a number; success: probability of a correct
    reading of a discrete one; base: least standard deviation of a number's reading; max_mult: its
    greatest multiple with distance; noticed: probability of being sensed where not specified;
    supported_by: attributes that raise it where they are specified. A substance is a number with
    a ``success`` of its type. Raises ValueError with one sentence for what makes no sense.
    """

    name: str
    domain: tuple[Value, ...] | None
    success: float = 1.0
    base: float = 0.0
    max_mult: float = 1.0
    noticed: float = 0.0
    supported_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Bring names to their normal form and check the rest."""
        name = normal_name(self.name)
        if not _NAME.fullmatch(name):
            raise ValueError(
                f'{self.name[:60]!r} cannot name an attribute: use a letter first, then letters, '
                f'digits and _, at most 50'
            )
        object.__setattr__(self, 'name', name)
        object.__setattr__(self, 'supported_by', tuple(map(normal_name, self.supported_by)))
        if self.domain is not None:
            object.__setattr__(self, 'domain', self._distinct(self.domain))
        for field in ('success', 'noticed'):
            if not 0.0 <= getattr(self, field) <= 1.0:
                raise ValueError(f"{field} of attribute '{name}' must be from 0 to 1")
        for field in ('base', 'max_mult'):
            if not 0.0 <= getattr(self, field) < math.inf:
                raise ValueError(f"{field} of attribute '{name}' must be 0 or more")
        if self.kind == 'numeric' and self.success != 1.0:
            raise ValueError(
                f"attribute '{name}' is numeric and has no success: give base and max_mult"
            )
        if self.kind == 'discrete' and (self.base != 0.0 or self.max_mult != 1.0):
            raise ValueError(
                f"attribute '{name}' is discrete and has no base or max_mult: give success"
            )

    def _distinct(self, domain: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return the values of a domain in their normal form; refuse one that is no domain."""
        values: dict[tuple[bool, Value], Value] = {}
        for value in domain:
            plain = _plain(value)
            if plain is None:
                raise ValueError(
                    f"the domain of attribute '{self.name}' must list words, true, false and "
                    f'finite numbers'
                )
            # True is not 1.
            key = (isinstance(plain, bool), plain)
            if key in values:
                raise ValueError(f"the domain of attribute '{self.name}' lists '{plain}' twice")
            values[key] = plain
        if not values:
            raise ValueError(f"the domain of attribute '{self.name}' must list a value at least")
        return tuple(values.values())

    @property
    def kind(self) -> Literal['discrete', 'numeric', 'substance']:
        """Return what its values are."""
        if self.domain is not None:
            return 'discrete'
        return 'substance' if self.name == SUBSTANCE else 'numeric'


def is_same(a: Value, b: Value) -> bool:
    """Return whether two values are the same; true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def _plain(value: object) -> bool | float | str | None:
    """Return a word in its normal form, a truth or a finite number; None for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return normal_name(value) or None
    return finite(value)


def checked(
    attribute: Attribute, value: object, substances: Mapping[str, float] | None = None
) -> Value:
    """Return a value that a thing may have, in its normal form.

    substances: parameters of those that have a name. Raises ValueError with one sentence for a
    value that the attribute cannot have.
    """
    if attribute.kind == 'substance':
        return substance_of(value, substances or {})
    plain = _plain(value)
    if attribute.domain is None:
        if isinstance(plain, float) and not isinstance(value, bool):
            if plain < 0.0 and attribute.name in _MEASURES:
                raise ValueError(f"'{attribute.name}' must be 0 or more, not {_shown(value)}")
            return plain
        raise ValueError(f"'{attribute.name}' must be a finite number, not {_shown(value)}")
    if plain is None or not any(is_same(plain, other) for other in attribute.domain):
        remedy = suggestion(_shown(value).strip("'"), map(_written, attribute.domain))
        raise ValueError(f"'{attribute.name}' cannot be {_shown(value)}; {remedy}")
    return plain


def substance_of(value: object, table: Mapping[str, float]) -> Substance:
    """Return the substance that a name or a number means (ars_magna.md §2.3, resolution).

    table: parameters of the substances with a name, in normal form. Raises ValueError with one
    sentence for anything else.
    """
    if isinstance(value, Substance):
        parameter = finite(value.parameter)
        if parameter is None:
            raise ValueError('the parameter of a substance must be a finite number')
        name = normal_name(value.type)
        return Substance(name if name == UNKNOWN else substance_of(name, table).type, parameter)
    plain = _plain(value)
    if isinstance(plain, float) and not isinstance(plain, bool):
        return Substance(UNKNOWN, plain)
    if not isinstance(plain, str):
        raise ValueError(f'a substance must be a name or a finite number, not {_shown(value)}')
    if plain not in table:
        other = f', or {suggestion(plain, table)}' if table else ''
        raise ValueError(
            f"substance '{plain[:40]}' has no parameter: list it under substances{other}"
        )
    return Substance(plain, float(table[plain]))


def _written(value: Value) -> str:
    """Return a value as files write it."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return f'{value:g}' if isinstance(value, float) else str(value)


def _shown(value: object) -> str:
    """Return a short form of what a person wrote."""
    if isinstance(value, bool | float):
        return _written(value)
    if isinstance(value, str):
        return repr(value[:40])
    return 'a list or a mapping' if isinstance(value, list | tuple | dict) else shown(value)


_TRUTH = (True, False)
_COLORS = (
    'red',
    'green',
    'blue',
    'violet',
    'lightred',
    'lightblue',
    'lightgreen',
    'lightviolet',
)

STANDARD: Mapping[str, Attribute] = {
    attribute.name: attribute
    for attribute in (
        Attribute('obsmove', _TRUTH, success=0.9, noticed=0.6),
        Attribute('obsview', _TRUTH, success=0.9, noticed=0.6),
        Attribute('closed', _TRUTH, success=0.9, noticed=0.3),
        Attribute('color', _COLORS, success=0.4, noticed=0.4, supported_by=(SUBSTANCE,)),
        Attribute(
            'size',
            None,
            base=0.8,
            max_mult=4.0,
            noticed=0.7,
            supported_by=('capacity', 'obsview', 'weight'),
        ),
        Attribute('weight', None, base=0.5, max_mult=4.0, noticed=0.2, supported_by=('size',)),
        Attribute(
            'capacity',
            None,
            base=0.8,
            max_mult=4.0,
            noticed=0.3,
            supported_by=('size', 'weight'),
        ),
        Attribute(SUBSTANCE, None, success=0.9, base=1.0, max_mult=4.0, noticed=0.5),
    )
}
"""Attributes A01 to A08 of ars_magna.md §2.3."""
