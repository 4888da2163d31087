"""Invent the data of a false designator, so that it reads like any other (ars_magna.md §7.7)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import (
    UNKNOWN,
    Attribute,
    Substance,
    Value,
    is_same,
)
from walking_robots.ars_magna.sensing.matching import bounds, descriptor
from walking_robots.ars_magna.sensing.noise import correctness, deviation, read
from walking_robots.ars_magna.sensing.specifications import (
    Between,
    Constraint,
    OneOf,
    Specification,
    Variable,
)

_MOST = 50
"""Things that are weighed; of more so many by chance."""


def probability_of_fit(
    constraint: Constraint,
    attribute: Attribute,
    value: Value,
    distance: float,
    parameters: Parameters,
) -> float:
    """Return the probability that a value at a distance, cells, is read as one that fits."""
    if isinstance(constraint, Variable):
        return 1.0
    if isinstance(constraint, OneOf):
        correct = correctness(attribute, distance, parameters)
        return sum(share for _, share in _words(constraint, attribute, value, correct))
    low, high = bounds(constraint, parameters)
    center, sigma = _number(value), deviation(attribute, distance, parameters)
    if sigma == 0.0:
        return 1.0 if low <= center <= high else 0.0
    normal = NormalDist(center, sigma)
    return normal.cdf(high) - normal.cdf(low)


def fitting_reading(
    constraint: Constraint,
    attribute: Attribute,
    value: Value,
    distance: float,
    parameters: Parameters,
    random: Random,
) -> Value:
    """Draw from the readings of a value those that fit; it must be one of which some do."""
    if isinstance(constraint, Variable):
        return read(attribute, value, distance, parameters, random)
    correct = correctness(attribute, distance, parameters)
    if isinstance(constraint, OneOf):
        words, shares = zip(*_words(constraint, attribute, value, correct), strict=True)
        word: Value = random.choices(words, shares)[0]
        if not isinstance(value, Substance):
            return word
        number = random.gauss(value.parameter, deviation(attribute, distance, parameters))
        return Substance(str(word), number)
    number = _between(constraint, _number(value), attribute, distance, parameters, random)
    if not isinstance(value, Substance):
        return number
    return Substance(value.type if random.random() < correct else UNKNOWN, number)


def _words(
    constraint: OneOf, attribute: Attribute, value: Value, correct: float
) -> list[tuple[Value, float]]:
    """Return what fits with the probability that it is read (ars_magna.md §7.1)."""
    if isinstance(value, Substance):
        read_as: list[tuple[Value, float]] = [(value.type, correct), (UNKNOWN, 1.0 - correct)]
        return [(word, share) for word, share in read_as if word in constraint.values]
    guessed = (1.0 - correct) / len(attribute.domain or (value,))
    return [
        (word, guessed + (correct if is_same(word, value) else 0.0)) for word in constraint.values
    ]


def _between(
    constraint: Between,
    center: float,
    attribute: Attribute,
    distance: float,
    parameters: Parameters,
    random: Random,
) -> float:
    """Draw a number within bounds, normal about a center."""
    low, high = bounds(constraint, parameters)
    sigma = deviation(attribute, distance, parameters)
    if sigma == 0.0:
        return center
    normal = NormalDist(center, sigma)
    share = random.uniform(normal.cdf(low), normal.cdf(high))
    # The inverse is endless at 0 and 1, to which far tails are rounded.
    number = normal.inv_cdf(min(max(share, 1e-300), 1.0 - 1e-16))
    return min(max(number, low), high)


def _number(value: Value) -> float:
    return value.parameter if isinstance(value, Substance) else float(value)


@dataclass(frozen=True)
class Inventor:
    """Draws descriptors of what is not there.

    things: attributes of those that it may be taken for; substances: those of the world, parameter
    by name; distance: of what is not there, cells.
    """

    definitions: Mapping[str, Attribute]
    things: Sequence[Mapping[str, Value]]
    substances: Mapping[str, float]
    distance: float
    parameters: Parameters
    random: Random

    def descriptor(self, constraints: Specification) -> dict[str, Value]:
        """Return what a thing would be read as there, on condition that it fits.

        Things are drawn by how likely each is read as what was specified, so that nothing in what
        is said differs from what is said of true ones. Where no thing is ever read so, it is one
        that is as specified. Source: ars_magna.md §7.7, item 5.
        """
        things = self.things
        if len(things) > _MOST:
            things = self.random.sample(things, _MOST)
        shares = [self._probability(constraints, thing) for thing in things]
        if any(shares):
            model = self.random.choices(things, shares)[0]
        else:
            model = {
                **(self.random.choice(things) if things else self._anything()),
                **{constraint.attribute: self._supposed(constraint) for constraint in constraints},
            }
        readings = {
            constraint.attribute: fitting_reading(
                constraint,
                self.definitions[constraint.attribute],
                model[constraint.attribute],
                self.distance,
                self.parameters,
                self.random,
            )
            for constraint in constraints
        }
        return descriptor(
            model, readings, self.definitions, self.distance, self.parameters, self.random
        )

    def _probability(self, constraints: Specification, thing: Mapping[str, Value]) -> float:
        """Return the probability that a thing is read as what was specified."""
        if any(constraint.attribute not in thing for constraint in constraints):
            return 0.0
        return math.prod(
            probability_of_fit(
                constraint,
                self.definitions[constraint.attribute],
                thing[constraint.attribute],
                self.distance,
                self.parameters,
            )
            for constraint in constraints
        )

    def _supposed(self, constraint: Constraint) -> Value:
        """Draw a value that fits."""
        attribute = self.definitions[constraint.attribute]
        if isinstance(constraint, Variable):
            return self._any(attribute)
        if isinstance(constraint, OneOf):
            value = self.random.choice(constraint.values)
            if attribute.kind != 'substance':
                return value
            return Substance(str(value), self.substances.get(str(value), 0.0))
        low, high = bounds(constraint, self.parameters)
        number = min(max(self.random.uniform(low, high), low), high)
        return Substance(self._kind(), number) if attribute.kind == 'substance' else number

    def _anything(self) -> dict[str, Value]:
        """Draw a thing for a world that has none."""
        return {name: self._any(attribute) for name, attribute in self.definitions.items()}

    def _any(self, attribute: Attribute) -> Value:
        """Draw any value of an attribute; a number is nothing but its error."""
        if attribute.domain is not None:
            return self.random.choice(attribute.domain)
        if attribute.kind != 'substance':
            return 0.0
        kind = self._kind()
        return Substance(kind, self.substances.get(kind, 0.0))

    def _kind(self) -> str:
        return self.random.choice(list(self.substances)) if self.substances else UNKNOWN
