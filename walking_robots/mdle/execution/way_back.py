"""``reverse element``: an open-loop element driven backwards, without having been driven.

Segments in reverse order, each negated; of its guards only those on contact stay, with front and
rear exchanged (mdle.md §4.11).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from walking_robots.mdle.execution.control import Player, Stretch
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Surroundings
from walking_robots.mdle.execution.guards import LiveGuard, arm
from walking_robots.mdle.execution.leaf import Leaf, space_of
from walking_robots.mdle.execution.live import Reader, Values
from walking_robots.mdle.knowledge.names import Found
from walking_robots.mdle.language.expressions import Expression
from walking_robots.mdle.language.program import (
    Atom,
    Encapsulation,
    Parameter,
    Reverse,
    Run,
    Segments,
    Step,
)
from walking_robots.mdle.robot import RobotSpec

__all__ = ['Part', 'WayBackFrame', 'way_back']

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

    Raises RunError where the element has no way back that is known beforehand (E701).
    """
    guards: list[LiveGuard] = []

    def element(call: Expression, around: Surroundings) -> list[Part]:
        found = element_of(call, around)
        declared = found.element
        inner = replace(around, names=found.names)
        if isinstance(declared, Atom) and not declared.irreversible:
            inner = replace(
                inner, variables=arguments_of(call, declared.parameters, around, found)
            )
            guards.extend(_contact_guards(declared.guards, inner))
            if isinstance(declared.control, Segments):
                return _parts(declared, declared.control, inner)
            if declared.control is None or not space_of(inner, declared.space).channels:
                return []
        if isinstance(declared, Encapsulation) and (
            declared.loop is None or declared.loop.kind == 'count'
        ):
            variables = arguments_of(call, declared.parameters, around, found)
            inner = replace(inner, variables=variables)
            guards.extend(_contact_guards(declared.guards, inner))
            return steps(declared.steps, inner) * (declared.loop.count if declared.loop else 1)
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
            run = element(step.call, around) if step.call else steps(step.steps, around)
            if step.scale:
                alpha = [float(around.value(factor)) for factor in step.scale.alpha]
                beta = float(around.value(step.scale.beta)) if step.scale.beta else 1.0
                run = [_scaled(part, alpha, beta) for part in run]
            parts += run * (step.times.count if step.times else 1)
        return parts

    forth = element(call, around)
    back = [part._replace(control=tuple(-u for u in part.control)) for part in reversed(forth)]
    return back, guards


def _scaled(part: Part, alpha: list[float], beta: float) -> Part:
    control = tuple(a * u for a, u in zip(alpha, part.control, strict=False))
    return Part(part.space, control, part.duration * beta)


def _parts(atom: Atom, control: Segments, around: Surroundings) -> list[Part]:
    return [
        Part(
            atom.space,
            tuple(float(around.value(u)) for u in segment.vector),
            float(around.value(segment.duration)),
        )
        for segment in control.segments
    ]


def _contact_guards(guards: Any, around: Surroundings) -> list[LiveGuard]:
    """Give the guards that watch contact alone, with front and rear exchanged."""
    spec, core = around.core.spec, around.core
    contacts = {spec.contact, spec.front_guard, spec.rear_guard}
    kept = []
    for guard in guards:
        live = arm(guard, around.scope(core.now, core.values))
        if live.channels and {name for name, _ in live.channels} <= contacts:
            live.test = live.read = _exchanged(live.read, spec)
            kept.append(live)
    return kept


def _exchanged(read: Reader, spec: RobotSpec) -> Reader:
    front, rear = spec.front_guard, spec.rear_guard

    def exchanged(y: Values, now: int) -> Any:
        return read({**y, front: y.get(rear), rear: y.get(front)}, now)

    return exchanged


class WayBackFrame(Leaf):
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
        stretches = tuple(
            Stretch(_constant(part.control), part.duration * beta) for part in self._parts
        )
        self._player = Player(stretches, settings.tick_period, settings.last_tick_rule)
        self.entered = now
        length = sum(stretch.duration for stretch in stretches)
        self.deadline = now + round(1.5e9 * length) + settings.period
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
