"""How the grid of cells lies in which all walls stand, as far as contacts have shown it."""

import math

from walking_robots.ars_magna.geometry.point import Point

Cell = tuple[int, int]

MARGIN = 0.2
"""Cells by which the estimated position may be wrong."""
_MOST_OFF = 0.75
"""Cells by which the estimated position may be wrong at most where the robot meets a wall."""
_ALIGNED = 0.1
"""Rad from the axes of the grid, at which the border that stops a robot is surely across."""


class WallGrid:
    """The grid of cells in which all walls stand, as far as contacts have shown how it lies.

    Until then the robot is taken to have begun in the middle of a cell, along the grid; changes
    counts how often that was corrected.

    The first wall that the robot follows shows the angle, and the first border that stops it in
    each of both directions the offset; all later ones correct the robot's own errors.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._angle: float | None = None
        self._offsets: list[float | None] = [None, None]
        self.changes = 0

    @property
    def is_known(self) -> bool:
        """Return whether walls have shown how the grid lies, so that others correct a position."""
        return None not in self._offsets

    def heading_along(self, heading: float) -> float:
        """Return the exact heading of a robot that has followed a wall."""
        if self._angle is None:
            self._angle = heading
            self.changes += 1
        return self.along_axis(heading)

    def along_axis(self, heading: float) -> float:
        """Return the direction of the axis of the grid that is nearest to a heading."""
        return heading - math.remainder(heading - (self._angle or 0.0), math.pi / 2)

    def positions_at_border(self, at: Point, heading: float) -> list[Point]:
        """Return where a robot that was stopped ahead may be, the nearest first.

        These are borders of cells not more than `_MOST_OFF` away.
        """
        if self._angle is None:
            return [at]
        off = math.remainder(heading - self._angle, math.pi / 2)
        if abs(off) > _ALIGNED:
            return [at]
        quarter = round((heading - self._angle) / (math.pi / 2)) % 2
        axis = self._axes()[quarter]
        along = at.x * axis.x + at.y * axis.y
        offset = self._offsets[quarter]
        if offset is None:
            self._offsets[quarter] = along
            self.changes += 1
            return [at]
        error = math.remainder(along - offset, 1.0)
        errors = (error, error - math.copysign(1.0, error))
        return [at - axis * one for one in errors if abs(one) < _MOST_OFF]

    def cell_of(self, place: Point) -> Cell:
        """Return the cell in which a place is."""
        across, down = (round(along) for along in self._in_cells(place))
        return across, down

    def cell_ahead(self, place: Point, heading: float) -> Cell:
        """Return the cell into which a straight line from a place leads first."""
        ahead = Point(math.cos(heading), math.sin(heading))
        cell, ways = list(self.cell_of(place)), []
        for number, (along, axis) in enumerate(
            zip(self._in_cells(place), self._axes(), strict=True)
        ):
            speed = ahead.x * axis.x + ahead.y * axis.y
            border = round(along) + math.copysign(0.5, speed)
            ways.append(((border - along) / speed if speed else math.inf, number, speed))
        _, number, speed = min(ways)
        cell[number] += 1 if speed > 0.0 else -1
        return cell[0], cell[1]

    def is_inner(self, place: Point) -> bool:
        """Return whether a place is so far inside its cell that the robot was surely in it."""
        return all(
            abs(math.remainder(along, 1.0)) < 0.5 - MARGIN for along in self._in_cells(place)
        )

    def middle_of(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        pairs = zip(cell, self._axes(), self._middles(), strict=True)
        return sum((axis * (number + middle) for number, axis, middle in pairs), Point(0.0, 0.0))

    def _in_cells(self, place: Point) -> list[float]:
        pairs = zip(self._axes(), self._middles(), strict=True)
        return [place.x * axis.x + place.y * axis.y - middle for axis, middle in pairs]

    def _middles(self) -> list[float]:
        return [0.0 if offset is None else offset + 0.5 for offset in self._offsets]

    def _axes(self) -> tuple[Point, Point]:
        cos, sin = math.cos(self._angle or 0.0), math.sin(self._angle or 0.0)
        return Point(cos, sin), Point(-sin, cos)
