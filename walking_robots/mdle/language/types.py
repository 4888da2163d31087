"""Types of values in programs (mdle.md §4.4)."""

from dataclasses import dataclass
from typing import Literal

from walking_robots.mdle.language.quantities import NUMBER, Dimension, dimension_of

CHOICES: dict[str, tuple[str, ...]] = {'wall_side': ('left', 'right')}
"""Values of the enumerated types of the library; any words are those of a program's own."""

Kind = Literal['quantity', 'bool', 'str', 'point', 'pose', 'path', 'list', 'vector', 'other']


@dataclass(frozen=True, slots=True)
class Type:
    """The type of an expression.

    dimension: of a quantity, of the elements of a list; name: of the control space of a vector,
    or of a type of the user's own.
    """

    kind: Kind
    dimension: Dimension = NUMBER
    name: str = ''

    @property
    def is_place(self) -> bool:
        """Return whether it has a position: a point, or a pose."""
        return self.kind in ('point', 'pose')

    def __str__(self) -> str:
        """Return the type as a person would write it."""
        if self.kind == 'quantity':
            return str(self.dimension)
        if self.kind == 'list':
            return f'list of {self.dimension}'
        if self.kind == 'vector':
            return f'control on {self.name}'
        return self.name if self.kind == 'other' else self.kind


NUM = Type('quantity')
BOOL = Type('bool')
STR = Type('str')
POINT = Type('point')
POSE = Type('pose')
PATH = Type('path')


def quantity(dimension: Dimension) -> Type:
    """Return the type of numbers of a dimension."""
    return Type('quantity', dimension)


def list_of(dimension: Dimension) -> Type:
    """Return the type of lists of numbers of a dimension."""
    return Type('list', dimension)


def type_named(name: str) -> Type:
    """Return the type that a program names: a unit, num, bool, str, point, pose, path, own."""
    dimension = dimension_of(name)
    if dimension is not None:
        return quantity(dimension)
    for known in (BOOL, STR, POINT, POSE, PATH):
        if known.kind == name:
            return known
    return Type('other', name=name)
