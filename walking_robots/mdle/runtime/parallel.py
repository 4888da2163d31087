"""Elements that run at the same time (mdle.md §4.13)."""

from collections.abc import Iterator

from walking_robots.mdle.language.ast import Parallel
from walking_robots.mdle.runtime.checkpoint import Lane
from walking_robots.mdle.runtime.compiled_expression import Values
from walking_robots.mdle.runtime.events import NOTHING, Cleanup, Ending, RunError
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame
from walking_robots.mdle.runtime.leaves import Leaf
from walking_robots.mdle.runtime.shape import names_of
from walking_robots.mdle.runtime.unwinding import Unwinding


class ParallelFrame(RunFrame):
    """One run of ``par``: all children are checked in the same tick, in the order written.

    A failure of one is the failure of all; of ``par any`` the first that ends decides, in the
    order written where two end in one tick. All others are preempted then.
    """

    def __init__(self, entry: EntryContext, step: Parallel) -> None:
        """Take the place in the tree; the children follow."""
        super().__init__(entry, step.place)
        self.mode = step.mode
        self._steps = step.steps
        self._lanes: list[RunFrame | None] = []
        self._live: list[RunFrame] = []
        self._ending: Ending | None = None

    def earlier(self) -> tuple[Lane, ...]:
        """Return where the children were in an earlier run.

        Raises RunError where that was another ``par``.
        """
        before = self.entry.resume
        if before is None:
            return (Lane(),) * len(self._steps)
        if not isinstance(before, tuple) or len(before) != len(self._steps):
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        return before

    def take(self, lanes: list[RunFrame | None]) -> None:
        """Take the children, made but not entered; None for those that are over."""
        self._lanes = lanes
        self._live = [lane for lane in lanes if lane]

    def where(self) -> tuple[Lane, ...] | None:
        """Return where the children are; what is decided already begins afresh."""
        if self._ending:
            return None
        live = [lane if lane in self._live else None for lane in self._lanes]
        return tuple(Lane(not lane, lane.where() if lane else None) for lane in live)

    def branches(self) -> Iterator[RunFrame]:
        """Return the children that run."""
        yield from self._live

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter all children."""
        self.alive = True
        self.core.note('enter', self.path)
        self.core.lanes += len(self._steps)
        lanes, self._live = self._live, []
        for lane in lanes:
            self._live.append(lane)
            ending = lane.start(y, now)
            if ending and self._decided(lane, _as_failure(ending)):
                break
        return self._state()

    def check(self, y: Values, now: int) -> Ending | None:
        """Check every child."""
        ended: list[tuple[RunFrame, Ending]] | None = None
        order = self.core.order
        for lane in self._live:
            if order:
                lane, ending = self._ordered(lane, y, now)
            else:
                ending = lane.check(y, now)
            if ending is not None:
                ending = _as_failure(ending)
                ended = ended or []
                ended.append((lane, ending))
                if self._decisive(ending):
                    break
        if ended is None:
            return None
        for lane, ending in ended:
            self._decided(lane, ending)
        return self._state()

    def _ordered(self, lane: RunFrame, y: Values, now: int) -> tuple[RunFrame, Ending | None]:
        """Do with a child what the operator asks after a pause: leaves fail, or begin again."""
        if not isinstance(lane, Leaf):
            return lane, lane.check(y, now)
        if self.core.order == 'fail':
            return lane, lane.fail(y, now)
        lane.leave(Ending('preempted', self.path))
        index = self._lanes.index(lane)
        step = self._steps[index]
        path = f'{self.path}.{names_of(self._steps)[index]}'
        again = self.entry.at(path, self, step).frame_or_failure(step)
        self._lanes[index] = self._live[self._live.index(lane)] = again
        return again, again.start(y, now)

    def _decisive(self, ending: Ending) -> bool:
        return self._ending is None and (self.mode == 'any' or ending.cause == 'fail')

    def _decided(self, lane: RunFrame, ending: Ending) -> bool:
        """Take in the ending of a child; returns whether it decides the whole."""
        entry = self.entry
        self._live.remove(lane)
        if lane in self._lanes:
            ending.check_outputs()
            entry.keep_outputs(ending.outputs, self._steps[self._lanes.index(lane)])
        cleanups = ending.cleanups
        decides = self._decisive(ending)
        if decides:
            self._ending = ending._replace(cleanups=())
            preempted = Ending('preempted', self.path)
            for other in self._live:
                cleanups += other.leave(preempted)
            self._live = []
        if cleanups:
            unwinding = Unwinding(entry.at(self.path, self), cleanups, ending)
            self._live.append(unwinding)
            if unwinding.start(self.core.values, self.core.now):
                self._live.remove(unwinding)
        return decides

    def _state(self) -> Ending | None:
        if self._live:
            return None
        ending = self._ending or Ending('done', self.path)
        if ending.cause not in ('fail', 'fault', 'interrupt'):
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
        for lane in self._live:
            cleanups += lane.leave(ending)
        self._exit(ending)
        return cleanups

    def _exit(self, ending: Ending) -> None:
        self.alive = False
        self.core.lanes -= len(self._steps)
        self.core.note('exit', self.path, ending)


def _as_failure(ending: Ending) -> Ending:
    """Return the timeout of a container as the failure that it is without a handler."""
    if ending.cause == 'timeout' and not ending.gentle and ending.action is None:
        return ending.failed('timeout')
    return ending
