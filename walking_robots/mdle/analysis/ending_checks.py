"""Elements that never end or end too soon, and handlers of causes that cannot occur.

E501, W502-W504, E505, W605, E608, and E406 of timers.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import inf

from walking_robots.mdle.analysis.check_context import figure
from walking_robots.mdle.analysis.motion import moves
from walking_robots.mdle.analysis.program_node import ProgramNode, leaves
from walking_robots.mdle.analysis.values import number
from walking_robots.mdle.analysis.visits import Finding, Visit, visit_check
from walking_robots.mdle.language.ast import Cause, Encapsulation, Handler, Place, Segments

ZENO_LIMIT = 64
"""Transitions that a tick may have: as many rounds without time are a fault at run time."""


def _unbounded(visit: Visit) -> tuple[str, Place, bool] | None:
    """Return what no timer ends: what it is, its place, and whether a failure may end it."""
    node, loop = visit.node, visit.node.loop
    if visit.bounded or (node.timer and node.timer.high < inf):
        return None
    if node.kind == 'atom':
        open_ended = not isinstance(node.source.control, Segments)
        known = node.timer is None or node.timer.known
        return (f"'{node.name}'", visit.called, False) if open_ended and known else None
    if not loop or loop.kind != 'forever':
        return None
    entry = visit.top and isinstance(node.source, Encapsulation)
    if entry or any(child.endless for child in node.children):
        return None
    # What is written in Python may do more than fail.
    foreign = any(leaf.kind == 'external' for leaf in leaves(node))
    return 'this loop', loop.place, node.may_fail or foreign


@visit_check('E501', 'atom', 'looped')
def check_never_ends(visit: Visit) -> Iterator[Finding]:
    """Yield what has no timer, and no guard that reads a changing channel."""
    found = _unbounded(visit)
    if found and not (visit.enders or found[2]):
        hint = 'add a timeout, or an until that reads a channel'
        yield Finding(found[1], f'{found[0]} can never end', hint)


@visit_check('W502', 'atom', 'looped')
def check_unbounded(visit: Visit) -> Iterator[Finding]:
    """Yield what has no timer and ends only by a guard or a failure."""
    found = _unbounded(visit)
    if found and (visit.enders or found[2]) and not visit.accepts:
        texts = list(dict.fromkeys(scoped.text for scoped in reversed(visit.enders)))[:3]
        guards = ', '.join(texts) or 'something in it fails'
        hint = "add a timeout, or say 'timeout inf'"
        if visit.tidying:
            hint = "add a timeout: a 'finally' has no time but its own"
        yield Finding(found[1], f'{found[0]} ends only if {guards}', hint)


@visit_check('W503', 'looped')
def check_loop_takes_time(visit: Visit) -> Iterator[Finding]:
    """Yield long loops whose body may take no time."""
    node, loop = visit.node, visit.node.loop
    if not loop or (loop.kind == 'count' and loop.count <= ZENO_LIMIT) or not node.children:
        return
    if sum(child.least for child in node.children) <= 0.0:
        hint = 'add a step that takes time, such as a wait'
        yield Finding(loop.place, 'the body of this loop may take no time', hint)


@visit_check('E406', 'timed')
def check_timer_sign(visit: Visit) -> Iterator[Finding]:
    """Yield timers of less than no time."""
    if visit.node.timeout:
        duration = visit.node.timeout.duration
        high = number(duration, visit.node.scope).high
        if high < 0.0:
            text = f'a timeout of {figure(high, "s")}: it must be 0 or more'
            yield Finding(duration.place, text, 'write a positive number of seconds')


@visit_check('W504', 'timed')
def check_timer_ticks(visit: Visit) -> Iterator[Finding]:
    """Yield timers of less than a tick."""
    node, tick = visit.node, visit.context.tick
    if node.timeout and node.timer and node.timer.high < tick:
        duration, limit = node.timeout.duration, node.timer.high
        if number(duration, node.scope).high >= 0.0:
            text = f'a timeout of {figure(limit, "s")}'
            text += ' skips this element' if limit <= 0.0 else f' is below a tick of {tick:g} s'
            yield Finding(duration.place, text, 'give it more time')


@visit_check('W605', 'timed')
def check_timer_leaves_time(visit: Visit) -> Iterator[Finding]:
    """Yield timers that are up before the steps can have ended."""
    node = visit.node
    if not (node.timeout and node.timer) or node.timer.high <= 0.0:
        return
    if any(child.endless for child in node.children[:-1]):
        return
    total = sum(child.least for child in node.children if child.least < inf)
    total *= node.loop.count if node.loop and node.loop.kind == 'count' else 1
    if 0.0 < total >= node.timer.high:
        text = f'the timer of {figure(node.timer.high, "s")} is up before the {figure(total, "s")}'
        text += ' that the steps take at least: later children unreachable'
        if len(node.children) == 1 and not node.loop:
            text = f'the timer of {figure(node.timer.high, "s")} always cuts off '
            text += f"'{node.children[0].name}', which takes {figure(total, 's')} at least"
        yield Finding(node.timeout.duration.place, text, 'give it more time')


@visit_check('E505', 'encapsulation', 'run')
def check_reachable(visit: Visit) -> Iterator[Finding]:
    """Yield the first step behind one that never ends."""
    handled = bool(visit.node.handlers)
    for child, following in pairwise(visit.node.children):
        if child.endless and not (handled and child.may_fail):
            text = f"unreachable step: '{child.name}' before it never ends"
            hint = 'end the step before with until or timeout'
            yield Finding(following.place, text, hint)
            return


@visit_check('E205', 'unknown')
def check_module_recursion(visit: Visit) -> Iterator[Finding]:
    """Yield elements of modules that call themselves."""
    node = visit.node
    if node.source and not node.own:
        text = f"'{node.source.name}' calls itself; use loop"
        yield Finding(node.place, text, 'an element cannot run itself')


@visit_check('E608', 'encapsulation')
def check_handlers(visit: Visit) -> Iterator[Finding]:
    """Yield handlers of causes that cannot occur, and second handlers of one cause."""
    handled, handlers = _handled(visit), visit.node.handlers
    seen: list[Cause] = []
    for index, handler in enumerate(handlers):
        cause = handler.cause
        text, hint = '', 'remove the handler, or give something in it this cause'
        if cause in seen:
            text = f'two handlers for {_worded(cause)}'
            hint = 'the first is taken: remove the second'
        elif cause.kind == 'fail' and Cause('fail') in seen:
            text = f'{_worded(cause)} is taken by the handler of any failure before'
            hint = 'write the handler of this text before the general one'
        elif cause.kind != 'fault' and index not in handled and _is_defined(cause, visit):
            text = f'{_worded(cause)} cannot occur here'
        if text:
            yield Finding(handler.place, text, hint)
        if cause.kind == 'fault':
            yield from _driving(handler, visit)
        seen.append(cause)


@visit_check('E201', 'encapsulation')
def check_handled_interrupts(visit: Visit) -> Iterator[Finding]:
    """Yield handlers of interrupts that are declared nowhere."""
    handled = _handled(visit)
    for index, handler in enumerate(visit.node.handlers):
        if index not in handled and not _is_defined(handler.cause, visit):
            text = f"'{handler.cause.name}' is not defined"
            yield Finding(handler.place, text, 'declare the interrupt')


def _handled(visit: Visit) -> set[int]:
    if not visit.node.handlers:
        return set()
    return visit.node.handled(visit.top and any(scoped.default for scoped in visit.outers))


def _is_defined(cause: Cause, visit: Visit) -> bool:
    if cause.kind != 'interrupt':
        return True
    return visit.node.scope.names.find(*cause.name.split('.')) is not None


def _driving(handler: Handler, visit: Visit) -> Iterator[Finding]:
    """Yield what answers a fault and drives (mdle.md §4.14)."""
    for reaction in visit.node.reactions:
        if reaction.action is handler.action and not all(map(_stands, leaves(reaction.node))):
            text = f"a handler of 'fault' cannot run '{reaction.node.name}', which drives"
            hint = "run what is on none, or 'stop': after a fault nothing may drive"
            yield Finding(handler.place, text, hint)


def _stands(leaf: ProgramNode) -> bool:
    return leaf.source.space == 'none' or (leaf.kind == 'atom' and not moves(leaf))


def _worded(cause: Cause) -> str:
    if not cause.name:
        return cause.kind
    name = f'"{cause.name}"' if cause.kind == 'fail' else cause.name
    return f'{cause.kind}({name})'
