"""The coordinators of a free gait, by name."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.gait_step import Command, GaitStep, PlanAhead
from walking_robots.gaits.planned.coordinator import PlannedCoordinator, Workers
from walking_robots.geometry.pose import Pose
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

GAITS = ('auto', 'rules', 'planned')
"""By the rules of the report, by footholds that are planned ahead, or by rules where they get on
and planned footholds where they do not."""

COMPLIANT_LIFT_MARGIN = 1.6
"""Least stability margin of planned footholds, in those at which the servo lifts a leg, for legs
that give way under load: when one of them is lifted, the spring of the others throws the body
towards the edge. Measured on the ASV over its ditch, whose margin is 6 cm then."""


class Coordinator(Protocol):
    """Decides on legs and body step by step; ``memory`` is what it remembers.

    ``goal`` may be set to the place of the body, m, to which the commands lead.
    """

    memory: Any
    goal: complex | None

    def step(
        self, reports: Sequence[LegReport], pose: Pose, command: Command, terrain: TernaryTerrain
    ) -> GaitStep:
        """Decide one step."""

    def ahead(self, pose: Pose, terrain: TernaryTerrain) -> PlanAhead:
        """Return what is planned ahead."""

    def reference(self, pose: Pose) -> Pose:
        """Return the pose that commands refer to."""

    def close(self) -> None:
        """Give up what is being computed."""


def make_coordinator(
    gait: str,
    model: HexapodModel,
    repairs: Repairs,
    pose: Pose,
    *,
    cross_ditches: bool = True,
    workers: Workers,
    patient: bool = True,
    horizon: Callable[[], float] = lambda: 0.0,
    lift_margin: float = 1.0,
) -> Coordinator:
    """Return a coordinator of `GAITS` for a body at rest; raise ValueError for an unknown name.

    ``workers``, ``patient`` and ``horizon`` are for plans, as `PlannedCoordinator` takes them, and
    ``lift_margin`` is their least stability margin, in those of the model for lifting.
    """
    if gait not in GAITS:
        raise ValueError(f'gait {gait!r} is unknown; use {", ".join(GAITS)}')
    if gait == 'rules':
        return TerrainCoordinator(model, repairs, pose, cross_ditches=cross_ditches)
    careful = replace(model.stability, lift=lift_margin * model.stability.lift)
    model = replace(model, stability=careful)
    return PlannedCoordinator(
        model, repairs, pose, workers=workers, patient=patient, prefer_rules=gait == 'auto',
        cross_ditches=cross_ditches, horizon=horizon,
    )  # fmt: skip
