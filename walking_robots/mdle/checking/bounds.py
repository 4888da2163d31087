"""How long an element runs at most, and how far it drives (mdle.md §4.15)."""

import math
from collections.abc import Hashable, Iterable, Sequence

from walking_robots.mdle.checking.answers import asked_by, asked_of, is_bare, own_handlers
from walking_robots.mdle.checking.courses import rounds, times
from walking_robots.mdle.checking.driven import driven_before
from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.intervals import Interval, product
from walking_robots.mdle.checking.motion import capped, fastest, space_of, stretches
from walking_robots.mdle.checking.nodes import Aside, Node, calls_one
from walking_robots.mdle.checking.report import NOTHING, Bound
from walking_robots.mdle.language.program import Action, Atom, Handler, Reverse, Segments

__all__ = ['REVERSE_TIME', 'Bounds']

REVERSE_TIME = 1.5
"""Timer of ``reverse last`` over what was recorded (mdle.md §4.11)."""

Alpha = tuple[Interval, ...] | None


class Bounds:
    """Bounds of the nodes of one tree.

    They hold whatever happens, but for pauses, for what follows a fault or a cancel, and for the
    tick to which each step is rounded up.
    """

    def __init__(self, facts: Facts) -> None:
        """Begin with nothing known."""
        self._robot = facts.robot
        self._guarded = facts.default_guard
        self._known: dict[Hashable, Bound] = {}
        self._speeds: dict[Hashable, float] = {}

    def of(self, node: Node) -> Bound:
        """Give the greatest time, s, and way, m, of an entry, until its ``finally``."""
        asked, whole = asked_of(node), self.lasting(node, entry=True)
        once = _sum([whole, self._after(node, 1.0, None)])
        if asked.restart:
            return _endless(once)
        return _sum([once, _times(asked.retries, _sum([once, self.tidying(node)]))])

    def tidying(self, node: Node) -> Bound:
        """Give the greatest time and way of what an element runs last, its ``finally``."""
        key = ('tidying', id(node))
        if key not in self._known:
            cleanups = [aside for aside in node.asides if aside.kind == 'finally']
            self._known[key] = _sum([self._called(aside, 1.0, None) for aside in cleanups])
        return self._known[key]

    def lasting(
        self,
        node: Node,
        beta: float = 1.0,
        alpha: Alpha = None,
        written: float = 1.0,
        entry: bool = False,
    ) -> Bound:
        """Give the bound from the entry of an element to its end.

        beta, alpha: factors of time and of control around it; written: that of time which is
        written on it; entry: whether the executor guards it too.
        """
        key = ('lasting', id(node), beta, alpha, written, entry)
        if key not in self._known:
            self._known[key] = self._lasting(node, beta, alpha, written, entry)
        return self._known[key]

    def _lasting(
        self, node: Node, beta: float, alpha: Alpha, written: float, entry: bool
    ) -> Bound:
        if node.kind == 'atom':
            return self._of_atom(node, beta, alpha)
        if node.kind in ('external', 'unknown'):
            still = getattr(node.source, 'space', '') == 'none'
            return Bound(math.inf, 0.0 if still else math.inf)
        if node.kind == 'reverse':
            return self._of_reverse(node, beta, alpha)
        around = alpha
        if node.kind == 'run':
            written = max(0.0, node.beta.high)
            beta, alpha = beta * written, _scaled(alpha, node.alpha)
            if is_bare(node):
                return _sum([self.lasting(c, beta, alpha, written) for c in node.children])
        called = written if calls_one(node) else 1.0
        parts = [self._whole(child, beta, alpha, called) for child in node.children]
        if node.kind == 'choice':
            return _most(parts)
        if node.kind == 'parallel':
            # Whoever has to end with the others still has its ``finally`` to run.
            time = (max if node.source.mode == 'all' else min)((b.time for b in parts), default=0)
            return Bound(time + self._left_over(node).time, _sum(parts).path)
        inner = self._rounds(node, parts, beta, alpha)
        return self._ended(node, inner, beta, around, written, entry)

    def _rounds(self, node: Node, parts: Sequence[Bound], beta: float, alpha: Alpha) -> Bound:
        """Give the bound of all that a container runs where nothing of its own ends it."""
        handlers: Iterable[Handler] = getattr(node.source, 'handlers', ())
        actions = [h.action for h in handlers if h.cause.kind != 'fault']
        asked, answer = asked_by(actions), self._dearest(node, actions, beta, alpha)
        called = [*node.children, *(aside.node for aside in _asides(node, actions))]
        # A step of one element hands the wish on to the block in which it is written.
        anew = not calls_one(node) and any(asked_of(child).restart for child in called)
        each = [
            _times(1 + max(asked.retries, _retries(child)), _sum([part, answer]))
            for child, part in zip(node.children, parts, strict=True)
        ]
        whole = _times(rounds(node), _sum(each))
        return _endless(whole) if anew or asked.restart else whole

    def _ended(
        self, node: Node, inner: Bound, beta: float, alpha: Alpha, written: float, entry: bool
    ) -> Bound:
        """Give the bound of a container with its own guards, its timer, and what answers them."""
        by_guard, by_timer = own_handlers(node, entry and self._guarded)
        asked, answer = asked_by(by_guard), self._dearest(node, by_guard, beta, alpha)
        inner = _times(1 + asked.retries, inner)
        again = asked.restart or answer != NOTHING
        if again:
            # The guard may fire anew while what it has called runs.
            inner = _endless(_sum([inner, answer]))
        # Of all scales around it, a container's timer knows only the one written on it.
        limit = max(0.0, times(written, node.limit)) if node.timer else math.inf
        if limit >= inner.time:
            return inner
        way = min(inner.path, times(limit, self.speed(node, alpha)))
        cut = _sum([Bound(limit, way), self._left_over(node)])
        asked, answer = asked_by(by_timer), self._dearest(node, by_timer, beta, alpha)
        whole = _times(1 + asked.retries, _sum([cut, answer]))
        if asked.restart or (by_timer and again and whole != cut):
            return _endless(whole)
        return whole

    def _whole(self, node: Node, beta: float, alpha: Alpha, written: float = 1.0) -> Bound:
        """Give the bound of one entry of a child and of all that its end makes run."""
        element = node.children[:1] if is_bare(node) else ()
        parts = [self.lasting(node, beta, alpha, written)]
        for ended in (node, *element):
            parts += [self.tidying(ended), self._after(ended, beta, alpha)]
        return _sum(parts)

    def _after(self, node: Node, beta: float, alpha: Alpha) -> Bound:
        """Give the bound of what the container around runs because of how an element ended."""
        actions = [watch.guard.action for watch in node.watches]
        actions.append(node.timeout.action if node.timeout else None)
        return self._dearest(node, [action for action in actions if action], beta, alpha)

    def _dearest(self, node: Node, actions: Iterable[Action], beta: float, alpha: Alpha) -> Bound:
        """Give the bound of the dearest of some actions, one of which is done."""
        costs = []
        for action in actions:
            called = _asides(node, [action])
            costs.append(_sum([self._called(aside, beta, alpha) for aside in called]))
        return _most(costs)

    def _called(self, aside: Aside, beta: float, alpha: Alpha) -> Bound:
        key = ('called', id(aside), beta, alpha)
        if key not in self._known:
            whole = self._whole(aside.node, beta, alpha)
            self._known[key] = _times(1 + _retries(aside.node), whole)
        return self._known[key]

    def _left_over(self, node: Node) -> Bound:
        """Give the bound of each ``finally`` within an element that is left at any moment."""
        key = ('left over', id(node))
        if key not in self._known:
            self._known[key] = self._find_left_over(node)
        return self._known[key]

    def _find_left_over(self, node: Node) -> Bound:
        within = [_sum([self._left_over(c), self.tidying(c)]) for c in node.children]
        asides = [aside.node for aside in node.asides if aside.kind != 'finally']
        aside = _most([self._left_over(n) for n in asides])
        return _most([_sum(within) if node.kind == 'parallel' else _most(within), aside])

    def _of_reverse(self, node: Node, beta: float, alpha: Alpha) -> Bound:
        """Give the bound of a way back: of what was driven last, that of all it may have been."""
        step: Reverse = node.source
        if step.target is not None:
            return _sum([self.lasting(child, beta, alpha) for child in node.children])
        driven = [
            _times(1 + _retries(child), self._whole(child, beta, alpha))
            for child in driven_before(node)
        ]
        longest = _most(driven)
        return Bound(times(REVERSE_TIME, longest.time), longest.path)

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
        key = (id(node), alpha)
        if key not in self._speeds:
            if node.kind == 'atom':
                found = [self._speed(s.control, node.source.space, alpha) for s in stretches(node)]
            elif node.kind == 'external':
                found = [self._speed(None, node.source.space, alpha)]
            elif node.kind == 'unknown':
                found = [math.inf]
            else:
                inner = _scaled(alpha, node.alpha)
                found = [self.speed(child, inner) for child in node.children]
            # What actions run has the factors around the element, or around its step.
            asides = [*node.asides, *(a for child in node.children for a in child.asides)]
            found += [self.speed(a.node, alpha if a.kind != 'finally' else None) for a in asides]
            self._speeds[key] = max(found, default=0.0)
        return self._speeds[key]


def _asides(node: Node, actions: Iterable[Action]) -> list[Aside]:
    """Give what some actions of an element run."""
    wanted = {id(action) for action in actions}
    return [aside for aside in node.asides if aside.action and id(aside.action) in wanted]


def _retries(node: Node) -> int:
    return asked_of(node).retries


def _sum(parts: Iterable[Bound]) -> Bound:
    listed = list(parts)
    return Bound(sum(b.time for b in listed), sum(b.path for b in listed))


def _most(parts: Iterable[Bound]) -> Bound:
    listed = [*parts, NOTHING]
    return Bound(max(b.time for b in listed), max(b.path for b in listed))


def _times(count: float, bound: Bound) -> Bound:
    return Bound(times(count, bound.time), times(count, bound.path))


def _endless(bound: Bound) -> Bound:
    """Give the bound of what may be done again and again."""
    return Bound(math.inf, math.inf if bound.path > 0.0 else 0.0)


def _scaled(alpha: Alpha, more: Alpha) -> Alpha:
    """Multiply the factors of nested scales; those of different length do not fit anyway."""
    if alpha is None or more is None or len(alpha) != len(more):
        return more if alpha is None else alpha
    return tuple(product(a, b) for a, b in zip(alpha, more, strict=True))
