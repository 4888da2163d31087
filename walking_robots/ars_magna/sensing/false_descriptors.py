"""Invent the data of a false designator, so that it looks like any other (ars_magna.md §7.7)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import UNKNOWN, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.fitting import fitting_reading, probability_of_fit
from walking_robots.ars_magna.sensing.matching import bounds, descriptor
from walking_robots.ars_magna.sensing.specifications import (
    Constraint,
    OneOf,
    Specification,
    Variable,
)

_MOST = 50
"""Things that are weighed; of more so many by chance."""


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

        Things are drawn by how likely each is read as what was asked for, so that nothing in what
        is said differs from what is said of true ones. Where no thing is ever read so, it is one
        that is as was asked. Source: ars_magna.md §7.7, item 5.
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
                **{asked.attribute: self._supposed(asked) for asked in constraints},
            }
        readings = {
            asked.attribute: fitting_reading(
                asked,
                self.definitions[asked.attribute],
                model[asked.attribute],
                self.distance,
                self.parameters,
                self.random,
            )
            for asked in constraints
        }
        return descriptor(
            model, readings, self.definitions, self.distance, self.parameters, self.random
        )

    def _probability(self, constraints: Specification, thing: Mapping[str, Value]) -> float:
        """Return the probability that a thing is read as what was asked for."""
        if any(asked.attribute not in thing for asked in constraints):
            return 0.0
        return math.prod(
            probability_of_fit(
                asked,
                self.definitions[asked.attribute],
                thing[asked.attribute],
                self.distance,
                self.parameters,
            )
            for asked in constraints
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
