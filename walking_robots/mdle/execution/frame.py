"""A frame: one run of one element, made at its entry and gone after its exit.

All that a run remembers is in its frames. The program itself is never written to, so that any
number of runs of one program live side by side (mdle.md §4.5, AC-12).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from walking_robots.mdle.execution.core import Core, Site
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError, UnsetError
from walking_robots.mdle.execution.guards import LiveGuard, Mask, arm
from walking_robots.mdle.execution.live import Live, Reader, Reading, Values
from walking_robots.mdle.execution.positions import Where
from walking_robots.mdle.execution.reading import Scope, bind
from walking_robots.mdle.execution.requests import Policy
from walking_robots.mdle.execution.settings import SECOND
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import (
    NOWHERE,
    Action,
    Expression,
    Guard,
    Place,
    Scale,
    Step,
    Timeout,
)

__all__ = ['DEEPEST', 'NEVER', 'Frame', 'Surroundings', 'mask_guards']

NEVER = 1 << 62
"""A deadline that does not come, ns."""
DEEPEST = 150
"""Elements within elements; each takes some of the interpreter's stack."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an element finds where it is entered.

    variables: parameters and outputs that expressions may name; alpha, beta: product of the
    scales around it, alpha None for ones; direct: factor of time of the scale that is written
    directly on it; spared: it tidies up after a contact, which is then no reason for the guard of
    its level to end it; resume: where it was in an earlier run; call: what of the program itself
    runs it, or what it is in.
    """

    core: Core
    names: Names
    variables: dict[str, Any]
    path: str
    parent: 'Frame | None'
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    direct: float = 1.0
    spared: bool = False
    resume: Where = None
    call: Step | Action | Expression | None = None

    def scope(self, entered: int, first: Values | None, stretch: float = 1.0) -> Scope:
        """Give what expressions of an element may refer to."""
        core = self.core
        return Scope(
            self.names,
            self.variables,
            core.spec.outputs,
            core.board,
            entered,
            first,
            stretch,
        )

    def value(self, expression: Expression) -> Any:
        """Give a value that is fixed at entry; channels are read now."""
        core = self.core
        reading = bind(expression, self.scope(core.now, core.values))
        return self.now(reading, expression.place)

    def now(self, reading: Reading, place: Place) -> Any:
        """Give what is bound as it is now.

        Raises RunError where a channel is not there or cannot be trusted, and where the value
        cannot be computed.
        """
        if not isinstance(reading, Live):
            return reading
        core = self.core
        for channel, _ in sorted(reading.channels):
            core.rely_on(channel, place, self.path)
        try:
            return reading.read(core.values, core.now)
        except RunError:
            raise
        except Exception as error:
            text = f'cannot compute this ({error or type(error).__name__})'
            raise RunError('E801', text, place, self.path) from None

    def scaled(self, scale: Scale) -> 'Surroundings':
        """Multiply the scales around an element by one more (mdle.md §4.10).

        Raises RunError for one of another number of factors, and for time that runs backwards.
        """
        alpha = tuple(float(self.value(factor)) for factor in scale.alpha)
        if self.alpha is not None:
            if len(self.alpha) != len(alpha):
                text = f'a scale of {len(alpha)} factors within one of {len(self.alpha)}'
                raise RunError('E401', text, scale.place, self.path)
            alpha = tuple(a * b for a, b in zip(self.alpha, alpha, strict=True))
        beta = float(self.value(scale.beta)) if scale.beta else 1.0
        if not beta >= 0.0:
            raise RunError('E705', 'time cannot be scaled by less than 0', scale.place, self.path)
        return replace(self, alpha=alpha, beta=self.beta * beta, direct=beta)

    def guards_of(self, written: tuple[Guard, ...]) -> tuple[Guard, ...]:
        """Give the guards of an atom, behavior or plan: those written there, then the level's."""
        level = self.core.level_guard
        return (*written, level) if level and not self.spared else written

    def at(
        self,
        path: str,
        parent: 'Frame',
        part: Step | Action | Expression | None = None,
        resume: Where = None,
    ) -> 'Surroundings':
        """Give the surroundings of a child that a part of the program runs."""
        core = self.core
        call = part if part and self.names is core.names else self.call
        core.sites[path] = Site(call)
        return replace(self, path=path, parent=parent, direct=1.0, resume=resume, call=call)


class Frame:
    """An element that runs; subclasses say what is in it.

    ``start`` and ``check`` give None while it runs on, or its ending: it is left by then, all
    within it too.
    """

    __slots__ = (
        'alive',
        'around',
        'core',
        'deadline',
        'depth',
        'entered',
        'guards',
        'parent',
        'path',
        'place',
    )

    place: Place

    def __init__(self, around: Surroundings, place: Place = NOWHERE) -> None:
        """Take the place in the tree; nothing begins yet."""
        self.around = around
        self.core = around.core
        self.path = around.path
        self.parent = around.parent
        self.place = place
        self.depth: int = around.parent.depth + 1 if around.parent else 0
        if self.depth > DEEPEST:
            text = f'elements lie in elements more than {DEEPEST} deep'
            raise RunError('E801', text, place, self.path)
        self.guards: tuple[LiveGuard, ...] = ()
        self.deadline = NEVER
        self.entered = 0
        self.alive = False
        module = around.names.module
        if module:
            self.core.sites[self.path] = Site(around.call, module.name)

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter the element; guards and timer count at once (mdle.md §4.6.2, step 7)."""
        raise NotImplementedError

    def check(self, y: Values, now: int) -> Ending | None:
        """Look in one tick whether the element ends."""
        raise NotImplementedError

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End the element from outside; gives what is still to run because of it."""
        raise NotImplementedError

    def give(self, outputs: Mapping[str, Any]) -> None:
        """Take what a child gives that is left from outside; not all have a use for it."""

    def branches(self) -> Iterator['Frame']:
        """Give the frames within, the next level only."""
        yield from ()

    def pause(self) -> None:
        """Hold what goes on outside; a program that is paused does not drive anyway."""

    def resume(self) -> None:
        """Let what goes on outside go on."""

    def follow(self, policy: Policy, y: Values, now: int) -> Ending | None:
        """Do with the innermost elements what the operator asks for after a pause.

        Gives the ending where it has ended by that.
        """
        raise NotImplementedError

    def where(self) -> Where:
        """Tell where it is, for a checkpoint; None for what begins afresh."""
        return None

    def active(self) -> Iterator['Frame']:
        """Give this frame and all within it, outermost first."""
        yield self
        for branch in self.branches():
            yield from branch.active()

    def _arm(
        self, around: Surroundings, guards: tuple[Guard, ...], y: Values, entered: int
    ) -> None:
        """Make the guards ready; what they read of the entry is read here."""
        scope = around.scope(entered, y)
        try:
            self.guards = tuple(arm(guard, scope) for guard in guards)
        except RunError as error:
            error.path = error.path or self.path
            raise
        for live in self.guards:
            if live.guard is self.core.level_guard:
                live.name = 'contact'
            elif live.guard is self.core.default_guard:
                live.default, live.name = True, 'contact'
                live.read = live.test = self._standing_back(live)
            elif self.core.watches_contact(live):
                self.core.recording.watch(live.guard, around)

    def _standing_back(self, default: LiveGuard) -> Reader:
        """Let the default guard say nothing where an element that runs watches contact itself."""
        read, spec = default.read, self.core.spec
        contact, sides = frozenset([spec.contact]), self.core.contacts

        def watches(guard: LiveGuard, y: Values, now: int) -> bool:
            if guard.reads_any(contact):
                return guard is not default
            # One that asks for a side stands for the default guard where it hears that side.
            return guard.reads_any(sides) and (guard.masked or bool(guard.read(y, now)))

        def test(y: Values, now: int) -> bool:
            return bool(read(y, now)) and not any(
                watches(guard, y, now) for frame in self.active() for guard in frame.guards
            )

        return test

    def _set_timer(self, around: Surroundings, timeout: Timeout | None, beta: float) -> bool:
        """Start the timer; tells whether there is any time at all."""
        self.entered = self.core.now
        self.deadline = NEVER
        if timeout is None:
            return True
        seconds = float(around.value(timeout.duration)) * beta
        if seconds != seconds or seconds < 0.0:
            raise RunError('E801', 'a timeout must be 0 or more', timeout.place, self.path)
        if seconds < NEVER / SECOND:
            self.deadline = self.entered + round(seconds * SECOND)
        return seconds > 0.0

    def _fired(self, y: Values, now: int) -> Ending | None:
        """Give the ending by the first guard that is true, in the order written."""
        core = self.core
        for guard in self.guards:
            try:
                true = core.judged(guard, self.path) if core.suspects else guard.test(y, now)
            except UnsetError as error:
                return Ending('fail', self.path, error.place, text=error.text)
            except RunError as error:
                error.path = error.path or self.path
                error.code = 'E803' if error.code == 'E801' else error.code
                raise
            except Exception as error:
                text = f"guard '{guard.name}' cannot be computed ({error or type(error).__name__})"
                raise RunError('E803', text, guard.guard.place, self.path) from None
            if true:
                core.interrupts += 1
                values = {name: y[name] for name, _ in sorted(guard.channels) if name in y}
                return Ending(
                    'interrupt',
                    self.path,
                    guard.guard.place,
                    guard.name,
                    action=guard.action,
                    key=guard.key,
                    names=guard.names | {guard.name},
                    values=values,
                )
        return None

    def _late(self, timeout: Timeout | None, gentle: bool) -> Ending:
        """Give the ending by the timer."""
        return Ending(
            'timeout',
            self.path,
            timeout.place if timeout else self.place,
            action=timeout.action if timeout else None,
            gentle=gentle,
            late=True,
        )


def mask_guards(frame: Frame | None, ending: Ending) -> tuple[tuple[LiveGuard, Mask], ...]:
    """Hold back the guards of one condition in a frame and all around it (mdle.md §4.7).

    Where the cause was a contact, the default guard is held back too: somebody has heard of it.
    """
    masked: list[tuple[LiveGuard, Mask]] = []
    while frame and ending.key is not None:
        core = frame.core
        until = core.now + round(core.settings.mask_limit * SECOND)
        touched = not core.contacts.isdisjoint(ending.values)
        for guard in frame.guards:
            if guard.key == ending.key or (guard.default and touched):
                masked.append((guard, guard.mask(until)))
        frame = frame.parent
    return tuple(masked)
