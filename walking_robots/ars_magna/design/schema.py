"""Describe what files of a design may say, with a remedy for each field (ars_magna.md §4.8)."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from walking_robots.ars_magna.design.fields import (
    Attributes,
    Distinct,
    Name,
    NotNegative,
    Number,
    OnPart,
    Plain,
    Probability,
    Truth,
)
from walking_robots.ars_magna.design.step_parts import StepParts
from walking_robots.ars_magna.inputs import normal_name
from walking_robots.documents.fields import DocumentPart, within
from walking_robots.worlds import schema as worlds
from walking_robots.worlds.schema import Angle, WorldPart

WIDEST_FORM = 15


def _form(rows: list[str]) -> tuple[str, ...]:
    """Read rows of signs, the manual's among them."""
    signs = str.maketrans('-*x', '.#?')
    form = tuple(row.translate(signs) for row in rows)
    if not all(len(row) == len(form[0]) and len(row) % 2 for row in form) or not len(form) % 2:
        raise ValueError('must have an odd number of rows, each with the same odd number of signs')
    if max(len(form), len(form[0])) > WIDEST_FORM:
        raise ValueError(f'must be at most {WIDEST_FORM} cells wide and high')
    if not set(''.join(form)) <= set('.#?'):
        raise ValueError('must hold only the signs . # and ?')
    return form


Form = Annotated[list[str], Field(min_length=1), AfterValidator(_form)]


class AttributePart(DocumentPart):
    """Say which values an attribute has and how well it is read (ars_magna.md §4.6).

    ``support`` stands in the manual's examples for ``noticed``.
    """

    domain: Literal['numeric'] | Annotated[list[Plain], Field(max_length=1000)]
    success: Probability = 1.0
    base: NotNegative = 0.0
    max_mult: NotNegative = 1.0
    noticed: Probability | None = None
    support: Probability | None = None
    supported_by: list[Name] = Field(default_factory=list)

    @model_validator(mode='after')
    def _once(self) -> Self:
        """Refuse two words for the same thing."""
        if self.noticed is not None and self.support is not None:
            raise ValueError('must have noticed or support, which mean the same')
        return self


class MatcherPart(DocumentPart):
    """Say what lies around a cell, and its basic direction, rad."""

    form: Form
    direction: Angle


class CasePart(MatcherPart):
    """Say which cell is classified, by its offset in x and y."""

    offset: tuple[Annotated[int, Field(strict=True, ge=-1000, le=1000)], ...] = Field(
        min_length=2, max_length=2
    )


class CheckerPart(DocumentPart):
    """Say which forms point to other cells, and what is in the middle of all of them."""

    center: Literal['filled', 'empty'] | None = None
    cases: Annotated[list[CasePart], Field(max_length=100)]


class MarkerPart(DocumentPart):
    """Say how places are drawn."""

    shape: Name
    color: Name


class PlaceTypePart(DocumentPart):
    """Say which cells have a type, and what it does (ars_magna.md §4.2)."""

    confusion: Probability = 0.0
    matchers: Annotated[list[MatcherPart], Field(max_length=100)] = Field(default_factory=list)
    checker: CheckerPart | None = None
    python: Name | None = None
    directions: Annotated[list[Angle], Field(min_length=1, max_length=16)] = Field(
        default_factory=lambda: [0.0, math.pi]
    )
    invisible: Truth = False
    marker: MarkerPart | None = None

    @model_validator(mode='after')
    def _found(self) -> Self:
        """Refuse a type that no cell has, and one of two makes."""
        data = bool(self.matchers) or self.checker is not None
        if data == (self.python is not None):
            raise ValueError('must have matchers or a checker, or else python')
        return self


def _one_body(part: 'KickerPart | MethodPart') -> None:
    if (part.body is None) == (part.python is None):
        raise ValueError('must have either body or python')


class KickerPart(DocumentPart):
    """Say when something happens to a thing, and what (ars_magna.md §4.5)."""

    prob: Probability = 1.0
    test: Plain | None = None
    body: StepParts | None = None
    python: Name | None = None

    @model_validator(mode='after')
    def _complete(self) -> Self:
        """Refuse what does nothing."""
        _one_body(self)
        return self


class MethodPart(DocumentPart):
    """Say which objects a robot can do something to, and what (ars_magna.md §4.7)."""

    objects: Annotated[dict[Name, Any], Distinct, Field(min_length=1, max_length=20)]
    by: Name
    others: Annotated[list[Name], Field(max_length=20)] = Field(default_factory=list)
    success: Probability = 1.0
    delay: Annotated[int, Field(strict=True, ge=0, le=1_000_000)] = 0
    body: StepParts | None = None
    python: Name | None = None

    @model_validator(mode='after')
    def _complete(self) -> Self:
        """Refuse what does nothing."""
        _one_body(self)
        return self


_BODY = "write a list of steps such as [{kick: {dx: 'uniform(-1, 1)', dy: 0}}]"
_NAMED = 'write names, each with its description indented below it'
REMEDIES = {
    **worlds.REMEDIES,
    'size': 'write [width, height] such as [75, 75], or of a thing one number',
    'cell': 'write 1m, or leave it out',
    'y_axis': 'write down, or leave it out',
    'at': 'write [x, y] such as [20, 12]',
    'attributes': 'write {lock_id: {domain: numeric}}',
    'domain': 'write numeric, or a list of values such as [cube, ball]',
    'supported_by': 'write a list of attributes such as [weight, capacity]',
    'place_types': _NAMED,
    'form': "write rows such as ['...', '#.#', '...']: . empty, # wall, ? either",
    'direction': 'write an angle in rad, or such as 90deg, clockwise',
    'directions': 'write a list of angles such as [0, 180deg]',
    'offset': 'write [dx, dy] such as [1, -1]',
    'python': 'write the name of a function that a package offers, in place of a body',
    'kickers': 'write {wander: {prob: 0.1, body: [...]}}, or in a world {use: wander, on: lamp}',
    'prob': 'write a number such as 0.05',
    'test': "write a condition such as not attr('closed')",
    'body': _BODY,
    'then': _BODY,
    'else': _BODY,
    'kick': 'write {dx: 0.5, dy: 0}',
    'set': 'write {self: {closed: true}}',
    'error': 'write a code such as NOT-HOLDING-KEY, in quotes where YAML takes it for a truth',
    'create': 'write {name: crumb, prototype: bread}',
    'move': 'write {on: key, into: box}',
    'run_again': 'write {times: 10}',
    'manipulations': 'write a name with a list of methods, as {take: [{objects: ..., by: hand}]}',
    'objects': 'write a list of things in a world, or specifications by name in a manipulation',
    'by': 'write the name of the resource, such as hand',
    'success': 'write a number such as 0.9',
    'noticed': 'write a number such as 0.3',
    'confusion': 'write a number such as 0.05',
    'delay': 'write a whole number of ticks',
    'substances': 'write {wood: 120, metal: 60}',
    'prototypes': 'write {box: {capacity: 8, size: 8}}',
    'attrs': 'write {size: 2, color: red}',
    'contents': 'write a list of things without at',
    'robots': 'write [{name: robbie, at: [10, 5]}]',
    'angle': 'write an angle in rad, or such as 90deg, clockwise',
    'cameras': 'write [{fov: 45deg, resolution: 3}]',
    'fov': 'write an angle such as 45deg',
    'resolution': 'write a whole number of pixels such as 5',
    'hands': 'write [{strength: 10}]',
    'bins': 'write [{capacity: 20}]',
    'parameters': 'write {max_speed: 0.5}',
    'strict': 'write true or false',
}

Spot = tuple[Number, Number]


class ContentPart(DocumentPart):
    """Describe a thing that lies in another."""

    name: Name
    prototype: Name | None = None
    attrs: Attributes = Field(default_factory=dict)
    contents: Annotated[list['ContentPart'], Field(max_length=1000)] = Field(default_factory=list)


class ThingPart(ContentPart):
    """Describe a thing on the map, cells."""

    at: Spot


class PrototypePart(BaseModel):
    """Describe what things may have in common; what is not a field is an attribute."""

    model_config = ConfigDict(extra='allow', frozen=True)
    __pydantic_extra__: dict[str, Plain]

    prototype: Name | None = None
    contents: Annotated[list[ContentPart], Field(max_length=1000)] = Field(default_factory=list)

    @property
    def attributes(self) -> dict[str, bool | float | str]:
        """Return the attributes by their names."""
        return {normal_name(key): value for key, value in (self.model_extra or {}).items()}


class UsePart(OnPart):
    """Say which things a kicker works on, by their name."""

    use: Name
    on: Name


class DesignWorldPart(WorldPart):
    """Hold a map with its things; ``cache`` is taken, and a map is built anew all the same."""

    strict: Truth = False
    cache: Truth = False
    literal_doorway_diagonals: Truth = False
    substances: Annotated[dict[Name, Number], Distinct] = Field(default_factory=dict)
    prototypes: Annotated[dict[Name, Annotated[PrototypePart, Distinct]], Distinct] = Field(
        default_factory=dict
    )
    objects: Annotated[list[ThingPart], Field(max_length=10_000)] = Field(default_factory=list)
    kickers: Annotated[list[UsePart], Field(max_length=10_000)] = Field(default_factory=list)

    def check(self) -> None:
        """Refuse a map that ARS MAGNA cannot take for its own (ars_magna.md §1.9)."""
        super().check()
        if self.cell != 1.0:
            raise ValueError('world.cell: must be 1m for ARS MAGNA, whose unit is the cell')
        if self.y_axis != 'down':
            raise ValueError("world.y_axis: must be down for ARS MAGNA, as in its manual's maps")

    def start_warnings(self) -> tuple[str, ...]:
        """Return nothing: robots begin elsewhere."""
        return ()


class CameraPart(DocumentPart):
    """Describe a camera; field of view, rad."""

    fov: Annotated[Angle, within(0.001, 6.2832, 'from 0.001 rad to a full turn')]
    resolution: Annotated[int, Field(strict=True, ge=1, le=1000)]


class HandPart(DocumentPart):
    """Describe a hand, by the largest weight and size that it grasps."""

    strength: NotNegative
    max_size: NotNegative | None = None


class BinPart(DocumentPart):
    """Describe a bin, by the size that fits inside."""

    capacity: NotNegative


class RobotPart(DocumentPart):
    """Describe a robot and where it begins (ars_magna.md §4.3).

    body: attributes by which other robots perceive it; without them they do not.
    """

    name: Name
    world: Name | None = None
    at: Spot
    angle: Angle = 0.0
    cameras: Annotated[tuple[CameraPart, ...], Field(max_length=100)] = ()
    hands: Annotated[tuple[HandPart, ...], Field(max_length=100)] = ()
    bins: Annotated[tuple[BinPart, ...], Field(max_length=100)] = ()
    body: Attributes = Field(default_factory=dict)


class DesignDocument(DocumentPart):
    """Hold a file of a design; a world may be one file or several."""

    ars_schema: Literal[1]
    content: DesignWorldPart | None = Field(default=None, alias='world')
    attributes: Annotated[dict[Name, AttributePart], Distinct] = Field(default_factory=dict)
    place_types: Annotated[dict[Name, PlaceTypePart], Distinct] = Field(default_factory=dict)
    kickers: Annotated[dict[Name, KickerPart], Distinct] = Field(default_factory=dict)
    manipulations: Annotated[
        dict[Name, Annotated[list[MethodPart], Field(min_length=1, max_length=100)]], Distinct
    ] = Field(default_factory=dict)
    robots: Annotated[list[RobotPart], Field(max_length=1000)] = Field(default_factory=list)
    parameters: Annotated[dict[Name, Any], Distinct] = Field(default_factory=dict)

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Check the map."""
        if self.content is not None:
            self.content.check()
        return self
