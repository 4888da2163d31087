"""Describe what a design may say of attributes, place types, kickers and manipulations."""

import math
from collections import Counter
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, model_validator

from walking_robots.ars_magna.design.steps import HERE, SELF
from walking_robots.ars_magna.names import normal_name
from walking_robots.documents.fields import Part, within
from walking_robots.worlds.schema import Angle

__all__ = [
    'AttributePart',
    'Attributes',
    'Distinct',
    'KickerPart',
    'MethodPart',
    'Name',
    'NotNegative',
    'Number',
    'OnPart',
    'PlaceTypePart',
    'Plain',
    'StepPart',
    'Truth',
]

WIDEST_FORM = 15


def _name(value: object) -> str:
    """Read a name; the manual's end in a star where they are global."""
    if not isinstance(value, str):
        raise ValueError('must be a name')
    name = normal_name(value)
    if not name.replace('*', '').isidentifier() or len(name) > 80:
        raise ValueError('must be a name of letters, digits, _ and -, a letter first')
    return name


def _plain(value: object) -> bool | float | str:
    """Read a truth, a finite number or a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) < 1e300:
        return float(value)
    if isinstance(value, str) and len(value) <= 200:
        return value
    raise ValueError('must be true, false, a finite number or a text')


def _distinct(content: object) -> object:
    """Refuse keys that are the same name, written in two ways."""
    if isinstance(content, dict):
        counts = Counter(normal_name(key) for key in content if isinstance(key, str))
        name, count = max(counts.items(), key=lambda item: item[1], default=('', 0))
        if count > 1:
            raise ValueError(f"must not hold '{name[:40]}' twice")
    return content


def _form(rows: list[str]) -> tuple[str, ...]:
    """Read rows of signs, the manual's among them."""
    signs = str.maketrans('-*x', '.#?')
    form = tuple(row.translate(signs) for row in rows)
    if not all(len(row) == len(form[0]) and len(row) % 2 for row in form) or not len(form) % 2:
        raise ValueError('must have an odd number of rows, each with the same odd number of signs')
    if max(len(form), len(form[0])) > WIDEST_FORM:
        raise ValueError(f'must be at most {WIDEST_FORM} cells wide and high')
    if not set(''.join(form)) <= set('.#?'):
        raise ValueError('may hold only the signs . # and ?')
    return form


Name = Annotated[str, PlainValidator(_name)]
Distinct = BeforeValidator(_distinct)
Plain = Annotated[bool | float | str, PlainValidator(_plain)]
Attributes = Annotated[dict[Name, Plain], Distinct]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
NotNegative = Annotated[Number, within(0.0, math.inf, '0 or more')]
Probability = Annotated[Number, within(0.0, 1.0, 'from 0 to 1')]
Truth = Annotated[bool, Field(strict=True)]
Form = Annotated[list[str], Field(min_length=1), AfterValidator(_form)]


def _with_on(content: Any) -> Any:
    """Take the key ``on`` for the word that it is; YAML takes it for true."""
    if isinstance(content, dict) and True in content:
        return {'on' if key is True else key: value for key, value in content.items()}
    return content


class OnPart(Part):
    """Say which thing is meant."""

    _words = model_validator(mode='before')(_with_on)


class AttributePart(Part):
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


class MatcherPart(Part):
    """Say what lies around a cell, and its basic direction, rad."""

    form: Form
    direction: Angle


class CasePart(MatcherPart):
    """Say which cell is classified, by its offset in x and y."""

    offset: tuple[Annotated[int, Field(strict=True, ge=-1000, le=1000)], ...] = Field(
        min_length=2, max_length=2
    )


class CheckerPart(Part):
    """Say which forms point to other cells, and what is in the middle of all of them."""

    center: Literal['filled', 'empty'] | None = None
    cases: Annotated[list[CasePart], Field(max_length=100)]


class MarkerPart(Part):
    """Say how places are drawn."""

    shape: Name
    color: Name


class PlaceTypePart(Part):
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


class KickPart(OnPart):
    """Say by how much a thing moves, cells."""

    dx: Plain = 0.0
    dy: Plain = 0.0
    kick_if_wall: Truth = False
    on: Name = SELF


class CreatePart(Part):
    """Say what is made, and in what."""

    name: Name
    prototype: Name | None = None
    attrs: Attributes = Field(default_factory=dict)
    where: Name = HERE


class MovePart(OnPart):
    """Say what moves, and into what; onto the ground without it."""

    on: Name = SELF
    into: Name | None = None


class RunAgainPart(Part):
    """Say in how many more ticks a body runs."""

    times: Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


Steps = Annotated[list['StepPart'], Field(max_length=200)]


class StepPart(Part):
    """Hold one step under its kind (ars_magna.md §4.8)."""

    kick: KickPart | None = None
    set: Annotated[dict[Name, Attributes], Distinct] | None = None
    if_: Plain | None = Field(default=None, alias='if')
    then: Steps | None = None
    else_: Steps | None = Field(default=None, alias='else')
    return_: Plain | None = Field(default=None, alias='return')
    error: Name | None = None
    create: CreatePart | None = None
    destroy: Name | None = None
    move: MovePart | None = None
    run_again: RunAgainPart | None = None

    @model_validator(mode='after')
    def _one(self) -> Self:
        """Refuse an entry with no step or with several."""
        kinds = self.model_fields_set - {'then', 'else_'}
        if len(kinds) != 1 or getattr(self, *kinds) is None:
            raise ValueError('must hold one step')
        if (self.if_ is None) != (self.then is None) or (self.else_ and self.if_ is None):
            raise ValueError("must hold 'then' with 'if', and 'else' only with both")
        return self


def _one_body(part: 'KickerPart | MethodPart') -> None:
    if (part.body is None) == (part.python is None):
        raise ValueError('must have either body or python')


class KickerPart(Part):
    """Say when something happens to a thing, and what (ars_magna.md §4.5)."""

    prob: Probability = 1.0
    test: Plain | None = None
    body: Steps | None = None
    python: Name | None = None

    @model_validator(mode='after')
    def _complete(self) -> Self:
        """Refuse what does nothing."""
        _one_body(self)
        return self


class MethodPart(Part):
    """Say which objects a robot can do something to, and what (ars_magna.md §4.7)."""

    objects: Annotated[dict[Name, Any], Distinct, Field(min_length=1, max_length=20)]
    by: Name
    others: Annotated[list[Name], Field(max_length=20)] = Field(default_factory=list)
    success: Probability = 1.0
    delay: Annotated[int, Field(strict=True, ge=0, le=1_000_000)] = 0
    body: Steps | None = None
    python: Name | None = None

    @model_validator(mode='after')
    def _complete(self) -> Self:
        """Refuse what does nothing."""
        _one_body(self)
        return self
