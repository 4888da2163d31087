"""``reverse element``: an open-loop element driven backwards, without having been driven.

Segments in reverse order, each negated; of its guards only those on contact stay, with front and
rear exchanged (mdle.md §4.11).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from walking_robots.mdle.execution.backward import Backward, contact_guards
from walking_robots.mdle.execution.control import Player, Stretch, ticks_of
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Surroundings
from walking_robots.mdle.execution.guards import LiveGuard
from walking_robots.mdle.execution.leaf import space_of
from walking_robots.mdle.execution.live import Live, Values
from walking_robots.mdle.execution.reading import bind
from walking_robots.mdle.knowledge.names import Found
from walking_robots.mdle.language.ast import (
    Atom,
    Encapsulation,
    Expression,
    Loop,
    Parameter,
    Place,
    Reverse,
    Run,
    Segments,
    Step,
)

__all__ = ['MOST_ELEMENTS', 'MOST_PARTS', 'Part', 'WayBackFrame', 'way_back']

MOST_PARTS = 10_000
"""Segments of a way back: it is made within one tick, and each costs some 2 us."""

MOST_ELEMENTS = 1_000
"""Calls of elements, and guards of these, that a way back unfolds, repetitions aside: each costs
some 20 us."""

ElementOf = Callable[[Expression, Surroundings], Found]
ArgumentsOf = Callable[[Expression, tuple[Parameter, ...], Surroundings, Found], dict[str, Any]]


class Part(NamedTuple):
    """A segment: on which space, what, for how long, s."""

    space: str
    control: tuple[float, ...]
    duration: float


def way_back(
    call: Expression, around: Surroundings, element_of: ElementOf, arguments_of: ArgumentsOf
) -> tuple[list[Part], list[LiveGuard]]:
    """Give the segments of an element the other way round, and its guards on contact.

    Raises RunError where the element has no way back that is known beforehand (E701), or one that
    is too long (E703).
    """
    guards: list[LiveGuard] = []
    unfolded = 0

    def element(call: Expression, around: Surroundings) -> list[Part]:
        nonlocal unfolded
        found = element_of(call, around)
        declared = found.element
        unfolded += 1 + len(getattr(declared, 'guards', ()))
        if unfolded > MOST_ELEMENTS:
            what = f'more than {MOST_ELEMENTS} elements and guards'
            raise _too_long(what, call.place, around)
        inner = replace(around, names=found.names)
        if isinstance(declared, Atom) and not declared.irreversible:
            inner = replace(
                inner, variables=arguments_of(call, declared.parameters, around, found)
            )
            guards.extend(contact_guards(declared.guards, inner))
            if isinstance(declared.control, Segments):
                _check_length(len(declared.control.segments), call.place, around)
                return _parts(declared, declared.control, inner)
            if declared.control is None or not space_of(inner, declared.space).channels:
                return []
        if isinstance(declared, Encapsulation) and (
            declared.loop is None or declared.loop.kind == 'count'
        ):
            variables = arguments_of(call, declared.parameters, around, found)
            inner = replace(inner, variables=variables)
            guards.extend(contact_guards(declared.guards, inner))
            parts = steps(declared.steps, inner)
            return _repeated(parts, declared.loop, call.place, around)
        raise RunError(
            'E701',
            'this has no way back that is known beforehand; drive it, then use reverse last',
            call.place,
            around.path,
        )

    def steps(these: tuple[Step, ...], around: Surroundings) -> list[Part]:
        parts: list[Part] = []
        for step in these:
            if not isinstance(step, Run) or (step.times and step.times.kind != 'count'):
                raise RunError('E701', 'this cannot be reversed', step.place, around.path)
            inner = around.scaled(step.scale) if step.scale else around
            run = element(step.call, inner) if step.call else steps(step.steps, inner)
            parts += _repeated(run, step.times, step.place, around)
            _check_length(len(parts), step.place, around)
        return parts

    # The scales around the whole are for the frame; here only those within it are gathered.
    forth = element(call, replace(around, alpha=None, beta=1.0))
    return forth[::-1], guards


def _too_long(what: str, place: Place, around: Surroundings) -> RunError:
    return RunError('E703', f'this way back has {what}', place, around.path)


def _check_length(parts: int, place: Place, around: Surroundings) -> None:
    if parts > MOST_PARTS:
        raise _too_long(f'more than {MOST_PARTS} segments', place, around)


def _repeated(
    parts: list[Part], loop: Loop | None, place: Place, around: Surroundings
) -> list[Part]:
    """Repeat parts, counted before they are made."""
    if loop is None:
        return parts
    _check_length(len(parts) * loop.count, place, around)
    return parts * loop.count


def _parts(atom: Atom, control: Segments, around: Surroundings) -> list[Part]:
    """Give the segments of an atom, each negated, in the order written."""
    scope = around.scope(around.core.now, around.core.values)

    def number(expression: Expression) -> float:
        reading = bind(expression, scope)
        return float(around.value(expression) if isinstance(reading, Live) else reading)

    alpha, parts = around.alpha, []
    for segment in control.segments:
        vector = [-number(u) for u in segment.vector]
        if alpha is not None:
            if len(alpha) != len(vector):
                text = f'a scale of {len(alpha)} factors does not fit a control of {len(vector)}'
                raise RunError('E401', text, segment.place, around.path)
            vector = [a * u for a, u in zip(alpha, vector, strict=True)]
        parts.append(Part(atom.space, tuple(vector), number(segment.duration) * around.beta))
    return parts


class WayBackFrame(Backward):
    """One run of ``reverse element``."""

    __slots__ = ('_parts', '_player')

    def __init__(
        self, around: Surroundings, step: Reverse, parts: list[Part], guards: list[LiveGuard]
    ) -> None:
        """Take the segments as they are to be driven."""
        super().__init__(around, step.place)
        self._parts = parts
        self.guards = tuple(guards)

    def start(self, y: Values, now: int) -> Ending | None:
        """Begin with the first segment."""
        names = {part.space for part in self._parts} or {'none'}
        if len(names) > 1:
            raise RunError('E701', 'this uses several control spaces', self.place, self.path)
        self.space = space_of(self.around, names.pop())
        if self.space.channels and not (self.space.symmetric and self.space.driftless):
            raise RunError('E701', 'this control space has no way back', self.place, self.path)
        settings, beta = self.core.settings, self.around.beta
        # Repetitions repeat the very same parts: each is made ready once.
        ready = {
            id(part): Stretch(_constant(part.control), part.duration * beta)
            for part in self._parts
        }
        stretches = tuple([ready[id(part)] for part in self._parts])
        self._player = Player(stretches, settings.tick_period, settings.last_tick_rule)
        self.entered = now
        length = sum(ticks_of(stretch.duration, settings.tick_period) for stretch in stretches)
        self.deadline = now + round(1.5 * length * settings.period) + settings.period
        self._enter()
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Look at the guards, at the end of the segments, at the timer."""
        ending = self._fired(y, now)
        if ending is None and self._player.over(now):
            ending = Ending('done', self.path)
        if ending is None and now >= self.deadline:
            ending = self._late(None, gentle=False)
        if ending:
            self._exit(ending)
        return ending

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside."""
        if self.alive:
            self._exit(ending)
        return ()

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        return self._player.control(y, now)


def _constant(control: tuple[float, ...]) -> Callable[[Values, int], tuple[float, ...]]:
    return lambda y, now: control
