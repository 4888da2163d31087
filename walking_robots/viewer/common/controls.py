"""The requests of pages, as plain data."""

from collections.abc import Callable
from dataclasses import dataclass


def ignore(*_: object) -> None:
    """Do nothing: the default of a control."""


@dataclass(frozen=True)
class WalkControls:
    """Functions that a page calls from its own thread.

    walk: velocities, again whenever they change; pause: whether to hold the simulation; step: one
    tick of a held simulation; speed_of_time: times real time; reset: back to the start.
    """

    walk: Callable[..., None] = ignore
    stop: Callable[[], None] = ignore
    pause: Callable[[bool], None] = ignore
    step: Callable[[], None] = ignore
    speed_of_time: Callable[[float], None] = ignore
    reset: Callable[[], None] = ignore
