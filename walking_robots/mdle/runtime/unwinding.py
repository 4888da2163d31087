"""What runs after elements have ended: their ``finally``, innermost first (mdle.md §4.6.3)."""

from dataclasses import replace

from walking_robots.mdle.knowledge.names import called_name
from walking_robots.mdle.language.ast import NOWHERE, Expression, Loop, Place, Run
from walking_robots.mdle.runtime.compiled_expression import Values
from walking_robots.mdle.runtime.events import Cleanup, Ending, RunError
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame


def alone(call: Expression, place: Place = NOWHERE) -> Run:
    """Return a step that runs an element in a container of its own, which answers its actions."""
    return Run(call, times=Loop('count', 1), place=place)


class Unwinding(RunFrame):
    """Runs cleanups one after the other; one that fails leaves a warning, and the next one runs.

    The guard that was the cause is held back meanwhile; all other guards around stay live.
    """

    def __init__(
        self, entry: EntryContext, cleanups: tuple[Cleanup, ...], cause: Ending | None
    ) -> None:
        """Take what is to run, and the cause, whose guard is to be held back."""
        super().__init__(entry)
        self._left = list(cleanups)
        self._cause = cause
        self._called = ''

    def start(self, y: Values, now: int) -> Ending | None:
        """Begin with the first."""
        self.alive = True
        if self._cause and self.parent:
            self._mask(self.parent, self._cause)
        return self._next(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Go on with the next where one has ended."""
        assert self.child
        ending = self.child.check(y, now)
        if ending is None:
            return None
        self._take_in(ending)
        return self._next(y, now)

    def _take_in(self, ending: Ending) -> None:
        """Warn of a cleanup that went wrong, and keep what it leaves."""
        core = self.core
        if ending.cause not in ('done', 'interrupt') and not ending.gentle:
            why = ending.text or ending.cause
            core.note('warning', ending.path, ending, f"'{self._called}' went wrong: {why}")
        if not core.withheld:
            ending.check_outputs()
        self._left[:0] = ending.cleanups
        core.board.update(ending.outputs)

    def _next(self, y: Values, now: int) -> Ending | None:
        while self._left:
            if self.core.withheld:
                # There are only so many; none that takes no time is to keep others from running.
                self.core.transitions = 0
            else:
                self.core.transition(self.path)
            ending = self._begin(self._left.pop(0), y, now)
            if ending is None:
                return None
            self._take_in(ending)
        self.child = None
        self._exit()
        return Ending('done', self.path)

    def _begin(self, cleanup: Cleanup, y: Values, now: int) -> Ending | None:
        self.child = None
        self._called = called_name(cleanup.call)
        entry = replace(
            self.entry, names=cleanup.names, variables=cleanup.variables, alpha=None, beta=1.0
        ).at(cleanup.path, self, cleanup.call)
        try:
            self.child = self.core.make(alone(cleanup.call), entry, None)
            return self.child.start(y, now)
        except RunError as error:
            # In a program that goes on it is a fault; where all is over, the next has its turn.
            if not self.core.withheld:
                raise
            ending = Ending('fault', error.path or entry.path, text=error.text)
            cleanups = self.child.leave(ending) if self.child else ()
            return ending._replace(cleanups=cleanups)

    def skip(self, text: str) -> None:
        """Leave the cleanup that runs, and go on with the next."""
        child = self.child
        if not (self.alive and child):
            return
        ending = Ending('preempted', child.path, text=text)
        self.core.note('warning', child.path, ending, f"'{self._called}' is left out: {text}")
        self._left[:0] = child.leave(ending)
        self._next(self.core.values, self.core.now)

    def _exit(self) -> None:
        self.alive = False
        self._unmask()

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside; what did not come to its turn is handed on."""
        if not self.alive:
            return ()
        self._exit()
        inner = self.child.leave(ending) if self.child else ()
        return inner + tuple(self._left)
