"""What fits a specification, and what a designator says of it (ars_magna.md §2.4, §7.3)."""

from collections.abc import Mapping
from random import Random

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import Attribute, Substance, Value, is_same
from walking_robots.ars_magna.sensing.noise import carried_probability, read
from walking_robots.ars_magna.sensing.specifications import (
    Between,
    Constraint,
    OneOf,
    Specification,
    Variable,
)


def accepts(constraint: Constraint, value: Value, parameters: Parameters) -> bool:
    """Return whether a value fits, bounds included; to a variable any value does."""
    if isinstance(constraint, Variable):
        return True
    if isinstance(constraint, OneOf):
        held = value.type if isinstance(value, Substance) else value
        if isinstance(held, str):
            return held in constraint.values
        return any(is_same(held, fitting) for fitting in constraint.values)
    number = value.parameter if isinstance(value, Substance) else value
    if isinstance(number, bool | str):
        return False
    low, high = bounds(constraint, parameters)
    return low <= number <= high


def matches(
    constraints: Specification,
    attributes: Mapping[str, Value],
    definitions: Mapping[str, Attribute],
    distance: float,
    parameters: Parameters,
    random: Random,
) -> dict[str, Value] | None:
    """Return the readings of a thing that fit, None if one does not or the thing lacks one.

    attributes: of the thing; distance: from the camera, cells. Each reading is new (§2.4).
    """
    for constraint in constraints:
        if constraint.attribute not in attributes:
            return None
    readings: dict[str, Value] = {}
    for constraint in constraints:
        name = constraint.attribute
        value = read(definitions[name], attributes[name], distance, parameters, random)
        if not accepts(constraint, value, parameters):
            return None
        readings[name] = value
    return readings


def matches_truth(
    constraints: Specification,
    attributes: Mapping[str, Value],
    parameters: Parameters,
    bindings: Mapping[str, Value],
) -> dict[str, Value] | None:
    """Return the variables and their values if a thing truly fits, else None (§4.7).

    bindings: variables that have a value already, which must then be the same.
    """
    bound = dict(bindings)
    for constraint in constraints:
        value = attributes.get(constraint.attribute)
        if value is None or not accepts(constraint, value, parameters):
            return None
        if isinstance(constraint, Variable) and not is_same(
            bound.setdefault(constraint.name, value), value
        ):
            return None
    return bound


def descriptor(
    attributes: Mapping[str, Value],
    readings: Mapping[str, Value],
    definitions: Mapping[str, Attribute],
    distance: float,
    parameters: Parameters,
    random: Random,
) -> dict[str, Value]:
    """Return what a designator says of a thing: the readings that fitted, and others by chance.

    The others are read anew. In a clean simulation it says all, if the parameters say so. What
    fitted stands first, and all others in the order of the definitions: the one in which a file
    has them would distinguish things.
    Source: ars_magna.md §7.3, §3.5.
    """
    everything = parameters.clean and parameters.clean_full_descriptors
    found = dict(readings)
    for name, attribute in definitions.items():
        if name not in attributes:
            continue
        if everything:
            found[name] = attributes[name]
        elif name not in readings:
            supporters = 0
            for supporter in attribute.supported_by:
                supporters += supporter in readings
            if random.random() < carried_probability(attribute.noticed, supporters):
                found[name] = read(attribute, attributes[name], distance, parameters, random)
    return found


def bounds(constraint: Between, parameters: Parameters) -> tuple[float, float]:
    """Return the least and the greatest number that fit (ars_magna.md §2.4)."""
    threshold = constraint.threshold
    if threshold is None:
        is_default = not constraint.is_range or parameters.range_uses_default_threshold
        threshold = parameters.standard_match_threshold if is_default else 0.0
    return constraint.low - threshold, constraint.high + threshold
