"""Carry out the bodies of kickers and manipulations (ars_magna.md §4.5, §4.7)."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.expressions import Expression
from walking_robots.ars_magna.design.model import Body, Step, ThingDesign
from walking_robots.ars_magna.inputs import shown
from walking_robots.ars_magna.sensing.attributes import Attribute, checked
from walking_robots.ars_magna.simulation.ground import cell_of
from walking_robots.ars_magna.simulation.robots import (
    SimulatedBin,
    SimulatedHand,
    SimulatedPart,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.things import Holder, Thing
from walking_robots.ars_magna.simulation.world_state import NEAR, WorldState

MOST_REPORTED = 1000
"""Errors of bodies that are reported, each once, before a single message for all others."""


@dataclass
class Act:
    """One run of a body: the things and parts that it names, and what comes of it.

    A function written in Python gets this in place of steps: it may read ``world`` and ``names``,
    and act by the methods. title: what this is, for people; reruns: in how many further ticks a
    kicker runs again without test and chance; is_rerun: whether this is such a run, in which only
    what stands under a condition, or a function, requests more.
    """

    world: WorldState
    title: str
    names: Mapping[str, Any]
    chance: random.Random
    place: tuple[float, float]
    code: str = Code.NIL
    value: Any = None
    reruns: int = 0
    is_rerun: bool = False
    _functions: Mapping[str, Callable[..., Any]] = field(init=False, repr=False)
    _at: Step | Expression | str = field(init=False, repr=False, default='')

    def __post_init__(self) -> None:
        """Offer what expressions may call."""
        self._functions = {
            'attr': self._attribute,
            'near': self._near,
            'uniform': self.chance.uniform,
            'in_location': _in_location,
            'is_open': lambda holder: not holder.closed,
        }

    def run(self, body: Body) -> None:
        """Carry out a body; one that cannot be carried out is reported as an error."""
        try:
            if isinstance(body, str):
                self.world.definitions.behaviors[body](self)
            else:
                self._steps(body, outermost=True)
        except Exception as error:
            # A function of somebody else's package must not stop the world.
            self.code = Code.FAILED
            kind = '' if isinstance(error, ValueError) else f'{type(error).__name__} '
            self._at = self._at or type(error).__name__
            self._report(f'{kind}{error}')

    def holds(self, condition: Expression | None) -> bool:
        """Return whether a condition is true; report one that cannot be evaluated as false."""
        if condition is None:
            return True
        try:
            return bool(self._worked_out(condition))
        except ValueError as error:
            self._at = condition
            self._report(str(error))
            return False

    # What a body can do

    def kick(self, thing: Thing, dx: float, dy: float, if_wall: bool = False) -> bool:
        """Move a thing by some cells; return whether it went."""
        return kick_thing(self.world, thing, dx, dy, if_wall)

    def set(self, thing: Thing, /, **values: Any) -> None:
        """Change attributes of a thing; raise ValueError for one outside its domain."""
        attributes = self.world.definitions.attributes
        fitting = {name: self._fitting(attributes[name], value) for name, value in values.items()}
        self.world.scene.change(thing, fitting)

    def create(
        self, name: str, prototype: str | None, values: Mapping[str, Any], where: Holder | None
    ) -> Thing:
        """Make a thing in a holder, or with None at the place of the act."""
        _check_holder(where)
        attributes = self.world.definitions.attributes
        model = self.world.prototypes[prototype] if prototype is not None else None
        own = {key: self._fitting(attributes[key], value) for key, value in values.items()}
        design = ThingDesign(
            name,
            None,
            None,
            {**(model.attributes if model else {}), **own},
            model.contents if model else (),
            model.kickers if model else (),
        )
        return self.world.make(design, self.place if where is None else where)

    def destroy(self, thing: Thing) -> None:
        """Take a thing out of the world; what it held stays."""
        self.world.scene.destroy(thing)

    def move(self, thing: Thing, holder: Holder | None) -> None:
        """Put a thing into a holder, or with None on the ground where it is."""
        _check_holder(holder)
        if holder is None:
            self.world.scene.drop(thing, *self.world.scene.position(thing))
        elif isinstance(holder, SimulatedHand) and holder.held not in (None, thing):
            raise ValueError(f'{holder.label} holds something already')
        elif not isinstance(holder, SimulatedHand) and holder.capacity <= 0.0:
            raise ValueError(f'{holder.label} is no container')
        else:
            self.world.scene.put(thing, holder)

    def answer(self, value: Any = None, code: str = Code.NIL) -> None:
        """Say how a manipulation ends."""
        self.value, self.code = value, code

    # Steps

    def _steps(self, steps: Sequence[Step], *, outermost: bool = False) -> bool:
        """Carry out steps; return whether one of them has ended the body."""
        for step, following in zip_longest(steps, steps[1:]):
            # Otherwise a body that requests more in every run would never come to rest.
            if outermost and self.is_rerun and step.kind == 'run_again':
                continue
            gives_too = (
                step.kind == 'error' and following is not None and following.kind == 'return'
            )
            if self._step(step) and not gives_too:
                return True
        return False

    def _step(self, step: Step) -> bool:
        """Carry out a step; return whether it ends the body."""
        self._at = step
        values: list[Any] = [
            self._worked_out(argument)
            if isinstance(argument, Expression)
            else {name: self._worked_out(value) for name, value in argument.items()}
            for argument in step.arguments
        ]
        match step.kind:
            case 'if':
                return self._steps(step.then if values[0] else step.otherwise)
            case 'return':
                self.value = values[0]
                return True
            case 'error':
                self.code = values[0]
                return True
            case 'run_again':
                self.reruns = values[0]
            case 'set':
                self.set(values[0], **values[1])
            case kind:
                getattr(self, kind)(*values)
        return False

    def _worked_out(self, expression: Expression) -> Any:
        return expression.value({**self._functions, **self.names})

    def _report(self, wrong: str) -> None:
        """Report what is wrong with a step of the body, or with its condition, once.

        The sentence may hold a value that is another one in each tick.
        """
        reported = self.world.reported
        key = self.title, self._at if isinstance(self._at, str) else id(self._at)
        if key in reported or len(reported) > MOST_REPORTED:
            return
        # What has an id must live on, so that nothing else gets it.
        reported[key] = self._at
        if len(reported) > MOST_REPORTED:
            self.world.messages.error(
                f'More than {MOST_REPORTED} bodies of kickers or manipulations fail; '
                'no more are reported.'
            )
        else:
            self.world.messages.error(f'{self.title} fails: {wrong.rstrip(".")}.')

    def _attribute(self, *arguments: Any) -> Any:
        thing = arguments[0] if len(arguments) == 2 else self.names['self']
        return thing.attributes.get(arguments[-1])

    def _near(self, robot: SimulatedRobot) -> bool:
        return robot is not None and robot.distance_to(*self.place) < NEAR

    def _fitting(self, attribute: Attribute, value: Any) -> Any:
        if value is None:
            return None
        return checked(attribute, value, self.world.design.substances)


def kick_thing(world: WorldState, thing: Thing, dx: float, dy: float, if_wall: bool) -> bool:
    """Move a thing by (dx, dy), cells, out of what it is in; return whether it went.

    A thing in what is closed stays. Where a wall is in the way it stays too, or with ``if_wall``
    goes to the free cell beside the wall's that is nearest to where it was (ars_magna.md §4.5).
    """
    holder: Holder | None = thing.holder
    while holder is not None:
        if holder.closed:
            return False
        if isinstance(holder, SimulatedHand):
            if not world.parameters.kick_from_hand:
                return False
            holder = holder.inside
        else:
            holder = holder.holder if isinstance(holder, Thing) else None
    x, y = world.scene.position(thing)
    to_x, to_y = x + dx, y + dy
    column, row = cell_of(to_x, to_y)
    if world.ground.is_filled(column, row):
        beside = _free_cell_beside(world, column, row, x, y) if if_wall else None
        if beside is None:
            return False
        to_x, to_y = beside
    world.scene.drop(thing, to_x, to_y)
    return True


def _free_cell_beside(
    world: WorldState, column: int, row: int, x: float, y: float
) -> tuple[float, float] | None:
    """Return the free neighbour of a cell that is nearest to a point, by angle among equals."""
    free = [
        (math.hypot(column + i - x, row + j - y), math.atan2(j, i) % math.tau, column + i, row + j)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if not world.ground.is_filled(column + i, row + j)
    ]
    return (float(min(free)[2]), float(min(free)[3])) if free else None


def _check_holder(holder: Any) -> None:
    if holder is not None and not isinstance(holder, Holder):
        raise ValueError(f'{_shown(holder)} holds no things; name a container, a bin or a hand')


def _shown(value: Any) -> str:
    """Return a short form of a value, of a thing or part what it is called."""
    if isinstance(value, SimulatedRobot):
        return value.name
    return value.label if isinstance(value, Holder | SimulatedPart) else shown(value)


def _in_location(thing: Thing, holder: Holder) -> bool:
    """Return whether a thing is in a hand, bin or container."""
    return thing.holder is holder


def scope_of_kicker(
    world: WorldState, thing: Thing, robot: SimulatedRobot | None
) -> dict[str, Any]:
    """Return what a kicker's expressions may name."""
    x, y = world.scene.position(thing)
    return {
        'self': thing,
        'robot': robot,
        'x': x,
        'y': y,
        'tick': world.now,
        'in_bin': isinstance(thing.holder, SimulatedBin),
        'in_hand': isinstance(thing.holder, SimulatedHand),
    }
