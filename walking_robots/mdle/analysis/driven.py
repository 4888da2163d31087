"""Which of the steps before it ``reverse last`` takes back (mdle.md §4.11)."""

from walking_robots.mdle.analysis.intervals import FALSE
from walking_robots.mdle.analysis.motion import stretches
from walking_robots.mdle.analysis.nodes import Node
from walking_robots.mdle.analysis.parts import expressions_in, parts_of
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.ast import Reverse, Segments

__all__ = ['driven_before', 'takes_back']

CERTAIN = 1e-6
"""Time, s, that is driven for certain: shorter segments may be passed over (mdle.md §4.6.5)."""


def takes_back(node: Node) -> bool:
    """Tell whether a node is ``reverse last``."""
    return isinstance(node.source, Reverse) and node.source.target is None


def driven_before(node: Node) -> list[Node]:
    """Give the steps of which one was the last that drove: what drives nothing is passed over.

    Those before it in its block, back to the first that certainly drives; where there is none,
    and the block comes round again, those behind it too. A ``reverse last`` behind it only repeats
    them.
    """
    place = next(i for i, step in enumerate(node.block) if step is node)
    found = []
    for step in reversed(node.block[:place]):
        found.append(step)
        if _driven(step) > CERTAIN:
            return found
    return found + [step for step in node.block[place + 1 :] if not takes_back(step)]


def _driven(node: Node) -> float:
    """Give how long, s, an element certainly drives from the tick in which it is entered."""
    if 'driven' not in node.found:
        node.found['driven'] = _find(node)
    found: float = node.found['driven']
    return found


def _find(node: Node) -> float:
    if any(watch.state != FALSE for watch in node.watches) or _may_not_begin(node):
        return 0.0
    limit = node.timer.low if node.timer else float('inf')
    if node.kind == 'atom':
        control = node.source.control
        if node.source.space == 'none' or control is None:
            return 0.0
        if isinstance(control, Segments):
            limit = min(limit, max(s.duration.low for s in stretches(node) if s.duration))
        return limit
    if node.kind == 'choice':
        return min(map(_driven, node.children))
    if node.kind in ('run', 'encapsulation'):
        # What is not the first to run may be cut off before it begins; a lane, by any other lane.
        first = (_driven(child) for child in node.children[:1])
        return min(limit, next(first, 0.0)) * max(0.0, min(1.0, node.beta.low))
    return 0.0


def _may_not_begin(node: Node) -> bool:
    """Tell whether an element may be left out, or fail, before it drives."""
    if getattr(node.source, 'requires', ()):
        return True
    if node.loop and (node.loop.kind == 'while' or node.loop.count == 0):
        return True
    # What is unset where it is read makes the element fail (mdle.md §4.12).
    return node.kind in ('run', 'choice') and _reads_board(node)


def _reads_board(node: Node) -> bool:
    step = node.source
    read = [getattr(step, name, None) for name in ('call', 'scale', 'condition')]
    parts = (part for outermost in expressions_in(tuple(read)) for part in parts_of(outermost))
    return any(spelled(part)[:1] == ('bb',) for part in parts)
