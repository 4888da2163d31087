"""Filters of interrupts: hold, debounce, edge, latch, and what stale channels mean (mdle.md §4.7).

A filter remembers, so one is made for every entry of an element.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from walking_robots.mdle.execution.live import Live
from walking_robots.mdle.language.ast import Filter

__all__ = ['filtered']

Test = Callable[[Mapping[str, Any], int], Any]
SECOND = 1_000_000_000


def filtered(live: Live, filters: Sequence[Filter], durations: Sequence[float]) -> Live:
    """Give a condition behind its filters, in the order written; durations in seconds."""
    test, channels, stateful = live.read, live.channels, live.stateful
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
    return live._replace(read=test, channels=channels, stateful=stateful)


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
    told = False
    differs: int | None = None

    def debounced(y: Mapping[str, Any], now: int) -> bool:
        nonlocal told, differs
        if bool(test(y, now)) == told:
            differs = None
        else:
            if differs is None:
                differs = now
            if now - differs >= duration:
                told, differs = not told, None
        return told

    return debounced


def _edge(test: Test) -> Test:
    """Ask that the condition was false at some time since entry."""
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
        if not seen:
            seen = bool(test(y, now))
        return seen

    return latched
