"""Likelihood that a reading fits a request, and draws of readings that fit (ars_magna.md §7.7)."""

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
from walking_robots.ars_magna.sensing.matching import bounds
from walking_robots.ars_magna.sensing.noise import correctness, read, spread
from walking_robots.ars_magna.sensing.specifications import Between, Constraint, OneOf, Variable


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
    center, sigma = _number(value), spread(attribute, distance, parameters)
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
        number = random.gauss(value.parameter, spread(attribute, distance, parameters))
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
    sigma = spread(attribute, distance, parameters)
    if sigma == 0.0:
        return center
    normal = NormalDist(center, sigma)
    share = random.uniform(normal.cdf(low), normal.cdf(high))
    # The inverse is endless at 0 and 1, to which far tails are rounded.
    number = normal.inv_cdf(min(max(share, 1e-300), 1.0 - 1e-16))
    return min(max(number, low), high)


def _number(value: Value) -> float:
    return value.parameter if isinstance(value, Substance) else float(value)
