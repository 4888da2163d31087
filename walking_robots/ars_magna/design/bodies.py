"""Make the steps of a body from what a file says, with all names in it checked."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.expressions import FUNCTIONS, Expression, expression, literal
from walking_robots.ars_magna.design.kinds import (
    NUMERIC,
    Kind,
    Kinds,
    fitting_kinds,
    in_words,
    kinds_of,
    kinds_of_values,
)
from walking_robots.ars_magna.design.places_in_files import PlacedError, at
from walking_robots.ars_magna.design.step_parts import (
    CreatePart,
    KickPart,
    MovePart,
    StepPart,
)
from walking_robots.ars_magna.design.steps import (
    HERE,
    SELF,
    Assign,
    Create,
    Destroy,
    Fail,
    Give,
    If,
    Kick,
    MoveStep,
    RunAgain,
    Step,
)
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
                ended = isinstance(steps[-1], Give | Fail) if steps else False
                if ended and not (isinstance(steps[-1], Fail) and isinstance(found[0], Give)):
                    raise ValueError('is never reached: the step before it ends the body')
                steps += found
        return tuple(steps)

    def condition(self, plain: Plain) -> Expression:
        """Return a condition."""
        if isinstance(plain, float):
            raise ValueError("must be a condition; write for example attr(self, 'size') > 2")
        return self._formula(plain)

    def _step(self, part: StepPart) -> list[Step]:
        if part.kick is not None:
            return [self._kick(part.kick)]
        if part.set is not None:
            return self._assign(part.set)
        if part.if_ is not None:
            return [self._if(part, part.if_)]
        if part.create is not None:
            return [self._create(part.create)]
        if part.destroy is not None:
            return [Destroy(self._thing('destroy', part.destroy))]
        if part.move is not None:
            return [self._move(part.move)]
        if part.run_again is not None:
            return (
                [RunAgain(part.run_again.times)] if self.is_kicker else self._refuse('run_again')
            )
        if self.is_kicker:
            return self._refuse('error' if part.error is not None else 'return')
        if part.error is not None:
            return [self._fail(part.error)]
        with at('return'):
            return [Give(self._formula(part.return_ if part.return_ is not None else False))]

    def _refuse(self, kind: str) -> list[Step]:
        others = 'a manipulation' if self.is_kicker else 'a kicker'
        raise PlacedError((kind,), f'may only be a step of {others}; leave it out')

    def _fail(self, name: str) -> Fail:
        code = name.replace('_', '-').upper()
        with at('error'):
            if code == Code.NIL:
                raise ValueError('is the code of success; leave it out')
        return Fail(code)

    def _kick(self, kick: KickPart) -> Kick:
        with at('kick'):
            return Kick(
                self._number('dx', kick.dx),
                self._number('dy', kick.dy),
                kick.kick_if_wall,
                self._thing('on', kick.on),
            )

    def _if(self, part: StepPart, condition: Plain) -> If:
        with at('if'):
            test = self.condition(condition)
        with at('then'):
            then = self.steps(part.then or ())
        with at('else'):
            return If(test, then, self.steps(part.else_ or ()))

    def _assign(self, values: Mapping[str, Mapping[str, Plain]]) -> list[Step]:
        steps: list[Step] = []
        with at('set'):
            if not all(values.values()) or not values:
                raise ValueError('must name a thing, and attributes of it with their values')
            for on, plain in values.items():
                steps.append(Assign(self._thing(on, on), self._values(on, plain)))
        return steps

    def _create(self, create: CreatePart) -> Create:
        with at('create'):
            if create.prototype is not None:
                _one_of('prototype', create.prototype, self.known.prototypes, 'a prototype')
            return Create(
                create.name,
                create.prototype,
                self._values('attrs', create.attrs),
                _one_of('where', create.where, (HERE, *self.holders), 'a place here'),
            )

    def _move(self, move: MovePart) -> MoveStep:
        with at('move'):
            on = self._thing('on', move.on)
            if move.into is None:
                return MoveStep(on)
            holders = [name for name in self.holders if name != on]
            return MoveStep(on, _one_of('into', move.into, holders, 'a place for it'))

    def _thing(self, place: str, name: str) -> str:
        return _one_of(place, name, self.things, 'a thing here')

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
        found, kinds = self._read(plain)
        if not found.names:
            return literal(checked(attribute, found.value({}), self.known.substances))
        if not kinds & fitting_kinds(attribute):
            raise ValueError(
                f"must be {in_words(fitting_kinds(attribute))}; '{found.text:.40}' is "
                f'{in_words(kinds)}'
            )
        return found

    def _number(self, place: str, plain: Plain) -> Expression:
        with at(place):
            found, kinds = self._read(plain)
            if not kinds & NUMERIC:
                raise ValueError("must be a number or an expression such as 'uniform(-1, 1)'")
            return found

    def _formula(self, plain: Plain) -> Expression:
        return self._read(plain)[0]

    def _read(self, plain: Plain) -> tuple[Expression, Kinds]:
        """Return an expression, and what it can come to."""
        if not isinstance(plain, str):
            return literal(plain), kinds_of_values((plain,))
        found = expression(plain, self.names, self.functions)
        for name in sorted(found.attributes):
            self.known.attribute(name)
        if not found.names:
            try:
                found.value({})
            except ValueError as error:
                raise ValueError(str(error).removeprefix(f"'{found.text}' ").rstrip('.')) from None
        return found, kinds_of(found, self.names, self.known.attributes)


def _one_of(place: str, name: str, names: Collection[str], kind: str) -> str:
    """Return a name that is one of some; refuse another."""
    with at(place):
        if name not in names:
            raise ValueError(
                f"names '{name[:40]}', which is not {kind}; {suggestion(name, names)}"
            )
    return name
