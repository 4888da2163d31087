"""A frame: one run of one element, made at its entry and gone after its exit.

All that a run remembers is in its frames. The program itself is never written to, so that any
number of runs of one program live side by side (mdle.md §4.5, AC-12).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language import ast
from walking_robots.mdle.runtime.checkpoint import Where
from walking_robots.mdle.runtime.compiled_expression import (
    Compiled,
    CompileScope,
    Live,
    Reader,
    Values,
    compiled,
    compiled_arguments,
)
from walking_robots.mdle.runtime.events import Cleanup, Ending, RunError, UnsetError
from walking_robots.mdle.runtime.guards import LiveGuard
from walking_robots.mdle.runtime.recording import DrivenSpan
from walking_robots.mdle.runtime.run_context import ElementSite, RunContext
from walking_robots.mdle.runtime.settings import SECOND

Runnable = ast.Atom | ast.Encapsulation | PythonAtom

NEVER = 1 << 62
"""A deadline that does not come, ns."""
DEEPEST = 150
"""Elements within elements; each takes some of the interpreter's stack."""


@dataclass(frozen=True, slots=True)
class EntryContext:
    """What an element finds where it is entered.

    variables: parameters and outputs that expressions may name; alpha, beta: product of the
    scales around it, alpha None for ones; direct: factor of time of the scale that is written
    directly on it; resume: where it was in an earlier run; call: what of the program itself
    runs it, or what it is in.
    """

    core: RunContext
    names: Names
    variables: dict[str, Any]
    path: str
    parent: 'RunFrame | None' = None
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    direct: float = 1.0
    resume: Where = None
    call: ast.Step | ast.Action | ast.Expression | None = None

    def bindings(self, entered: int, first: Values, stretch: float = 1.0) -> CompileScope:
        """Return what expressions of an element may refer to."""
        core = self.core
        return CompileScope(
            self.names, self.variables, core.spec.outputs, core.board, entered, first, stretch
        )

    def value(self, expression: ast.Expression) -> Any:
        """Return a value that is fixed at entry; channels are read now."""
        core = self.core
        found = compiled(expression, self.bindings(core.now, core.values))
        return self.value_now(found, expression.place)

    def value_now(self, value: Compiled, place: ast.Place) -> Any:
        """Return what was compiled as it is now.

        Raises RunError where a channel is not there or cannot be trusted, and where the value
        cannot be computed.
        """
        if not isinstance(value, Live):
            return value
        core = self.core
        for channel, _ in sorted(value.channels):
            core.rely_on(channel, place, self.path)
        try:
            return value.read(core.values, core.now)
        except RunError:
            raise
        except Exception as error:
            text = f'cannot compute this ({error or type(error).__name__})'
            raise RunError('E801', text, place, self.path) from None

    def scaled(self, scale: ast.Scale) -> 'EntryContext':
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

    def scale_vector(self, vector: tuple[float, ...], place: ast.Place) -> tuple[float, ...]:
        """Return a control scaled by alpha; raises RunError where the two do not fit."""
        alpha = self.alpha
        if alpha is None:
            return vector
        if len(alpha) != len(vector):
            text = f'a scale of {len(alpha)} factors does not fit a control of {len(vector)}'
            raise RunError('E401', text, place, self.path)
        return tuple([a * u for a, u in zip(alpha, vector, strict=True)])

    def element_of(self, call: ast.Expression) -> tuple[Runnable, Names]:
        """Return the element that a call names, and the names that are known in it.

        Raises RunError where it names none that can run.
        """
        found = self.names.called(call)
        if found is None or not isinstance(found.element, Runnable):
            raise RunError('E201', 'this is no atom, behavior or plan', call.place, self.path)
        return found.element, found.names

    def inside(self, call: ast.Expression) -> tuple[Runnable, 'EntryContext']:
        """Return the element that a call names, and the context of what is in it.

        Arguments are bound now (mdle.md §4.6.3); those that channels give as they are now.
        """
        core, (element, names) = self.core, self.element_of(call)
        given = call.arguments if isinstance(call, ast.Call) else ()
        bindings = self.bindings(core.now, core.values)
        values = compiled_arguments(element.parameters, given, bindings, names)
        variables = {name: self.value_now(value, call.place) for name, value in values.items()}
        return element, replace(self, names=names, variables=variables)

    def at(
        self,
        path: str,
        parent: 'RunFrame',
        part: ast.Step | ast.Action | ast.Expression | None = None,
        resume: Where = None,
    ) -> 'EntryContext':
        """Return the context of a child that a part of the program runs."""
        core = self.core
        call = part if part and self.names is core.names else self.call
        core.sites[path] = ElementSite(call)
        return replace(self, path=path, parent=parent, direct=1.0, resume=resume, call=call)

    def frame_or_failure(self, step: ast.Step, last: DrivenSpan | None = None) -> 'RunFrame':
        """Return the frame of a step, not entered yet; ``last``: what the step before it drove.

        It fails as soon as it is entered where an argument is unset (mdle.md §4.12).
        """
        try:
            frame: RunFrame = self.core.make(step, self, last)
        except UnsetError as error:
            return FailedEntry(self, error)
        return frame

    def keep_outputs(self, given: Mapping[str, Any], step: ast.Step | None = None) -> None:
        """Keep what a step gave, under the name written before it, or under its own (§4.12)."""
        if given and isinstance(step, ast.Run) and step.output:
            given = {step.output: given.get(step.output, next(iter(given.values())))}
        self.variables.update(given)
        self.core.board.update(given)


class RunFrame:
    """An element that runs; subclasses define what is in it.

    ``start`` and ``check`` return None while it runs on, or its ending: it is left by then, all
    within it too. entered, deadline: by the program's clock, ns; iteration: of a loop.
    """

    iteration = 0

    def __init__(self, entry: EntryContext, place: ast.Place = ast.NOWHERE) -> None:
        """Take the place in the tree; nothing begins yet."""
        self.entry = entry
        self.core = entry.core
        self.path = entry.path
        self.parent = entry.parent
        self.place = place
        self.depth: int = entry.parent.depth + 1 if entry.parent else 0
        if self.depth > DEEPEST:
            text = f'elements lie in elements more than {DEEPEST} deep'
            raise RunError('E801', text, place, self.path)
        self.child: RunFrame | None = None
        self.guards: tuple[LiveGuard, ...] = ()
        self.deadline = NEVER
        self.entered = 0
        self.alive = False
        if entry.names.module:
            self.core.sites[self.path] = ElementSite(entry.call, entry.names.module.name)

    @property
    def has_timer(self) -> bool:
        """Whether its time will be up."""
        return self.deadline < NEVER

    def start(self, y: Values, now: int) -> Ending | None:
        """Enter the element; guards and timer count at once (mdle.md §4.6.2, step 7)."""
        raise NotImplementedError

    def check(self, y: Values, now: int) -> Ending | None:
        """Return in one tick whether, and how, the element ends."""
        raise NotImplementedError

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End the element from outside; returns what is still to run because of it."""
        raise NotImplementedError

    def take_outputs(self, outputs: Mapping[str, Any]) -> None:
        """Take the outputs of a child that is left from outside; not all have a use for them."""

    def branches(self) -> Iterator['RunFrame']:
        """Return the frames within, the next level only."""
        if self.child:
            yield self.child

    def active(self) -> Iterator['RunFrame']:
        """Return this frame and all within it, outermost first."""
        yield self
        for branch in self.branches():
            yield from branch.active()

    def around(self) -> Iterator['RunFrame']:
        """Return the frames around this one, innermost first."""
        frame = self.parent
        while frame:
            yield frame
            frame = frame.parent

    def pause(self) -> None:
        """Hold what goes on outside; a program that is paused does not drive anyway."""

    def resume(self) -> None:
        """Go on with what goes on outside."""

    def where(self) -> Where:
        """Return where it is, for a checkpoint; None for what begins afresh."""
        return None

    def _arm(
        self, entry: EntryContext, guards: tuple[ast.Guard, ...], y: Values, entered: int
    ) -> None:
        """Make the guards ready; what they read of the entry is read here."""
        core, bindings = self.core, entry.bindings(entered, y)
        try:
            self.guards = tuple(LiveGuard(guard, bindings) for guard in guards)
        except RunError as error:
            error.path = error.path or self.path
            raise
        for live in self.guards:
            if live.guard is core.default_guard:
                live.default, live.name = True, 'contact'
                live.replace_reader(self._standing_back(live))
            elif core.watches_contact(live):
                core.recording.watch(live.guard, entry)

    def _standing_back(self, default: LiveGuard) -> Reader:
        """Silence the default guard where an element that runs watches contact itself."""
        read, spec = default.read, self.core.spec
        contact, sides = frozenset([spec.contact]), self.core.contacts

        def watches(guard: LiveGuard, y: Values, now: int) -> bool:
            if guard.reads_any(contact):
                return guard is not default
            # One that reads a side stands for the default guard where it hears that side.
            return guard.reads_any(sides) and (guard.masked or bool(guard.read(y, now)))

        def test(y: Values, now: int) -> bool:
            return bool(read(y, now)) and not any(
                watches(guard, y, now) for frame in self.active() for guard in frame.guards
            )

        return test

    def _set_timer(self, entry: EntryContext, timeout: ast.Timeout | None, beta: float) -> bool:
        """Start the timer; returns whether there is any time at all."""
        self.entered = self.core.now
        self.deadline = NEVER
        if timeout is None:
            return True
        seconds = float(entry.value(timeout.duration)) * beta
        if seconds != seconds or seconds < 0.0:
            raise RunError('E801', 'a timeout must be 0 or more', timeout.place, self.path)
        if seconds < NEVER / SECOND:
            self.deadline = self.entered + round(seconds * SECOND)
        return seconds > 0.0

    def _fired(self, y: Values, now: int) -> Ending | None:
        """Return the ending by the first guard that is true, in the order written."""
        core = self.core
        for guard in self.guards:
            try:
                true = core.read_guard(guard, self.path) if core.suspects else guard.test(y, now)
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
                return Ending(
                    'interrupt',
                    self.path,
                    guard.guard.place,
                    guard.name,
                    action=guard.action,
                    key=guard.key,
                    names=guard.names | {guard.name},
                    values={name: y[name] for name, _ in sorted(guard.channels) if name in y},
                )
        return None

    def _mask(self, frame: 'RunFrame', ending: Ending) -> None:
        """Hold back the guards of one condition in a frame and all around it (mdle.md §4.7).

        Where the cause was a contact, the default guard is held back too: it was heard already.
        """
        if ending.key is None:
            return
        core = self.core
        until = core.now + round(core.settings.mask_limit * SECOND)
        touched = not core.contacts.isdisjoint(ending.values)
        for outer in (frame, *frame.around()):
            for guard in outer.guards:
                if guard.key == ending.key or (guard.default and touched):
                    guard.mask(self, until)

    def _unmask(self) -> None:
        for outer in (self, *self.around()):
            for guard in outer.guards:
                guard.unmask(self)

    def _late(self, timeout: ast.Timeout | None, gentle: bool = False) -> Ending:
        """Return the ending by the timer."""
        place, action = (timeout.place, timeout.action) if timeout else (self.place, None)
        return Ending('timeout', self.path, place, action=action, gentle=gentle, late=True)


class FailedEntry(RunFrame):
    """What fails as soon as it is entered."""

    def __init__(self, entry: EntryContext, error: UnsetError) -> None:
        """Take where it would have been, and why it is not."""
        super().__init__(entry, error.place)
        self._error = error

    def start(self, y: Values, now: int) -> Ending:
        """Fail."""
        return Ending('fail', self.path, self.place, text=self._error.text)
