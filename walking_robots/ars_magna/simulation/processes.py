"""How commands are written: as processes that wait for ticks and give a code and values."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.messages import CommandRequest


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
    """A process with whom its answer is for."""

    request: CommandRequest
    issued: int
    resource: str
    process: Process
