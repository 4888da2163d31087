"""Handlers of causes that cannot occur, and second handlers of one cause (E608)."""

from collections.abc import Iterator

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.motion import moves
from walking_robots.mdle.analysis.nodes import Node, Watch
from walking_robots.mdle.analysis.spaces import leaves
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.knowledge.names import meanings, spelled
from walking_robots.mdle.language.ast import Action, Cause, Encapsulation, Handler

__all__ = ['Causes', 'check_handlers', 'failures_of', 'names_in', 'watch_name']

ANY = Cause('fail', '')


class Causes:
    """What can end the elements of a tree, other than that they are done."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._known: dict[int, frozenset[Cause]] = {}

    def of(self, node: Node) -> frozenset[Cause]:
        """Give all causes that can come out of an element; ``ANY`` where texts are not known."""
        if id(node) not in self._known:
            self._known[id(node)] = frozenset([ANY])
            found = set(_own_causes(node))
            for step in node.steps():
                found |= self.of(step)
            self._known[id(node)] = frozenset(found)
        return self._known[id(node)]


def _own_causes(node: Node) -> Iterator[Cause]:
    if node.kind in ('external', 'unknown'):
        yield ANY
    if getattr(node.source, 'needs', ()):
        yield ANY
    if getattr(node.source, 'requires', ()):
        yield Cause('fail', 'requirement not met')
    for watch in node.watches:
        for name in names_in(watch):
            yield Cause('interrupt', name)
        yield from failures_of(watch.guard.action, watch_name(watch))
    if node.timeout:
        yield Cause('timeout')
        yield Cause('fail', 'timeout')
        yield from failures_of(node.timeout.action, '')
    for handler in getattr(node.source, 'handlers', ()):
        cause = handler.cause
        yield from failures_of(handler.action, cause.name or cause.kind)


def watch_name(watch: Watch) -> str:
    """Give the name that a guard has in endings."""
    return '.'.join(spelled(watch.guard.condition))


def names_in(watch: Watch) -> Iterator[str]:
    """Give the names of the interrupts that a guard is; one made of several has none."""
    yield from (found.element.name for found in meanings(watch.guard.condition, watch.scope.names))
    yield watch_name(watch)


def failures_of(action: Action | None, name: str) -> Iterator[Cause]:
    """Give the failures that an action makes; one without a text takes the guard's name."""
    for part in action.parts() if action else ():
        if part.kind == 'fail':
            yield Cause('fail', part.text or name) if part.text or name else ANY
        elif part.kind in ('retry', 'restart'):
            yield ANY


def check_handlers(visit: Visit, facts: Facts, causes: Causes) -> None:
    """Check the handlers of one behavior or plan."""
    element = visit.node.source
    if visit.node.kind != 'encapsulation' or not isinstance(element, Encapsulation):
        return
    seen: set[Cause] = set()
    possible = set(causes.of(visit.node))
    for watch in (*visit.outers, *visit.node.watches):
        if watch.default:
            possible.add(Cause('fail' if watch.stands_back else 'interrupt', 'contact'))
    for handler in element.handlers:
        cause = handler.cause
        if cause.kind == 'fault':
            _check_fault(handler, visit, facts)
        if cause.kind == 'fail' and cause not in seen and ANY in seen:
            text = f'{_worded(cause)} is taken by the handler of any failure before'
            hint = 'write the handler of this text before the general one'
            facts.ledger.add(visit.site, 'E608', handler.place, text, hint, once=True)
        elif cause in seen:
            text = f'two handlers for {_worded(cause)}'
            hint = 'the first is taken: remove the second'
            facts.ledger.add(visit.site, 'E608', handler.place, text, hint, once=True)
        elif not _occurs(cause, possible) and not _undefined(cause, visit, facts):
            text = f'{_worded(cause)} cannot occur here'
            hint = 'remove the handler, or give something in it this cause'
            facts.ledger.add(visit.site, 'E608', handler.place, text, hint, once=True)
        seen.add(cause)


def _check_fault(handler: Handler, visit: Visit, facts: Facts) -> None:
    """E608: what answers a fault may drive nothing (mdle.md §4.14)."""
    for aside in visit.node.asides:
        moving = [leaf for leaf in leaves(aside.node) if leaf.source.space != 'none']
        if aside.action is not handler.action or all(_stands(leaf) for leaf in moving):
            continue
        text = f"a handler of 'fault' cannot run '{aside.node.name}', which drives"
        hint = "run what is on none, or 'stop': after a fault nothing may drive"
        facts.ledger.add(visit.site, 'E608', handler.place, text, hint, once=True)


def _stands(leaf: Node) -> bool:
    return leaf.kind == 'atom' and not moves(leaf)


def _undefined(cause: Cause, visit: Visit, facts: Facts) -> bool:
    """E201: an interrupt that is declared nowhere."""
    if cause.kind != 'interrupt' or visit.node.scope.names.find(cause.name):
        return False
    for handler in visit.node.source.handlers:
        if handler.cause == cause:
            text = f"'{cause.name}' is not defined"
            facts.ledger.add(visit.site, 'E201', handler.place, text, 'declare the interrupt')
    return True


def _occurs(cause: Cause, possible: set[Cause]) -> bool:
    if cause.kind == 'fault' or cause in possible:
        return True
    if cause.kind == 'fail':
        return ANY in possible or (not cause.name and any(c.kind == 'fail' for c in possible))
    return False


def _worded(cause: Cause) -> str:
    if not cause.name:
        return cause.kind
    return (
        f'{cause.kind}("{cause.name}")' if cause.kind == 'fail' else f'{cause.kind}({cause.name})'
    )
