"""Describe what a world file may say, with units, ranges and a remedy for each field."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.geometry.se2 import Pose2
from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.worlds.clauses import draw
from walking_robots.worlds.coordinates import LARGEST_SIDE, Coordinate, Extent
from walking_robots.worlds.entries import Name, Point, WallEntry
from walking_robots.worlds.world import World

_POINT = 'write [x, y], each a whole number of cells or a length such as 1.5m'
REMEDIES = {
    'ars_schema': "begin the file with 'ars_schema: 1'",
    'world': 'write world: and indented below it name, size and walls',
    'name': 'write a name such as big_room',
    'size': 'write [width, height], for example [75, 75] in cells or [8m, 6m]',
    'cell': 'write a length such as 1m or 5cm',
    'y_axis': "write down, where rows are counted from the map's top, or up",
    'walls': 'write a list such as [{wall: {from: [0, 0], to: [9, 0]}}]',
    'wall': 'write {from: [0, 0], to: [9, 0]}',
    'rect': 'write {from: [0, 0], to: [9, 9]}',
    'circle': 'write {center: [5, 5], radius: 3}',
    'from': _POINT,
    'to': _POINT,
    'center': _POINT,
    'at': _POINT,
    'radius': 'write a whole number of cells or a length such as 20cm',
    'fill': 'write true or false',
    'type': 'write the name of a substance such as bricks',
    'params': 'write one number in brackets, or one for each end of a wall or corner of a rect',
    'start': 'write {at: [1.5m, 2m], heading: 90deg}',
    'heading': 'write an angle such as 90deg, counter-clockwise from x',
}


CellLength = Annotated[
    float, BeforeValidator(parse_length), within(0.01, 100.0, 'from 1 cm to 100 m')
]
Angle = Annotated[float, BeforeValidator(parse_angle)]


class StartPart(DocumentPart):
    """Say where a robot begins, and its heading, rad, counter-clockwise from x."""

    at: Point
    heading: Angle = 0.0


class WorldPart(DocumentPart):
    """Hold the map; see `world` for the axes.

    The fields of ARS MAGNA, from ``strict`` on, may stand there and are not looked at
    (ars_magna.md §4.8).
    """

    name: Name
    size: tuple[Extent, Extent]
    cell: CellLength = 1.0
    y_axis: Literal['down', 'up'] = 'down'
    walls: Annotated[list[WallEntry], Field(max_length=10_000)] = Field(default_factory=list)
    start: StartPart | None = None
    strict: Any = None
    cache: Any = None
    literal_doorway_diagonals: Any = None
    substances: Any = None
    prototypes: Any = None
    objects: Any = None
    kickers: Any = None

    def place(self) -> tuple[Coordinate, Coordinate, float]:
        """Return where a robot begins, along the file's axes, and its heading; or the middle."""
        if self.start is not None:
            return (*self.start.at, self.start.heading)
        x, y = (Coordinate(side.count(self.cell) * self.cell / 2, True) for side in self.size)
        return x, y, 0.0

    def check(self) -> None:
        """Refuse a map of no or too many cells, and a start outside it."""
        for axis, side in enumerate(self.size):
            if not side.is_whole(self.cell):
                raise ValueError(
                    f'world.size.{axis}: must be a whole number of cells of {self.cell:g} m'
                )
            if not 1 <= side.count(self.cell) <= LARGEST_SIDE:
                raise ValueError(f'world.size.{axis}: must be 1 to {LARGEST_SIDE} cells')
        for axis, (side, place) in enumerate(zip(self.size, self.place()[:2], strict=True)):
            if not 0 <= place.index(self.cell) < side.count(self.cell):
                raise ValueError(f'world.start.at.{axis}: must lie inside the map')

    def world(self) -> World:
        """Build the world, with y up in memory however the file counts.

        Where the file's y points down the map is ARS MAGNA's: whole numbers are middles of cells,
        so the middle of the lower left one is the origin of the frame (ars_magna.md §1.9). Where
        it points up, the lower left corner of the map is.
        """
        cell = self.cell
        columns, rows = (side.count(cell) for side in self.size)
        clauses = [part.clause(cell) for entry in self.walls for part in entry.parts]
        drawing = draw(clauses, columns, rows)
        x, y, heading = self.place()
        warnings = drawing.warnings
        if drawing.filled[y.index(cell), x.index(cell)]:
            warnings += self.start_warnings()
        above, corner, order = y.metres(cell), 0.0, 1
        if self.y_axis == 'down':
            above, corner, order = rows * cell - above, -cell / 2, -1
        return World(
            self.name,
            cell,
            drawing.filled[::order],
            drawing.substance[::order],
            drawing.parameter[::order],
            drawing.substances,
            origin=(corner, corner),
            start=Pose2(corner + x.metres(cell), corner + above, heading),
            warnings=warnings,
        )

    def start_warnings(self) -> tuple[str, ...]:
        """Return what is to be said where the start lies in a filled cell."""
        return ('start lies in a filled cell; move it, or a robot cannot leave.',)


class WorldDocument(DocumentPart):
    """Hold a whole world file; lengths are in m once read (ars_magna.md §4.8).

    The sections of ARS MAGNA, from ``attributes`` on, may stand there and are not looked at.
    """

    ars_schema: Literal[1]
    content: WorldPart = Field(alias='world')
    attributes: Any = None
    place_types: Any = None
    kickers: Any = None
    manipulations: Any = None
    robots: Any = None
    parameters: Any = None

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Check the map."""
        self.content.check()
        return self
