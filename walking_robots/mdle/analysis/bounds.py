"""How long an element runs at most, and how far it drives (mdle.md §4.15)."""

import math
from collections.abc import Hashable, Iterable, Mapping

from walking_robots.mdle.analysis.amounts import (
    Factors,
    endless,
    greatest,
    repeated,
    scaled,
    total,
    whole_ticks,
)
from walking_robots.mdle.analysis.answers import asked_by, asked_of, is_bare, own_handlers
from walking_robots.mdle.analysis.courses import rounds, times
from walking_robots.mdle.analysis.driven import driven_before, takes_back
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.intervals import Interval
from walking_robots.mdle.analysis.motion import capped, fastest, space_of, stretches
from walking_robots.mdle.analysis.nodes import Aside, Node, calls_one
from walking_robots.mdle.analysis.report import NOTHING, Bound
from walking_robots.mdle.language.ast import Action, Handler, Segments

__all__ = ['REVERSE_TIME', 'Bounds']

REVERSE_TIME = 1.5
"""Timer of ``reverse last`` over what was recorded (mdle.md §4.11)."""


class Bounds:
    """Bounds of the nodes of one tree.

    They hold whatever happens, but for pauses and for what follows a fault or a cancel. Segments,
    timers and what atoms in Python take are rounded up to whole ticks, as the executor does.
    """

    def __init__(self, facts: Facts) -> None:
        """Begin with nothing known."""
        self._robot, self._tick = facts.robot, facts.tick
        self._guarded = facts.default_guard
        self._known: dict[Hashable, Bound] = {}
        self._speeds: dict[Hashable, float] = {}

    def of(self, node: Node) -> Bound:
        """Give the greatest time, s, and way, m, of an entry, until its ``finally``."""
        asked, whole = asked_of(node), self.lasting(node, entry=True)
        once = total([whole, self._after(node, 1.0, None)])
        if asked.restart:
            return endless(once)
        return total([once, repeated(asked.retries, total([once, self.tidying(node)]))])

    def tidying(self, node: Node) -> Bound:
        """Give the greatest time and way of what an element runs last, its ``finally``."""
        key = ('tidying', id(node))
        if key not in self._known:
            cleanups = [aside for aside in node.asides if aside.kind == 'finally']
            self._known[key] = total([self._called(aside, 1.0, None) for aside in cleanups])
        return self._known[key]

    def lasting(
        self,
        node: Node,
        beta: float = 1.0,
        alpha: Factors = None,
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
        self, node: Node, beta: float, alpha: Factors, written: float, entry: bool
    ) -> Bound:
        if node.kind == 'atom':
            return self._of_atom(node, beta, alpha)
        if node.kind == 'external':
            time = whole_ticks(node.source.longest, self._tick)
            return Bound(time, times(time, self.speed(node, alpha)))
        if node.kind == 'unknown':
            return Bound(math.inf, math.inf)
        if node.kind == 'reverse':
            # What a step before it drove is for the container of both to tell.
            target = node.children if node.source.target else ()
            return total([self._back(child, beta, alpha) for child in target])
        around = alpha
        if node.kind == 'run':
            written = max(0.0, node.beta.high)
            beta, alpha = beta * written, scaled(alpha, node.alpha)
            if is_bare(node):
                return total([self.lasting(c, beta, alpha, written) for c in node.children])
        if node.kind == 'choice':
            return greatest([self._whole(child, beta, alpha) for child in node.children])
        if node.kind == 'parallel':
            parts = [self._in_lane(child, beta, alpha) for child in node.children]
            # Whoever has to end with the others still has its ``finally`` to run.
            time = (max if node.source.mode == 'all' else min)((b.time for b in parts), default=0)
            return Bound(time + self._left_over(node).time, total(parts).path)
        inner = self._rounds(node, beta, alpha, written if calls_one(node) else 1.0)
        return self._ended(node, inner, beta, around, written, entry)

    def _in_lane(self, node: Node, beta: float, alpha: Factors) -> Bound:
        """Give the bound of a child of ``par``, which is entered again beside the others."""
        asked = asked_of(node)
        whole = repeated(1 + asked.retries, self._whole(node, beta, alpha))
        return endless(whole) if asked.restart else whole

    def _rounds(self, node: Node, beta: float, alpha: Factors, called: float) -> Bound:
        """Give the bound of all that a container runs where nothing of its own ends it."""
        actions = _answers(node)
        run = [*node.children, *(aside.node for aside in _asides(node, actions))]
        # A step of one element hands the wish on to the block in which it is written.
        anew = not calls_one(node) and any(asked_of(child).restart for child in run)
        whole = repeated(rounds(node), total(self._each(node, beta, alpha, called)))
        return endless(whole) if anew or asked_by(actions).restart else whole

    def _each(self, node: Node, beta: float, alpha: Factors, called: float) -> list[Bound]:
        """Give the bound of each step of a container, and of all that answers its endings."""
        actions = _answers(node)
        asked, answer = asked_by(actions), self._dearest(node, actions, beta, alpha)
        found: dict[int, Bound] = {}
        # Ways back last: they take back what is written before them, or behind in a loop.
        for child in sorted(node.children, key=takes_back):
            if takes_back(child):
                part = _taken_back(node, child, found, answer)
            else:
                part = self._whole(child, beta, alpha, called)
            again = 1 + max(asked.retries, _retries(child))
            found[id(child)] = repeated(again, total([part, answer]))
        return [found[id(child)] for child in node.children]

    def _ended(
        self, node: Node, inner: Bound, beta: float, alpha: Factors, written: float, entry: bool
    ) -> Bound:
        """Give the bound of a container with its own guards, its timer, and what answers them."""
        by_guard, by_timer = own_handlers(node, entry and self._guarded)
        asked, answer = asked_by(by_guard), self._dearest(node, by_guard, beta, alpha)
        inner = repeated(1 + asked.retries, inner)
        again = asked.restart or answer != NOTHING
        if again:
            # The guard may fire anew while what it has called runs.
            inner = endless(total([inner, answer]))
        # Of all scales around it, a container's timer knows only the one written on it.
        limit = max(0.0, times(written, node.limit)) if node.timer else math.inf
        limit = whole_ticks(limit, self._tick)
        if limit >= inner.time:
            return inner
        way = min(inner.path, times(limit, self.speed(node, alpha)))
        cut = total([Bound(limit, way), self._left_over(node)])
        asked, answer = asked_by(by_timer), self._dearest(node, by_timer, beta, alpha)
        whole = repeated(1 + asked.retries, total([cut, answer]))
        if asked.restart or (by_timer and again and whole != cut):
            return endless(whole)
        return whole

    def _whole(self, node: Node, beta: float, alpha: Factors, written: float = 1.0) -> Bound:
        """Give the bound of one entry of a child and of all that its end makes run."""
        element = node.children[:1] if is_bare(node) else ()
        parts = [self.lasting(node, beta, alpha, written)]
        for ended in (node, *element):
            parts += [self.tidying(ended), self._after(ended, beta, alpha)]
        return total(parts)

    def _after(self, node: Node, beta: float, alpha: Factors) -> Bound:
        """Give the bound of what the container around runs because of how an element ended."""
        actions = [watch.guard.action for watch in node.watches]
        actions.append(node.timeout.action if node.timeout else None)
        return self._dearest(node, [action for action in actions if action], beta, alpha)

    def _dearest(
        self, node: Node, actions: Iterable[Action], beta: float, alpha: Factors
    ) -> Bound:
        """Give the bound of the dearest of some actions, one of which is done."""
        costs = []
        for action in actions:
            called = _asides(node, [action])
            costs.append(total([self._called(aside, beta, alpha) for aside in called]))
        return greatest(costs)

    def _called(self, aside: Aside, beta: float, alpha: Factors) -> Bound:
        key = ('called', id(aside), beta, alpha)
        if key not in self._known:
            whole = self._whole(aside.node, beta, alpha)
            self._known[key] = repeated(1 + _retries(aside.node), whole)
        return self._known[key]

    def _left_over(self, node: Node) -> Bound:
        """Give the bound of each ``finally`` within an element that is left at any moment."""
        key = ('left over', id(node))
        if key not in self._known:
            self._known[key] = self._find_left_over(node)
        return self._known[key]

    def _find_left_over(self, node: Node) -> Bound:
        within = [total([self._left_over(c), self.tidying(c)]) for c in node.children]
        asides = [aside.node for aside in node.asides if aside.kind != 'finally']
        aside = greatest([self._left_over(n) for n in asides])
        return greatest([total(within) if node.kind == 'parallel' else greatest(within), aside])

    def _back(self, node: Node, beta: float, alpha: Factors) -> Bound:
        """Give the bound of an element driven back: all its segments, whatever cuts them forth."""
        key = ('back', id(node), beta, alpha)
        if key not in self._known:
            if node.kind == 'atom':
                parts = self._segments(node, beta, alpha)
            else:
                beta, alpha = beta * max(0.0, node.beta.high), scaled(alpha, node.alpha)
                parts = [self._back(child, beta, alpha) for child in node.children]
            self._known[key] = repeated(rounds(node), total(parts))
        return self._known[key]

    def _of_atom(self, node: Node, beta: float, alpha: Factors) -> Bound:
        limit = whole_ticks(max(0.0, times(beta, node.limit)), self._tick)
        open_loop = isinstance(node.source.control, Segments)
        inner = total(self._segments(node, beta, alpha)) if open_loop else Bound(limit, math.inf)
        time = min(limit, inner.time)
        return Bound(time, min(times(time, self.speed(node, alpha)), inner.path))

    def _segments(self, node: Node, beta: float, alpha: Factors) -> list[Bound]:
        """Give the bound of each segment of an atom; the last tick is driven in part only."""
        found = []
        for stretch in stretches(node):
            if stretch.duration:
                time = max(0.0, times(beta, stretch.duration.high))
                speed = self._speed(stretch.control, node.source.space, alpha)
                found.append(Bound(whole_ticks(time, self._tick), times(time, speed)))
        return found

    def _speed(self, control: tuple[Interval, ...] | None, space: str, alpha: Factors) -> float:
        offered = space_of(space, self._robot) if self._robot else None
        size = len(offered.channels) if offered else 2
        return fastest(capped(control, alpha, offered, size), space)

    def speed(self, node: Node, alpha: Factors) -> float:
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
                inner = scaled(alpha, node.alpha)
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


def _taken_back(node: Node, step: Node, each: Mapping[int, Bound], answer: Bound) -> Bound:
    """Give the bound of ``reverse last``: that of all that may have been driven last.

    each: of the steps of its container, by identity; answer: of what its handlers run.
    """
    longest = greatest([each[id(before)] for before in driven_before(step)])
    ways = sum(map(takes_back, node.children))
    if answer.path > 0.0 and ways > 1 and rounds(node) > 1.0:
        # What handlers drive is added from one way back to the next, round by round.
        return endless(answer)
    return Bound(times(REVERSE_TIME, longest.time), longest.path)


def _answers(node: Node) -> list[Action]:
    """Give what the handlers of a container do while it goes on."""
    handlers: Iterable[Handler] = getattr(node.source, 'handlers', ())
    return [handler.action for handler in handlers if handler.cause.kind != 'fault']


def _retries(node: Node) -> int:
    return asked_of(node).retries
