"""Settings of eyes, apart from what they import."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from walking_robots.legs.servo import ServoState
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.kinematic import HexapodState
from walking_robots.terrain.cells import TernaryTerrain

if TYPE_CHECKING:
    from walking_robots.trials.hexapod.eyes import Eyes


@dataclass(frozen=True)
class EyesSettings:
    """Settings: sensor, by name or file, the robot's usual one if empty; seed of its noise.

    ``drift`` is the share of the way by which odometry drifts, and ``depth`` how deep forbidden
    cells are, in lifts of a foot.
    """

    sensor: str = ''
    drift: float = 0.01
    depth: float = 1.0
    seed: int = 1

    def open(self, model: HexapodModel, terrain: TernaryTerrain) -> 'Eyes':
        """Return the eyes of a robot on a terrain.

        Raises ValueError, one sentence, for an unknown sensor, and where MuJoCo is missing.
        """
        # Trials without eyes need neither MuJoCo nor a reader of files.
        from walking_robots.trials.hexapod.eyes import Eyes

        return Eyes(self, model, terrain)


class Vision(Protocol):
    """What a loop needs of eyes."""

    def look(self, state: HexapodState, reports: Sequence[LegReport]) -> TernaryTerrain:
        """Return what is known of the terrain."""

    def check(self, servo: ServoState, state: HexapodState) -> None:
        """Take in where the feet have come to stand."""
