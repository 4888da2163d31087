"""Elements that never end, or end before they begin (E501, W502-W504, E505, W605)."""

import math
from itertools import pairwise

from walking_robots.mdle.analysis.courses import Courses, times
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.nodes import Node, calls_one
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.analysis.wording import figure
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.ast import Encapsulation, Segments

__all__ = ['check_endings']

ZENO_LIMIT = 64
"""Transitions that a tick may have: as many rounds without time are a fault at run time."""

REMEDY = 'add a timeout, or an until that reads a channel'


def check_endings(visit: Visit, facts: Facts, courses: Courses) -> None:
    """Check how one element ends where it runs."""
    node = visit.node
    if node.kind == 'atom':
        _check_atom(visit, facts)
    if node.loop:
        _check_loop(visit, facts, courses)
    if node.timer and node.timeout:
        _check_timer(visit, facts, courses)
    if node.kind in ('run', 'encapsulation'):
        _check_order(visit, facts, courses)


def _check_atom(visit: Visit, facts: Facts) -> None:
    node = visit.node
    unbounded = node.limit == math.inf and (node.timer is None or node.timer.known)
    if visit.bounded or not unbounded or isinstance(node.source.control, Segments):
        return
    _tell(visit, facts, f"'{node.name}'", visit.called, can_fail=False)


def _check_loop(visit: Visit, facts: Facts, courses: Courses) -> None:
    node, loop = visit.node, visit.node.loop
    assert loop
    long = loop.kind != 'count' or loop.count > ZENO_LIMIT
    least = sum(courses.least(child) for child in node.children)
    if long and node.children and least <= 0.0:
        hint = 'add a step that takes time, such as a wait'
        facts.ledger.add(
            visit.site, 'W503', loop.place, 'the body of this loop may take no time', hint
        )
    if loop.kind != 'forever' or visit.bounded or node.limit < math.inf:
        return
    if (visit.top and isinstance(node.source, Encapsulation)) or any(
        map(courses.endless, node.children)
    ):
        return
    fails = any(map(courses.fails, node.steps())) or bool(getattr(node.source, 'handlers', ()))
    _tell(visit, facts, 'this loop', loop.place, fails)


def _tell(visit: Visit, facts: Facts, what: str, place: Place, can_fail: bool) -> None:
    """E501 or W502: no timer ends it, and perhaps nothing else."""
    enders = visit.enders
    if enders or can_fail:
        if visit.accepts:
            return
        texts = list(dict.fromkeys(watch.text for watch in reversed(enders)))[:3]
        guards = ', '.join(texts) or 'something in it fails'
        text = f'{what} ends only if {guards}'
        hint = "add a timeout, or say 'timeout inf'"
        if visit.tidying:
            hint = "add a timeout: a 'finally' has no time but its own"
        facts.ledger.add(visit.site, 'W502', place, text, hint, once=True)
    else:
        facts.ledger.add(visit.site, 'E501', place, f'{what} can never end', REMEDY, once=True)


def _check_timer(visit: Visit, facts: Facts, courses: Courses) -> None:
    """W504 and W605: a timer that leaves no time at all, or none for what comes last."""
    node = visit.node
    assert node.timer and node.timeout
    place = node.timeout.duration.place
    # A container's timer knows, of all scales around it, only the one written on it.
    stretch = {'atom': visit.beta, 'run': node.beta.high}.get(node.kind, visit.written)
    stretch = max(0.0, stretch)
    limit = times(stretch, node.timer.high)
    if node.timer.high < 0.0:
        text = f'a timeout of {figure(node.timer.high, "s")}: it must be 0 or more'
        hint = 'write a positive number of seconds'
        facts.ledger.add(visit.site, 'E406', place, text, hint, once=True)
    elif limit < facts.tick:
        text = f'a timeout of {figure(limit, "s")}'
        text += ' skips this element' if limit <= 0.0 else f' is below a tick of {facts.tick:g} s'
        facts.ledger.add(visit.site, 'W504', place, text, 'give it more time')
    if node.kind == 'atom' or limit <= 0.0 or any(map(courses.endless, node.children[:-1])):
        return
    beta = visit.beta * (node.beta.high if node.beta.known else 0.0)
    called = stretch if calls_one(node) else 1.0
    least = [_finite(courses.least(child, beta, called)) for child in node.children]
    total = sum(least) * (node.loop.count if node.loop and node.loop.kind == 'count' else 1)
    if total > 0.0 and limit <= total:
        text = f'the timer of {figure(limit, "s")} is up before the {figure(total, "s")}'
        text += ' that the steps take at least: later children unreachable'
        facts.ledger.add(visit.site, 'W605', place, text, 'give it more time')


def _finite(value: float) -> float:
    return value if value < math.inf else 0.0


def _check_order(visit: Visit, facts: Facts, courses: Courses) -> None:
    """E505: a step behind one that never ends."""
    handled = bool(getattr(visit.node.source, 'handlers', ()))
    children: tuple[Node, ...] = visit.node.children
    for child, following in pairwise(children):
        if courses.endless(child) and not (handled and courses.fails(child)):
            text = f"unreachable step: '{child.name}' before it never ends"
            facts.ledger.add(
                visit.site,
                'E505',
                following.place,
                text,
                'end the step before with until or timeout',
                once=True,
            )
            return
