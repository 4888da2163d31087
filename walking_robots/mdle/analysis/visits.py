"""All elements of an unfolded program, each with what surrounds it where it runs."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite
from walking_robots.mdle.analysis.control_flow import FlowNode
from walking_robots.mdle.analysis.inlining import Scope, reads
from walking_robots.mdle.analysis.program_node import Reaction, ScopedGuard
from walking_robots.mdle.analysis.values import FALSE
from walking_robots.mdle.language.ast import Interrupt, Place, Run
from walking_robots.mdle.robot import RobotSpec

MOST_VISITS = 20_000
"""Places at which elements are looked at; a program that unfolds to more is looked at in part."""


class Visit(NamedTuple):
    """A node at one place where it runs.

    called: where the step stands that runs it; outers: guards around it, outermost first; masked:
    whether some of them may be held back; bounded: whether a timer around it ends it, or may;
    accepted: whether the program says that it may run for ever; top: whether it is what is run;
    excused: whether it answers a contact, or may be run where one is watched for; tidying: whether
    it is, or is in, a ``finally``; back: the ``reverse`` that drives it back, if any.
    """

    node: FlowNode
    site: DiagnosticSite
    called: Place
    outers: tuple[ScopedGuard, ...] = ()
    masked: bool = False
    bounded: bool = False
    accepted: bool = False
    top: bool = False
    excused: bool = False
    tidying: bool = False
    back: 'Visit | None' = None

    @property
    def context(self) -> CheckContext:
        """What all checks share."""
        return self.node.context

    @property
    def guards(self) -> tuple[ScopedGuard, ...]:
        """The guards around it and its own, outermost first."""
        return self.outers + self.node.guards

    @property
    def enders(self) -> list[ScopedGuard]:
        """The guards, its own included, that can become true and end it."""
        return [g for g in self.guards if g.reads and g.state != FALSE and not g.default]

    @property
    def accepts(self) -> bool:
        """Whether the program says that it may run for ever; a ``finally`` has to end."""
        written = self.node.own and self.node.timeout is not None
        return (self.accepted or written) and not self.tidying

    def children(self) -> Iterator['Visit']:
        """Yield the visits of what is in it."""
        node = self.node
        if node.kind == 'reverse':
            back = self._replace(back=self.back or self)
            yield from map(back._at, node.children)
            return
        inner = self._replace(
            outers=self.guards,
            bounded=self.bounded or (node.timer is not None and node.timer.low != float('inf')),
            accepted=self.accepts,
            top=False,
        )
        for child in node.children:
            yield inner._at(child)
        # What handlers and actions run is not driven back.
        for reaction in () if self.back else node.reactions:
            yield self._beside(reaction, inner)

    def _at(self, child: FlowNode) -> 'Visit':
        if child.kind in ('atom', 'encapsulation', 'external', 'unknown'):
            # What a step calls has the step's name, and the call's place where it is elsewhere.
            outside = self.called if self.node.own and not child.own else None
            return self._replace(node=child, site=self.site.below('', outside))
        call = child.source.call if isinstance(child.source, Run) else None
        place = call.place if call else child.place
        return self._replace(node=child, site=self.site.below(child.name), called=place)

    def _beside(self, reaction: Reaction, inner: 'Visit') -> 'Visit':
        visit = inner if reaction.kind == 'action' else self
        if reaction.kind == 'finally':
            # It runs in the container around, by its own time; the entry has none around it.
            visit = self._replace(
                outers=() if self.top else self.outers,
                bounded=False,
                accepted=False,
                tidying=True,
                excused=False,
            )
        excused = self.excused or _answers_contact(reaction)
        return visit._replace(masked=True, excused=excused, top=False)._at(reaction.node)

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal where nothing new would be found."""
        return (
            id(self.node),
            tuple(map(id, self.outers)),
            self.site.outside,
            self.called,
            self.back and id(self.back.node),
            *self[4:-1],
        )


def visits(root: Visit, seen: set[tuple[object, ...]]) -> Iterator[Visit]:
    """Yield an element and all that it runs, in the order written."""
    waiting = [root]
    while waiting and len(seen) < MOST_VISITS:
        visit = waiting.pop()
        if visit.key in seen:
            continue
        seen.add(visit.key)
        yield visit
        waiting += reversed(list(visit.children()))


def is_contact(channel: str, robot: RobotSpec) -> bool:
    """Return whether a channel reports that the robot touches something."""
    return channel in (robot.contact, robot.front_guard, robot.rear_guard) and bool(channel)


def _answers_contact(reaction: Reaction) -> bool:
    """Return whether what runs is an answer to a contact."""
    about, scope = reaction.about, reaction.node.scope
    robot = scope.robot
    if about is None or robot is None:
        return False
    if isinstance(about, ScopedGuard):
        return any(is_contact(name, robot) for name in about.reads)
    if about.kind == 'fail':
        return about.name == 'contact'
    found = scope.names.find(*about.name.split('.')) if about.kind == 'interrupt' else None
    if found is None or not isinstance(found.element, Interrupt):
        return False
    condition = Scope(found.names, robot).inlined(found.element.condition)
    return any(is_contact(name, robot) for name in reads(condition, robot))


class Finding(NamedTuple):
    """What a check found; site: None for that of the visit."""

    place: Place
    text: str
    hint: str = ''
    site: DiagnosticSite | None = None


VisitCheck = Callable[[Visit], Iterator[Finding]]
BACKWARDS = ('E401', 'E701', 'E703', 'E704', 'E705')
"""Codes of the checks of what ``reverse`` drives back."""

VISIT_CHECKS: dict[str, list[tuple[str, VisitCheck]]] = {}
"""By the kind of a node: the checks of it, each with its diagnostic code.

Further kinds are 'guarded', 'timed' and 'looped': nodes with guards, a timer or a loop.
"""


def visit_check(code: str, *kinds: str) -> Callable[[VisitCheck], VisitCheck]:
    """Register a check that reports one diagnostic code for visits of nodes of some kinds."""

    def register(check: VisitCheck) -> VisitCheck:
        for kind in kinds:
            VISIT_CHECKS.setdefault(kind, []).append((code, check))
        return check

    return register


def checks_of(visit: Visit) -> Iterator[tuple[str, VisitCheck]]:
    """Yield the checks of a visit, each with its diagnostic code."""
    node = visit.node
    more = (('guarded', node.guards), ('timed', node.timeout), ('looped', node.loop))
    for kind in (node.kind, *(kind for kind, given in more if given)):
        for code, check in VISIT_CHECKS.get(kind, ()):
            if code in BACKWARDS or not visit.back:
                yield code, check
