"""Elements that run at the same time (mdle.md §4.13)."""

from collections.abc import Iterator

from walking_robots.mdle.execution.endings import NOTHING, Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.leaf import Leaf
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.outputs import keep, make_sure
from walking_robots.mdle.execution.positions import Lane, Lanes
from walking_robots.mdle.execution.requests import Policy
from walking_robots.mdle.execution.shape import names_of
from walking_robots.mdle.execution.unready import made
from walking_robots.mdle.execution.unwinding import Unwinding
from walking_robots.mdle.language.ast import Parallel

__all__ = ['ParallelFrame']


class ParallelFrame(Frame):
    """One run of ``par``: all children look in the same tick, in the order written.

    A failure of one is the failure of all; of ``par any`` the first that ends decides, in the
    order written where two end in one tick. Whoever has to end then is preempted.
    """

    __slots__ = ('_ending', '_lanes', '_live', '_steps', '_width', 'mode')

    def __init__(self, around: Surroundings, step: Parallel) -> None:
        """Take the place in the tree; the children follow."""
        super().__init__(around, step.place)
        self.mode = step.mode
        self._steps = step.steps
        self._lanes: list[Frame | None] = []
        self._live: list[Frame] = []
        self._width = len(step.steps)
        self._ending: Ending | None = None

    def earlier(self) -> tuple[Lane, ...]:
        """Give where the children were in an earlier run.

        Raises RunError where that was another ``par``.
        """
        before = self.around.resume
        if before is None:
            return (Lane(over=False),) * self._width
        if not isinstance(before, Lanes) or len(before.lanes) != self._width:
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        return before.lanes

    def take(self, lanes: list[Frame | None]) -> None:
        """Take the children, made but not entered; None for those that are over."""
        self._lanes = lanes
        self._live = [lane for lane in lanes if lane]

    def where(self) -> Lanes | None:
        """Tell where the children are; what is decided already begins afresh."""
        if self._ending:
            return None
        return Lanes(
            tuple(
                Lane(over=False, within=lane.where())
                if lane is not None and lane in self._live
                else Lane(over=True)
                for lane in self._lanes
            )
        )

    def branches(self) -> Iterator[Frame]:
        """Give the children that run."""
        yield from self._live

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter all children."""
        self.alive = True
        self.core.note('enter', self.path)
        self.core.lanes += self._width
        lanes, self._live = self._live, []
        for lane in lanes:
            self._live.append(lane)
            ending = lane.start(y, now)
            if ending:
                self._live.remove(lane)
                if self._decided(lane, _as_failure(ending)):
                    break
        return self._state()

    def check(self, y: Values, now: int) -> Ending | None:
        """Let every child look."""
        ended: list[tuple[Frame, Ending]] | None = None
        for lane in self._live:
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
            self._live.remove(lane)
            self._decided(lane, ending)
        return self._state()

    def follow(self, policy: Policy, y: Values, now: int) -> Ending | None:
        """Let the innermost elements of every child follow the operator."""
        for lane in tuple(self._live):
            if lane not in self._live:
                # One before it has decided the whole.
                break
            if policy == 'restart_atom' and isinstance(lane, Leaf):
                lane.leave(Ending('preempted', self.path))
                lane = self._anew(lane)
                ending = lane.start(y, now)
            else:
                ending = lane.follow(policy, y, now)
            if ending:
                self._live.remove(lane)
                self._decided(lane, _as_failure(ending))
        return self._state()

    def _anew(self, lane: Frame) -> Frame:
        """Give another run of a child that is no container."""
        index = self._lanes.index(lane)
        step = self._steps[index]
        path = f'{self.path}.{names_of(self._steps)[index]}'
        again = made(step, self.around.at(path, self, step), None)
        self._lanes[index] = self._live[self._live.index(lane)] = again
        return again

    def _decisive(self, ending: Ending) -> bool:
        return self._ending is None and (self.mode == 'any' or ending.cause == 'fail')

    def _decided(self, lane: Frame, ending: Ending) -> bool:
        """Take in the ending of a child; tells whether it decides the whole."""
        around = self.around
        if lane in self._lanes:
            make_sure(ending)
            keep(ending.outputs, self._steps[self._lanes.index(lane)], around)
        cleanups = ending.cleanups
        decides = self._decisive(ending)
        if decides:
            self._ending = ending._replace(cleanups=())
            preempted = Ending('preempted', self.path)
            for lane in self._live:
                cleanups += lane.leave(preempted)
            self._live = []
        if cleanups:
            unwinding = Unwinding(around.at(self.path, self), cleanups, ending)
            self._live.append(unwinding)
            unwound = unwinding.start(self.core.values, self.core.now)
            if unwound:
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
        self.core.lanes -= self._width
        self.core.note('exit', self.path, ending)


def _as_failure(ending: Ending) -> Ending:
    """Give the timeout of a container as the failure that it is without a handler."""
    if ending.cause == 'timeout' and not ending.gentle and ending.action is None:
        return ending.failed('timeout')
    return ending
