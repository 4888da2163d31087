"""What a robot may know of its own sensors: how often, and how far, they err."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import UNKNOWN, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.matching import accepts, bounds
from walking_robots.ars_magna.sensing.noise import correctness, deviation
from walking_robots.ars_magna.sensing.specifications import (
    Between,
    Constraint,
    Specification,
    Variable,
    specification,
)

_LARGEST = 1e9
"""Every number is nearer to 0."""
_SMALLEST = 1e-6
"""No event of the model is rarer, so that no single look is final."""


@dataclass(frozen=True)
class SensorModel:
    """The attributes that cameras read, and the parameters of their noise.

    It says nothing of what is in the world.
    """

    attributes: Mapping[str, Attribute]
    parameters: Parameters

    @property
    def miss_rate(self) -> float:
        """Return the probability that a search overlooks a thing."""
        exact = self.parameters.senses_exactly
        return max(0.0 if exact else self.parameters.miss_thing_prob, _SMALLEST)

    @property
    def false_rate(self) -> float:
        """Return the probability that a search finds a thing that is not there."""
        exact = self.parameters.senses_exactly
        return max(0.0 if exact else self.parameters.false_object_prob, _SMALLEST)

    def constraints(self, what: Any) -> Specification:
        """Read a specification; raise ValueError with one sentence for a wrong one."""
        return specification(what, self.attributes)

    def any_of(self, names: Iterable[str]) -> list[tuple[Any, ...]]:
        """Return a specification that all readings of these attributes fit.

        A search for it reports what is read, where one for certain values would report nothing.
        """
        return [(name, self.attributes[name].domain or (-_LARGEST, _LARGEST)) for name in names]

    def presence(self, seen: bool) -> float:
        """Return ln of how much likelier a thing is seen, or not, if it is there than if not."""
        if seen:
            return math.log((1.0 - self.miss_rate) / self.false_rate)
        return math.log(self.miss_rate / (1.0 - self.false_rate))

    def log_ratios(
        self, constraints: Specification, data: Mapping[str, Value], distance: float
    ) -> list[float]:
        """Return, for each constraint, ln of P(reading | it fits) / P(reading | it does not).

        data: readings of all attributes; distance: from the camera, cells. Of the values of
        a number that fit, and of those that clearly do not, the likeliest counts (a generalised
        likelihood ratio). Between both lies a margin, as wide as half of the range, and no
        narrower than the error of a reading.
        """
        return [self._log_ratio(one, data[one.attribute], distance) for one in constraints]

    def _log_ratio(self, constraint: Constraint, reading: Value, distance: float) -> float:
        attribute = self.attributes[constraint.attribute]
        if isinstance(constraint, Variable):
            return 0.0
        if isinstance(constraint, Between):
            return self._log_ratio_of_number(constraint, attribute, reading, distance)
        exact = self.parameters.senses_exactly
        correct = 1.0 if exact else correctness(attribute, distance, self.parameters)
        if isinstance(reading, Substance):
            if reading.type == UNKNOWN and UNKNOWN not in constraint.values:
                return 0.0
            return self._certain(reading.type in constraint.values)
        guessed = (1.0 - correct) * len(constraint.values) / len(attribute.domain or (reading,))
        if accepts(constraint, reading, self.parameters):
            return self._ratio(correct + guessed, guessed)
        return self._ratio(1.0 - correct - guessed, 1.0 - guessed)

    def _log_ratio_of_number(
        self, constraint: Between, attribute: Attribute, reading: Value, distance: float
    ) -> float:
        low, high = bounds(constraint, self.parameters)
        number = reading.parameter if isinstance(reading, Substance) else float(reading)
        exact = self.parameters.senses_exactly
        error = 0.0 if exact else deviation(attribute, distance, self.parameters)
        if error == 0.0:
            return self._certain(low <= number <= high)
        margin = max((high - low) / 2.0, error)
        outside = max(low - number, number - high, 0.0)
        inside = max(min(number - (low - margin), high + margin - number), 0.0)
        most = -math.log(_SMALLEST)
        return min(max((inside**2 - outside**2) / (2.0 * error**2), -most), most)

    def _ratio(self, fitting: float, other: float) -> float:
        floor = self._least
        return math.log(max(fitting, floor) / max(other, floor))

    def _certain(self, fits: bool) -> float:
        """Return the log ratio of a reading without error; it may be of what is not there."""
        return -math.log(self._least) if fits else math.log(self._least)

    @property
    def _least(self) -> float:
        """Return the probability that only what is not there is seen in place of a thing."""
        return max(self.miss_rate * self.false_rate, _SMALLEST)

    def to_json(self) -> str:
        """Return all of it as text, which `from_json` reads."""
        attributes = [asdict(attribute) for attribute in self.attributes.values()]
        return json.dumps({'attributes': attributes, 'parameters': asdict(self.parameters)})

    @classmethod
    def from_json(cls, text: str) -> 'SensorModel':
        """Read what `to_json` returned; raise ValueError for anything else."""
        try:
            found = json.loads(text)
            attributes = [_attribute(one) for one in found['attributes']]
            parameters = Parameters(**found['parameters'])
        except (KeyError, TypeError) as error:
            raise ValueError(f'this is no sensor model: {error}') from None
        return cls({one.name: one for one in attributes}, parameters)


def _attribute(found: Mapping[str, Any]) -> Attribute:
    domain: Sequence[Value] | None = found['domain']
    lists = {
        'domain': None if domain is None else tuple(domain),
        'supported_by': tuple(found['supported_by']),
    }
    return Attribute(**{**found, **lists})
