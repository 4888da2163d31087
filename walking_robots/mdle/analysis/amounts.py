"""Bounds of time and way put together, and the factors of scales (mdle.md §4.15)."""

import math
from collections.abc import Iterable

from walking_robots.mdle.analysis.courses import times
from walking_robots.mdle.analysis.intervals import Interval, product
from walking_robots.mdle.analysis.report import NOTHING, Bound

__all__ = ['Factors', 'endless', 'greatest', 'repeated', 'scaled', 'total', 'whole_ticks']

Factors = tuple[Interval, ...] | None
"""Those of control in the scales around an element."""

SHORTEST = 1e-6
"""Share of a tick that is not driven any more (mdle.md §4.6.5)."""

MOST_TICKS = 1e15
"""Beyond it a tick more or less is nothing."""


def total(parts: Iterable[Bound]) -> Bound:
    """Give the bound of parts that run one after the other."""
    listed = list(parts)
    return Bound(sum(b.time for b in listed), sum(b.path for b in listed))


def greatest(parts: Iterable[Bound]) -> Bound:
    """Give the bound of parts of which one runs."""
    listed = [*parts, NOTHING]
    return Bound(max(b.time for b in listed), max(b.path for b in listed))


def repeated(count: float, bound: Bound) -> Bound:
    """Give the bound of what runs so often."""
    return Bound(times(count, bound.time), times(count, bound.path))


def endless(bound: Bound) -> Bound:
    """Give the bound of what may be done again and again."""
    return Bound(math.inf, math.inf if bound.path > 0.0 else 0.0)


def scaled(alpha: Factors, more: Factors) -> Factors:
    """Multiply the factors of nested scales; those of different length do not fit anyway."""
    if alpha is None or more is None or len(alpha) != len(more):
        return more if alpha is None else alpha
    return tuple(product(a, b) for a, b in zip(alpha, more, strict=True))


def whole_ticks(time: float, tick: float) -> float:
    """Round a time up to whole ticks, as the executor does."""
    ticks = time / tick
    return tick * math.ceil(ticks - SHORTEST) if ticks < MOST_TICKS else time
