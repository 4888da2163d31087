"""Control flow: how each element can end, how soon and how late, and what it writes.

One result a node, which all checks of endings, handlers, timers and outputs read. What an ending
leads to is looked up in the same table as the executor does (`mdle/consequences.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import ceil, inf
from typing import NamedTuple

from walking_robots.mdle.analysis.motion import control_parts, durations, speed_of
from walking_robots.mdle.analysis.program_node import ProgramNode, ScopedGuard
from walking_robots.mdle.analysis.references import outputs_of_run
from walking_robots.mdle.analysis.report import NOTHING, Bound, times
from walking_robots.mdle.analysis.values import FALSE
from walking_robots.mdle.consequences import (
    AnswerBy,
    CauseKind,
    Consequence,
    Level,
    consequence,
    exhausted,
    failure_name,
    handles,
    is_handled,
)
from walking_robots.mdle.knowledge.names import meanings, spelled
from walking_robots.mdle.language.ast import Action, Segments

REVERSE_TIME = 1.5
"""Timer of ``reverse last`` over what was recorded (mdle.md §4.11)."""

SHORTEST = 1e-6
"""Share of a tick that is not driven any more (mdle.md §4.6.5)."""

MOST_TICKS = 1e15
"""Beyond it a tick more or less is nothing."""

ENDLESS = Bound(inf, inf)
NO_NAMES = frozenset[str]()


class PossibleEnding(NamedTuple):
    """An ending that handlers may answer.

    names: the text of a failure, or all names of the interrupt; None where any are possible.
    direct: it passes the handlers of the container in which it arises.
    """

    cause: CauseKind
    names: frozenset[str] | None = NO_NAMES
    direct: bool = False


ANY_FAILURE = PossibleEnding('fail', None)
ANYHOW = frozenset({ANY_FAILURE, PossibleEnding('interrupt', None), PossibleEnding('timeout')})
CONTACT = PossibleEnding('fail', frozenset({'contact'}))
LATE = PossibleEnding('fail', frozenset({'timeout'}))
UNMET = PossibleEnding('fail', frozenset({'requirement not met'}))


class FlowNode(ProgramNode):
    """A node with its control flow: everything is computed at its first use, and once."""

    children: tuple['FlowNode', ...]

    @property
    def _any(self) -> bool:
        """Whether only one of its children is certainly run to its end."""
        return self.kind == 'choice' or (self.kind == 'parallel' and self.source.mode == 'any')

    @property
    def _takes_back(self) -> bool:
        return self.kind == 'reverse' and self.source.target is None

    @cached_property
    def _rounds(self) -> float:
        if self.loop is None:
            return 1.0
        return float(self.loop.count) if self.loop.kind == 'count' else inf

    @cached_property
    def _level(self) -> Level:
        """Its level in the table: a step with one atom is at the level of that atom."""
        if self.calls_one:
            return self.children[0]._level
        return 'atom' if self.kind in ('atom', 'external') else 'container'

    @cached_property
    def _answered_for(self) -> list['FlowNode']:
        """The elements for whose endings the container around acts."""
        return [self, *self.children] if self.is_bare else [self]

    # How soon it can end.

    @property
    def _may_be_cut(self) -> bool:
        """Whether a guard of its own may end it so that the next element follows."""
        return any(g.state != FALSE and passes(g.guard.action) for g in self.guards)

    @property
    def leaves_no_time(self) -> bool:
        """Whether its timer is certainly up at once, whatever follows."""
        return self.timer is not None and self.timer.high <= 0.0

    @property
    def _goes_on_late(self) -> bool:
        """Whether the next element follows when its timer is up."""
        timeout = self.timeout
        if timeout is None or timeout.action:
            return timeout is not None and passes(timeout.action)
        return consequence('timeout', None, self._level) is Consequence.WARN

    @cached_property
    def least(self) -> float:
        """The time, s, after which what follows can begin; infinite where it has to fail."""
        if self.kind in ('external', 'unknown', 'reverse'):
            return 0.0
        if self._may_be_cut or (self.timer and self.timer.low <= 0.0):
            return 0.0
        limit = self.timer.low if self.timer and self._goes_on_late else inf
        if self.kind == 'atom':
            segments = sum(duration.low for duration in durations(self))
            return min(limit, segments) if is_open_loop(self) else limit
        if any(passes(handler.action) for handler in self.handlers):
            return 0.0
        parts = [flow.least for flow in self.children]
        if not parts or (self.loop and self.loop.kind == 'while'):
            return 0.0
        if self.kind in ('choice', 'parallel'):
            return min(parts) if self._any else max(parts)
        return min(limit, times(self._rounds, sum(parts)))

    @cached_property
    def endless(self) -> bool:
        """Whether it certainly never ends by itself, nor by a guard of its own."""
        if self.kind in ('external', 'unknown', 'reverse') or self.handlers:
            return False
        if any(g.state != FALSE for g in self.guards) or (self.timer and self.timer.low < inf):
            return False
        if self.kind == 'atom':
            return not is_open_loop(self)
        inner = [flow.endless for flow in self.children]
        if self._any:
            return bool(inner) and all(inner)
        kind = self.loop.kind if self.loop else 'count'
        return kind == 'forever' or (kind != 'while' and any(inner))

    # How it can end: endings that the container around answers, and those that handlers answer.

    @property
    def may_fail(self) -> bool:
        """Whether it may end in a failure, or end the program."""
        return any(ending.cause != 'interrupt' for ending in self.endings)

    @property
    def endings(self) -> frozenset[PossibleEnding]:
        """The endings that the container around has to answer."""
        return self._endings_and_handled[0]

    def handled(self, contact: bool) -> set[int]:
        """Return the indexes of the handlers that may have something to answer.

        contact: whether the executor ends it at a contact.
        """
        handled = set(self._endings_and_handled[1])
        list(self._answered([CONTACT] if contact else [], AnswerBy.OWN, handled))
        return handled

    @cached_property
    def _endings_and_handled(self) -> tuple[frozenset[PossibleEnding], frozenset[int]]:
        if self.is_bare:
            return self.children[0].endings, frozenset()
        if self.kind in ('unknown', 'reverse'):
            return ANYHOW, frozenset()
        found, handled = set[PossibleEnding](), set[int]()
        found |= {UNMET} if getattr(self.source, 'requires', ()) else set()
        inner = [flow.endings for flow in self.children]
        if self._may_fail_by_itself:
            inner.append(frozenset({ANY_FAILURE}))
        for endings in inner:
            found.update(self._answered(endings, AnswerBy.HANDLER, handled))
        by_guards, by_timer, beside = self._own_endings
        found.update(self._answered(by_guards | by_timer, AnswerBy.OWN, handled), beside)
        return frozenset(found), frozenset(handled)

    @property
    def _may_fail_by_itself(self) -> bool:
        """Whether it is in Python, or reads what may be unset on the blackboard."""
        if self.kind == 'external':
            return bool(self.source.may_fail)
        if self.kind not in ('atom', 'encapsulation'):
            return False
        return any(spelled(e)[:1] == ('bb',) for e in self.context.expressions(self.source))

    @cached_property
    def _own_endings(self) -> tuple[set[PossibleEnding], set[PossibleEnding], set[PossibleEnding]]:
        """The endings by its guards and by its timer that its own handlers may answer.

        And those that what is written beside guards and timer leads to.
        """
        beside = set[PossibleEnding]()
        by_guards, by_timer = set[PossibleEnding](), set[PossibleEnding]()
        for scoped in self.guards:
            action, name = scoped.guard.action, guard_name(scoped)
            if action is None:
                by_guards.add(PossibleEnding('interrupt', interrupt_names(scoped)))
            else:
                acted = self._acted(action, AnswerBy.BESIDE, 'interrupt', name)
                (by_guards if action.kind == 'fail' else beside).update(acted)
        if self.timeout and self.timer and self.timer.low < inf:
            action = self.timeout.action
            if action:
                acted = self._acted(action, AnswerBy.BESIDE, 'timeout', '')
                (by_timer if action.kind == 'fail' else beside).update(acted)
            elif is_handled('timeout', self._level):
                by_timer.add(PossibleEnding('timeout'))
        return by_guards, by_timer, beside

    def _answered(
        self, endings: Iterable[PossibleEnding], answer: AnswerBy, handled: set[int]
    ) -> Iterator[PossibleEnding]:
        """Yield what comes out of a container of endings in it, or of its own.

        handled: gets the indexes of the handlers that may answer.
        """
        for ending in endings:
            if ending.direct or ending.cause == 'fault':
                yield ending._replace(direct=False)
                continue
            forms = [ending, LATE] if ending.cause == 'timeout' else [ending]
            offers = [(form, index) for form in forms for index in range(len(self.handlers))]
            for (cause, names, _), index in offers:
                handler = self.handlers[index]
                certain = handles(handler.cause, cause, names or ())
                if certain or (names is None and handler.cause.kind == cause):
                    handled.add(index)
                    text = next(iter(names), '') if names else handler.cause.name
                    yield from self._acted(handler.action, answer, cause, text)
                if certain:
                    break
            else:
                # Handlers around a step see how its element ended.
                if answer is AnswerBy.OWN or (self.calls_one and ending.cause == 'interrupt'):
                    yield ending
                elif ending.cause != 'interrupt' or self._any:
                    yield forms[-1]

    def _acted(
        self, action: Action, answer: AnswerBy, cause: CauseKind, name: str
    ) -> Iterator[PossibleEnding]:
        """Yield the endings that an action leads to; name: of the guard, or text of a failure."""
        for part in action.parts():
            leads_to = consequence(cause, part, answer=answer)
            if leads_to is Consequence.RETRY:
                leads_to = exhausted(answer)
            if leads_to is Consequence.ABORT:
                yield PossibleEnding('fault', direct=True)
            elif leads_to in (Consequence.FAIL, Consequence.UP):
                text = failure_name(cause, name, name if cause == 'fail' else '', part)
                yield PossibleEnding('fail', frozenset({text}))
        for flow in self._run_by([action]):
            for ending in flow.endings - {e for e in flow.endings if e.cause == 'interrupt'}:
                # No handler of the container that acts answers the failure of what it runs.
                failed = LATE if ending.cause == 'timeout' else ending
                yield failed._replace(direct=answer is AnswerBy.BESIDE)

    def _run_by(self, actions: Sequence[Action] | None) -> list['FlowNode']:
        """Return what some of its actions run; None for its ``finally``."""
        reactions = self.reactions
        if not reactions:
            return []
        if actions is None:
            return [r.node for r in reactions if r.kind == 'finally']
        wanted = set(map(id, actions))
        return [r.node for r in reactions if r.action and id(r.action) in wanted]

    # What is certainly written (mdle.md §4.12). An atom of the language gives its outputs however
    # it ends, unless its timer leaves it no time, so that it is passed over (mdle.md §4.8).

    @cached_property
    def writes(self) -> frozenset[str]:
        """The outputs that are certainly written when the next step begins."""
        if self._may_be_cut or self.leaves_no_time or (self.loop and self.loop.kind == 'while'):
            return NO_NAMES
        if self._goes_on_late:
            return self.writes_at_once
        if self.calls_one:
            return self._given
        inner = [flow.writes for flow in self.children]
        return frozenset.intersection(*inner) if self._any else NO_NAMES.union(*inner)

    @cached_property
    def writes_at_once(self) -> frozenset[str]:
        """The outputs that are written even if it is left in the tick of its entry."""
        if self.kind != 'run' or self._may_be_cut or not self.children:
            return NO_NAMES
        first = self.children[0]
        if self.calls_one:
            return self._given if first.kind == 'atom' else NO_NAMES
        modified = first.guards or first.timeout or first.loop
        return NO_NAMES if modified else self.children[0].writes_at_once

    @property
    def _given(self) -> frozenset[str]:
        """The outputs of an element that is run to its end."""
        if self.children[0].leaves_no_time:
            return NO_NAMES
        return frozenset(n for n, _ in outputs_of_run(self.source, self.scope.names))

    # How late: bounds of time and path (mdle.md §4.15). They hold whatever happens, but for pauses
    # and for what follows a fault or a cancel.

    @property
    def entry_bound(self) -> Bound:
        """The bound of an entry, until its ``finally``."""
        guarded = self.context.default_guard and self.handlers
        once = self._bound_within(contact=True) if guarded else self.bound
        once = once.plus(self._after)
        if self._restarts:
            return _endless(once)
        return once.plus(once.plus(self.tidying).times(_retries(self.actions)))

    @cached_property
    def tidying(self) -> Bound:
        """The bound of what it runs last, its ``finally``."""
        return NOTHING.plus(*(flow.with_tries for flow in self._run_by(None)))

    @cached_property
    def bound(self) -> Bound:
        """The bound from its entry to its end, without its ``finally``."""
        return self._bound_within(contact=False)

    def _bound_within(self, contact: bool) -> Bound:
        match self.kind:
            case 'atom':
                inner = self._back if is_open_loop(self) else ENDLESS
                return self._cut(inner, min(self._limit, inner.time))
            case 'external':
                return self._cut(ENDLESS, self._whole_ticks(self.source.longest))
            case 'unknown':
                return ENDLESS
            case 'reverse':
                # ``reverse last`` takes back other steps of its container, which adds it.
                back = [] if self._takes_back else [flow._back for flow in self.children]
                return NOTHING.plus(*back)
            case 'choice':
                return NOTHING.or_one_of(*(flow.with_tries for flow in self.children))
            case 'parallel':
                lanes = [_again(f.with_tries, f._restarts) for f in self.children]
                ends = [lane.time for lane in lanes]
                time = min(ends) + self.cleanups.time if self._any else max(ends)
                return Bound(time, NOTHING.plus(*lanes).path)
        return self.children[0].bound if self.is_bare else self._container_bound(contact)

    @property
    def _limit(self) -> float:
        timer = self.timer
        return self._whole_ticks(max(0.0, timer.high)) if timer else inf

    def _cut(self, inner: Bound, limit: float) -> Bound:
        """Return the bound of what ends after a limit of time."""
        return Bound(limit, min(inner.path, times(self.speed, limit)))

    def _container_bound(self, contact: bool) -> Bound:
        """Return min(T, n ΣB(children)), with what handlers of its own endings run."""
        by_guards, by_timer, _ = self._own_endings
        guarding = self._answers(by_guards | {CONTACT} if contact else by_guards)
        answer = self._dearest(guarding)
        inner = self._steps_bound.times(1 + _retries(guarding))
        # A guard may fire anew while what it has called runs.
        again = _any_restart(guarding) or answer != NOTHING
        inner = _again(inner.plus(answer), again)
        if self._limit >= inner.time:
            return inner
        timing = self._answers(by_timer)
        cut = self._cut(inner, self._limit).plus(self.cleanups, self._dearest(timing))
        cut = cut.times(1 + _retries(timing))
        return _again(cut, _any_restart(timing) or (again and bool(timing)))

    def _answers(self, endings: Iterable[PossibleEnding]) -> list[Action]:
        """Return the actions of the handlers that may answer endings of its own."""
        handled = set[int]()
        if self.handlers:
            list(self._answered(endings, AnswerBy.OWN, handled))
        return [self.handlers[index].action for index in handled]

    @cached_property
    def _steps_bound(self) -> Bound:
        """The bound of all rounds of the steps, and of what answers their endings."""
        actions = [h.action for h in self.handlers if h.cause.kind != 'fault']
        answer, tries = self._dearest(actions), 1 + _retries(actions)
        forth = [flow for flow in self.children if not flow._takes_back]
        backwards = len(self.children) - len(forth)
        each = [flow.with_tries.plus(answer).times(tries) for flow in forth]
        if backwards:
            if (backwards > 1 or self._rounds > 1.0) and (tries > 1 or answer != NOTHING):
                # What one way back drives may be taken back by the next one.
                return ENDLESS
            longest = NOTHING.or_one_of(*each)
            back = Bound(REVERSE_TIME * longest.time, longest.path).plus(answer)
            each += [back.times(tries)] * backwards
        run = [*self.children, *self._run_by(actions)]
        # A step of one element hands a restart on to the block in which it is written.
        anew = not self.calls_one and any(flow._restarts for flow in run)
        return _again(NOTHING.plus(*each).times(self._rounds), anew or _any_restart(actions))

    @cached_property
    def with_tries(self) -> Bound:
        """The bound of a child: all its tries, and what its endings run beside them."""
        ended = self._answered_for
        once = self.bound.plus(*(b for flow in ended for b in (flow.tidying, flow._after)))
        return once.times(1 + max(_retries(flow.actions) for flow in ended))

    @property
    def _after(self) -> Bound:
        return self._dearest(self.actions)

    def _dearest(self, actions: Sequence[Action]) -> Bound:
        """Return the bound of what the dearest of some of its actions runs."""
        if not self.reactions:
            return NOTHING
        runs = [[flow.with_tries for flow in self._run_by([action])] for action in actions]
        return NOTHING.or_one_of(*(NOTHING.plus(*each) for each in runs))

    @cached_property
    def cleanups(self) -> Bound:
        """The bound of each ``finally`` in it, when it is left at any moment."""
        return NOTHING.plus(*(b for step in self.steps() for b in (step.cleanups, step.tidying)))

    @cached_property
    def _back(self) -> Bound:
        """The bound of all its segments, there or back; of the last tick only a part is driven."""
        inner = NOTHING.plus(*(flow._back for flow in self.children))
        if self.kind == 'atom':
            parts = [part for part in control_parts(self) if part.duration]
            for part, (_, longest) in zip(parts, durations(self), strict=True):
                path = times(speed_of(self, part, self.context.robot), longest)
                inner = inner.plus(Bound(self._whole_ticks(longest), path))
        return inner.times(self._rounds)

    @cached_property
    def speed(self) -> float:
        """The greatest speed in it and in what its actions run, m/s."""
        robot = self.context.robot
        found = [inf] if self.kind == 'unknown' else []
        if self.kind in ('atom', 'external'):
            parts = control_parts(self) if self.kind == 'atom' else [None]
            found = [speed_of(self, part, robot) for part in parts]
        return max([*found, *(step.speed for step in self.steps())], default=0.0)

    @cached_property
    def _restarts(self) -> bool:
        """Whether it asks the container around to begin anew."""
        actions = self.actions
        run = [*self._run_by(actions), *(self.children if self.calls_one else ())]
        return _any_restart(actions) or any(flow._restarts for flow in run)

    def _whole_ticks(self, time: float) -> float:
        """Round a time up to whole ticks, as the executor does."""
        ticks = time / self.context.tick
        return self.context.tick * ceil(ticks - SHORTEST) if ticks < MOST_TICKS else time


def last_action(action: Action | None) -> str:
    """Return the kind of what is done at the end of an action; 'next' where nothing is written."""
    kind = [part.kind for part in action.parts()][-1] if action else 'next'
    return 'next' if kind == 'run' else kind


def passes(action: Action | None) -> bool:
    """Return whether the next element follows an action."""
    return last_action(action) in ('next', 'done')


def guard_name(scoped: ScopedGuard) -> str:
    """Return the name that a guard has in endings."""
    parts = spelled(scoped.guard.condition)
    return '.'.join(parts) if parts and parts[0] not in ('y', 'y0', 'bb', 't') else 'condition'


def interrupt_names(scoped: ScopedGuard) -> frozenset[str]:
    """Return the names to which an interrupt answers; one made of several has none."""
    found = meanings(scoped.guard.condition, scoped.scope.names)
    return frozenset({guard_name(scoped), *(meaning.element.name for meaning in found)})


def is_open_loop(atom: ProgramNode) -> bool:
    """Return whether an atom drives segments one after the other."""
    return isinstance(atom.source.control, Segments)


def _again(bound: Bound, repeated: bool) -> Bound:
    """Return a bound, of what may be done again and again where it is repeated."""
    return _endless(bound) if repeated else bound


def _endless(bound: Bound) -> Bound:
    return Bound(inf, inf if bound.path > 0.0 else 0.0)


def _retries(actions: Iterable[Action]) -> int:
    parts = (part for action in actions for part in action.parts())
    return max((part.count for part in parts if part.kind == 'retry'), default=0)


def _any_restart(actions: Iterable[Action]) -> bool:
    return any(part.kind == 'restart' for action in actions for part in action.parts())
