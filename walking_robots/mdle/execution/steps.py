"""The steps of a container: which one comes next, what is known of it, what the whole gives."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from walking_robots.mdle.execution.endings import NOTHING, Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import NEVER, Frame, Surroundings
from walking_robots.mdle.execution.lost import wants_lost
from walking_robots.mdle.execution.outputs import keep, make_sure
from walking_robots.mdle.execution.positions import Lanes, Position, Where
from walking_robots.mdle.execution.recording import LOST, Span
from walking_robots.mdle.execution.shape import Shape
from walking_robots.mdle.execution.unready import made
from walking_robots.mdle.language.ast import Expression, Guard

__all__ = ['TRANSPARENT', 'Steps']

TRANSPARENT = ('step', 'lane', 'program')
"""Kinds around one element that show outside what it showed."""


class Steps(Frame):
    """A container at one of its steps; what follows an ending is for its subclass to say."""

    __slots__ = (
        '_begun',
        '_child',
        '_given',
        '_index',
        '_iteration',
        '_last',
        '_own_retries',
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
        self._iteration = 0
        self._own_retries = 0
        self._retries: dict[int, int] = {}
        self._told: Ending | None = None
        self._begun = self.core.recording.here()
        self._last: Span | None = None

    @property
    def iteration(self) -> int:
        """How many times the loop has come round."""
        return self._iteration

    def branches(self) -> Iterator[Frame]:
        """Give the child that runs."""
        if self._child:
            yield self._child

    def _take_up(self, before: Position | Lanes) -> Position:
        """Take over what an earlier run knew, and how far it was; gives that.

        Raises RunError (E809) where that was another container, and where what it drove is wanted.
        """
        shape, core = self.shape, self.core
        if (
            not isinstance(before, Position)
            or before.kind != shape.kind
            or before.step >= len(shape.steps)
        ):
            raise RunError('E809', 'the checkpoint does not fit the program', path=self.path)
        self._index, self._iteration = before.step, before.iteration
        self.around.variables.update(before.variables)
        self.around = replace(self.around, alpha=before.alpha, beta=before.beta)
        self.entered = core.now - before.age
        self.deadline = NEVER if before.left is None else core.now + before.left
        self._retries = {before.step: before.tries} if before.tries else {}
        self._own_retries = before.own_tries
        self._last = LOST.until(core.recording) if before.drove_before else None
        if before.drove:
            self._begun = LOST
        if wants_lost(shape, before, self.around.names):
            text = "'reverse last' follows, and no checkpoint keeps what was driven before it"
            raise RunError('E809', f'{text}; begin the program anew', path=self.path)
        return before

    def _written(self) -> tuple[Guard, ...]:
        """Give its guards; groups and steps are no level of their own."""
        shape = self.shape
        level = shape.kind in ('plan', 'behavior')
        return self.around.guards_of(shape.guards) if level else shape.guards

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

    def _bind(self, ending: Ending) -> None:
        """Keep what the child gave."""
        make_sure(ending)
        self.give(ending.outputs)

    def give(self, outputs: Mapping[str, Any]) -> None:
        """Keep what the child gives, for the steps after it or, around one element, outside."""
        if self.shape.kind not in TRANSPARENT:
            keep(outputs, self.shape.steps[self._index], self.around)
        elif outputs:
            self._given = outputs

    def _advance(self) -> Frame | Ending:
        driven = self._begun.until(self.core.recording)
        if driven:
            self._last = driven
        self._retries.pop(self._index, None)
        self._index += 1
        if self._index < len(self.shape.steps):
            return self._next_step()
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
        return self._next_step()

    def _next_step(self) -> Frame:
        """Come to a step; what it drives is what all its tries drive from here on."""
        self._begun = self.core.recording.here()
        return self._step()

    def _step(self, resume: Where = None) -> Frame:
        self._told = None
        step = self.shape.steps[self._index]
        if self.shape.kind in TRANSPARENT:
            # A scale that is written on a step is written on its element.
            around = self.around.at(self.path, self, resume=resume)
            around = replace(around, direct=self.around.direct)
        else:
            name = self.shape.names[self._index]
            around = self.around.at(f'{self.path}.{name}', self, step, resume)
        return made(step, around, self._last)
