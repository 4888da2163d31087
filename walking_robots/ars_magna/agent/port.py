"""What connects a robot program with its robot, in this process or over a network."""

from typing import NamedTuple, Protocol

from walking_robots.ars_magna.agent.messages import CommandRequest, DesignatorReport
from walking_robots.ars_magna.geometry.interval import Box, Interval


class Build(NamedTuple):
    """What a robot is made of: view, rad, and pixels of its cameras; the limits of the others."""

    name: str
    cameras: tuple[tuple[float, int], ...]
    hands: tuple[float, ...]
    bins: tuple[float, ...]


class Port(Protocol):
    """All that a robot program may do and know; the truth is not among it (ars_magna.md §1.11).

    What is read is as it was after the last tick.
    """

    @property
    def build(self) -> Build:
        """Say what the robot is made of."""

    @property
    def now(self) -> int:
        """Return the number of the last tick."""

    def issue(self, request: CommandRequest) -> None:
        """Send a command; raise ValueError with one sentence for one that cannot be."""

    def sighting(self, number: int) -> DesignatorReport | None:
        """Return a designator, None when it is no longer valid."""

    def speed(self) -> float:
        """Return the speed set, cells a tick."""

    def turn_angle(self) -> float:
        """Return the rotation set, rad a tick."""

    def camera_angle(self, index: int) -> float:
        """Return where a camera points, rad, relative to the heading."""

    def last_view(self, index: int) -> tuple[float, ...]:
        """Return the last view of a camera, nothing before the first."""

    def is_bin_closed(self, index: int) -> bool:
        """Return whether a lid is closed."""

    def free_capacity(self, index: int) -> float:
        """Return how much size still fits into a bin."""

    def odometers(self) -> tuple[str, ...]:
        """Return the names of all odometers, the main one first."""

    def new_odometer(self, name: str) -> int:
        """Make an odometer, instead of one of the same name; give its generation."""

    def reset_odometer(self, name: str, generation: int, position: bool, angle: bool) -> None:
        """Let an odometer count from here; raise ValueError when it was replaced."""

    def odometry(self, name: str, generation: int) -> tuple[Box, Interval]:
        """Read an odometer; raise ValueError when it was replaced."""
