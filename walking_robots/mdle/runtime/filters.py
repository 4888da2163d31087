"""Filters of interrupts: hold, debounce, edge, latch, and what stale channels mean (mdle.md §4.7).

A filter remembers, so one is made for every entry of an element.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from walking_robots.mdle.language.ast import Filter
from walking_robots.mdle.runtime.settings import SECOND

Test = Callable[[Mapping[str, Any], int], Any]
Channels = frozenset[tuple[str, str]]


def filtered(
    test: Test,
    channels: Channels,
    stateful: bool,
    filters: Sequence[Filter],
    durations: Sequence[float],
) -> tuple[Test, Channels, bool]:
    """Return a condition behind its filters, in the order written; durations in seconds."""
    for item, duration in zip(filters, durations, strict=True):
        if item.kind == 'stale':
            channels = frozenset((name, policy or item.policy) for name, policy in channels)
            continue
        stateful = True
        if item.kind == 'hold':
            test = _held(test, round(duration * SECOND))
        elif item.kind == 'debounce':
            test = _debounced(test, round(duration * SECOND))
        elif item.kind == 'edge':
            test = _edge(test)
        else:
            test = _latched(test)
    return test, channels, stateful


def _held(test: Test, duration: int) -> Test:
    """Wait until the condition was true for a duration without a break."""
    since: int | None = None

    def held(y: Mapping[str, Any], now: int) -> bool:
        nonlocal since
        if not test(y, now):
            since = None
            return False
        if since is None:
            since = now
        return now - since >= duration

    return held


def _debounced(test: Test, duration: int) -> Test:
    """Follow the condition, but for changes that last shorter than a duration."""
    state = False
    differs: int | None = None

    def debounced(y: Mapping[str, Any], now: int) -> bool:
        nonlocal state, differs
        if bool(test(y, now)) == state:
            differs = None
        else:
            if differs is None:
                differs = now
            if now - differs >= duration:
                state, differs = not state, None
        return state

    return debounced


def _edge(test: Test) -> Test:
    """Require that the condition was false at some time since entry."""
    armed = False

    def edge(y: Mapping[str, Any], now: int) -> bool:
        nonlocal armed
        if test(y, now):
            return armed
        armed = True
        return False

    return edge


def _latched(test: Test) -> Test:
    """Stay true once the condition was."""
    seen = False

    def latched(y: Mapping[str, Any], now: int) -> bool:
        nonlocal seen
        seen = seen or bool(test(y, now))
        return seen

    return latched
