"""Which of the steps before it ``reverse last`` takes back (mdle.md §4.11)."""

from walking_robots.mdle.checking.intervals import FALSE
from walking_robots.mdle.checking.motion import stretches
from walking_robots.mdle.checking.nodes import Node
from walking_robots.mdle.language.program import Segments

__all__ = ['driven_before']


def driven_before(node: Node) -> list[Node]:
    """Give the steps of which one was the last that drove: what drives nothing is passed over.

    Those before it in its block, back to the first that certainly drives; where there is none,
    and the block comes round again, those behind it too. A way back behind it only repeats them.
    """
    place = next(i for i, step in enumerate(node.block) if step is node)
    found = []
    for step in reversed(node.block[:place]):
        found.append(step)
        if _drives(step):
            return found
    return found + [step for step in node.block[place + 1 :] if step.kind != 'reverse']


def _drives(node: Node) -> bool:
    """Tell whether an element certainly gives a control for a while."""
    if 'drives' not in node.found:
        node.found['drives'] = _find(node)
    found: bool = node.found['drives']
    return found


def _find(node: Node) -> bool:
    if any(watch.state != FALSE for watch in node.watches):
        return False
    if node.timer and not node.timer.low > 0.0:
        return False
    if node.kind == 'atom':
        control = node.source.control
        segments = isinstance(control, Segments)
        lasting = any(s.duration and s.duration.low > 0.0 for s in stretches(node))
        return node.source.space != 'none' and control is not None and (lasting or not segments)
    if node.loop and node.loop.kind == 'while':
        return False
    if node.kind == 'choice':
        return all(map(_drives, node.children))
    if node.kind in ('run', 'encapsulation', 'parallel'):
        return node.beta.low > 0.0 and any(map(_drives, node.children))
    return False
