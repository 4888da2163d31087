"""All elements of an unfolded program, each with what surrounds it where it runs."""

from collections.abc import Iterator
from typing import NamedTuple

from walking_robots.mdle.analysis.intervals import FALSE, Interval, product
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.nodes import Aside, Node, Watch, calls_one
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.ast import Run

__all__ = ['Visit', 'visits']

MOST_VISITS = 20_000
"""Places at which elements are looked at; a program that unfolds to more is looked at in part."""


class Visit(NamedTuple):
    """A node at one place where it runs.

    called: where the step stands that runs it; outers: guards around it, outermost first; masked:
    whether some of them may be held back; alpha, beta: factors of the scales around it; written:
    that of time which is written on it; scale: where the innermost of them stands; bounded:
    whether a timer around it ends it, or may;
    accepted: whether the program says that it may run for ever; top: whether it is what is run;
    excused: whether it answers a contact, or may be run where one is watched for; tidying: whether
    it is, or is in, a ``finally``.
    """

    node: Node
    site: Site
    called: Place
    outers: tuple[Watch, ...] = ()
    masked: bool = False
    alpha: tuple[Interval, ...] | None = None
    beta: float = 1.0
    written: float = 1.0
    scale: Place | None = None
    bounded: bool = False
    accepted: bool = False
    top: bool = False
    excused: bool = False
    tidying: bool = False

    @property
    def enders(self) -> list[Watch]:
        """The guards, its own included, that can become true and end it."""
        watches = (*self.outers, *self.node.watches)
        return [w for w in watches if w.reads and w.state != FALSE and not w.default]

    @property
    def accepts(self) -> bool:
        """Whether the program says that it may run for ever; a ``finally`` has to end."""
        written = self.node.own and self.node.timeout is not None
        return (self.accepted or written) and not self.tidying

    def children(self) -> Iterator['Visit']:
        """Give the visits of what is in it."""
        node = self.node
        inner = self._replace(
            outers=self.outers + node.watches,
            bounded=self.bounded or (node.timer is not None and node.timer.low != float('inf')),
            accepted=self.accepts,
            top=False,
            written=1.0,
        )
        if node.kind == 'run':
            alpha = _product(self.alpha, node.alpha)
            beta = self.beta * node.beta.high if node.beta.known else self.beta
            scale = self.scale
            if node.alpha:
                scale = self.site.outside or node.source.scale.place
            written = node.beta.high if calls_one(node) and node.beta.known else 1.0
            inner = inner._replace(alpha=alpha, beta=beta, written=written, scale=scale)
        if node.kind == 'reverse':
            return
        for child in node.children:
            yield inner._at(child)
        for aside in node.asides:
            yield self._beside(aside, inner)

    def _at(self, child: Node) -> 'Visit':
        if child.kind in ('atom', 'encapsulation', 'external', 'unknown'):
            # What a step calls has the step's name, and the call's place where it is elsewhere.
            outside = self.called if self.node.own and not child.own else None
            return self._replace(node=child, site=self.site.below('', outside))
        call = child.source.call if isinstance(child.source, Run) else None
        place = call.place if call else child.place
        return self._replace(node=child, site=self.site.below(child.name), called=place)

    def _beside(self, aside: Aside, inner: 'Visit') -> 'Visit':
        about = aside.about
        contact = 'contact' in (about if isinstance(about, str) else about.text)
        visit = inner if aside.kind == 'action' else self
        if aside.kind == 'finally':
            # It runs in the container around, by its own time; the entry has none around it.
            outers = () if self.top else self.outers
            visit = Visit(visit.node, visit.site, visit.called, outers, tidying=True)
        return visit._replace(masked=True, excused=self.excused or contact, top=False)._at(
            aside.node
        )

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal where nothing new would be found."""
        return (
            id(self.node),
            tuple(map(id, self.outers)),
            self.masked,
            self.alpha,
            self.beta,
            self.written,
            self.bounded,
            self.accepted,
            self.top,
            self.excused,
            self.tidying,
            self.site.outside,
            self.called,
        )


def visits(root: Visit, seen: set[tuple[object, ...]]) -> Iterator[Visit]:
    """Give an element and all that it runs, in the order written."""
    waiting = [root]
    while waiting and len(seen) < MOST_VISITS:
        visit = waiting.pop()
        if visit.key in seen:
            continue
        seen.add(visit.key)
        yield visit
        waiting += reversed(list(visit.children()))


def _product(
    alpha: tuple[Interval, ...] | None, more: tuple[Interval, ...] | None
) -> tuple[Interval, ...] | None:
    if alpha is None or more is None or len(alpha) != len(more):
        return more if alpha is None else alpha
    return tuple(product(a, b) for a, b in zip(alpha, more, strict=True))
