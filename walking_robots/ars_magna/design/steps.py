"""What the body of a kicker or of a manipulation does, step by step (ars_magna.md §4.5, §4.7).

Names of things in steps are 'self', the thing of a kicker, or parameters of a manipulation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from walking_robots.ars_magna.design.expressions import Expression

SELF = 'self'
"""The thing whose kicker runs."""
HERE = 'here'
"""The place of that thing, or of the robot that manipulates."""


@dataclass(frozen=True)
class Kick:
    """Move a thing by (dx, dy), cells; ``if_wall``: beside a wall that is in the way."""

    dx: Expression
    dy: Expression
    if_wall: bool = False
    on: str = SELF


@dataclass(frozen=True)
class Assign:
    """Return attributes of a thing other values."""

    on: str
    values: Mapping[str, Expression]


@dataclass(frozen=True)
class If:
    """Take one of two ways."""

    condition: Expression
    then: tuple['Step', ...]
    otherwise: tuple['Step', ...] = ()


@dataclass(frozen=True)
class Give:
    """Say what a manipulation gives back, and end it."""

    value: Expression


@dataclass(frozen=True)
class Fail:
    """Say with which code a manipulation ends, such as 'NOT-HOLDING-KEY'.

    Only what it gives back may follow.
    """

    code: str


@dataclass(frozen=True)
class Create:
    """Make a thing at ``where``: ``HERE``, or in what has that name.

    The prototype's attributes and contents are copied, then ``attributes`` are set.
    """

    name: str
    prototype: str | None = None
    attributes: Mapping[str, Expression] = field(default_factory=dict)
    where: str = HERE


@dataclass(frozen=True)
class Destroy:
    """Take a thing out of the world; what it held stays where it was."""

    on: str


@dataclass(frozen=True)
class MoveStep:
    """Put a thing into what has a name, or with None on the ground where it is."""

    on: str
    into: str | None = None


@dataclass(frozen=True)
class RunAgain:
    """Run the whole body of a kicker again in each of the next ``times`` ticks."""

    times: int


Step: TypeAlias = Kick | Assign | If | Give | Fail | Create | Destroy | MoveStep | RunAgain
