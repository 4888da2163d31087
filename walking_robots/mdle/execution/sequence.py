"""Containers that run: one element after the other, with guards, a timer, loops and handlers.

Every ending of a child is answered here, and only here: by what is written beside its cause, by a
handler of the container, or by the rule of the language (mdle.md §4.14).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from walking_robots.mdle.consequences import (
    Answer,
    Consequence,
    consequence,
    exhausted,
    failure_name,
    handles,
    is_handled,
)
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError, UnsetError
from walking_robots.mdle.execution.frame import NEVER, Frame, Surroundings, mask_guards
from walking_robots.mdle.execution.guards import LiveGuard, Mask
from walking_robots.mdle.execution.leaf import Leaf
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.outputs import make_sure
from walking_robots.mdle.execution.positions import Position
from walking_robots.mdle.execution.requests import Policy
from walking_robots.mdle.execution.shape import ONCE, Shape, called_name
from walking_robots.mdle.execution.steps import TRANSPARENT, Steps
from walking_robots.mdle.execution.unready import made
from walking_robots.mdle.execution.unwinding import Unwinding
from walking_robots.mdle.language.ast import Action, Handler, Run

__all__ = ['Sequence']


Act = Callable[[Values, int], Ending | None]


class Handling(NamedTuple):
    """An element runs because of a cause; then ``after`` is done about it.

    answer: where the action stands; masked: guards that are held back meanwhile; told: how the
    element ended, while its own ``finally`` runs.
    """

    after: Action | None
    ending: Ending
    answer: Answer
    masked: tuple[tuple[LiveGuard, Mask], ...]
    told: Ending | None = None


class Pending(NamedTuple):
    """An ending, the container's own or not, that is answered when cleanups have run."""

    ending: Ending
    own: bool


class Sequence(Steps):
    """One run of a container."""

    __slots__ = ('_handling', '_injected', '_pending', '_renewed')

    def __init__(self, around: Surroundings, shape: Shape) -> None:
        """Take what the container is; ``around`` is that of its children, but for path."""
        super().__init__(around, shape)
        self._handling: Handling | None = None
        self._injected: Ending | None = None
        self._pending: Pending | None = None
        self._renewed = False

    def where(self) -> Position:
        """Tell where it is; what runs because of a cause begins afresh."""
        now, around = self.core.now, self.around
        follows = self._child and not (self._handling or self._pending)
        return Position(
            self.shape.kind,
            self._index,
            self._iteration,
            dict(around.variables),
            self._child.where() if self._child and follows else None,
            around.alpha,
            around.beta,
            now - self.entered,
            self._left(now),
            self._retries.get(self._index, 0),
            self._own_retries,
            self._last is not None,
            self._begun.until(self.core.recording) is not None,
        )

    def _left(self, now: int) -> int | None:
        """Give the time left, ns; none of it while what the timer calls for is done."""
        handling, pending = self._handling, self._pending
        own = handling.ending if handling and handling.answer is Answer.OWN else None
        own = own or (pending.ending if pending and pending.own else None)
        if own and own.late:
            return 0
        return None if self.deadline >= NEVER else max(self.deadline - now, 0)

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter: guards and timer first, then the first step, or the one of an earlier run."""
        shape, resume = self.shape, self.around.resume
        before = None if resume is None else self._take_up(resume)
        self.alive = True
        if shape.told:
            self.core.note('enter', self.path)
        for need in () if before else shape.requires:
            if self.around.value(need) is False:
                return self._end(Ending('fail', self.path, need.place, text='requirement not met'))
        self._arm(self.around, self._written(), y, self.entered if before else now)
        if not before and not self._set_timer(self.around, shape.timeout, self.around.direct):
            return self._end(Ending('done', self.path, late=True))
        ending = self._fired_or_late(y, now)
        if ending:
            return self._go_on(self._answer_own(ending), y, now)
        first = self._step(before.within) if before else self._round(first=True)
        return self._go_on(first, y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Look at guards and timer of the container first, then at what runs in it."""
        ending = self._fired_or_late(y, now)
        if ending is not None:
            return self._go_on(self._answer_own(ending), y, now)
        if self._injected:
            ending, self._injected = self._injected, None
        else:
            assert self._child
            ending = self._sound(self._child, self._child.check, y, now)
        if ending is None:
            return None
        return self._go_on(self._answer(ending), y, now)

    def _fired_or_late(self, y: Values, now: int) -> Ending | None:
        """Give the ending by a guard, else by the timer, which is heard once."""
        ending = self._fired(y, now) if self.guards else None
        if ending is None and now >= self.deadline:
            ending = self._late(self.shape.timeout, self.shape.gentle)
            self.deadline = NEVER
        return ending

    def _sound(self, child: Frame, act: Act, y: Values, now: int) -> Ending | None:
        """Let a child act; one that reads what is unset has failed (mdle.md §4.12)."""
        try:
            return act(y, now)
        except UnsetError as error:
            ending = Ending('fail', error.path or child.path, error.place, text=error.text)
            return ending._replace(cleanups=child.leave(ending))

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside, what is within first."""
        if not self.alive:
            return ()
        cleanups = self._leave_child(ending)
        if ending.cause == 'fault':
            cleanups += tuple(
                self._cleanup(handler.action.call, called_name(handler.action.call))
                for handler in self.shape.handlers
                if handler.cause.kind == 'fault' and handler.action.call
            )
        return cleanups + self._exit(ending)

    def _leave_child(self, ending: Ending) -> tuple[Cleanup, ...]:
        child, self._child = self._child, None
        self._unmask()
        self._handling = self._pending = None
        # What the operator ended was left already; what it still has to run stays to be run.
        injected, self._injected = self._injected, None
        left = injected.cleanups if injected else ()
        return left + (child.leave(ending) if child else ())

    # What follows an ending is a frame that runs next, or the ending of the container itself.

    def _go_on(self, following: Frame | Ending, y: Values, now: int) -> Ending | None:
        """Enter what follows until something runs, or the container has ended."""
        while isinstance(following, Frame):
            if self._renewed:
                # As at any entry: a guard that is still true acts before anything drives.
                self._renewed = False
                fired = self._fired(y, now)
                if fired:
                    self.core.transition(self.path)
                    following = self._answer_own(fired)
                    continue
            self._child = following
            ending = self._sound(following, following.start, y, now)
            if ending is None:
                return None
            # What ends as soon as it is entered may do so for ever.
            self.core.transition(self.path)
            following = self._answer(ending)
        return following

    def _answer_own(self, ending: Ending) -> Frame | Ending:
        """Answer the container's own guard or timer: all within it is left."""
        cleanups = self._leave_child(ending)
        if self._follows(ending) is Consequence.FAIL and ending.action:
            ending = ending.failed(self._failure(ending, ending.action))
        handler, ending = self._handler_for(ending)
        if handler is None:
            return self._end(ending, cleanups)
        self.core.note('handle', self.path, ending)
        return self._unwound(cleanups, ending, own=True) or self._act(
            handler.action, ending, Answer.OWN
        )

    def _answer(self, ending: Ending) -> Frame | Ending:
        """Answer the ending of the child."""
        self._child = None
        if self._handling:
            return self._handled(self._handling, ending)
        if self._pending:
            ending, own = self._pending
            self._pending = None
            if own:
                handler, _ = self._handler_for(ending)
                assert handler
                return self._act(handler.action, ending, Answer.OWN)
        unwinding = self._unwound(ending.cleanups, ending._replace(cleanups=()), own=False)
        if unwinding:
            return unwinding
        self._bind(ending)
        if ending.action:
            return self._act(ending.action, ending, Answer.BESIDE)
        return self._default(ending)

    def _unwound(self, cleanups: tuple[Cleanup, ...], ending: Ending, own: bool) -> Frame | None:
        """Run what is left over of elements that ended, before their ending is answered."""
        if not cleanups:
            return None
        self._pending = Pending(ending, own)
        return Unwinding(self.around.at(self.path, self), cleanups, ending)

    def _default(self, ending: Ending) -> Frame | Ending:
        """Answer an ending for which nothing is written beside its cause."""
        passes = ending.gentle or ending.cause == 'interrupt'
        if self.shape.kind in TRANSPARENT and passes:
            # Handlers around a step are to see how its element ended.
            self._told = ending
            return self._advance()
        handler, ending = self._handler_for(ending)
        if handler:
            self.core.note('handle', self.path, ending)
            return self._act(handler.action, ending, Answer.HANDLER)
        follows = self._follows(ending)
        if follows is Consequence.WARN:
            self.core.note('warning', ending.path, ending, 'the time of the element is up')
        elif follows is Consequence.FAIL:
            return self._end(ending.failed(self._failure(ending)))
        elif follows is Consequence.STOP:
            return self._end(ending)
        return self._advance()

    def _follows(self, ending: Ending, answer: Answer = Answer.BESIDE) -> Consequence:
        return consequence(ending.cause, ending.action, ending.level, answer)

    def _failure(self, ending: Ending, action: Action | None = None) -> str:
        return failure_name(ending.cause, ending.name, ending.text, action)

    def _handler_for(self, ending: Ending) -> tuple[Handler | None, Ending]:
        """Return the handler that answers an ending, and the ending as it answers it."""
        if ending.action is None and is_handled(ending.cause, ending.level):
            names = ending.names if ending.cause == 'interrupt' else {ending.text}
            for handler in self.shape.handlers:
                if handles(handler.cause, ending.cause, names):
                    return handler, ending
            if ending.cause == 'timeout':
                answering, failed = self._handler_for(ending.failed(self._failure(ending)))
                return (answering, failed) if answering else (None, ending)
        return None, ending

    def _act(self, action: Action, ending: Ending, answer: Answer) -> Frame | Ending:
        """Do what is written for a cause."""
        follows = consequence(ending.cause, action, answer=answer)
        if follows is Consequence.RUN:
            return self._run(action, ending, answer)
        if follows is Consequence.ABORT:
            text = ending.text or ending.name or ending.cause
            raise RunError('ABORTED', f'aborted by {text}', ending.place, ending.path)
        if follows is Consequence.RETRY:
            again = self._retry(action.count, ending, answer)
            if again:
                return again
            follows = exhausted(answer)
            text = f'retry {action.count} is used up'
            self.core.note('warning', ending.path or self.path, ending, text)
        if follows in (Consequence.FAIL, Consequence.UP):
            failed = ending.failed(self._failure(ending, action))
            return self._default(failed) if follows is Consequence.FAIL else self._end(failed)
        if follows is Consequence.RESTART:
            if self.shape.kind == 'step' and answer is not Answer.OWN:
                # The parent of an element is the block that it is written in.
                return self._end(ending._replace(action=action))
            return self._restart(ending, answer)
        if follows is Consequence.DONE:
            return self._end(Ending('done', self.path, outputs=ending.outputs))
        return self._advance()

    def _restart(self, ending: Ending, answer: Answer) -> Frame | Ending:
        self._retries.clear()
        if answer is Answer.OWN:
            self._renew(ending)
        return self._round(first=True)

    def _renew(self, ending: Ending) -> None:
        """Make guards ready anew; the timer goes on, unless it is the one that was heard."""
        core = self.core
        self._arm(self.around, self._written(), core.values, core.now)
        self._renewed = True
        if ending.late:
            self._set_timer(self.around, self.shape.timeout, self.around.direct)

    def _retry(self, most: int, ending: Ending, answer: Answer) -> Frame | Ending | None:
        """Begin again; None where all tries are used up."""
        if answer is Answer.OWN:
            if self._own_retries >= most:
                return None
            self._own_retries += 1
            self._renew(ending)
            return self._round(first=True)
        tried = self._retries.get(self._index, 0)
        if tried >= most:
            return None
        self._retries[self._index] = tried + 1
        return self._step()

    def _run(self, action: Action, ending: Ending, answer: Answer) -> Frame | Ending:
        """Run an element because of a cause, while the guard that fired is held back."""
        assert action.call is not None
        step = Run(action.call, times=ONCE, place=action.place)
        masked = mask_guards(self, ending)
        self._handling = Handling(action.then, ending, answer, masked)
        path = f'{self.path}.{called_name(action.call)}'
        return made(step, self.around.at(path, self, action), None)

    def _handled(self, handling: Handling, ending: Ending) -> Frame | Ending:
        """Go on after an element that ran because of a cause."""
        if ending.cleanups:
            self._handling = handling._replace(told=ending._replace(cleanups=()))
            return Unwinding(self.around.at(self.path, self), ending.cleanups, None)
        self._unmask()
        self._handling = None
        ending = handling.told or ending
        make_sure(ending)
        self.core.board.update(ending.outputs)
        if ending.cause == 'fail':
            return self._end(ending)
        if ending.action:
            # A restart that is written in the element: its parent is this container.
            return self._act(ending.action, ending, Answer.HANDLER)
        after = handling.after or Action('next')
        return self._act(after, handling.ending, handling.answer)

    def _unmask(self) -> None:
        if self._handling:
            for guard, mask in self._handling.masked:
                guard.unmask(mask)

    def follow(self, policy: Policy, y: Values, now: int) -> Ending | None:
        """Let the innermost elements follow the operator; endings are answered by ``check``."""
        child = self._child
        if child:
            if policy == 'restart_atom' and isinstance(child, Leaf):
                child.leave(Ending('preempted', self.path))
                child = self._child = self._step()
                act: Act = child.start
            else:
                act = partial(child.follow, policy)
            self._injected = self._sound(child, act, y, now)
            self._child = None if self._injected else child
        return None
