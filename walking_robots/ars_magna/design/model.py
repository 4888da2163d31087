"""The design of a world, as it is before anything happens in it (ars_magna.md §4).

Frame: x to the right, y downwards, angles clockwise, rad; lengths in cells (ars_magna.md §1.9).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from walking_robots.ars_magna.design.expressions import Expression
from walking_robots.ars_magna.design.place_types import PlaceType
from walking_robots.ars_magna.design.schema import RobotPart
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import Attribute, Value
from walking_robots.ars_magna.sensing.specifications import Specification
from walking_robots.worlds import World


class Step(NamedTuple):
    """A step of a body of a kicker or of a manipulation (ars_magna.md §4.5, §4.7, §4.8).

    kind: its word in files; arguments: what is worked out for the method of that name of an
    ``Act`` of the simulation; then, otherwise: the two ways of an 'if'.
    """

    kind: str
    arguments: tuple[Expression | Mapping[str, Expression], ...]
    then: tuple['Step', ...] = ()
    otherwise: tuple['Step', ...] = ()


Body: TypeAlias = tuple[Step, ...] | str
"""Steps, or the name of a function among `Definitions.behaviors`."""


@dataclass(frozen=True)
class ThingDesign:
    """A thing with what is in it, its prototype's attributes and contents among them.

    x, y: None for a thing within another, and for a prototype; kickers: names; count: of things,
    itself and all within it; depth: how many levels of things it is.
    """

    name: str
    x: float | None
    y: float | None
    attributes: Mapping[str, Value]
    contents: tuple['ThingDesign', ...] = ()
    kickers: tuple[str, ...] = ()
    count: int = field(init=False, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Count once what prototypes may have multiplied."""
        object.__setattr__(self, 'count', 1 + sum(thing.count for thing in self.contents))
        deepest = max((thing.depth for thing in self.contents), default=0)
        object.__setattr__(self, 'depth', 1 + deepest)


@dataclass(frozen=True)
class Kicker:
    """What may happen to a thing in each tick: first the test, None for true, then the chance.

    The names in the expressions of a kicker are those of `bodies.KICKER_NAMES`.
    """

    name: str
    probability: float
    test: Expression | None
    body: Body


@dataclass(frozen=True)
class Method:
    """One way of a manipulation: objects that fit specifications, by a resource of the robot.

    The names in its expressions are those of the objects, of the resource and of the others, and
    those of `bodies.METHOD_NAMES`.
    """

    objects: tuple[tuple[str, Specification], ...]
    by: str
    others: tuple[str, ...]
    success: float
    delay: int
    body: Body


@dataclass(frozen=True)
class Manipulation:
    """What a robot can do to things; the first of its methods whose objects fit is taken."""

    name: str
    methods: tuple[Method, ...]


@dataclass(frozen=True)
class Definitions:
    """All that has a name in a world, the standard attributes and place types included.

    place_types: in the order in which they are tried; behaviors: functions that bodies name.
    """

    attributes: Mapping[str, Attribute]
    place_types: Mapping[str, PlaceType]
    kickers: Mapping[str, Kicker] = field(default_factory=dict)
    manipulations: Mapping[str, Manipulation] = field(default_factory=dict)
    behaviors: dict[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class WorldDesign:
    """A whole world: walls, things, what they can be and do, robots, parameters.

    grid: the cells with y upwards, as `World` holds them; prototypes: by name, for things made
    later; substances: parameter by name, for things; bodies: of robots that have one, by name;
    warnings: one sentence each.
    """

    name: str
    grid: World
    things: tuple[ThingDesign, ...]
    prototypes: Mapping[str, ThingDesign]
    substances: Mapping[str, float]
    definitions: Definitions
    robots: tuple[RobotPart, ...]
    parameters: Parameters
    warnings: tuple[str, ...] = ()
    bodies: Mapping[str, ThingDesign] = field(default_factory=dict)
