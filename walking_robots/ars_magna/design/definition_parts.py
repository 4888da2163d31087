"""Describe what a design may say of attributes, place types, kickers and manipulations."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from walking_robots.ars_magna.design.fields import (
    Distinct,
    Name,
    NotNegative,
    Plain,
    Probability,
    Truth,
)
from walking_robots.ars_magna.design.step_parts import StepParts
from walking_robots.documents.fields import DocumentPart
from walking_robots.worlds.schema import Angle

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
