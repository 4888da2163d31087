"""What false designators tell (ars_magna.md §7.7, item 5)."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.inventing import Inventor
from walking_robots.ars_magna.sensing.matching import accepts, specification

DEFAULTS = Parameters()
ATTRIBUTES = {
    **STANDARD,
    'lock_id': Attribute('lock_id', None),
    'type': Attribute('type', ('key', 'box')),
}
SUBSTANCES = {'wood': 120.0, 'metal': 60.0}


def invented(
    data: object, count: int, substances: Mapping[str, float] = SUBSTANCES
) -> list[dict[str, Value]]:
    asked = specification(data, ATTRIBUTES, variables=True)
    inventor = Inventor(ATTRIBUTES, substances, 8.0, DEFAULTS, Random(7))
    told = [inventor.descriptor(asked) for _ in range(count)]
    assert all(
        accepts(constraint, one[constraint.attribute], DEFAULTS)
        for one in told
        for constraint in asked
    )
    return told


def substances_of(told: list[dict[str, Value]]) -> list[Substance]:
    found = [one['substance'] for one in told if 'substance' in one]
    return [substance for substance in found if isinstance(substance, Substance)]


def test_what_was_asked_for_is_told() -> None:
    told = invented({'size': (3, 5), 'color': ['red', 'green'], 'weight': 2}, 2000)
    assert {one['color'] for one in told} == {'red', 'green'}
    assert {one['obsmove'] for one in told if 'obsmove' in one} == {True, False}
    assert sum('obsmove' in one for one in told) / 2000 == pytest.approx(0.6, abs=0.044)
    assert not any('lock_id' in one for one in told)


def test_numbers_that_nobody_asked_for_are_as_large_as_errors() -> None:
    sizes = [one['size'] for one in invented((), 500) if 'size' in one]
    assert all(isinstance(size, float) and 0.0 <= size < 20.0 for size in sizes)
    assert invented({'type': 'key', 'lock_id': '?x'}, 1)[0]['lock_id'] == 0.0


def test_substances_are_those_of_the_world_and_misread_as_true_ones_are() -> None:
    found = substances_of(invented((), 4000))
    kinds = Counter(one.type for one in found)
    assert set(kinds) == {'wood', 'metal', 'unknown'}
    assert kinds['unknown'] / len(found) == pytest.approx(0.1, abs=0.027)
    assert kinds['wood'] / len(found) == pytest.approx(0.45, abs=0.045)
    assert all(
        abs(one.parameter - SUBSTANCES[one.type]) < 20 for one in found if one.type != 'unknown'
    )


def test_a_substance_that_was_asked_for_has_its_parameter() -> None:
    found = substances_of(invented({'substance': 'wood'}, 100))
    assert {one.type for one in found} == {'wood'}
    assert all(abs(one.parameter - 120.0) < 20 for one in found)
    kinds = Counter(one.type for one in substances_of(invented({'substance': (50, 70)}, 1000)))
    assert set(kinds) == {'metal', 'unknown'}
    assert kinds['unknown'] / 1000 == pytest.approx(0.1, abs=0.04)


def test_substances_without_a_name_are_unknown() -> None:
    assert {one.type for one in substances_of(invented((), 100, {}))} == {'unknown'}
    assert {one.type for one in substances_of(invented({'substance': (3, 4)}, 9))} == {'unknown'}
