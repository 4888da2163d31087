"""Test what runs say together."""

import math

import pytest

from walking_robots.sweeps.combinations import Sweep
from walking_robots.sweeps.statistics import (
    by_combination,
    by_seed,
    median_of,
    paired,
    wilson_interval,
)


@pytest.mark.parametrize(
    ('good', 'runs', 'low', 'high'),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_wilson(good: int, runs: int, low: float, high: float) -> None:
    assert wilson_interval(good, runs) == pytest.approx((low, high), abs=5e-5)


def test_no_runs_have_no_interval() -> None:
    with pytest.raises(ValueError, match='no interval'):
        wilson_interval(0, 0)


def test_pairs_are_compared_by_the_exact_test_of_mcnemar() -> None:
    first = [True] * 8 + [False] * 3
    second = [True] * 2 + [False] * 6 + [True, False, False]
    found = paired(first, second)
    assert (found.both, found.first, found.second, found.neither) == (2, 6, 1, 2)
    assert found.p == pytest.approx(2 * (math.comb(7, 0) + math.comb(7, 1)) / 2**7)
    assert paired(first, first).p == 1.0


def test_successes_are_counted_by_combination() -> None:
    values = [('a',), ('a',), ('b',)]
    assert by_combination(values, [True, False, True]) == {('a',): (1, 2), ('b',): (1, 1)}


def test_a_seed_counts_once_for_all_its_runs() -> None:
    sweep = Sweep('asv', (), (('--ditch', ('7ft', '8ft')), ('--gait', ('a', 'b'))), (1, 2))
    # Of each ditch and gait, both seeds.
    seen = [True, False, True, False, False, False, True, True]
    assert by_seed(sweep, seen) == {'7ft': (1, 2), '8ft': (2, 2)}


def test_a_median_is_of_numbers() -> None:
    assert median_of([3, None, 1.0, 'x', 2]) == 2
    assert median_of([None]) is None
