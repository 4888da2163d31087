"""What minds contact while a robot is driven back: its front is at its rear (mdle.md §4.11)."""

from collections.abc import Iterable, Iterator

from walking_robots.mdle.execution.endings import Ending
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.guards import LiveGuard, arm
from walking_robots.mdle.execution.leaf import Leaf
from walking_robots.mdle.execution.recording import Watch
from walking_robots.mdle.language.ast import Guard, Place

__all__ = ['Backward', 'contact_guards']


def contact_guards(guards: Iterable[Guard], around: Surroundings) -> list[LiveGuard]:
    """Give the guards that watch contact alone, made ready, with front and rear exchanged."""
    core, kept = around.core, []
    for guard in guards:
        live = arm(guard, around.scope(core.now, core.values))
        if core.watches_contact(live):
            live.exchange(core.spec.front_guard, core.spec.rear_guard)
            kept.append(live)
    return kept


class Backward(Leaf):
    """A leaf that drives back; guards of elements around it mind the other side meanwhile."""

    __slots__ = ('_turned',)

    def __init__(self, around: Surroundings, place: Place) -> None:
        """Take the place in the tree."""
        super().__init__(around, place)
        self._turned: tuple[LiveGuard, ...] = ()

    def kept(self, watches: Iterable[Watch]) -> Iterator[LiveGuard]:
        """Give guards of what was driven, in the order of entry, but for those around."""
        around = {id(live.guard) for live in self._outer()}
        for watch in sorted(watches, key=lambda watch: watch.number):
            if id(watch.guard) not in around:
                yield from contact_guards([watch.guard], watch.around)

    def _enter(self) -> None:
        super()._enter()
        if not self.space.channels:
            return
        spec = self.core.spec
        sides = frozenset([spec.front_guard, spec.rear_guard])
        self._turned = tuple(live for live in self._outer() if live.reads_any(sides))
        for live in self._turned:
            live.exchange(spec.front_guard, spec.rear_guard)

    def _exit(self, ending: Ending) -> None:
        super()._exit(ending)
        for live in self._turned:
            live.straighten()

    def _outer(self) -> Iterator[LiveGuard]:
        frame: Frame | None = self.parent
        while frame:
            yield from frame.guards
            frame = frame.parent
