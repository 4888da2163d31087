"""How commands are written: as processes that wait for ticks and give a code and values."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.commands import CommandInfo


class Answer(NamedTuple):
    """How a command ends: a code of ars_magna.md §2.12, and what it gives."""

    code: str
    values: tuple[Any, ...] = ()


class Lasting(NamedTuple):
    """What a process yields that goes on until it is ended, on a resource of its own."""

    resource: str
    values: tuple[Any, ...]


Process = Generator[int | Lasting, None, Answer]
"""A command under way.

It yields for how many ticks it waits, the first time before anything happens; an answer before
that is a static error. When the command is ended from without the process is closed, and cleans
up by ``finally``.
"""


@dataclass(slots=True, eq=False)
class ProcessRun:
    """A process with the request that its answer is for.

    info: row of the command; issued: the tick after which the request came.
    """

    request: CommandRequest
    info: CommandInfo
    resource: str
    process: Process
    issued: int = 0

    @property
    def rank(self) -> tuple[str, int]:
        """Order by resource, then as the robot issued them (ars_magna.md §8.2)."""
        return self.resource, self.request.number
