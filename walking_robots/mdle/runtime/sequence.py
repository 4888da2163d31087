"""Containers that run: one element after the other, with guards, a timer, loops and handlers.

Every ending of a child is answered here, and only here: by what is written beside its cause, by a
handler of the container, or by the default of the cause, see mdle/consequences.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from walking_robots.mdle.consequences import (
    AnswerBy,
    Consequence,
    consequence,
    exhausted,
    failure_name,
    handles,
    is_handled,
)
from walking_robots.mdle.knowledge.names import called_name, names_of
from walking_robots.mdle.language.ast import Action, Encapsulation, Expression, Handler
from walking_robots.mdle.runtime.checkpoint import Position, Where
from walking_robots.mdle.runtime.compiled_expression import Values
from walking_robots.mdle.runtime.events import NOTHING, Cleanup, Ending, RunError, UnsetError
from walking_robots.mdle.runtime.frames import NEVER, EntryContext, RunFrame
from walking_robots.mdle.runtime.leaves import Leaf
from walking_robots.mdle.runtime.recording import UNRECORDED, DrivenSpan
from walking_robots.mdle.runtime.unwinding import Unwinding, alone

Act = Callable[[Values, int], Ending | None]
Kind = Literal['plan', 'behavior', 'group', 'then', 'else', 'step', 'lane', 'program']
Then = Callable[[Ending], 'RunFrame | Ending']


class Sequence(RunFrame):
    """One run of a container: a plan or a behavior, or steps that are answered as one.

    kind: 'step' is one element with guards, a timer or repetitions of its own, 'lane' a child of
    ``par``, 'program' the whole: they show outside what the one element in them showed, and are
    no events. 'group' stands in parentheses, 'then' and 'else' are what an ``if`` chose. gentle:
    its timer is that of an atom.
    """

    def __init__(
        self, entry: EntryContext, container: Encapsulation, kind: Kind, gentle: bool = False
    ) -> None:
        """Take what the container is; ``entry`` is that of its children, but for path."""
        super().__init__(entry, container.place)
        self._container, self._kind, self._gentle = container, kind, gentle
        self._transparent = kind in ('step', 'lane', 'program')
        self._names = names_of(container.steps)
        self._given: Mapping[str, Any] = NOTHING
        self._index = 0
        self._tries = self._own_tries = 0
        # How the element of a step ended, for the handlers around the step.
        self._passed: Ending | None = None
        self._begun = self.core.recording.here()
        self._last: DrivenSpan | None = None
        # What follows the ending of the child where that is no step.
        self._then: Then | None = None
        # How the container's own guard or timer ended it, while that is answered.
        self._own: Ending | None = None
        self._renewed = False

    # Entry, check, exit

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter: guards and timer first, then the first step, or the one of an earlier run."""
        container, resume = self._container, self.entry.resume
        before = None if resume is None else self._take_up(resume)
        self.alive = True
        if not self._transparent:
            self.core.note('enter', self.path)
        for need in () if before else container.requires:
            if self.entry.value(need) is False:
                return self._end(Ending('fail', self.path, need.place, text='requirement not met'))
        self._arm(self.entry, container.guards, y, self.entered if before else now)
        if not before and not self._set_timer(self.entry, container.timeout, self.entry.direct):
            return self._end(Ending('done', self.path, late=True))
        ending = self._fired_or_late(y, now)
        if ending:
            return self._go_on(self._answer_own(ending), y, now)
        first = self._step(before.within) if before else self._round(first=True)
        return self._go_on(first, y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Check guards and timer of the container first, then what runs in it."""
        ending = self._fired_or_late(y, now)
        if ending is not None:
            return self._go_on(self._answer_own(ending), y, now)
        assert self.child
        act: Act = self.child.check
        if self.core.order and isinstance(self.child, Leaf):
            act = self._ordered(self.child)
        ending = self._acting(self.child, act, y, now)
        return None if ending is None else self.take(ending, y, now)

    def take(self, ending: Ending, y: Values, now: int) -> Ending | None:
        """Answer the ending of what runs within, and go on."""
        return self._go_on(self._answer(ending), y, now)

    def _ordered(self, leaf: Leaf) -> Act:
        """Return what the operator asks of a leaf after a pause: to fail, or to begin again."""
        if self.core.order == 'fail':
            return leaf.fail
        leaf.leave(Ending('preempted', self.path))
        self.child = self._step()
        return self.child.start

    def _fired_or_late(self, y: Values, now: int) -> Ending | None:
        """Return the ending by a guard, else by the timer, which ends it once."""
        ending = self._fired(y, now) if self.guards else None
        if ending is None and now >= self.deadline:
            ending = self._late(self._container.timeout, self._gentle)
            self.deadline = NEVER
        return ending

    def _acting(self, child: RunFrame, act: Act, y: Values, now: int) -> Ending | None:
        """Call a method of a child; one that reads what is unset has failed (mdle.md §4.12)."""
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
            for handler in self._container.handlers:
                if handler.cause.kind == 'fault' and handler.action.call:
                    call = handler.action.call
                    cleanups += (self._cleanup(call, called_name(call)),)
        return cleanups + self._exit(ending)

    def _leave_child(self, ending: Ending) -> tuple[Cleanup, ...]:
        child, self.child = self.child, None
        self._unmask()
        self._then = self._own = None
        return child.leave(ending) if child else ()

    def _exit(self, ending: Ending) -> tuple[Cleanup, ...]:
        self.alive = False
        if not self._transparent:
            self.core.note('exit', self.path, ending)
        return tuple(self._cleanup(call, 'finally') for call in self._container.cleanup)

    def _cleanup(self, call: Expression, name: str) -> Cleanup:
        return Cleanup(call, self.entry.names, self.entry.variables, f'{self.path}.{name}')

    def _end(self, ending: Ending, cleanups: tuple[Cleanup, ...] = ()) -> Ending:
        """End by an own decision."""
        outputs: Mapping[str, Any] = NOTHING
        if self._container.outputs and ending.cause not in ('fail', 'fault'):
            known = self.entry.variables
            names = [output.name for output in self._container.outputs]
            outputs = {name: known[name] for name in names if name in known}
        elif self._transparent:
            outputs = self._given
        return ending._replace(outputs=outputs, cleanups=cleanups + self._exit(ending))

    # What follows an ending is a frame that runs next, or the ending of the container itself.

    def _go_on(self, following: RunFrame | Ending, y: Values, now: int) -> Ending | None:
        """Enter what follows until something runs, or the container has ended."""
        while isinstance(following, RunFrame):
            if self._renewed:
                # As at any entry: a guard that is still true acts before anything drives.
                self._renewed = False
                fired = self._fired(y, now)
                if fired:
                    self.core.transition(self.path)
                    following = self._answer_own(fired)
                    continue
            self.child = following
            ending = self._acting(following, following.start, y, now)
            if ending is None:
                return None
            # What ends as soon as it is entered may do so for ever.
            self.core.transition(self.path)
            following = self._answer(ending)
        return following

    def _answer_own(self, ending: Ending) -> RunFrame | Ending:
        """Answer the container's own guard or timer: all within it is left."""
        cleanups = self._leave_child(ending)
        action = ending.action
        if action and consequence(ending.cause, action) is Consequence.FAIL:
            ending = self._failed(ending, action)
        handler, ending = self._handler_for(ending)
        if handler is None:
            return self._end(ending, cleanups)
        self.core.note('handle', self.path, ending)
        self._own = ending
        if cleanups:
            return self._unwind(
                cleanups, ending, lambda _: self._act(handler.action, ending, AnswerBy.OWN)
            )
        return self._act(handler.action, ending, AnswerBy.OWN)

    def _answer(self, ending: Ending) -> RunFrame | Ending:
        """Answer the ending of the child."""
        self.child = None
        then, self._then = self._then or self._settle, None
        if not ending.cleanups:
            return then(ending)
        bare = ending._replace(cleanups=())
        return self._unwind(ending.cleanups, bare, lambda _: then(bare))

    def _unwind(self, cleanups: tuple[Cleanup, ...], cause: Ending | None, then: Then) -> RunFrame:
        """Run what is left over of elements that ended, before their ending is answered."""
        self._then = then
        return Unwinding(self.entry.at(self.path, self), cleanups, cause)

    def _settle(self, ending: Ending) -> RunFrame | Ending:
        """Answer the ending of a step after which nothing is left to run."""
        ending.check_outputs()
        self.take_outputs(ending.outputs)
        if ending.action:
            return self._act(ending.action, ending, AnswerBy.BESIDE)
        return self._default(ending)

    def _default(self, ending: Ending) -> RunFrame | Ending:
        """Answer an ending for which nothing is written beside its cause."""
        if self._transparent and (ending.gentle or ending.cause == 'interrupt'):
            self._passed = ending
            return self._advance()
        handler, ending = self._handler_for(ending)
        if handler:
            self.core.note('handle', self.path, ending)
            return self._act(handler.action, ending, AnswerBy.HANDLER)
        follows = consequence(ending.cause, level=ending.level)
        if follows is Consequence.WARN:
            self.core.note('warning', ending.path, ending, 'the time of the element is up')
        elif follows is Consequence.FAIL:
            return self._end(self._failed(ending))
        elif follows is Consequence.STOP:
            return self._end(ending)
        return self._advance()

    def _failed(self, ending: Ending, action: Action | None = None) -> Ending:
        """Return the failure that an ending becomes."""
        return ending.failed(failure_name(ending.cause, ending.name, ending.text, action))

    def _handler_for(self, ending: Ending) -> tuple[Handler | None, Ending]:
        """Return the handler that answers an ending, and the ending as it answers it."""
        if ending.action or not is_handled(ending.cause, ending.level):
            return None, ending
        names = ending.names if ending.cause == 'interrupt' else {ending.text}
        for handler in self._container.handlers:
            if handles(handler.cause, ending.cause, names):
                return handler, ending
        if ending.cause == 'timeout':
            answering, failed = self._handler_for(self._failed(ending))
            return (answering, failed) if answering else (None, ending)
        return None, ending

    def _act(self, action: Action, ending: Ending, answer: AnswerBy) -> RunFrame | Ending:
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
        if follows is Consequence.FAIL:
            return self._default(self._failed(ending, action))
        if follows is Consequence.UP:
            return self._end(self._failed(ending, action))
        if follows is Consequence.RESTART:
            if self._kind == 'step' and answer is not AnswerBy.OWN:
                # The parent of an element is the block that it is written in.
                return self._end(ending._replace(action=action))
            if answer is AnswerBy.OWN:
                self._renew(ending)
            return self._round(first=True)
        if follows is Consequence.DONE:
            return self._end(Ending('done', self.path, outputs=ending.outputs))
        return self._advance()

    def _renew(self, ending: Ending) -> None:
        """Make guards ready anew; the timer goes on, unless it is the one that ended it."""
        core = self.core
        self._arm(self.entry, self._container.guards, core.values, core.now)
        self._renewed, self._own = True, None
        if ending.late:
            self._set_timer(self.entry, self._container.timeout, self.entry.direct)

    def _retry(self, most: int, ending: Ending, answer: AnswerBy) -> RunFrame | Ending | None:
        """Begin again; None where all tries are used up."""
        own = answer is AnswerBy.OWN
        if (self._own_tries if own else self._tries) >= most:
            return None
        if own:
            self._own_tries += 1
            self._renew(ending)
            return self._round(first=True)
        self._tries += 1
        return self._step()

    def _run(self, action: Action, ending: Ending, answer: AnswerBy) -> RunFrame | Ending:
        """Run an element because of a cause, while the guard that fired is held back."""
        assert action.call is not None
        step = alone(action.call, action.place)
        self._mask(self, ending)
        self._then = partial(self._handled, action.then or Action('next'), ending, answer)
        path = f'{self.path}.{called_name(action.call)}'
        return self.entry.at(path, self, action).frame_or_failure(step)

    def _handled(
        self, after: Action, cause: Ending, answer: AnswerBy, ending: Ending
    ) -> RunFrame | Ending:
        """Go on after an element that ran because of a cause."""
        self._unmask()
        ending.check_outputs()
        self.core.board.update(ending.outputs)
        if ending.cause == 'fail':
            return self._end(ending)
        if ending.action:
            # A restart that is written in the element: its parent is this container.
            return self._act(ending.action, ending, AnswerBy.HANDLER)
        return self._act(after, cause, answer)

    # Steps

    def take_outputs(self, outputs: Mapping[str, Any]) -> None:
        """Keep what the child gives, for the steps after it or, around one element, outside."""
        if not self._transparent:
            self.entry.keep_outputs(outputs, self._container.steps[self._index])
        elif outputs:
            self._given = outputs

    def _advance(self) -> RunFrame | Ending:
        self._last = self.core.recording.since(self._begun) or self._last
        self._index += 1
        if self._index < len(self._container.steps):
            return self._next_step()
        self.iteration += 1
        return self._round(first=False)

    def _round(self, first: bool) -> RunFrame | Ending:
        """Begin an iteration, or end the container where there is none to come."""
        loop = self._container.loop
        if first:
            self.iteration = 0
        if loop is None:
            goes_on = first
        elif loop.kind == 'count':
            goes_on = self.iteration < loop.count
        elif loop.kind == 'while':
            assert loop.condition is not None
            goes_on = bool(self.entry.value(loop.condition))
        else:
            goes_on = True
        if not goes_on:
            return self._end(self._passed or Ending('done', self.path))
        self._index = 0
        return self._next_step()

    def _next_step(self) -> RunFrame:
        """Come to a step; what it drives is what all its tries drive from here on."""
        self._begun = self.core.recording.here()
        self._tries = 0
        return self._step()

    def _step(self, resume: Where = None) -> RunFrame:
        self._passed = None
        step = self._container.steps[self._index]
        if self._transparent:
            # A scale that is written on a step is written on its element.
            entry = self.entry.at(self.path, self, resume=resume)
            entry = replace(entry, direct=self.entry.direct)
        else:
            path = f'{self.path}.{self._names[self._index]}'
            entry = self.entry.at(path, self, step, resume)
        return entry.frame_or_failure(step, self._last)

    # Checkpoints

    def where(self) -> Position:
        """Return where it is; what runs because of a cause begins afresh."""
        now, entry = self.core.now, self.entry
        follows = self.child and not self._then
        left = max(self.deadline - now, 0) if self.has_timer else None
        return Position(
            kind=self._kind,
            step=self._index,
            iteration=self.iteration,
            variables=dict(entry.variables),
            within=self.child.where() if self.child and follows else None,
            alpha=entry.alpha,
            beta=entry.beta,
            age=now - self.entered,
            # No time is left while what the timer calls for is done.
            left=0 if self._own and self._own.late else left,
            tries=(self._tries, self._own_tries),
            drove=(self._last is not None, self.core.recording.since(self._begun) is not None),
        )

    def _take_up(self, before: Where) -> Position:
        """Take over what an earlier run knew, and how far it was; returns that.

        Raises RunError (E809) where that was another container.
        """
        core = self.core
        if (
            not isinstance(before, Position)
            or before.kind != self._kind
            or before.step >= len(self._container.steps)
        ):
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        self._index, self.iteration = before.step, before.iteration
        self.entry.variables.update(before.variables)
        self.entry = replace(self.entry, alpha=before.alpha, beta=before.beta)
        self.entered = core.now - before.age
        self.deadline = NEVER if before.left is None else core.now + before.left
        self._tries, self._own_tries = before.tries
        drove_before, drove = before.drove
        self._last = core.recording.since(UNRECORDED) if drove_before else None
        if drove:
            self._begun = UNRECORDED
        return before
