"""Guards of elements that run: a compiled condition, and what holds it back."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Literal

from walking_robots.mdle.knowledge.names import meanings, spelled
from walking_robots.mdle.language.ast import Action, Call, Expression, Guard, Interrupt
from walking_robots.mdle.runtime.compiled_expression import (
    CompileScope,
    Live,
    Reader,
    Values,
    compiled,
    live,
)
from walking_robots.mdle.runtime.events import RunError


class LiveGuard:
    """A guard of an element that runs; ``test(y, now)`` is true where the element is to end.

    channels: those it reads, with the policy for stale ones; key: equal for guards that have the
    same condition; default: nobody wrote it; last: what a condition that remembers returned last,
    which must not be read again between ticks; names: of the interrupts that it is; read:
    without masks, by the sides that count now.
    """

    def __init__(self, guard: Guard, bindings: CompileScope) -> None:
        """Compile the condition, for one run of its element."""
        condition: Live = live(compiled(guard.condition, bindings))
        parts = spelled(guard.condition)
        named = bool(parts) and parts[0] not in ('y', 'y0', 'bb', 't')
        self.guard = guard
        self.name = '.'.join(parts) if named else 'condition'
        found = meanings(guard.condition, bindings.names)
        self.names = frozenset(meaning.element.name for meaning in found)
        self.action: Action | None = guard.action
        self.channels = condition.channels
        self.key = _key(guard.condition, bindings)
        self.default = False
        self.stateful = condition.stateful
        self.last: bool | None = None
        self.read: Reader = self._remembered(condition.read) if self.stateful else condition.read
        self.test: Reader = self.read
        self._straight: Reader | None = None
        self._masks: dict[Hashable, int] = {}

    def _remembered(self, read: Reader) -> Reader:
        def remembered(y: Values, now: int) -> bool:
            self.last = bool(read(y, now))
            return self.last

        return remembered

    def reads_any(self, channels: frozenset[str]) -> bool:
        """Return whether it reads one of some channels."""
        return any(name in channels for name, _ in self.channels)

    def reading(self, y: Values, now: int) -> Literal['true', 'false', 'masked', 'unknown']:
        """Return what it says; one that remembers is not read again, for that would change it."""
        if self._masks:
            return 'masked'
        try:
            true = self.last if self.stateful else self.read(y, now)
        except Exception:
            return 'unknown'
        return 'unknown' if true is None else 'true' if true else 'false'

    @property
    def masked(self) -> bool:
        """Whether it is held back."""
        return bool(self._masks)

    def mask(self, owner: Hashable, until: int) -> None:
        """Hold the guard back until its condition was false once, or until a time, ns."""
        self._masks[owner] = until
        self.test = self._masked

    def unmask(self, owner: Hashable) -> None:
        """Remove the mask of an owner; those of others stay."""
        self._masks.pop(owner, None)
        self.replace_reader(self.read)

    def _masked(self, y: Values, now: int) -> bool:
        # What called for the mask is the condition itself, whichever side counts now.
        true = bool((self._straight or self.read)(y, now))
        self._masks = {owner: end for owner, end in self._masks.items() if true and now < end}
        if self._masks:
            return False
        self.test = self.read
        return bool(self.read(y, now)) if self._straight else true

    def exchange(self, one: str, other: str) -> None:
        """Read each of two channels as the other, as front and rear of a robot driven back."""
        read = self._straight = self.read

        def exchanged(y: Values, now: int) -> bool:
            return bool(read({**y, one: y.get(other), other: y.get(one)}, now))

        self.replace_reader(exchanged)

    def straighten(self) -> None:
        """Read all channels as what they are again."""
        if self._straight:
            self.replace_reader(self._straight)
            self._straight = None

    def replace_reader(self, read: Reader) -> None:
        """Read the condition in another way; masks stay."""
        self.read = read
        self.test = self._masked if self._masks else read


def _key(condition: Expression, bindings: CompileScope) -> Hashable:
    """Return what is equal for equal conditions: ``contact`` is ``y.bumper.any``."""
    key: Hashable = condition
    for found in meanings(condition, bindings.names):
        assert isinstance(found.element, Interrupt)
        arguments = condition.arguments if isinstance(condition, Call) else ()
        try:
            values = tuple(compiled(argument.value, bindings) for argument in arguments)
            hash(values)
        except (RunError, TypeError):
            return key
        condition = found.element.condition
        key = (condition, values) if values else condition
        if found.element.parameters:
            return key
        bindings = replace(bindings, names=found.names, variables={})
    return key
