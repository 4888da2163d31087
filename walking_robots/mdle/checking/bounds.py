"""How long an element runs at most, and how far it drives (mdle.md §4.15)."""

import math
from collections.abc import Hashable
from typing import Any

from walking_robots.mdle.checking.courses import rounds, times
from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.intervals import Interval, product
from walking_robots.mdle.checking.motion import capped, fastest, space_of, stretches
from walking_robots.mdle.checking.nodes import Node
from walking_robots.mdle.checking.report import Bound
from walking_robots.mdle.language.program import Atom, Reverse, Segments

__all__ = ['REVERSE_TIME', 'Bounds']

REVERSE_TIME = 1.5
"""Timer of ``reverse last`` over what was recorded (mdle.md §4.11)."""

Alpha = tuple[Interval, ...] | None


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
        factor = max(0.0, node.beta.high)
        # Of all scales around it, a container's timer knows only the one written on it.
        limit = times(factor, node.limit) if node.timer else math.inf
        beta *= factor
        inner = _scaled(alpha, node.alpha)
        parts = [self.of(child, beta, inner) for child in node.children]
        if not parts:
            return Bound(0.0, 0.0)
        if node.kind == 'choice':
            return Bound(max(b.time for b in parts), max(b.path for b in parts))
        if node.kind == 'parallel':
            every = node.source.mode == 'all'
            time = (max if every else min)(b.time for b in parts)
            return Bound(time, sum(b.path for b in parts))
        time = times(rounds(node), sum(b.time for b in parts))
        path = times(rounds(node), sum(b.path for b in parts))
        if limit < time:
            path = min(path, times(limit, self.speed(node, alpha)))
        return Bound(max(0.0, min(limit, time)), path)

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

    def speed(self, node: Node, alpha: Alpha) -> float:
        """Give the greatest speed in an element, m/s, under factors of control around it."""
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


def _scaled(alpha: Alpha, more: Alpha) -> Alpha:
    """Multiply the factors of nested scales; those of different length do not fit anyway."""
    if alpha is None or more is None or len(alpha) != len(more):
        return more if alpha is None else alpha
    return tuple(product(a, b) for a, b in zip(alpha, more, strict=True))
