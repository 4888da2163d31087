"""Describe what a design may say of the steps of a body (ars_magna.md §4.5, §4.7)."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from walking_robots.ars_magna.design.fields import (
    Attributes,
    Distinct,
    Name,
    OnPart,
    Plain,
    Truth,
)
from walking_robots.documents.fields import DocumentPart

SELF = 'self'
"""The thing whose kicker runs."""
HERE = 'here'
"""The place of that thing, or of the robot that manipulates."""
MANY = Field(max_length=200)


class KickPart(OnPart):
    """Say by how much a thing moves, cells."""

    dx: Plain = 0.0
    dy: Plain = 0.0
    kick_if_wall: Truth = False
    on: Name = SELF


class CreatePart(DocumentPart):
    """Say what is made, and in what."""

    name: Name
    prototype: Name | None = None
    attrs: Attributes = Field(default_factory=dict)
    where: Name = HERE


class MovePart(OnPart):
    """Say what moves, and into what; onto the ground without it."""

    on: Name = SELF
    into: Name | None = None


class RunAgainPart(DocumentPart):
    """Say in how many more ticks a body runs."""

    times: Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


class StepPart(DocumentPart):
    """Hold one step under its kind (ars_magna.md §4.8)."""

    kick: KickPart | None = None
    set: Annotated[dict[Name, Attributes], Distinct] | None = None
    if_: Plain | None = Field(default=None, alias='if')
    then: Annotated[list['StepPart'], MANY] | None = None
    else_: Annotated[list['StepPart'], MANY] | None = Field(default=None, alias='else')
    return_: Plain | None = Field(default=None, alias='return')
    error: Name | None = None
    create: CreatePart | None = None
    destroy: Name | None = None
    move: MovePart | None = None
    run_again: RunAgainPart | None = None

    @property
    def kind(self) -> str:
        """Return what the step is, in the word of the file."""
        return next(iter(self.model_fields_set - {'then', 'else_'})).rstrip('_')

    @model_validator(mode='after')
    def _one(self) -> Self:
        """Refuse an entry with no step or with several."""
        kinds = self.model_fields_set - {'then', 'else_'}
        if len(kinds) != 1 or getattr(self, *kinds) is None:
            raise ValueError('must hold one step')
        if (self.if_ is None) != (self.then is None) or (self.else_ and self.if_ is None):
            raise ValueError("must hold 'then' with 'if', and 'else' only with both")
        return self


StepParts = Annotated[list[StepPart], MANY]
