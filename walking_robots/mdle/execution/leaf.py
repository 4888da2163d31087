"""Leaves of a run: atoms, written in the language or in Python."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from walking_robots.mdle.execution.control import Law, Player, law_of, player_of
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.outputs import make_sure
from walking_robots.mdle.execution.requests import Policy
from walking_robots.mdle.knowledge.elements import AtomLogic, Progress, PythonAtom
from walking_robots.mdle.language.ast import Atom, Segments
from walking_robots.mdle.robot import SpaceSpec

__all__ = ['BY_OPERATOR', 'AtomFrame', 'Leaf', 'PythonFrame', 'space_of']

COMPUTING = SpaceSpec('none', ())
BY_OPERATOR = 'failed by the operator'


def space_of(around: Surroundings, name: str) -> SpaceSpec:
    """Give a control space of the robot; every robot has ``none``.

    Raises RunError where the robot does not offer it.
    """
    spaces = around.core.spec.spaces
    if name in spaces:
        return spaces[name]
    if name == 'none':
        return COMPUTING
    raise RunError('E402', f"the robot has no control space '{name}'", path=around.path)


class Leaf(Frame):
    """An element without elements in it."""

    __slots__ = ('space',)

    space: SpaceSpec

    def control(self, y: Values, now: int) -> tuple[float, ...]:
        """Give the control of this tick, scaled, and made sure of (E802)."""
        try:
            vector = self._law(y, now)
            if self.around.alpha is not None:
                vector = self._scaled(self.around.alpha, vector)
            sound = len(vector) == len(self.space.channels) and all(map(math.isfinite, vector))
        except RunError as error:
            error.code = 'E802' if error.code in ('E801', 'E803') else error.code
            error.path = self.path
            raise
        except Exception as error:
            text = f'the control cannot be computed ({error or type(error).__name__})'
            raise RunError('E802', text, self.place, self.path) from None
        if not sound:
            told = ', '.join(f'{u:g}' for u in vector)
            wanted = len(self.space.channels)
            raise RunError(
                'E802',
                f'the control [{told}] is not {wanted} finite numbers',
                self.place,
                self.path,
            )
        return vector

    def _scaled(self, alpha: tuple[float, ...], vector: tuple[float, ...]) -> tuple[float, ...]:
        if len(alpha) != len(vector):
            text = f'a scale of {len(alpha)} factors does not fit a control of {len(vector)}'
            raise RunError('E401', text, self.place, self.path)
        return tuple(a * u for a, u in zip(alpha, vector, strict=True))

    def follow(self, policy: Policy, y: Values, now: int) -> Ending | None:
        """Fail where the operator says so; to enter it again is for its parent."""
        if policy != 'fail':
            return None
        ending = Ending('fail', self.path, self.place, text=BY_OPERATOR)
        return ending._replace(cleanups=self.leave(ending))

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

    __slots__ = ('_channels', '_law_function', '_player', 'atom')

    def __init__(self, around: Surroundings, atom: Atom) -> None:
        """Take the atom; its parameters are bound in ``around``."""
        super().__init__(around, atom.place)
        self.atom = atom
        self._player: Player | None = None
        self._law_function: Law | None = None
        self._channels: frozenset[str] = frozenset()

    def start(self, y: Values, now: int) -> Ending | None:
        """Bind guards, timer and control, and look at them once."""
        atom, around = self.atom, self.around
        for need in atom.needs:
            _meet(need, around)
        self.space = space_of(around, atom.space)
        self._arm(around, around.guards_of(atom.guards), y, now)
        timed = self._set_timer(around, atom.timeout, around.beta)
        if isinstance(atom.control, Segments):
            self._player = player_of(atom.control, around, now, y)
        elif atom.control is not None and self.space.channels:
            self._law_function, self._channels = law_of(atom.control, around, now, y, self.space)
        self._enter()
        if not timed:
            # No time at all: the element is passed over (mdle.md §4.8).
            ending = Ending('done', self.path, late=True)
            self._exit(ending)
            return ending
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Look at the guards, at the end of the segments, at the timer, in this order."""
        ending = None
        if self.guards:
            ending = self._fired(y, now)
        if ending is None:
            if self._player is not None and self._player.over(now):
                ending = Ending('done', self.path)
            elif now >= self.deadline:
                ending = self._late(self.atom.timeout, gentle=True)
            else:
                return None
        return self._ended(ending)

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside; outputs that can be computed are given (mdle.md §4.6.3)."""
        if self.alive:
            self._exit(ending)
            if self.parent and ending.cause not in ('fault', 'canceled'):
                self.parent.give(dict(self._computable(ending)))
        return ()

    def _computable(self, ending: Ending) -> Iterator[tuple[str, Any]]:
        for item in self.atom.emissions:
            try:
                value = self.around.value(item.value)
                make_sure(ending._replace(outputs={item.name: value}))
            except RunError:
                # All around is left too; a step that reads the name finds it without a value.
                continue
            yield item.name, value

    def _ended(self, ending: Ending) -> Ending:
        self._exit(ending)
        if not self.atom.emissions:
            return ending
        given = {item.name: self.around.value(item.value) for item in self.atom.emissions}
        return ending._replace(outputs=given)

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        if self._player is not None:
            return self._player.control(y, now)
        assert self._law_function is not None
        if self.core.suspects:
            for channel in sorted(self._channels):
                self.core.require(channel, self.path)
        return self._law_function(y, now)


def _meet(need: Any, around: Surroundings) -> None:
    """Make sure of what an atom needs before it starts (``needs``, mdle.md §4.13)."""
    if around.value(need) is False:
        raise RunError('E808', 'what is needed is not there', need.place, around.path)


class PythonFrame(Leaf):
    """One run of an atom that is written in Python."""

    __slots__ = ('_held', '_logic', 'arguments', 'atom', 'now', 'services', 'values')

    def __init__(self, around: Surroundings, atom: PythonAtom) -> None:
        """Take the atom; its parameters are bound in ``around``."""
        super().__init__(around)
        self.atom = atom
        self._logic: AtomLogic | None = None
        self._held = False
        self.arguments = around.variables
        self.services = around.core.services
        self.values: Values = {}
        self.now = 0

    def start(self, y: Values, now: int) -> Ending | None:
        """Make the logic ready, and look at it once."""
        self.space = space_of(self.around, self.atom.space)
        self.entered, self.now, self.values = now, now, y
        logic: AtomLogic = self._call(self.atom.make)
        self._logic = logic
        self._arm(self.around, self.around.guards_of(()), y, now)
        self._enter()
        fired = self._fired(y, now)
        if fired:
            # Before the logic does anything, which then need not let go of it.
            self._exit(fired)
            return fired
        self._call(logic.enter, self)
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Ask the logic whether it has ended."""
        assert self._logic
        fired = self._fired(y, now)
        if fired:
            self._let_go(fired)
            return fired
        progress = self._call(self._logic.progress, (now - self.entered) * 1e-9, y)
        if isinstance(progress, Progress) and progress.ended == '':
            return None
        if not _is_end(progress):
            text = (
                "'progress' has to give Progress(), ended by 'done' or 'fail' with outputs by name"
            )
            raise RunError('E802', f'the atom is wrong: {text}', path=self.path)
        ending = Ending(progress.ended, self.path, text=progress.text, outputs=progress.outputs)
        self._let_go(ending)
        return ending

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside."""
        if self.alive:
            try:
                self._let_go(ending)
            except RunError as error:
                # All around is left too; one that does not let go must not keep the others.
                self.core.note('warning', self.path, ending, error.text)
        return ()

    def pause(self) -> None:
        """Let the logic hold what it has going on outside, if it knows how."""
        self._held = True
        self._call(getattr(self._logic, 'pause', _nothing))

    def resume(self) -> None:
        """Let the logic go on with it."""
        if self._held:
            self._held = False
            self._call(getattr(self._logic, 'resume', _nothing))

    def _let_go(self, ending: Ending) -> None:
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
        if self.core.suspects:
            for channel in sorted(self.atom.reads):
                self.core.require(channel, self.path)
        assert self._logic
        return tuple(self._logic.law((now - self.entered) * 1e-9 / self.around.beta, y))


def _is_end(progress: Any) -> bool:
    """Tell whether an atom in Python has ended in a way that an atom can."""
    return (
        isinstance(progress, Progress)
        and progress.ended in ('done', 'fail')
        and isinstance(progress.text, str)
        and isinstance(progress.outputs, Mapping)
        and all(isinstance(name, str) for name in progress.outputs)
    )


def _nothing() -> None:
    """Neither hold anything nor go on with it."""
