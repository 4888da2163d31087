"""Elements that run at the same time (mdle.md §4.13)."""

from collections.abc import Iterator

from walking_robots.mdle.knowledge.names import names_of
from walking_robots.mdle.language.ast import Encapsulation, Parallel
from walking_robots.mdle.runtime.checkpoint import Lane
from walking_robots.mdle.runtime.compiled_expression import Values
from walking_robots.mdle.runtime.events import NOTHING, Cleanup, Ending, RunError
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame
from walking_robots.mdle.runtime.sequence import Sequence
from walking_robots.mdle.runtime.unwinding import Unwinding


class ParallelFrame(RunFrame):
    """One run of ``par``: all children are checked in the same tick, in the order written.

    A failure of one is the failure of all; of ``par any`` the first that ends decides, in the
    order written where two end in one tick. All others are preempted then.
    """

    def __init__(self, entry: EntryContext, step: Parallel) -> None:
        """Make a lane for each child that was not over in an earlier run.

        Raises RunError where that was another ``par``.
        """
        super().__init__(entry, step.place)
        self._mode, self._steps = step.mode, step.steps
        self._ending: Ending | None = None
        before = (Lane(),) * len(step.steps) if entry.resume is None else entry.resume
        if not isinstance(before, tuple) or len(before) != len(step.steps):
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        self._lanes: list[Sequence] = []
        for name, child, earlier in zip(names_of(step.steps), step.steps, before, strict=True):
            inner = entry.at(f'{entry.path}.{name}', self, child, earlier.within)
            container = Encapsulation('behavior', '', (child,), place=child.place)
            self._lanes.append(Sequence(inner, container, 'lane'))
        lanes = zip(self._lanes, before, strict=True)
        self._live = [lane for lane, earlier in lanes if not earlier.over]

    def where(self) -> tuple[Lane, ...] | None:
        """Return where the children are; what is decided already begins afresh."""
        if self._ending:
            return None
        live = [lane if lane in self._live else None for lane in self._lanes]
        return tuple(Lane(not lane, lane.where() if lane else None) for lane in live)

    def branches(self) -> Iterator[RunFrame]:
        """Return the children that run, or what runs after them."""
        yield from self._live
        yield from super().branches()

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter all children."""
        self.alive = True
        self.core.note('enter', self.path)
        self.core.lanes += len(self._steps)
        for lane in tuple(self._live):
            ending = lane.start(y, now)
            if ending and self._take(lane, ending):
                break
        return self._state()

    def check(self, y: Values, now: int) -> Ending | None:
        """Check every child."""
        if self.child:
            if self.child.check(y, now):
                self.child = None
            return self._state()
        ended: list[tuple[Sequence, Ending]] | None = None
        order = self.core.order
        for lane in self._live:
            # A lane has neither guards nor a timer: what runs in it is checked at once.
            child = None if order else lane.child
            ending = child.check(y, now) if child else lane.check(y, now)
            if ending is not None and child:
                ending = lane.take(ending, y, now)
            if ending is not None:
                ended = ended or []
                ended.append((lane, ending))
                if self._decides(ending):
                    break
        if ended is None:
            return None
        for lane, ending in ended:
            self._take(lane, ending)
        return self._state()

    def _decides(self, ending: Ending) -> bool:
        return self._mode == 'any' or ending.cause == 'fail'

    def _take(self, lane: Sequence, ending: Ending) -> bool:
        """Take in the ending of a child; returns whether it decides the whole."""
        entry = self.entry
        self._live.remove(lane)
        ending.check_outputs()
        entry.keep_outputs(ending.outputs, self._steps[self._lanes.index(lane)])
        if not self._decides(ending):
            return False
        self._ending = ending
        cleanups: tuple[Cleanup, ...] = ()
        for other in self._live:
            cleanups += other.leave(Ending('preempted', self.path))
        self._live = []
        if cleanups:
            self.child = Unwinding(entry.at(self.path, self), cleanups, ending)
            if self.child.start(self.core.values, self.core.now):
                self.child = None
        return True

    def _state(self) -> Ending | None:
        if self._live or self.child:
            return None
        ending = self._ending
        if ending is None or ending.cause not in ('fail', 'fault', 'interrupt'):
            ending = Ending('done', self.path)
        # What a child does about its cause is done; the parent hears of the cause alone.
        ending = ending._replace(action=None, outputs=NOTHING)
        self._exit(ending)
        return ending

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End all from outside."""
        if not self.alive:
            return ()
        cleanups: tuple[Cleanup, ...] = ()
        for frame in self.branches():
            cleanups += frame.leave(ending)
        self._exit(ending)
        return cleanups

    def _exit(self, ending: Ending) -> None:
        self.alive = False
        self.core.lanes -= len(self._steps)
        self.core.note('exit', self.path, ending)
