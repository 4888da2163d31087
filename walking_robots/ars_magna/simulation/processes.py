"""How commands are written: as steps that wait for ticks, and end in a code with values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.commands import CommandInfo


class Answer(NamedTuple):
    """How a command ends: a code of ars_magna.md §2.12, and what it gives."""

    code: str
    values: tuple[Any, ...] = ()


class After(NamedTuple):
    """What a step returns to wait: for how many ticks, and what comes then.

    then: called with the world, the part and ``memory``, which is all that the command remembers;
    cleanup: called with the same when the command ends before ``then`` has returned another wait.
    """

    ticks: int
    then: 'Step'
    memory: tuple[Any, ...] = ()
    cleanup: Callable[..., None] | None = None


class Lasting(NamedTuple):
    """What a step returns that goes on until it is ended, on a resource of its own."""

    resource: str
    values: tuple[Any, ...]
    memory: tuple[Any, ...]
    cleanup: Callable[..., None]


Process: TypeAlias = int | After | Lasting | Answer
"""What a step returns: how the command goes on, as a number the same step again in so many ticks.

The first step of a command does nothing but wait; an answer from it is a static error.
"""

Step: TypeAlias = Callable[..., Process]


@dataclass(slots=True, eq=False)
class ProcessRun:
    """A command under way, with the request that its answer is for.

    info: row of the command; then, memory, cleanup: as in `After`; issued: the tick after which
    the request came.
    """

    request: CommandRequest
    info: CommandInfo
    resource: str
    part: Any
    then: Step
    memory: tuple[Any, ...]
    cleanup: Callable[..., None] | None = None
    issued: int = 0

    @property
    def rank(self) -> tuple[str, int]:
        """Order by resource, then as the robot issued them (ars_magna.md §8.2)."""
        return self.resource, self.request.number
