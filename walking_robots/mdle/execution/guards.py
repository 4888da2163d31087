"""Guards that run: a bound condition, its mask, and what it says of stale channels."""

from collections.abc import Hashable

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.live import Live, Reader, Values
from walking_robots.mdle.execution.reading import Scope, bind
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.expressions import Call, Expression, Name
from walking_robots.mdle.language.program import Action, Guard, Interrupt

__all__ = ['LiveGuard', 'arm']


class LiveGuard:
    """A guard of an element that runs; ``test(y, now)`` is true where the element is to end.

    channels: those it reads, with the policy for stale ones; key: equal for guards that have the
    same condition; default: nobody wrote it.
    """

    __slots__ = ('action', 'channels', 'default', 'guard', 'key', 'name', 'read', 'test')

    def __init__(self, guard: Guard, name: str, live: Live, key: Hashable) -> None:
        """Take a bound condition."""
        self.guard = guard
        self.name = name
        self.action: Action | None = guard.action
        self.channels = live.channels
        self.key = key
        self.default = False
        self.read: Reader = live.read
        self.test: Reader = live.read

    def mask(self, until: int) -> None:
        """Hold the guard back until its condition was false once, or until a time, ns."""
        read = self.read

        def masked(y: Values, now: int) -> bool:
            if read(y, now) and now < until:
                return False
            self.test = read
            return bool(read(y, now))

        self.test = masked

    def reads_any(self, channels: frozenset[str]) -> bool:
        """Tell whether it reads one of some channels."""
        return any(name in channels for name, _ in self.channels)

    def unmask(self) -> None:
        """Let the guard act again."""
        self.test = self.read


def arm(guard: Guard, scope: Scope) -> LiveGuard:
    """Make a guard ready for one run of its element."""
    reading = bind(guard.condition, scope)
    if not isinstance(reading, Live):
        known = reading
        reading = Live(lambda y, now: known)
    return LiveGuard(guard, _name_of(guard.condition), reading, _key(guard.condition, scope))


def _name_of(condition: Expression) -> str:
    """Give the name of the interrupt, or 'condition' for an expression written in place."""
    parts = spelled(condition)
    return '.'.join(parts) if parts and parts[0] not in ('y', 'y0', 'bb', 't') else 'condition'


def _key(condition: Expression, scope: Scope) -> Hashable:
    """Give what is equal for equal conditions: ``contact`` is ``y.bumper.any``."""
    if isinstance(condition, (Name, Call)):
        found = scope.names.called(condition)
        if found and isinstance(found.element, Interrupt):
            arguments = condition.arguments if isinstance(condition, Call) else ()
            try:
                values = tuple(bind(argument.value, scope) for argument in arguments)
                hash(values)
            except (RunError, TypeError):
                return condition
            return (found.element.condition, values) if values else found.element.condition
    return condition
