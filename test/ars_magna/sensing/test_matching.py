"""Matching and descriptors of ars_magna.md §2.4, §4.7, §7.3: T51 to T54 of §11.4."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.matching import accepts, descriptor, matches, matches_truth
from walking_robots.ars_magna.sensing.specifications import specification

DEFAULTS = Parameters()
EXACT = DEFAULTS.with_values(no_sensor_error=True)
CLEAN = DEFAULTS.cleaned()
N = 10_000
ATTRIBUTES = {
    **STANDARD,
    'lock_id': Attribute('lock_id', None),
    'type': Attribute('type', ('key', 'box')),
    'locked': Attribute('locked', (True, False)),
}
BOX: Mapping[str, Value] = {
    'size': 5.0,
    'capacity': 4.0,
    'weight': 2.0,
    'color': 'blue',
    'obsview': False,
    'substance': Substance('wood', 120.0),
}


def match(
    data: object, thing: Mapping[str, Value], parameters: Parameters = EXACT, distance: float = 0.0
) -> dict[str, Value] | None:
    return matches(
        specification(data, ATTRIBUTES), thing, ATTRIBUTES, distance, parameters, Random(1)
    )


@pytest.mark.parametrize(
    ('distance', 'share'), [pytest.param(0.0, 0.468, id='T51'), pytest.param(1.0, 0.130, id='1m')]
)
def test_t51_a_true_size_is_seldom_read_as_itself(distance: float, share: float) -> None:
    requested, random = specification({'size': 5}, ATTRIBUTES), Random(51)
    found = [matches(requested, BOX, ATTRIBUTES, distance, DEFAULTS, random) for _ in range(N)]
    assert sum(one is not None for one in found) / N == pytest.approx(share, abs=0.020)
    assert all(4.5 <= one['size'] <= 5.5 for one in found if one)  # type: ignore[operator]


@pytest.mark.parametrize(
    ('entry', 'size', 'fits'),
    [
        (('size', 4, 2), 2, True),
        (('size', 4, 2), 6, True),
        (('size', 4, 2), 6.1, False),
        (('size', (3, 5), 2), 1, True),
        (('size', (3, 5), 2), 7, True),
        (('size', (3, 5), 2), 7.1, False),
        (('size', 4), 4.5, True),
        (('size', 4), 4.6, False),
        (('size', (3, 5)), 5, True),
        (('size', (3, 5)), 5.1, False),
        (('size', 4, 0), 4.1, False),
    ],
)
def test_t52_forms(entry: tuple[Any, ...], size: float, fits: bool) -> None:
    assert (match([entry], {'size': float(size)}) is not None) == fits


def test_plain_ranges_may_have_the_default_threshold() -> None:
    wide = EXACT.with_values(range_uses_default_threshold=True, standard_match_threshold=0.2)
    assert match({'size': (3, 5)}, {'size': 5.2}, wide)
    assert match({'size': (3, 5)}, {'size': 5.3}, wide) is None
    assert match({'size': 4}, {'size': 4.3}, wide) is None


def test_words_truths_and_substances() -> None:
    assert match({'color': ['red', 'blue'], 'obsview': False}, BOX) == {
        'color': 'blue',
        'obsview': False,
    }
    assert match({'color': 'red'}, BOX) is None
    assert match({'obsview': True}, BOX) is None
    for requested in ('wood', ('metal', 'WOOD'), 120.4, (100, 120)):
        assert match({'substance': requested}, BOX) == {'substance': Substance('wood', 120.0)}
    for requested in ('metal', 121, (100, 119)):
        assert match({'substance': requested}, BOX) is None


def test_a_thing_must_have_what_is_requested() -> None:
    assert match({'closed': False}, BOX) is None
    assert match({}, {}) == {} and match({}, BOX) == {}


def test_truth_is_no_number() -> None:
    (constraint,) = specification({'size': 1}, ATTRIBUTES)
    assert accepts(constraint, 1.0, EXACT) and not accepts(constraint, True, EXACT)


def test_t53_what_is_requested_supports_the_size() -> None:
    random, read = Random(53), {'capacity': 4.1, 'weight': 2.2}
    reported = [descriptor(BOX, read, ATTRIBUTES, 0.0, DEFAULTS, random) for _ in range(N)]
    assert sum('size' in one for one in reported) / N == pytest.approx(0.973, abs=0.0065)
    # Nothing that supports the colour was requested.
    assert sum('color' in one for one in reported) / N == pytest.approx(0.4, abs=0.020)


def test_t54_what_was_requested_is_reported_as_it_was_read() -> None:
    random = Random(54)
    read: dict[str, Value] = {'size': 4.7, 'color': 'blue'}
    for _ in range(1000):
        reported = descriptor(BOX, read, ATTRIBUTES, 9.0, DEFAULTS, random)
        assert {name: reported[name] for name in read} == read
        assert reported.keys() <= BOX.keys()


def test_clean_descriptors_report_all_and_the_truth() -> None:
    read: dict[str, Value] = {'size': 5.0}
    assert descriptor(BOX, read, ATTRIBUTES, 9.0, CLEAN, Random(1)) == BOX
    some = CLEAN.with_values(clean_full_descriptors=False)
    random, sizes = Random(2), set()
    for _ in range(50):
        reported = descriptor(BOX, read, ATTRIBUTES, 9.0, some, random)
        assert reported.items() <= BOX.items()
        sizes.add(len(reported))
    assert len(sizes) > 2
    reported = descriptor(BOX, read, ATTRIBUTES, 9.0, EXACT, Random(3))
    assert reported.items() < BOX.items()


LOCK = specification({'capacity': (0.1, 9999), 'lock_id': '?x'}, ATTRIBUTES, variables=True)
KEY = specification({'type': 'key', 'lock_id': '?x'}, ATTRIBUTES, variables=True)


def test_variables_stand_for_one_value() -> None:
    nothing: dict[str, Value] = {}
    bound = matches_truth(LOCK, {'capacity': 5.0, 'lock_id': 3.0}, DEFAULTS, nothing)
    assert bound == {'x': 3.0} and nothing == {}
    assert matches_truth(KEY, {'type': 'key', 'lock_id': 3.0}, DEFAULTS, bound) == {'x': 3.0}
    assert matches_truth(KEY, {'type': 'key', 'lock_id': 3.1}, DEFAULTS, bound) is None
    assert matches_truth(KEY, {'type': 'box', 'lock_id': 3.0}, DEFAULTS, bound) is None
    assert matches_truth(KEY, {'type': 'key'}, DEFAULTS, bound) is None
    assert bound == {'x': 3.0}


def test_manipulations_match_the_truth() -> None:
    assert matches_truth(LOCK, {'capacity': 0.0, 'lock_id': 3.0}, DEFAULTS, {}) is None
    near = specification({'size': 4}, ATTRIBUTES)
    assert matches_truth(near, {'size': 4.5}, DEFAULTS, {}) == {}
    assert matches_truth(near, {'size': 4.6}, DEFAULTS, {}) is None


def test_a_variable_does_not_take_true_for_1() -> None:
    same = specification({'locked': '?x', 'size': '?x'}, ATTRIBUTES, variables=True)
    assert matches_truth(same, {'locked': True, 'size': 1.0}, DEFAULTS, {}) is None
