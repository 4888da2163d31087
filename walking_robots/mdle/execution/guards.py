"""Guards that run: a bound condition, its mask, and what it says of stale channels."""

from collections.abc import Hashable
from dataclasses import replace

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.live import Live, Reader, Values
from walking_robots.mdle.execution.reading import Scope, bind
from walking_robots.mdle.knowledge.names import meanings, spelled
from walking_robots.mdle.language.ast import Action, Call, Expression, Guard, Interrupt

__all__ = ['LiveGuard', 'Mask', 'arm']


class Mask:
    """One reason to hold a guard back, until a time, ns."""

    __slots__ = ('until',)

    def __init__(self, until: int) -> None:
        """Take the time."""
        self.until = until


class LiveGuard:
    """A guard of an element that runs; ``test(y, now)`` is true where the element is to end.

    channels: those it reads, with the policy for stale ones; key: equal for guards that have the
    same condition; default: nobody wrote it; last: what a condition that remembers said last,
    which must not be asked again between ticks; names: of the interrupts that it is; read:
    without masks, by the sides that count now.
    """

    __slots__ = (
        '_masks',
        '_straight',
        'action',
        'channels',
        'default',
        'guard',
        'key',
        'last',
        'name',
        'names',
        'read',
        'stateful',
        'test',
    )

    def __init__(self, guard: Guard, name: str, live: Live, key: Hashable) -> None:
        """Take a bound condition."""
        self.guard = guard
        self.name = name
        self.names = frozenset[str]()
        self.action: Action | None = guard.action
        self.channels = live.channels
        self.key = key
        self.default = False
        self.stateful = live.stateful
        self.last: bool | None = None
        self.read: Reader = self._remembered(live.read) if live.stateful else live.read
        self.test: Reader = self.read
        self._straight: Reader | None = None
        self._masks: list[Mask] = []

    def _remembered(self, read: Reader) -> Reader:
        def remembered(y: Values, now: int) -> bool:
            self.last = bool(read(y, now))
            return self.last

        return remembered

    def mask(self, until: int) -> 'Mask':
        """Hold the guard back until its condition was false once, or until a time, ns.

        Whoever holds it back gives the mask back; another one's stays.
        """
        mask = Mask(until)
        self._masks.append(mask)
        self.test = self._masked
        return mask

    def _masked(self, y: Values, now: int) -> bool:
        # What called for the mask is the condition itself, whichever side counts now.
        true = bool((self._straight or self.read)(y, now))
        self._masks = [mask for mask in self._masks if true and now < mask.until]
        if self._masks:
            return False
        self.test = self.read
        return bool(self.read(y, now)) if self._straight else true

    @property
    def masked(self) -> bool:
        """Tell whether it is held back."""
        return bool(self._masks)

    def exchange(self, one: str, other: str) -> None:
        """Read each of two channels as the other, as front and rear of a robot driven back."""
        read = self._straight = self.read

        def exchanged(y: Values, now: int) -> bool:
            return bool(read({**y, one: y.get(other), other: y.get(one)}, now))

        self._reads(exchanged)

    def straighten(self) -> None:
        """Read all channels as what they are again."""
        if self._straight:
            self._reads(self._straight)
            self._straight = None

    def _reads(self, read: Reader) -> None:
        self.read = read
        if not self._masks:
            self.test = read

    def reads_any(self, channels: frozenset[str]) -> bool:
        """Tell whether it reads one of some channels."""
        return any(name in channels for name, _ in self.channels)

    def unmask(self, mask: 'Mask') -> None:
        """Take a mask away."""
        self._masks = [other for other in self._masks if other is not mask]
        if not self._masks:
            self.test = self.read


def arm(guard: Guard, scope: Scope) -> LiveGuard:
    """Make a guard ready for one run of its element."""
    reading = bind(guard.condition, scope)
    if not isinstance(reading, Live):
        known = reading
        reading = Live(lambda y, now: known)
    live = LiveGuard(guard, _name_of(guard.condition), reading, _key(guard.condition, scope))
    found = meanings(guard.condition, scope.names)
    live.names = frozenset(meaning.element.name for meaning in found)
    return live


def _name_of(condition: Expression) -> str:
    """Give the name of the interrupt, or 'condition' for an expression written in place."""
    parts = spelled(condition)
    return '.'.join(parts) if parts and parts[0] not in ('y', 'y0', 'bb', 't') else 'condition'


def _key(condition: Expression, scope: Scope) -> Hashable:
    """Give what is equal for equal conditions: ``contact`` is ``y.bumper.any``."""
    key: Hashable = condition
    for found in meanings(condition, scope.names):
        assert isinstance(found.element, Interrupt)
        arguments = condition.arguments if isinstance(condition, Call) else ()
        try:
            values = tuple(bind(argument.value, scope) for argument in arguments)
            hash(values)
        except (RunError, TypeError):
            return key
        condition = found.element.condition
        key = (condition, values) if values else condition
        if found.element.parameters:
            return key
        scope = replace(scope, names=found.names, variables={})
    return key
