"""Make the steps of a body from what a file says, with all names in it checked."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.expressions import (
    ANY,
    FUNCTIONS,
    NUMERIC,
    Expression,
    Kind,
    Kinds,
    expression,
    fitting_kinds,
    in_words,
    literal,
)
from walking_robots.ars_magna.design.model import Step
from walking_robots.ars_magna.design.places_in_files import PlacedError, at, check_name
from walking_robots.ars_magna.design.step_parts import HERE, SELF, StepPart
from walking_robots.ars_magna.inputs import normal_name, suggestion
from walking_robots.ars_magna.sensing.attributes import Attribute, Value, checked

KICKER_NAMES: Mapping[str, Kinds] = {
    SELF: frozenset({Kind.THING}),
    'robot': frozenset({Kind.ROBOT}),
    'x': frozenset({Kind.NUMBER}),
    'y': frozenset({Kind.NUMBER}),
    'tick': frozenset({Kind.NUMBER}),
    'in_bin': frozenset({Kind.TRUTH}),
    'in_hand': frozenset({Kind.TRUTH}),
}
"""Names in the expressions of a kicker: its thing, the robot, place, tick, and where it is."""
METHOD_NAMES: Mapping[str, Kinds] = {name: KICKER_NAMES[name] for name in ('robot', 'tick')}
"""Names in the expressions of a manipulation besides its parameters."""
METHOD_FUNCTIONS = {
    **{name: counts for name, counts in FUNCTIONS.items() if name != 'near'},
    'attr': (2, 2),
}
"""Functions in a manipulation, whose objects are all near, and none of which is ``self``."""

Plain = bool | float | str


class Known(NamedTuple):
    """What has a name in a world: attributes, substances of things, prototypes."""

    attributes: Mapping[str, Attribute]
    substances: Mapping[str, float]
    prototypes: Collection[str]

    def attribute(self, name: str) -> Attribute:
        """Return an attribute; raises ValueError with a phrase for an unknown one."""
        if name not in self.attributes:
            raise ValueError(
                f"names '{name[:40]}', which is no attribute; define it under attributes, or "
                f'{suggestion(name, self.attributes)}'
            )
        return self.attributes[name]

    def values(self, plain: Mapping[str, Plain]) -> dict[str, Value]:
        """Return attributes of a thing, each in its domain."""
        values = {}
        for name, value in plain.items():
            with at(name):
                values[name] = checked(self.attribute(name), value, self.substances)
        return values


class BodyReader:
    """Makes steps and conditions of one kicker, or of one method of a manipulation.

    things: names of things that steps may act on; holders: names of what things can be put into;
    names: all that expressions may use, and what it can be.
    """

    def __init__(
        self,
        known: Known,
        things: Sequence[str],
        holders: Sequence[str],
        names: Mapping[str, Kinds],
    ) -> None:
        """Take the names."""
        self.known = known
        self.things = things
        self.holders = holders
        self.names = names
        self.is_kicker = SELF in things
        self.functions = FUNCTIONS if self.is_kicker else METHOD_FUNCTIONS

    def steps(self, parts: Sequence[StepPart]) -> tuple[Step, ...]:
        """Return the steps of a body."""
        steps: list[Step] = []
        for number, part in enumerate(parts):
            with at(number):
                found = self._step(part)
                last = steps[-1].kind if steps else ''
                if last == 'return' or (last == 'error' and found[0].kind != 'return'):
                    raise ValueError('is never reached: the step before it ends the body')
                steps += found
        return tuple(steps)

    def condition(self, plain: Plain) -> Expression:
        """Return a condition."""
        if isinstance(plain, float):
            raise ValueError("must be a condition; write for example attr(self, 'size') > 2")
        return self._read(plain)

    def _step(self, part: StepPart) -> list[Step]:
        kind = part.kind
        if (kind in ('return', 'error')) if self.is_kicker else kind == 'run_again':
            others = 'a manipulation' if self.is_kicker else 'a kicker'
            raise PlacedError((kind,), f'may only be a step of {others}; leave it out')
        if kind == 'if':
            return [self._if(part)]
        with at(kind):
            if kind == 'set':
                return self._set(part.set or {})
            return [Step(kind, self._arguments(part))]

    def _arguments(self, part: StepPart) -> tuple[Expression | Mapping[str, Expression], ...]:
        """Return what the method of an act with the name of the step takes."""
        if part.kick is not None:
            kick = part.kick
            shift = self._number('dx', kick.dx), self._number('dy', kick.dy)
            return self._thing(kick.on, 'on'), *shift, literal(kick.kick_if_wall)
        if part.create is not None:
            name, prototype = part.create.name, part.create.prototype
            if prototype is not None:
                with at('prototype'):
                    check_name(prototype, self.known.prototypes, 'not a prototype')
            values = self._values('attrs', part.create.attrs)
            where = self._holder(
                'where', part.create.where, (HERE, *self.holders), 'not a place here'
            )
            return literal(name), literal(prototype), values, where
        if part.destroy is not None:
            return (self._thing(part.destroy),)
        if part.move is not None:
            on, into = part.move.on, part.move.into
            holders = [name for name in self.holders if name != on]
            thing = self._thing(on, 'on')
            if into is None:
                return thing, literal(None)
            return thing, self._holder('into', into, holders, 'not a place for it')
        if part.run_again is not None:
            return (literal(part.run_again.times),)
        if part.error is not None:
            code = part.error.replace('_', '-').upper()
            if code == Code.NIL:
                raise ValueError('is the code of success; leave it out')
            return (literal(code),)
        return (self._read(part.return_ if part.return_ is not None else False),)

    def _if(self, part: StepPart) -> Step:
        with at('if'):
            test = self.condition(part.if_ if part.if_ is not None else False)
        with at('then'):
            then = self.steps(part.then or ())
        with at('else'):
            return Step('if', (test,), then, self.steps(part.else_ or ()))

    def _set(self, values: Mapping[str, Mapping[str, Plain]]) -> list[Step]:
        if not all(values.values()) or not values:
            raise ValueError('must name a thing, and attributes of it with their values')
        return [
            Step('set', (self._thing(on, on), self._values(on, plain)))
            for on, plain in values.items()
        ]

    def _thing(self, name: str, *place: str) -> Expression:
        with at(*place):
            check_name(name, self.things, 'not a thing here')
        return expression(name, self.names)

    def _holder(self, place: str, name: str, known: Collection[str], kind: str) -> Expression:
        """Return a holder, None for the ground."""
        with at(place):
            check_name(name, known, kind)
        return literal(None) if name == HERE else expression(name, {name: ANY})

    def _values(self, place: str, plain: Mapping[str, Plain]) -> dict[str, Expression]:
        values = {}
        for name, value in plain.items():
            with at(place, name):
                values[name] = self._value(self.known.attribute(name), value)
        return values

    def _value(self, attribute: Attribute, plain: Plain) -> Expression:
        """Return the value of an attribute: what its domain holds, or else an expression."""
        if not isinstance(plain, str):
            return literal(checked(attribute, plain, self.known.substances))
        word = normal_name(plain)
        in_domain = attribute.domain is not None and word in attribute.domain
        is_symbol = word.isidentifier() and word not in self.names
        if in_domain or (is_symbol and attribute.kind != 'numeric'):
            return literal(checked(attribute, plain, self.known.substances))
        found = self._read(plain)
        if not found.names:
            return literal(checked(attribute, found.value({}), self.known.substances))
        if not found.kinds & fitting_kinds(attribute):
            raise ValueError(
                f"must be {in_words(fitting_kinds(attribute))}; '{found.text:.40}' is "
                f'{in_words(found.kinds)}'
            )
        return found

    def _number(self, place: str, plain: Plain) -> Expression:
        with at(place):
            found = self._read(plain)
            if not found.kinds & NUMERIC:
                raise ValueError("must be a number or an expression such as 'uniform(-1, 1)'")
            return found.numeric()

    def _read(self, plain: Plain) -> Expression:
        """Return an expression; one without names is evaluated to find mistakes in it."""
        if not isinstance(plain, str):
            return literal(plain)
        found = expression(plain, self.names, self.functions, self.known.attribute)
        if not found.names:
            try:
                found.value({})
            except ValueError as error:
                raise ValueError(str(error).removeprefix(f"'{found.text}' ").rstrip('.')) from None
        return found
