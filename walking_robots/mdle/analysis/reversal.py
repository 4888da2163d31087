"""Ways back that cannot be driven (E701-E704)."""

from typing import NamedTuple

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.motion import space_of
from walking_robots.mdle.analysis.nodes import Node
from walking_robots.mdle.analysis.spaces import check_scale, leaves
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.execution.way_back import MOST_ELEMENTS, MOST_PARTS
from walking_robots.mdle.language.ast import Encapsulation, Place, Reverse, Segments

__all__ = ['check_reversal']

LAST = "drive it, then write 'reverse last'"

WAYS = {'choice': 'a choice', 'parallel': 'steps at the same time', 'reverse': 'a way back'}
"""Kinds of steps of which it is known only afterwards how they were driven."""


def check_reversal(visit: Visit, facts: Facts) -> None:
    """Check one ``reverse``."""
    node = visit.node
    if node.kind != 'reverse':
        return
    step: Reverse = node.source
    place = step.target.place if step.target else step.place
    if not node.children:
        text = "'reverse last' with nothing recorded before it in this block"
        facts.ledger.add(visit.site, 'E702', place, text, 'put the step to take back before it')
        return
    last = step.target is None
    for leaf in leaves(node.children[0]):
        _check_leaf(leaf, last, place, visit, facts)
    if not last:
        _check_ways(node.children[0], place, visit, facts)
        _check_size(node.children[0], place, visit, facts)
        _check_scales(node.children[0], place, visit, facts)


def _check_leaf(leaf: Node, last: bool, place: Place, visit: Visit, facts: Facts) -> None:
    """E701, E704: an atom that cannot be driven backwards."""
    if leaf.kind == 'external':
        if not leaf.source.reversible:
            text = f"'{leaf.name}' is an action outside the program that has no inverse"
            facts.ledger.add(visit.site, 'E704', place, text, 'take it out of what is reversed')
        elif not last:
            _refuse(leaf, 'is no list of segments', LAST, place, visit, facts)
        return
    atom, robot = leaf.source, facts.robot
    space = space_of(atom.space, robot) if robot else None
    if atom.irreversible:
        _refuse(leaf, 'is irreversible', 'drive the way back by steps', place, visit, facts)
    elif space and space.channels and not (space.symmetric and space.driftless):
        why = f'is on {space.name}, which cannot be negated'
        _refuse(leaf, why, 'drive the way back by steps', place, visit, facts)
    elif not last and atom.control is not None and not isinstance(atom.control, Segments):
        _refuse(leaf, 'is feedback', LAST, place, visit, facts)


def _refuse(leaf: Node, why: str, hint: str, place: Place, visit: Visit, facts: Facts) -> None:
    text = f"cannot reverse '{leaf.name}', which {why}"
    facts.ledger.add(visit.site, 'E701', place, text, hint)


def _check_ways(root: Node, place: Place, visit: Visit, facts: Facts) -> None:
    """E701, E703: what is done is known only when it was done."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        waiting += node.children
        if isinstance(node.source, Encapsulation) and node.source.handlers:
            text = f"'{node.name}' has handlers, which cannot be reversed"
            facts.ledger.add(visit.site, 'E703', place, text, LAST)
        loop = node.loop
        what = WAYS.get(node.kind, '')
        if loop and loop.kind != 'count':
            what = 'a loop without a count'
        if what:
            text = f'cannot reverse {what}'
            facts.ledger.add(visit.site, 'E701', place, text, LAST)


def _check_scales(root: Node, place: Place, visit: Visit, facts: Facts) -> None:
    """E401, E705: scales within, which no step but this one may run."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        waiting += node.children
        if node.kind == 'run' and node.source and node.source.scale:
            site = visit.site.below('', None if node.own else place)
            check_scale(visit._replace(node=node, site=site), facts)


class Size(NamedTuple):
    """What a way back would be: segments driven, and elements and guards looked at for it."""

    parts: int
    elements: int


def _check_size(root: Node, place: Place, visit: Visit, facts: Facts) -> None:
    """E703: a way back that is too long to be made within a tick."""
    size = _size(root, {})
    what = ''
    if size.parts > MOST_PARTS:
        what = f'{MOST_PARTS} segments'
    elif size.elements > MOST_ELEMENTS:
        what = f'{MOST_ELEMENTS} elements and guards'
    if what:
        text = f"the way back of '{root.name}' has more than {what}"
        facts.ledger.add(visit.site, 'E703', place, text, LAST)


def _size(node: Node, known: dict[int, Size]) -> Size:
    """Count as the executor does: repetitions repeat segments, but are looked at once."""
    if id(node) in known:
        return known[id(node)]
    called = node.kind in ('atom', 'external', 'encapsulation')
    within = [_size(child, known) for child in node.children]
    control = getattr(node.source, 'control', None)
    parts = len(control.segments) if isinstance(control, Segments) else 0
    parts += sum(size.parts for size in within)
    if node.loop and node.loop.kind == 'count':
        parts *= node.loop.count
    elements = 1 + len(node.watches) if called else 0
    known[id(node)] = Size(parts, elements + sum(size.elements for size in within))
    return known[id(node)]
