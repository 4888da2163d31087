"""Describe what a world file may say of walls, rectangles and circles."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart
from walking_robots.worlds.clauses import Circle, Rect, Wall
from walking_robots.worlds.coordinates import Extent, Place


def _so_many(*counts: int) -> AfterValidator:
    """Return a validator that wants a list of one of these lengths."""

    def check(values: list[float]) -> list[float]:
        if len(values) not in counts:
            raise ValueError(f'must have length {" or ".join(map(str, counts))}')
        return values

    return AfterValidator(check)


Point = tuple[Place, Place]
Name = Annotated[str, Field(min_length=1, max_length=80)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


def _cell(point: Point, cell: float) -> tuple[int, int]:
    """Return the cell that holds a point."""
    return point[0].index(cell), point[1].index(cell)


class ClausePart(DocumentPart):
    """Say what is drawn of which substance, whose name has no case; without `params` it is 0."""

    type: Annotated[Name, AfterValidator(str.lower)] = 'wall'


class SpanPart(ClausePart):
    """Say between which points something is drawn."""

    from_: Point = Field(alias='from')
    to: Point

    def ends(self, cell: float) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return both points in cells."""
        return _cell(self.from_, cell), _cell(self.to, cell)


class WallPart(SpanPart):
    """Say from where to where a wall runs (ars_magna.md §4.1)."""

    params: Annotated[list[Number], _so_many(1, 2)] = Field(default_factory=lambda: [0.0])

    def clause(self, cell: float) -> Wall:
        """Return the wall in cells."""
        return Wall(*self.ends(cell), self.type, tuple(self.params))


class RectPart(SpanPart):
    """Say between which corners an outline lies (ars_magna.md §4.1)."""

    params: Annotated[list[Number], _so_many(1, 4)] = Field(default_factory=lambda: [0.0])

    def clause(self, cell: float) -> Rect:
        """Return the outline in cells."""
        return Rect(*self.ends(cell), self.type, tuple(self.params))


class CirclePart(ClausePart):
    """Say where a circle lies, how large it is and whether it is solid (ars_magna.md §4.1)."""

    center: Point
    radius: Extent
    params: Annotated[list[Number], _so_many(1)] = Field(default_factory=lambda: [0.0])
    fill: Annotated[bool, Field(strict=True)] = False

    def clause(self, cell: float) -> Circle:
        """Return the circle in cells."""
        return Circle(
            _cell(self.center, cell),
            self.radius.count(cell),
            self.type,
            tuple(self.params),
            self.fill,
        )


class WallEntry(DocumentPart):
    """Hold one clause under its kind."""

    wall: WallPart | None = None
    rect: RectPart | None = None
    circle: CirclePart | None = None

    @model_validator(mode='after')
    def _one(self) -> Self:
        """Refuse an entry with no clause or with several."""
        if len(self.parts) != 1:
            raise ValueError('must hold one of wall, rect and circle')
        return self

    @property
    def parts(self) -> list[WallPart | RectPart | CirclePart]:
        """Return what is there."""
        return [part for part in (self.wall, self.rect, self.circle) if part is not None]
