"""Settings of eyes, apart from what they import."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from walking_robots.geometry.pose import Pose
from walking_robots.legs.servo import ServoState
from walking_robots.legs.states import LegReport
from walking_robots.simulation.hexapod.simulated import HexapodState
from walking_robots.terrain.cells import TernaryTerrain


@dataclass(frozen=True)
class EyesSettings:
    """Settings: sensor, by name or file, the robot's usual one if empty.

    ``depth`` is how deep forbidden cells are, in lifts of a foot.
    """

    sensor: str = ''
    depth: float = 1.0


class Vision(Protocol):
    """What a loop needs of eyes."""

    def look(
        self, state: HexapodState, believed: Pose, reports: Sequence[LegReport]
    ) -> TernaryTerrain:
        """Return what is known of the terrain; ``believed`` is where odometry has the body."""

    def check(self, servo: ServoState, state: HexapodState) -> None:
        """Take in where the feet have come to stand."""
