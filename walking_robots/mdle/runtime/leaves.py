"""Leaves of a run: atoms, written in the language or in Python, and their controls."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from walking_robots.mdle.knowledge.elements import AtomLogic, Progress, PythonAtom
from walking_robots.mdle.language.ast import Atom, Segments
from walking_robots.mdle.robot import SpaceSpec
from walking_robots.mdle.runtime.compiled_expression import (
    Live,
    Reader,
    Values,
    compiled_law,
    live,
)
from walking_robots.mdle.runtime.events import Cleanup, Ending, RunError
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame

COMPUTING = SpaceSpec('none', ())
BY_OPERATOR = 'failed by the operator'
LEAST = 1e-6
"""Share of a tick below which none is driven (mdle.md §4.6.5)."""


def space_of(entry: EntryContext, name: str) -> SpaceSpec:
    """Return a control space of the robot; every robot has ``none``.

    Raises RunError where the robot does not offer it.
    """
    spaces = entry.core.spec.spaces
    if name in spaces:
        return spaces[name]
    if name == 'none':
        return COMPUTING
    raise RunError('E402', f"the robot has no control space '{name}'", path=entry.path)


class TimedControl(NamedTuple):
    """A segment as it is driven: the control, and for how long, s."""

    control: Reader
    duration: float


class SegmentPlayer:
    """Drives segments one after the other, each to its exact length.

    Full ticks first, then one tick of a control that is shortened to what remains: so the
    integral of the control does not depend on the period (mdle.md §4.6.5).
    """

    def __init__(self, stretches: list[TimedControl], period: float, shorten: bool) -> None:
        """Take the segments, and the period of the ticks, s."""
        self._stretches = stretches
        self._period = period
        self._shorten = shorten
        self._index = 0
        self._begun = -1
        self._share = 1.0

    def over(self, now: int) -> bool:
        """Go to the segment of this instant, ns; returns whether there is none left."""
        if self._begun < 0:
            self._begun = now
        while self._index < len(self._stretches):
            left = self._stretches[self._index].duration - (now - self._begun) * 1e-9
            share = left / self._period
            if share >= LEAST:
                self._share = min(share, 1.0) if self._shorten else 1.0
                return False
            self._index += 1
            self._begun = now
        return True

    def control(self, y: Values, now: int) -> tuple[float, ...]:
        """Return the control of this tick, already shortened."""
        vector = self._stretches[self._index].control(y, now)
        share = self._share
        return tuple(vector) if share == 1.0 else tuple(share * u for u in vector)


def ticks_of(duration: float, period: float) -> int:
    """Return how many ticks a segment takes, both in s: the last one may be shortened."""
    return max(math.ceil(duration / period - LEAST), 0)


def player_of(control: Segments, entry: EntryContext, now: int, y: Values) -> SegmentPlayer:
    """Return the player of an open-loop control; durations are fixed here.

    Raises RunError where a duration is not positive and finite.
    """
    settings = entry.core.settings
    bindings = entry.bindings(now, y, entry.beta)
    stretches = []
    for segment in control.segments:
        duration = float(entry.value(segment.duration)) * entry.beta
        if not (duration >= 0.0 and math.isfinite(duration)):
            place = segment.duration.place
            raise RunError('E406', f'a segment of {duration:g} s', place, entry.path)
        stretches.append(TimedControl(compiled_law(segment.vector, bindings).read, duration))
    return SegmentPlayer(stretches, settings.tick_period, settings.last_tick_rule)


class Leaf(RunFrame):
    """An element without elements in it; ``channels`` are those that its control reads."""

    space: SpaceSpec
    channels: frozenset[str] = frozenset()

    def control(self, y: Values, now: int) -> tuple[float, ...]:
        """Return the control of this tick, scaled; raises RunError for a wrong one (E802)."""
        try:
            for channel in sorted(self.channels) if self.core.suspects else ():
                self.core.require(channel, self.path)
            vector = self.entry.scale_vector(self._law(y, now), self.place)
            sound = len(vector) == len(self.space.channels) and all(map(math.isfinite, vector))
        except RunError as error:
            error.code = 'E802' if error.code in ('E801', 'E803') else error.code
            error.path = self.path
            raise
        except Exception as error:
            text = f'the control cannot be computed ({error or type(error).__name__})'
            raise RunError('E802', text, self.place, self.path) from None
        if not sound:
            text = f'[{", ".join(f"{u:g}" for u in vector)}]'
            text = f'the control {text} is not {len(self.space.channels)} finite numbers'
            raise RunError('E802', text, self.place, self.path)
        return vector

    def fail(self, y: Values, now: int) -> Ending:
        """Fail, as the operator says."""
        ending = Ending('fail', self.path, self.place, text=BY_OPERATOR)
        return ending._replace(cleanups=self.leave(ending))

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside."""
        if self.alive:
            self._exit(ending)
        return ()

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        raise NotImplementedError

    def _enter(self) -> None:
        self.alive = True
        self.core.note('enter', self.path)
        if self.space.channels:
            self.core.driving.append(self)

    def _exit(self, ending: Ending) -> None:
        self.alive = False
        if self.space.channels:
            self.core.driving.remove(self)
        self.core.note('exit', self.path, ending)


class AtomFrame(Leaf):
    """One run of an atom: (U, xi, T)."""

    def __init__(self, entry: EntryContext, atom: Atom) -> None:
        """Take the atom; its parameters are bound in ``entry``."""
        super().__init__(entry, atom.place)
        self.atom = atom
        self._player: SegmentPlayer | None = None
        self._control = live(())

    def start(self, y: Values, now: int) -> Ending | None:
        """Make guards, timer and control ready, and check them once."""
        atom, entry = self.atom, self.entry
        for need in atom.needs:
            # Network dependencies, before the start (mdle.md §4.13).
            if entry.value(need) is False:
                raise RunError('E808', 'what is needed is not there', need.place, self.path)
        self.space = space_of(entry, atom.space)
        self._arm(entry, atom.guards, y, now)
        timed = self._set_timer(entry, atom.timeout, entry.beta)
        if isinstance(atom.control, Segments):
            self._player = player_of(atom.control, entry, now, y)
            self._control = Live(self._player.control)
        elif atom.control is not None and self.space.channels:
            self._control = compiled_law(atom.control, entry.bindings(now, y, entry.beta))
            self.channels = frozenset(name for name, _ in self._control.channels)
        self._enter()
        if not timed:
            # No time at all: the element is passed over (mdle.md §4.8).
            ending = Ending('done', self.path, late=True)
            self._exit(ending)
            return ending
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Check the guards, the end of the segments and the timer, in this order."""
        ending = self._fired(y, now) if self.guards else None
        if ending is None:
            if self._player is not None and self._player.over(now):
                ending = Ending('done', self.path)
            elif now >= self.deadline:
                ending = self._late(self.atom.timeout, gentle=True)
            else:
                return None
        self._exit(ending)
        if not self.atom.emissions:
            return ending
        given = {item.name: self.entry.value(item.value) for item in self.atom.emissions}
        return ending._replace(outputs=given)

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside; outputs that can be computed are handed on (mdle.md §4.6.3)."""
        if self.alive:
            self._exit(ending)
            if self.parent and ending.cause not in ('fault', 'canceled'):
                self.parent.take_outputs(dict(self._computable(ending)))
        return ()

    def _computable(self, ending: Ending) -> Iterator[tuple[str, Any]]:
        for item in self.atom.emissions:
            try:
                value = self.entry.value(item.value)
                ending._replace(outputs={item.name: value}).check_outputs()
            except RunError:
                # All around is left too; a step that reads the name finds it without a value.
                continue
            yield item.name, value

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        return self._control.read(y, now)  # type: ignore[no-any-return]


class PythonFrame(Leaf):
    """One run of an atom that is written in Python; the context that its logic gets."""

    def __init__(self, entry: EntryContext, atom: PythonAtom) -> None:
        """Take the atom; its parameters are bound in ``entry``."""
        super().__init__(entry)
        self.atom, self.channels = atom, atom.reads
        self._logic: AtomLogic | None = None
        self._held = False
        self.arguments = entry.variables
        self.services = entry.core.services
        self.values: Values = {}
        self.now = 0

    def start(self, y: Values, now: int) -> Ending | None:
        """Make the logic ready, and ask it once."""
        self.space = space_of(self.entry, self.atom.space)
        self.entered, self.now, self.values = now, now, y
        logic: AtomLogic = self._call(self.atom.make)
        self._logic = logic
        self._enter()
        self._call(logic.enter, self)
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Check whether the logic has ended."""
        assert self._logic
        progress = self._call(self._logic.progress, (now - self.entered) * 1e-9, y)
        if isinstance(progress, Progress) and progress.ended == '':
            return None
        if not _is_end(progress):
            text = "'progress' has to give Progress(), ended by 'done' or 'fail' with outputs by"
            raise RunError('E802', f'the atom is wrong: {text} name', path=self.path)
        ending = Ending(progress.ended, self.path, text=progress.text, outputs=progress.outputs)
        self._release(ending)
        return ending

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside."""
        if self.alive:
            try:
                self._release(ending)
            except RunError as error:
                # All around is left too; one that fails to release must not keep the others.
                self.core.note('warning', self.path, ending, error.text)
        return ()

    def pause(self) -> None:
        """Have the logic hold what it has going on outside, if it can."""
        self._held = True
        self._call(getattr(self._logic, 'pause', lambda: None))

    def resume(self) -> None:
        """Have the logic go on with it."""
        if self._held:
            self._held = False
            self._call(getattr(self._logic, 'resume', lambda: None))

    def _release(self, ending: Ending) -> None:
        self._exit(ending)
        assert self._logic
        self._call(self._logic.exit, ending.cause)

    def _call(self, method: Any, *arguments: Any) -> Any:
        """Call into the user's code; whatever it raises is a fault that names the element."""
        try:
            return method(*arguments)
        except RunError:
            raise
        except Exception as error:
            text = f'{type(error).__name__}: {error}' if str(error) else type(error).__name__
            raise RunError('E802', f'the atom raised {text}', path=self.path) from None

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        assert self._logic
        return tuple(self._logic.law((now - self.entered) * 1e-9 / self.entry.beta, y))


def _is_end(progress: Any) -> bool:
    """Return whether an atom in Python has ended in a way that an atom can."""
    return (
        isinstance(progress, Progress)
        and progress.ended in ('done', 'fail')
        and isinstance(progress.text, str)
        and isinstance(progress.outputs, Mapping)
        and all(isinstance(name, str) for name in progress.outputs)
    )
