"""What connects a robot program with its robot, in this process or over a network."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from walking_robots.ars_magna.agent.messages import CommandRequest, DesignatorReport
from walking_robots.ars_magna.geometry.interval import Box, Interval
from walking_robots.ars_magna.sensing.sensor_model import SensorModel


class Build(NamedTuple):
    """What a robot is made of: view, rad, and pixels of its cameras; the limits of the others."""

    name: str
    cameras: tuple[tuple[float, int], ...]
    hands: tuple[float, ...]
    bins: tuple[float, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many parts there are of each kind, the robot itself among them."""
        parts = {'camera': self.cameras, 'hand': self.hands, 'bin': self.bins}
        return {'robot': 1, **{kind: len(found) for kind, found in parts.items()}}


class PortReadings(NamedTuple):
    """What a robot reads of itself.

    speed: set, cells a tick; turn_angle: rotation set, rad a tick; camera_angles: rad, relative to
    the heading; views: the last of each camera, nothing before the first; free_capacities: how
    much size still fits into each bin.
    """

    speed: float
    turn_angle: float
    camera_angles: tuple[float, ...]
    views: tuple[tuple[float, ...], ...]
    bins_closed: tuple[bool, ...]
    free_capacities: tuple[float, ...]


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

    @property
    def readings(self) -> PortReadings:
        """Return what the robot can read of itself."""

    def sensor_model(self) -> SensorModel:
        """Return how its cameras err, by the present parameters."""

    def say(self, severity: str, text: str) -> None:
        """Queue a message for people: an error, a warning or a plain message."""

    def odometers(self) -> tuple[str, ...]:
        """Return the names of all odometers, the main one first."""

    def new_odometer(self, name: str) -> int:
        """Make an odometer, instead of one of the same name; give its generation."""

    def reset_odometer(self, name: str, generation: int, position: bool, angle: bool) -> None:
        """Make an odometer count from here; raise ValueError when it was replaced."""

    def odometry(self, name: str, generation: int) -> tuple[Box, Interval]:
        """Read an odometer; raise ValueError when it was replaced."""
