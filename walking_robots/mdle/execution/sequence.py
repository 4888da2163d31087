"""Containers that run: one element after the other, with guards, a timer, loops and handlers.

Every ending of a child is answered here, and only here: by what is written beside its cause, by a
handler of the container, or by the rule of the language (mdle.md §4.14).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from walking_robots.mdle.execution.endings import NOTHING, Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import NEVER, Frame, Surroundings, mask_guards
from walking_robots.mdle.execution.guards import LiveGuard, Mask
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.outputs import keep, make_sure
from walking_robots.mdle.execution.positions import Lanes, Position, Where
from walking_robots.mdle.execution.shape import ONCE, Shape, called_name
from walking_robots.mdle.execution.unwinding import Unwinding
from walking_robots.mdle.language.expressions import Expression
from walking_robots.mdle.language.program import Action, Guard, Handler, Run

__all__ = ['Sequence']

TRANSPARENT = ('step', 'lane', 'program')
"""Kinds around one element that show outside what it showed."""


class Handling(NamedTuple):
    """An element runs because of a cause; then ``after`` is done about it.

    own: the cause arose in the container itself, not in one of its children; masked: guards that
    are held back meanwhile; told: how the element ended, while its own ``finally`` runs.
    """

    after: Action | None
    ending: Ending
    own: bool
    of_handler: bool
    masked: tuple[tuple[LiveGuard, Mask], ...]
    told: Ending | None = None


class Sequence(Frame):
    """One run of a container."""

    __slots__ = (
        '_child',
        '_given',
        '_handling',
        '_index',
        '_injected',
        '_iteration',
        '_last',
        '_mark',
        '_own_retries',
        '_pending',
        '_renewed',
        '_retries',
        '_told',
        'shape',
    )

    def __init__(self, around: Surroundings, shape: Shape) -> None:
        """Take what the container is; ``around`` is that of its children, but for path."""
        super().__init__(around, shape.place)
        self.shape = shape
        self._child: Frame | None = None
        self._given: Mapping[str, Any] = NOTHING
        self._index = 0
        self._injected: Ending | None = None
        self._iteration = 0
        self._retries: dict[int, int] = {}
        self._own_retries = 0
        self._renewed = False
        self._handling: Handling | None = None
        self._told: Ending | None = None
        self._pending: tuple[Ending, bool] | None = None
        self._mark = 0
        self._last: tuple[int, int] | None = None

    @property
    def iteration(self) -> int:
        """How many times the loop has come round."""
        return self._iteration

    def where(self) -> Position:
        """Tell where it is; what runs because of a cause begins afresh."""
        follows = self._child and not (self._handling or self._pending)
        return Position(
            self.shape.kind,
            self._index,
            self._iteration,
            dict(self.around.variables),
            self._child.where() if self._child and follows else None,
        )

    def branches(self) -> Iterator[Frame]:
        """Give the child that runs."""
        if self._child:
            yield self._child

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter: guards and timer first, then the first step."""
        shape = self.shape
        self.alive = True
        if shape.told:
            self.core.note('enter', self.path)
        for need in shape.requires:
            if self.around.value(need) is False:
                return self._end(Ending('fail', self.path, need.place, text='requirement not met'))
        self._arm(self.around, self._written(), y, now)
        if not self._set_timer(self.around, shape.timeout, self.around.direct):
            return self._end(Ending('done', self.path, late=True))
        ending = self._fired(y, now)
        if ending:
            return self._go_on(self._answer_own(ending), y, now)
        if self.around.resume is not None:
            return self._go_on(self._take_up(self.around.resume), y, now)
        return self._go_on(self._round(first=True), y, now)

    def _take_up(self, before: Position | Lanes) -> Frame:
        """Go on where an earlier run was."""
        shape = self.shape
        if (
            not isinstance(before, Position)
            or before.kind != shape.kind
            or before.step >= len(shape.steps)
        ):
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        self._index, self._iteration = before.step, before.iteration
        self.around.variables.update(before.variables)
        return self._step(before.within)

    def check(self, y: Values, now: int) -> Ending | None:
        """Look at guards and timer of the container first, then at what runs in it."""
        ending = self._fired(y, now) if self.guards else None
        if ending is None and now >= self.deadline:
            ending = self._late(self.shape.timeout, self.shape.gentle)
            self.deadline = NEVER
        if ending is not None:
            return self._go_on(self._answer_own(ending), y, now)
        if self._injected:
            ending, self._injected = self._injected, None
        else:
            assert self._child
            ending = self._child.check(y, now)
        if ending is None:
            return None
        return self._go_on(self._answer(ending), y, now)

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

    def _written(self) -> tuple[Guard, ...]:
        """Give its guards; groups and steps are no level of their own."""
        shape = self.shape
        level = shape.kind in ('plan', 'behavior')
        return self.around.guards_of(shape.guards) if level else shape.guards

    def _leave_child(self, ending: Ending) -> tuple[Cleanup, ...]:
        child, self._child = self._child, None
        self._unmask()
        self._handling = self._pending = None
        # What the operator broke off was left already; what it still has to run stays to be run.
        injected, self._injected = self._injected, None
        left = injected.cleanups if injected else ()
        return left + (child.leave(ending) if child else ())

    def _exit(self, ending: Ending) -> tuple[Cleanup, ...]:
        self.alive = False
        if self.shape.told:
            self.core.note('exit', self.path, ending)
        return tuple(self._cleanup(call, 'finally') for call in self.shape.cleanup)

    def _cleanup(self, call: Expression, name: str) -> Cleanup:
        around = self.around
        return Cleanup(call, around.names, around.variables, f'{self.path}.{name}')

    def _end(self, ending: Ending, cleanups: tuple[Cleanup, ...] = ()) -> Ending:
        """End by an own decision."""
        outputs: Mapping[str, Any] = NOTHING
        if self.shape.outputs and ending.cause not in ('fail', 'fault'):
            known = self.around.variables
            outputs = {name: known[name] for name in self.shape.outputs if name in known}
        elif self.shape.kind in TRANSPARENT:
            outputs = self._given
        return ending._replace(outputs=outputs, cleanups=cleanups + self._exit(ending))

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
            ending = following.start(y, now)
            if ending is None:
                return None
            # What ends as soon as it is entered may do so for ever.
            self.core.transition(self.path)
            following = self._answer(ending)
        return following

    def _answer_own(self, ending: Ending) -> Frame | Ending:
        """Answer the container's own guard or timer: all within it is left."""
        cleanups = self._leave_child(ending)
        action = ending.action
        if action and action.kind == 'fail':
            ending = ending.failed(action.text or ending.name)
        handler = self._handler_for(ending) if ending.action is None else None
        if (
            handler is None
            and ending.cause == 'timeout'
            and ending.action is None
            and not ending.gentle
        ):
            # Without a handler of its own it is the parent's to answer, first as a timeout.
            failed = ending.failed('timeout')
            handler = self._handler_for(failed)
            ending = failed if handler else ending
        if handler is None:
            return self._end(ending, cleanups)
        self.core.note('handle', self.path, ending)
        return self._unwound(cleanups, ending, own=True) or self._act(
            handler.action, ending, own=True, of_handler=True
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
                handler = self._handler_for(ending)
                assert handler
                return self._act(handler.action, ending, own=True, of_handler=True)
        unwinding = self._unwound(ending.cleanups, ending._replace(cleanups=()), own=False)
        if unwinding:
            return unwinding
        self._bind(ending)
        if ending.action:
            return self._act(ending.action, ending, own=False, of_handler=False)
        return self._default(ending)

    def _unwound(self, cleanups: tuple[Cleanup, ...], ending: Ending, own: bool) -> Frame | None:
        """Run what is left over of elements that ended, before their ending is answered."""
        if not cleanups:
            return None
        self._pending = (ending, own)
        return Unwinding(self.around.at(self.path, self), cleanups, ending)

    def _default(self, ending: Ending) -> Frame | Ending:
        """Answer an ending for which nothing is written beside its cause."""
        if ending.cause == 'done':
            return self._advance()
        if self.shape.kind in TRANSPARENT and (ending.gentle or ending.cause == 'interrupt'):
            # Handlers around a step are to see how its element ended.
            self._told = ending
            return self._advance()
        handler = self._handler_for(ending)
        if handler is None and ending.cause == 'timeout':
            if ending.gentle:
                self.core.note('warning', ending.path, ending, 'the time of the element is up')
                return self._advance()
            ending = ending.failed('timeout')
            handler = self._handler_for(ending)
        if handler:
            self.core.note('handle', self.path, ending)
            return self._act(handler.action, ending, own=False, of_handler=True)
        return self._advance() if ending.cause == 'interrupt' else self._end(ending)

    def _handler_for(self, ending: Ending) -> Handler | None:
        for handler in self.shape.handlers:
            cause = handler.cause
            if cause.kind == ending.cause and (
                cause.kind not in ('fail', 'interrupt')
                or cause.name == (ending.text if cause.kind == 'fail' else ending.name)
                or (cause.kind == 'fail' and not cause.name)
            ):
                return handler
        return None

    def _act(self, action: Action, ending: Ending, own: bool, of_handler: bool) -> Frame | Ending:
        """Do what is written for a cause."""
        kind = action.kind
        if kind == 'run':
            return self._run(action, ending, own, of_handler)
        if kind == 'abort':
            text = ending.text or ending.name or ending.cause
            raise RunError('ABORTED', f'aborted by {text}', ending.place, ending.path)
        if kind == 'fail':
            failed = ending.failed(action.text or ending.text or ending.name)
            return self._end(failed) if of_handler else self._default(failed)
        if kind == 'restart':
            if self.shape.kind == 'step' and not own:
                # The parent of an element is the block that it is written in.
                return self._end(ending._replace(action=action))
            return self._restart(ending, own)
        if kind == 'retry':
            return self._retry(action.count, ending, own)
        if own or (kind == 'done' and of_handler):
            return self._end(Ending('done', self.path, outputs=ending.outputs))
        return self._advance()

    def _restart(self, ending: Ending, own: bool) -> Frame | Ending:
        self._retries.clear()
        if own:
            self._renew(ending)
        return self._round(first=True)

    def _renew(self, ending: Ending) -> None:
        """Make guards ready anew; the timer goes on, unless it is the one that was heard."""
        core = self.core
        self._arm(self.around, self._written(), core.values, core.now)
        self._renewed = True
        if ending.late:
            self._set_timer(self.around, self.shape.timeout, self.around.direct)

    def _retry(self, most: int, ending: Ending, own: bool) -> Frame | Ending:
        tried = self._own_retries if own else self._retries.get(self._index, 0)
        if tried >= most:
            text = ending.text or ending.name or ending.cause
            failed = ending.failed(f'{text} (tried again {most} times)')
            return self._end(failed)
        if own:
            self._own_retries += 1
            self._renew(ending)
            return self._round(first=True)
        self._retries[self._index] = tried + 1
        return self._step()

    def _run(self, action: Action, ending: Ending, own: bool, of_handler: bool) -> Frame | Ending:
        """Run an element because of a cause, while the guard that fired is held back."""
        assert action.call is not None
        step = Run(action.call, times=ONCE, place=action.place)
        masked = mask_guards(self, ending)
        self._handling = Handling(action.then, ending, own, of_handler, masked)
        path = f'{self.path}.{called_name(action.call)}'
        frame: Frame = self.core.make(step, self.around.at(path, self, action.place), None)
        return frame

    def _handled(self, handling: Handling, ending: Ending) -> Frame | Ending:
        """Go on after an element that ran because of a cause."""
        if ending.cleanups:
            self._handling = handling._replace(told=ending._replace(cleanups=()))
            return Unwinding(self.around.at(self.path, self), ending.cleanups, None)
        self._unmask()
        self._handling = None
        ending = handling.told or ending
        if ending.cause == 'fail':
            return self._end(ending)
        if ending.action:
            # A restart that is written in the element: its parent is this container.
            return self._act(ending.action, ending, own=False, of_handler=True)
        after = handling.after or Action('next')
        return self._act(after, handling.ending, handling.own, handling.of_handler)

    def _unmask(self) -> None:
        if self._handling:
            for guard, mask in self._handling.masked:
                guard.unmask(mask)

    def _bind(self, ending: Ending) -> None:
        """Keep what the child gave."""
        make_sure(ending)
        if self.shape.kind not in TRANSPARENT:
            keep(ending.outputs, self.shape.steps[self._index], self.around)
        elif ending.outputs:
            self._given = ending.outputs

    def _advance(self) -> Frame | Ending:
        recording = self.core.recording
        if recording.count > self._mark:
            self._last = (self._mark, recording.count)
        self._retries.pop(self._index, None)
        self._index += 1
        if self._index < len(self.shape.steps):
            return self._step()
        self._iteration += 1
        return self._round(first=False)

    def _round(self, first: bool) -> Frame | Ending:
        """Begin an iteration, or end the container where there is none to come."""
        loop = self.shape.loop
        if first:
            self._iteration = 0
        if loop is None:
            goes_on = first
        elif loop.kind == 'count':
            goes_on = self._iteration < loop.count
        elif loop.kind == 'while':
            assert loop.condition is not None
            goes_on = bool(self.around.value(loop.condition))
        else:
            goes_on = True
        if not goes_on:
            return self._end(self._told or Ending('done', self.path))
        self._index = 0
        return self._step()

    def _step(self, resume: Where = None) -> Frame:
        self._told = None
        self._mark = self.core.recording.count
        step = self.shape.steps[self._index]
        if self.shape.kind in TRANSPARENT:
            # A scale that is written on a step is written on its element.
            around = self.around.at(self.path, self, step.place, resume)
            around = replace(around, direct=self.around.direct)
        else:
            name = self.shape.names[self._index]
            around = self.around.at(f'{self.path}.{name}', self, step.place, resume)
        frame: Frame = self.core.make(step, around, self._last)
        return frame

    def again(self, y: Values, now: int) -> None:
        """Leave the child that runs, and enter the same step afresh; for the operator."""
        if self._child and not self._pending and not self._handling:
            self._child.leave(Ending('preempted', self.path))
            self._child = self._step()
            ending = self._child.start(y, now)
            if ending:
                self._injected = ending

    def break_off(self, ending: Ending) -> None:
        """Leave the child that runs, as if it had ended so; for the operator."""
        if self._child and not self._pending and not self._handling:
            cleanups = self._child.leave(ending)
            self._child = None
            self._injected = ending._replace(cleanups=cleanups)
