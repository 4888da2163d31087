"""How high feet in the air have to be for the ground on their way."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from walking_robots.geometry.pose import Pose, Vector
from walking_robots.legs.states import ControlState, Decision, LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

CLEARANCE = 0.25
"""Height of feet over the highest ground on their way, as a share of the height of a lift."""

SPACING = 0.5
"""Distance between the places at which ground is looked at, in cells."""


def clear_heights(
    model: HexapodModel,
    reports: Sequence[LegReport],
    pose: Pose,
    decisions: Sequence[Decision],
    terrain: TernaryTerrain,
) -> tuple[float, ...]:
    """Return the height (m, odom) that each foot in the air has to keep, leg 1 first.

    ``pose`` is that of the body, ``decisions`` are those of this step. A foot is on its way to its
    foothold, or to where it waits for one.
    """
    placed = {made.partner or made.leg: made.foothold for made in decisions if made.foothold}
    ways = np.array(
        [
            (pose.apply(report.foot)[:2], _target(model, report, pose, placed)[:2])
            for report in reports
        ]
    )
    longest = float(np.hypot(*(ways[:, 1] - ways[:, 0]).T).max())
    shares = np.linspace(0.0, 1.0, 2 + math.ceil(longest / (SPACING * terrain.cell)))
    places = ways[:, :1] + shares[None, :, None] * (ways[:, 1:] - ways[:, :1])
    highest = terrain.heights_at(places.reshape(-1, 2)).reshape(len(ways), -1).max(axis=1)
    clear: list[float] = (highest + CLEARANCE * model.timing.lift_height).tolist()
    return tuple(clear)


def _target(
    model: HexapodModel, report: LegReport, pose: Pose, placed: Mapping[int, Vector]
) -> Vector:
    """Return where a foot is going."""
    if report.number in placed:
        return placed[report.number]
    if report.foothold is not None and report.control is ControlState.ADVANCE:
        return report.foothold
    return pose.apply(model.legs[report.number - 1].ready_foot)
