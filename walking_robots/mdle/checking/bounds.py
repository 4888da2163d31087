"""How long an element runs at most and at least, and how far it drives (mdle.md §4.15)."""

import math
from collections.abc import Hashable
from typing import Any

from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.intervals import FALSE, Interval, product
from walking_robots.mdle.checking.motion import capped, fastest, space_of, stretches
from walking_robots.mdle.checking.nodes import Node
from walking_robots.mdle.checking.report import Bound
from walking_robots.mdle.language.program import Action, Atom, Reverse, Segments

__all__ = ['REVERSE_TIME', 'Bounds']

REVERSE_TIME = 1.5
"""Timer of ``reverse last`` over what was recorded (mdle.md §4.11)."""

Alpha = tuple[Interval, ...] | None


def times(count: float, value: float) -> float:
    """Multiply; nothing, however often, is nothing."""
    return count * value if count and value else 0.0


class Bounds:
    """Bounds of the nodes of one tree."""

    def __init__(self, facts: Facts) -> None:
        """Begin with nothing known."""
        self._robot = facts.robot
        self._known: dict[Hashable, Any] = {}

    def of(self, node: Node, beta: float = 1.0, alpha: Alpha = None) -> Bound:
        """Give the greatest time, s, and way, m, under factors of time and of control.

        Handlers and ``finally`` do not count.
        """
        key = (id(node), beta, alpha)
        if key not in self._known:
            self._known[key] = self._bound(node, beta, alpha)
        found: Bound = self._known[key]
        return found

    def _bound(self, node: Node, beta: float, alpha: Alpha) -> Bound:
        if node.kind == 'atom':
            return self._of_atom(node, beta, alpha)
        if node.kind in ('external', 'unknown'):
            still = getattr(node.source, 'space', '') == 'none'
            return Bound(math.inf, 0.0 if still else math.inf)
        if node.kind == 'reverse':
            within = [self.of(child, beta, alpha) for child in node.children]
            last = isinstance(node.source, Reverse) and node.source.target is None
            time = sum(bound.time for bound in within)
            return Bound(times(REVERSE_TIME if last else 1.0, time), sum(b.path for b in within))
        beta *= node.beta.high if node.beta.high > 0.0 else 0.0
        alpha = _scaled(alpha, node.alpha)
        parts = [self.of(child, beta, alpha) for child in node.children]
        if not parts:
            return Bound(0.0, 0.0)
        if node.kind == 'choice':
            return Bound(max(b.time for b in parts), max(b.path for b in parts))
        if node.kind == 'parallel':
            every = node.source.mode == 'all'
            time = (max if every else min)(b.time for b in parts)
            return Bound(time, sum(b.path for b in parts))
        rounds = _rounds(node)
        time = times(rounds, sum(b.time for b in parts))
        path = times(rounds, sum(b.path for b in parts))
        if node.limit < time:
            path = min(path, times(node.limit, self.speed(node)))
        return Bound(max(0.0, min(node.limit, time)), path)

    def _of_atom(self, node: Node, beta: float, alpha: Alpha) -> Bound:
        atom: Atom = node.source
        driven = stretches(node)
        open_loop = isinstance(atom.control, Segments)
        total = sum(s.duration.high for s in driven if s.duration)
        time = min(node.limit, total) if open_loop else node.limit
        time = max(0.0, times(beta, time))
        speeds = [self._speed(stretch.control, atom.space, alpha) for stretch in driven]
        path = times(time, max(speeds, default=0.0))
        if open_loop:
            ways = [
                times(speed, max(0.0, times(beta, s.duration.high)))
                for speed, s in zip(speeds, driven, strict=True)
                if s.duration
            ]
            path = min(path, sum(ways))
        return Bound(time, path)

    def _speed(self, control: tuple[Interval, ...] | None, space: str, alpha: Alpha) -> float:
        offered = space_of(space, self._robot) if self._robot else None
        size = len(offered.channels) if offered else 2
        return fastest(capped(control, alpha, offered, size), space)

    def speed(self, node: Node, alpha: Alpha = None) -> float:
        """Give the greatest speed in an element, m/s."""
        key = ('speed', id(node), alpha)
        if key not in self._known:
            if node.kind == 'atom':
                found = [self._speed(s.control, node.source.space, alpha) for s in stretches(node)]
            elif node.kind == 'external':
                found = [self._speed(None, node.source.space, alpha)]
            elif node.kind == 'unknown':
                found = [math.inf]
            else:
                inner = _scaled(alpha, node.alpha)
                found = [self.speed(child, inner) for child in node.children]
            self._known[key] = max(found, default=0.0)
        speed: float = self._known[key]
        return speed

    def least(self, node: Node, beta: float = 1.0) -> float:
        """Give the least time, s, after which what follows an element can begin.

        Infinite where nothing lets it end but a failure.
        """
        key = ('least', id(node), beta)
        if key not in self._known:
            self._known[key] = self._least(node, beta)
        least: float = self._known[key]
        return least

    def _least(self, node: Node, beta: float) -> float:
        if node.kind in ('external', 'unknown'):
            return 0.0
        if any(watch.state != FALSE and _passes(watch.guard.action) for watch in node.watches):
            return 0.0
        ends = [math.inf]
        gentle = node.kind == 'atom'
        if node.timer and node.timeout:
            action = node.timeout.action
            if _passes(action) if action else gentle:
                ends.append(times(beta, node.timer.low) if gentle else node.timer.low)
            if node.timer.low <= 0.0:
                return 0.0
        if gentle:
            if isinstance(node.source.control, Segments):
                lows = [max(0.0, s.duration.low) for s in stretches(node) if s.duration]
                ends.append(times(beta, sum(lows)))
            return min(ends)
        if any(_passes(handler.action) for handler in getattr(node.source, 'handlers', ())):
            return 0.0
        within = beta * max(0.0, node.beta.low)
        parts = [self.least(child, within) for child in node.children]
        if not parts:
            return 0.0
        if node.kind == 'choice' or (node.kind == 'parallel' and node.source.mode == 'any'):
            return min(parts)
        if node.kind == 'parallel':
            return max(parts)
        if node.loop and node.loop.kind == 'while':
            return 0.0
        return min(*ends, times(_rounds(node), sum(parts)))

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
        if any(action and not _passes(action) for action in actions):
            return True
        if node.timer and node.timeout and not node.timeout.action and node.kind != 'atom':
            return node.timer.low != math.inf
        needs = getattr(node.source, 'requires', ()) or getattr(node.source, 'needs', ())
        return bool(needs) or any(map(self.fails, node.steps()))


def _scaled(alpha: Alpha, more: Alpha) -> Alpha:
    """Multiply the factors of nested scales; those of different length do not fit anyway."""
    if alpha is None or more is None or len(alpha) != len(more):
        return more if alpha is None else alpha
    return tuple(product(a, b) for a, b in zip(alpha, more, strict=True))


def _rounds(node: Node) -> float:
    """Give how often an element does what is in it, at most."""
    if node.loop is None:
        return 1.0
    return float(node.loop.count) if node.loop.kind == 'count' else math.inf


def _passes(action: Action | None) -> bool:
    """Tell whether the next element may follow an action."""
    while action and action.kind == 'run':
        action = action.then
    return action is None or action.kind in ('next', 'done')
