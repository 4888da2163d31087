"""Summarise trials over seeds, and compare two programs on the same seeds."""

import csv
import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TextIO

from walking_robots.trials.ars_magna.trial import MISSED, SUCCEEDED, ArsResult

_Z = 1.96
"""Standard deviations on either side of a mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % confidence interval (normal approximation)."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ArsSummary:
    """What trials over seeds have in common.

    rate: share that succeeded, and ``rate_low`` ... ``rate_high`` its 95 % interval
    by Wilson's score; median_ticks, ticks, median_error_m: of those, None for none; distance_m,
    looks, energy_j: of all; codes: of all, by count.
    """

    trials: int
    succeeded: int
    missed: int
    rate: float
    rate_low: float
    rate_high: float
    median_ticks: float | None
    ticks: Mean | None
    median_error_m: float | None
    distance_m: Mean
    looks: Mean
    energy_j: Mean
    codes: Mapping[str, int]


def summarise(results: Sequence[ArsResult]) -> ArsSummary:
    """Summarise the results of some trials, one or more."""
    done = [result for result in results if result.outcome == SUCCEEDED]
    errors = [one.position_error_m for one in done if one.position_error_m is not None]
    low, high = _wilson(len(done), len(results))
    return ArsSummary(
        len(results),
        len(done),
        sum(result.outcome == MISSED for result in results),
        len(done) / len(results),
        low,
        high,
        statistics.median(result.ticks for result in done) if done else None,
        mean_of([result.ticks for result in done]) if done else None,
        statistics.median(errors) if errors else None,
        mean_of([result.metrics.distance_m for result in results]),
        mean_of([result.metrics.looks for result in results]),
        mean_of([result.metrics.energy_j for result in results]),
        dict(Counter(result.code for result in results).most_common()),
    )


@dataclass(frozen=True)
class Comparison:
    """Two programs on the same seeds, the first less the second.

    both, first_only, second_only, neither: seeds on which they succeeded; p_success: probability
    of so uneven numbers of first_only and second_only if both are equally good (McNemar's exact
    test); ticks: difference where both succeeded, None for none.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p_success: float
    ticks: Mean | None


def compare(first: Sequence[ArsResult], second: Sequence[ArsResult]) -> Comparison:
    """Compare results of the same seeds, in pairs."""
    pairs = list(zip(first, second, strict=True))
    won = Counter((one.outcome == SUCCEEDED, other.outcome == SUCCEEDED) for one, other in pairs)
    differences = [
        one.ticks - other.ticks
        for one, other in pairs
        if one.outcome == SUCCEEDED and other.outcome == SUCCEEDED
    ]
    return Comparison(
        won[True, True],
        won[True, False],
        won[False, True],
        won[False, False],
        _sign_test(won[True, False], won[False, True]),
        mean_of(differences) if differences else None,
    )


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of one or more values, and its interval."""
    mean = statistics.fmean(values)
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    half = _Z * spread / math.sqrt(len(values))
    return Mean(mean, mean - half, mean + half)


def write_csv(stream: TextIO, rows: Sequence[tuple[str, int, ArsResult]]) -> None:
    """Write one line for each plan, seed and result; metrics are columns, but not the codes."""
    writer = None
    for plan, seed, result in rows:
        values = {'plan': plan, 'seed': seed, **asdict(result)}
        del values['each']
        metrics = values.pop('metrics')
        del metrics['codes']
        values |= metrics
        if writer is None:
            writer = csv.DictWriter(stream, list(values))
            writer.writeheader()
        writer.writerow(values)


def _wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the interval of a probability by Wilson's score."""
    share, extra = hits / count, _Z * _Z / count
    middle = (share + extra / 2) / (1 + extra)
    half = _Z * math.sqrt(share * (1 - share) / count + extra / (4 * count)) / (1 + extra)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _sign_test(more: int, less: int) -> float:
    """Return the two-sided probability of counts at least as uneven, both being equally likely."""
    count, fewer = more + less, min(more, less)
    tail = sum(math.comb(count, one) for one in range(fewer + 1))
    return min(1.0, 2.0 * tail * 0.5**count)
