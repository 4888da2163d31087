"""How elements can end: how soon, never, or by a failure (mdle.md §4.14, §7)."""

import math
from collections.abc import Hashable
from typing import Any

from walking_robots.mdle.analysis.intervals import FALSE
from walking_robots.mdle.analysis.motion import stretches
from walking_robots.mdle.analysis.nodes import Node, calls_one
from walking_robots.mdle.language.ast import Action, Segments

__all__ = ['Courses', 'passes', 'rounds', 'times']


def times(count: float, value: float) -> float:
    """Multiply; nothing, however often, is nothing."""
    return count * value if count and value else 0.0


def rounds(node: Node) -> float:
    """Give how often an element does what is in it, at most."""
    if node.loop is None:
        return 1.0
    return float(node.loop.count) if node.loop.kind == 'count' else math.inf


def passes(action: Action | None) -> bool:
    """Tell whether the next element may follow an action."""
    while action and action.kind == 'run':
        action = action.then
    return action is None or action.kind in ('next', 'done')


class Courses:
    """How the nodes of one tree can end."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._known: dict[Hashable, Any] = {}

    def least(self, node: Node, beta: float = 1.0, written: float = 1.0) -> float:
        """Give the least time, s, after which what follows an element can begin.

        beta: factor of time around it; written: of the scale that is written on it. Infinite
        where nothing lets it end but a failure.
        """
        key = ('least', id(node), beta, written)
        if key not in self._known:
            self._known[key] = self._least(node, beta, written)
        least: float = self._known[key]
        return least

    def _least(self, node: Node, beta: float, written: float) -> float:
        if node.kind in ('external', 'unknown'):
            return 0.0
        if node.kind == 'reverse':
            # What ``reverse last`` takes back may have been nothing.
            return sum(_least_back(x, beta) for x in node.children if node.source.target)
        if any(watch.state != FALSE and passes(watch.guard.action) for watch in node.watches):
            return 0.0
        ends = [math.inf]
        gentle = node.kind == 'atom'
        if node.kind == 'run':
            written = max(0.0, node.beta.low)
            beta *= written
        if node.timer and node.timeout:
            action = node.timeout.action
            if passes(action) if action else gentle:
                ends.append(times(beta if gentle else written, node.timer.low))
            if node.timer.low <= 0.0:
                return 0.0
        if gentle:
            if isinstance(node.source.control, Segments):
                lows = [max(0.0, s.duration.low) for s in stretches(node) if s.duration]
                ends.append(times(beta, sum(lows)))
            return min(ends)
        if any(passes(handler.action) for handler in getattr(node.source, 'handlers', ())):
            return 0.0
        called = written if calls_one(node) else 1.0
        parts = [self.least(child, beta, called) for child in node.children]
        if not parts:
            return 0.0
        if node.kind == 'choice' or (node.kind == 'parallel' and node.source.mode == 'any'):
            return min(parts)
        if node.kind == 'parallel':
            return max(parts)
        if node.loop and node.loop.kind == 'while':
            return 0.0
        return min(*ends, times(rounds(node), sum(parts)))

    def endless(self, node: Node) -> bool:
        """Tell whether an element certainly never ends by itself, nor by a guard of its own."""
        key = ('endless', id(node))
        if key not in self._known:
            self._known[key] = self._endless(node)
        endless: bool = self._known[key]
        return endless

    def _endless(self, node: Node) -> bool:
        guarded = any(watch.state != FALSE for watch in node.watches)
        if guarded or node.kind in ('external', 'unknown', 'reverse'):
            return False
        if node.timer and node.timer.low != math.inf:
            return False
        if node.kind == 'atom':
            return not isinstance(node.source.control, Segments)
        if getattr(node.source, 'handlers', ()):
            return False
        if node.kind == 'choice' or (node.kind == 'parallel' and node.source.mode == 'any'):
            return bool(node.children) and all(map(self.endless, node.children))
        if node.loop and node.loop.kind == 'forever':
            return True
        sure = not (node.loop and node.loop.kind == 'while')
        return sure and any(map(self.endless, node.children))

    def fails(self, node: Node) -> bool:
        """Tell whether an element, or one in it, may fail or end the program."""
        key = ('fails', id(node))
        if key not in self._known:
            self._known[key] = True
            self._known[key] = self._fails(node)
        fails: bool = self._known[key]
        return fails

    def _fails(self, node: Node) -> bool:
        if node.kind in ('external', 'unknown', 'reverse'):
            return True
        actions = [watch.guard.action for watch in node.watches]
        if node.timeout:
            actions.append(node.timeout.action)
        if any(action and not passes(action) for action in actions):
            return True
        if node.timer and node.timeout and not node.timeout.action and node.kind != 'atom':
            return node.timer.low != math.inf
        needs = getattr(node.source, 'requires', ()) or getattr(node.source, 'needs', ())
        return bool(needs) or any(map(self.fails, node.steps()))


def _least_back(node: Node, beta: float) -> float:
    """Give the least time, s, of a way back: of its segments, unless something may end it."""
    if any(watch.state != FALSE for watch in node.watches):
        return 0.0
    if node.kind == 'atom':
        return times(beta, sum(max(0.0, s.duration.low) for s in stretches(node) if s.duration))
    beta *= max(0.0, node.beta.low)
    return times(rounds(node), sum(_least_back(child, beta) for child in node.children))
