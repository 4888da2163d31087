"""How sensing errs: readings of attributes and of the types of places (ars_magna.md §7)."""

from collections.abc import Sequence
from random import Random

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import UNKNOWN, Attribute, Substance, Value


def correctness(attribute: Attribute, distance: float, parameters: Parameters) -> float:
    """Return the probability that a word of an attribute is read and not guessed.

    distance: cells. A guess can be right too. Source: ars_magna.md §7.1.
    """
    success = attribute.success
    divisor = parameters.discrete_noise_factor * distance * (1.0 - success)
    return success / divisor if divisor > 1.0 else success


def deviation(attribute: Attribute, distance: float, parameters: Parameters) -> float:
    """Return the standard deviation of the readings of a number.

    distance: cells. The form as printed is nearly constant beyond half a cell; the reciprocal one
    rises over some ten. Source: ars_magna.md §7.2.
    """
    factor = parameters.continuous_noise_factor
    knee = factor if parameters.numeric_noise_form == 'printed' else 1.0 / factor
    return max(attribute.base, attribute.max_mult * attribute.base * distance / (distance + knee))


def carried_probability(noticed: float, supporters: int) -> float:
    """Return the probability that a designator carries an attribute that was not specified.

    supporters: how many of those that support it were. Source: ars_magna.md §7.3.
    """
    return 1.0 - (1.0 - noticed) ** (supporters + 1)


def read(
    attribute: Attribute, value: Value, distance: float, parameters: Parameters, random: Random
) -> Value:
    """Return what a camera reads of an attribute at a distance, cells (ars_magna.md §7.1, §7.2).

    The parameter of a substance is read as a number, and its type as a word: the right one, or
    unknown.
    """
    if parameters.senses_exactly:
        return value
    if attribute.domain is not None:
        correct = correctness(attribute, distance, parameters)
        return value if random.random() < correct else random.choice(attribute.domain)
    sigma = deviation(attribute, distance, parameters)
    if isinstance(value, Substance):
        correct = correctness(attribute, distance, parameters)
        kind = value.type if random.random() < correct else UNKNOWN
        return Substance(kind, random.gauss(value.parameter, sigma))
    return random.gauss(float(value), sigma)


def place_reading(
    kind: str | None, kinds: Sequence[str], parameters: Parameters, random: Random
) -> str | None:
    """Return the type that is read at a cell of a type, or of None; kinds: all defined ones.

    A type is read as itself or not at all, and never as another. Source: ars_magna.md §7.6.
    """
    if parameters.senses_exactly:
        return kind
    if kind is not None:
        return None if random.random() < parameters.type_false_neg else kind
    if kinds and random.random() < parameters.type_false_pos:
        return random.choice(kinds)
    return None
