"""Invent what a false designator tells, so that it looks like any other (ars_magna.md §7.7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import (
    SUBSTANCE,
    UNKNOWN,
    Attribute,
    Substance,
    Value,
)
from walking_robots.ars_magna.sensing.matching import Constraint, Specification, bounds
from walking_robots.ars_magna.sensing.noise import read
from walking_robots.ars_magna.sensing.specifications import OneOf, Variable

__all__ = ['Inventor']


@dataclass(frozen=True)
class Inventor:
    """Draws descriptors of what is not there.

    substances: those of the world, parameter by name; distance: of what is not there, cells.
    """

    definitions: Mapping[str, Attribute]
    substances: Mapping[str, float]
    distance: float
    parameters: Parameters
    random: Random

    def descriptor(self, constraints: Specification) -> dict[str, Value]:
        """Give what was asked for, and other attributes by chance.

        A number that nobody asked for is as large as the error of its reading can be, for want of
        anything it could be near; a substance is one of the world's, read as that of a thing.
        Source: ars_magna.md §7.7, item 5.
        """
        told: dict[str, Value] = {
            constraint.attribute: self._fitting(constraint) for constraint in constraints
        }
        for name, attribute in self.definitions.items():
            if name not in told and self.random.random() < attribute.noticed:
                told[name] = self._any(attribute)
        return told

    def _fitting(self, constraint: Constraint) -> Value:
        """Draw a value that fits."""
        attribute = self.definitions[constraint.attribute]
        if isinstance(constraint, Variable):
            return self._any(attribute)
        if isinstance(constraint, OneOf):
            value = self.random.choice(constraint.values)
            if attribute.kind != 'substance':
                return value
            return Substance(str(value), self._read(str(value)).parameter)
        low, high = bounds(constraint, self.parameters)
        number = min(max(self.random.uniform(low, high), low), high)
        if attribute.kind != 'substance':
            return number
        near = [name for name, parameter in self.substances.items() if low <= parameter <= high]
        kind = self._read(self.random.choice(near)).type if near else UNKNOWN
        return Substance(kind, number)

    def _any(self, attribute: Attribute) -> Value:
        """Draw any value of an attribute."""
        if attribute.domain is not None:
            return self.random.choice(attribute.domain)
        if attribute.kind != 'substance':
            return self._magnitude(attribute)
        return self._read(self.random.choice(list(self.substances)) if self.substances else '')

    def _read(self, name: str) -> Substance:
        """Read a substance of the world; one without a name is unknown."""
        attribute = self.definitions[SUBSTANCE]
        if name not in self.substances:
            return Substance(UNKNOWN, self._magnitude(attribute))
        true = Substance(name, self.substances[name])
        found = read(attribute, true, self.distance, self.parameters, self.random)
        return found if isinstance(found, Substance) else true

    def _magnitude(self, attribute: Attribute) -> float:
        """Draw a number from nothing."""
        return abs(self.random.gauss(0.0, attribute.base * attribute.max_mult))
