"""What robot programs and simulators exchange: plain data, fit for any transport."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from walking_robots.ars_magna.sensing.attributes import Value

LOCAL, NON_LOCAL = 'local', 'non-local'
STARTED, DONE = 'started', 'done'
ERROR, WARNING, PLAIN = 'error', 'warning', 'message'
"""Severities of messages for people (ars_magna.md §2.9)."""


class DesignatorReport(NamedTuple):
    """A designator as its robot knows it (ars_magna.md §2.5).

    type: local or non-local; angle: estimated direction relative to the heading, rad, clockwise;
    data: estimated attributes of a thing, or the type of a place.
    """

    number: int
    type: str
    angle: float
    data: Mapping[str, Value] | str


class PartName(NamedTuple):
    """A part of the robot: robot, camera, hand or bin, and which of them."""

    kind: str
    number: int


class CommandRequest(NamedTuple):
    """A command: ``number`` counts those of one robot; ``part``: of a camera, hand or bin."""

    robot: str
    number: int
    command: str
    part: int = 0
    arguments: tuple[Any, ...] = ()


class CommandReport(NamedTuple):
    """What became of a request: that a lasting one has started, or how one ended.

    code: 'NIL' for success; values: as the command gives them, None each where it failed.
    """

    robot: str
    number: int
    command: str
    part: int
    kind: str
    code: str
    values: tuple[Any, ...]
    issued: int
    tick: int
