"""Read places on a map: whole numbers of cells, or lengths from the map's corner."""

import math
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, PlainValidator

from walking_robots.geometry.units import parse_length

LARGEST_SIDE = 2000
"""The most cells along either side of a map."""

_FARTHEST = 1.0e4
_NEAR = 1e-6
"""Share of a cell by which a length may miss a border, since 0.15 / 0.05 is not quite 3."""


@dataclass(frozen=True)
class Coordinate:
    """A place along an axis: the number of a cell, or where ``metric`` metres from the corner."""

    value: float
    metric: bool

    def index(self, cell: float) -> int:
        """Return the number of the cell that holds the place."""
        return math.floor(self.value / cell + _NEAR) if self.metric else int(self.value)

    def count(self, cell: float) -> int:
        """Return the nearest whole number of cells."""
        return round(self.value / cell) if self.metric else int(self.value)

    def is_whole(self, cell: float) -> bool:
        """Return whether this is a whole number of cells."""
        return not self.metric or abs(self.value / cell - self.count(cell)) < _NEAR

    def metres(self, cell: float) -> float:
        """Return the distance from the map's corner, m; the number of a cell means its middle."""
        return self.value if self.metric else (self.value + 0.5) * cell


def _coordinate(value: object) -> Coordinate:
    """Read a whole number of cells or a length with a unit."""
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > LARGEST_SIDE:
            raise ValueError(f'must be within {LARGEST_SIDE} cells')
        return Coordinate(value, metric=False)
    if not isinstance(value, str):
        raise ValueError('must be a whole number of cells or a length with its unit')
    length = parse_length(value)
    if not value.rstrip()[-1].isalpha():
        raise ValueError('must have a unit, unless it is a whole number of cells')
    if abs(length) > _FARTHEST:
        raise ValueError('must be within 10 km')
    return Coordinate(length, metric=True)


def _not_negative(coordinate: Coordinate) -> Coordinate:
    """Refuse what cannot be an extent."""
    if coordinate.value < 0:
        raise ValueError('must not be negative')
    return coordinate


Place = Annotated[Coordinate, PlainValidator(_coordinate)]
Extent = Annotated[Place, AfterValidator(_not_negative)]
