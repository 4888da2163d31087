"""The coordinators of a free gait, by name."""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Protocol

from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.gaits.planned.coordinator import PlannedCoordinator
from walking_robots.geometry.pose import Pose
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

GAITS = ('rules', 'planned')
"""By the rules of the report, or by footholds that are planned ahead."""


class Coordinator(Protocol):
    """Decides on legs and body step by step; ``memory`` is all it remembers."""

    memory: Any

    def step(
        self, reports: Sequence[LegReport], pose: Pose, command: Command, terrain: TernaryTerrain
    ) -> GaitStep:
        """Decide one step."""


def make_coordinator(
    gait: str,
    model: HexapodModel,
    repairs: Repairs,
    pose: Pose,
    *,
    cross_ditches: bool = True,
    background: Executor,
    patient: bool = True,
) -> Coordinator:
    """Return a coordinator of `GAITS` for a body at rest; raise ValueError for an unknown name.

    ``repairs`` and ``cross_ditches`` are for rules, ``background`` and ``patient`` for plans, as
    `PlannedCoordinator` takes them.
    """
    if gait not in GAITS:
        raise ValueError(f'gait {gait!r} is unknown; use {" or ".join(GAITS)}')
    if gait == 'planned':
        return PlannedCoordinator(model, pose, background=background, patient=patient)
    return TerrainCoordinator(model, repairs, pose, cross_ditches=cross_ditches)
