"""What false designators tell (ars_magna.md §7.7, item 5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.false_descriptors import Inventor
from walking_robots.ars_magna.sensing.matching import accepts, descriptor, matches
from walking_robots.ars_magna.sensing.specifications import specification

DEFAULTS = Parameters()
ATTRIBUTES = {
    **STANDARD,
    'lock_id': Attribute('lock_id', None),
    'type': Attribute('type', ('key', 'box')),
}
SUBSTANCES = {'wood': 120.0, 'metal': 60.0}
WAY = 8.0
THINGS: Sequence[Mapping[str, Value]] = (
    {'weight': 1.0, 'color': 'red', 'size': 2.0, 'substance': Substance('metal', 60.0)},
    {'size': 9.0, 'color': 'blue', 'substance': Substance('wood', 120.0), 'obsmove': True},
    {'size': 5.0, 'color': 'green', 'type': 'box', 'lock_id': 4.0},
)
N = 4000


def invented(
    data: object, count: int, things: Sequence[Mapping[str, Value]] = THINGS
) -> list[dict[str, Value]]:
    requested = specification(data, ATTRIBUTES, variables=True)
    inventor = Inventor(ATTRIBUTES, things, SUBSTANCES, WAY, DEFAULTS, Random(7))
    reported = [inventor.descriptor(requested) for _ in range(count)]
    assert all(
        accepts(constraint, one[constraint.attribute], DEFAULTS)
        for one in reported
        for constraint in requested
    )
    return reported


def true_ones(data: object, count: int) -> list[dict[str, Value]]:
    """Return what is reported of the things themselves, at the same distance."""
    requested, random = specification(data, ATTRIBUTES), Random(8)
    reported: list[dict[str, Value]] = []
    while len(reported) < count:
        thing = random.choice(THINGS)
        found = matches(requested, thing, ATTRIBUTES, WAY, DEFAULTS, random)
        if found is not None:
            reported.append(descriptor(thing, found, ATTRIBUTES, WAY, DEFAULTS, random))
    return reported


def traits(reported: dict[str, Value]) -> set[object]:
    """Return all that can be seen of a descriptor: what, in which order, of what size."""
    found: set[object] = {tuple(reported), *(('tells', name) for name in reported)}
    for name, value in reported.items():
        if isinstance(value, Substance):
            found.add(('type', value.type))
        number = value.parameter if isinstance(value, Substance) else value
        if isinstance(number, bool | str):
            found.add((name, number))
        else:
            found |= {
                (name, 'above', limit) for limit in (0, 1, 2, 4, 5, 7, 63, 118) if number > limit
            }
    return found


@pytest.mark.parametrize(
    'data',
    [
        (),
        {'size': 5},
        {'size': (0, 1)},
        {'substance': (62, 66)},
        {'substance': (115, 119.5)},
        {'substance': ['wood', 'unknown']},
        {'color': ['red', 'violet'], 'weight': (0, 3)},
        {'obsmove': True},
    ],
    ids=str,
)
def test_nothing_that_is_reported_differs_from_what_is_reported_of_true_things(
    data: object,
) -> None:
    true, false = true_ones(data, N), invented(data, N)
    counts = [
        Counter(trait for one in reported for trait in traits(one)) for reported in (true, false)
    ]
    for trait in counts[0] | counts[1]:
        shares = [count[trait] / N for count in counts]
        middle = sum(shares) / 2
        # Four and a half standard deviations of a difference: by chance once in 10^5 traits.
        most = 4.5 * (2 * middle * (1 - middle) / N) ** 0.5
        assert abs(shares[0] - shares[1]) <= max(most, 0.003), (trait, shares)


def test_what_no_thing_is_like_is_reported_as_it_was_requested() -> None:
    reported = invented({'size': (300, 500), 'weight': 2}, 200)
    assert all(300 <= one['size'] <= 500 for one in reported)  # type: ignore[operator]
    assert {one['type'] for one in invented({'type': 'key', 'lock_id': 7}, 20)} == {'key'}
    assert invented({'type': 'key', 'lock_id': '?x'}, 1)[0]['lock_id'] == 0.0
    found = [one['substance'] for one in invented({'substance': (3, 4)}, 200)]
    assert Counter(one.type for one in found if isinstance(one, Substance)).keys() == {
        'wood',
        'metal',
        'unknown',
    }


def test_in_a_world_without_things_all_is_reported_by_chance() -> None:
    reported = invented({'color': ['red', 'green']}, 2000, ())
    assert {one['color'] for one in reported} == {'red', 'green'}
    assert sum('obsmove' in one for one in reported) / 2000 == pytest.approx(0.6, abs=0.044)
    assert {one['obsmove'] for one in reported if 'obsmove' in one} == {True, False}
    assert not any('lock_id' in one for one in reported)
