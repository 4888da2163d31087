"""How high feet in the air have to be for the ground on their way."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from walking_robots.geometry.pose import Pose, Vector
from walking_robots.legs.states import ControlState, Decision, LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

HIGHEST = 2.0
"""Height up to which feet are raised over the usual ground below the body, in heights of a
lift."""

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
    foothold, or to where it waits for one. Feet do not get over ground that is higher than they
    can be raised.
    """
    placed = {made.partner or made.leg: made.foothold for made in decisions if made.foothold}
    targets = [_target(model, report, pose, placed) for report in reports]
    ways = np.array(
        [
            (pose.apply(report.foot)[:2], target[:2])
            for report, target in zip(reports, targets, strict=True)
        ]
    )
    longest = float(np.hypot(*(ways[:, 1] - ways[:, 0]).T).max())
    shares = np.linspace(0.0, 1.0, 2 + math.ceil(longest / (SPACING * terrain.cell)))
    places = ways[:, :1] + shares[None, :, None] * (ways[:, 1:] - ways[:, :1])
    highest = terrain.heights_at(places.reshape(-1, 2)).reshape(len(ways), -1).max(axis=1)
    lift = model.timing.lift_height
    clear: list[float] = (highest + CLEARANCE * lift).tolist()
    top = HIGHEST * lift - model.start_position[2]
    most = [
        max(pose.apply((x, y, top))[2] for x, y, _ in (report.foot, pose.to_body(target)))
        for report, target in zip(reports, targets, strict=True)
    ]
    return tuple(map(min, clear, most))


def _target(
    model: HexapodModel, report: LegReport, pose: Pose, placed: Mapping[int, Vector]
) -> Vector:
    """Return where a foot is going."""
    if report.number in placed:
        return placed[report.number]
    if report.foothold is not None and report.control is ControlState.ADVANCE:
        return report.foothold
    return pose.apply(model.legs[report.number - 1].ready_foot)
