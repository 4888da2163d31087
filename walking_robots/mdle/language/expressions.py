"""Expressions of the language, as written: units kept, nothing evaluated.

Every node is frozen and hashable. The place where it stands takes no part in equality, so that
two texts that say the same are equal.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from walking_robots.mdle.language.quantities import UNITS

__all__ = [
    'NOWHERE',
    'Argument',
    'Binary',
    'Call',
    'Expression',
    'Index',
    'Member',
    'Name',
    'Number',
    'Partner',
    'Place',
    'Slice',
    'Text',
    'Truth',
    'Unary',
    'Vector',
]


class Place(NamedTuple):
    """Where something stands in its file; both count from 1, and 0 is nowhere."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Number:
    """A number, with its unit as written ('' for none); infinity is the number ``inf``."""

    value: float
    unit: str = ''
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def si(self) -> float:
        """The value in SI units."""
        return self.value * UNITS[self.unit].factor if self.unit else self.value


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    """One of true and false."""

    value: bool
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter, constant, output, element, or one of ``y``, ``y0``, ``t`` and ``bb``."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """``base.name``: a channel, a part of a value, an element of an imported module."""

    base: 'Expression'
    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Partner:
    """``base@name``: the outputs of another robot."""

    base: 'Expression'
    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """``base[index]``."""

    base: 'Expression'
    index: 'Expression'
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Slice:
    """``base[low .. high]``, both ends included."""

    base: 'Expression'
    low: 'Expression'
    high: 'Expression'
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call; an empty name is given by position."""

    value: 'Expression'
    name: str = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """``base(arguments)``."""

    base: 'Expression'
    arguments: tuple[Argument, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """``-operand`` or ``not operand``."""

    operator: str
    operand: 'Expression'
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and one of ``+ - * / < <= > >= == != and or``."""

    operator: str
    left: 'Expression'
    right: 'Expression'
    place: Place = field(default=NOWHERE, compare=False)


Expression = (
    Number | Text | Truth | Name | Member | Partner | Index | Slice | Call | Unary | Binary
)
Vector = tuple[Expression, ...]
