"""What the runs of a sweep say together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import Any

from walking_robots.sweeps.combinations import Sweep

Z = NormalDist().inv_cdf(0.975)
"""Standard deviations on either side of a 95 % interval."""


def wilson_interval(successes: int, runs: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of successes (Wilson 1927).

    Raises ValueError without runs.
    """
    if not 0 <= successes <= runs or not runs:
        raise ValueError(f'{successes} successes of {runs} runs have no interval')
    share, square = successes / runs, Z * Z / runs
    middle = (share + 0.5 * square) / (1.0 + square)
    half = Z / (1.0 + square) * math.sqrt((share * (1.0 - share) + 0.25 * square) / runs)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Pairs:
    """Two ways on the same runs: how often both, one alone, or neither succeeds.

    ``p`` is the chance of a difference at least as large if they were alike: the exact two-sided
    test of McNemar.
    """

    both: int
    first: int
    second: int
    neither: int

    @property
    def p(self) -> float:
        """Return the probability."""
        unlike, fewer = self.first + self.second, min(self.first, self.second)
        tail = sum(math.comb(unlike, count) for count in range(fewer + 1))
        return min(1.0, math.ldexp(2.0 * tail, -unlike))


def paired(first: Sequence[bool], second: Sequence[bool]) -> Pairs:
    """Count the successes of two ways on the same runs."""
    seen = list(zip(first, second, strict=True))
    return Pairs(*(seen.count(pair) for pair in
                   ((True, True), (True, False), (False, True), (False, False))))  # fmt: skip


def by_combination(
    values: Sequence[tuple[str, ...]], successes: Sequence[bool]
) -> Mapping[tuple[str, ...], tuple[int, int]]:
    """Return, for the values of each combination, its successes and runs."""
    counts: dict[tuple[str, ...], tuple[int, int]] = {}
    for place, success in zip(values, successes, strict=True):
        good, runs = counts.get(place, (0, 0))
        counts[place] = (good + success, runs + 1)
    return counts


def median_of(values: Sequence[Any]) -> float | None:
    """Return the median of those values that are numbers, None where there are none."""
    numbers = [value for value in values if isinstance(value, int | float)]
    return median(numbers) if numbers else None


def by_seed(sweep: Sweep, seen: Sequence[bool]) -> Mapping[str, tuple[int, int]]:
    """Return, by the values of the first axis, how many seeds show something, and all seeds.

    A seed shows it if any of its runs does: runs of one seed are no separate cases.
    """
    found: dict[str, dict[int | None, bool]] = {}
    for run, one in zip(sweep.runs(), seen, strict=True):
        seeds = found.setdefault(run.values[0] if run.values else '', {})
        seeds[run.seed] = seeds.get(run.seed, False) or one
    return {place: (sum(seeds.values()), len(seeds)) for place, seeds in found.items()}
