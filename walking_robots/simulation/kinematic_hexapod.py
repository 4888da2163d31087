"""A massless hexapod whose body goes where its standing feet carry it.

The backend receives joint positions, as a real robot would, and knows nothing of gaits. Feet
on the ground do not slip: the body takes the pose in which they stay where they are. A foot
that the command moves against the others has let go of the ground.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Pose, Quaternion, Vector, from_quaternion
from walking_robots.geometry.registration import register
from walking_robots.legs.pantograph import PantographLegs
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

Array = NDArray[np.float64]

# A foot this far (m) from where the others would leave it has been lifted or dragged.
RELEASE = 0.001


class HexapodState(NamedTuple):
    """A robot at one instant.

    ``joints`` (6, 3) in rad and m; ``feet`` that follow from them, m, body frame; position (m)
    and unit quaternion (w, x, y, z) of the body in the odometry frame; foot switches.
    """

    joints: Array
    feet: tuple[Vector, ...]
    position: Vector
    quaternion: Quaternion
    contacts: tuple[bool, ...]

    @property
    def pose(self) -> Pose:
        """Give the body pose in the odometry frame."""
        return from_quaternion(self.position, self.quaternion)


class KinematicHexapod:
    """Steps a hexapod's pose and foot switches from joint commands."""

    def __init__(self, model: HexapodModel, terrain: TernaryTerrain) -> None:
        """Stand the robot on a terrain in its initial posture."""
        self._model = model
        self._kinematics = PantographLegs(model)
        self.terrain = terrain
        self.state = self._initial()

    def reset(self) -> HexapodState:
        """Put the robot back to its initial posture."""
        self.state = self._initial()
        return self.state

    def step(self, joints: Array) -> HexapodState:
        """Drive the joints, shape (6, 3), to new positions and let the body follow.

        With fewer than three feet on the ground the body keeps its pose.
        """
        old = self.state
        feet = self._feet(joints)
        standing = [leg for leg, contact in enumerate(old.contacts) if contact]
        position, quaternion = old.position, old.quaternion
        if len(standing) >= 3:
            position, quaternion = _carried(
                [feet[leg] for leg in standing], [old.feet[leg] for leg in standing], old.pose
            )
        contacts = self._contacts(from_quaternion(position, quaternion), feet)
        self.state = HexapodState(joints, feet, position, quaternion, contacts)
        return self.state

    def _feet(self, joints: Array) -> tuple[Vector, ...]:
        return tuple((x, y, z) for x, y, z in self._kinematics.forward(joints).tolist())

    def _initial(self) -> HexapodState:
        start = self._model.start_position
        legs = self._model.legs
        feet = np.array(
            [leg.start_foot if leg.starts_supporting else leg.ready_foot for leg in legs]
        )
        ground = [
            self.terrain.height(start[0] + leg.start_foot[0])
            for leg in legs
            if leg.starts_supporting
        ]
        position = (start[0], start[1], start[2] + max(ground))
        for index, leg in enumerate(legs):
            if leg.starts_supporting:
                feet[index, 2] += self.terrain.height(start[0] + leg.start_foot[0]) - max(ground)
        quaternion = (1.0, 0.0, 0.0, 0.0)
        joints = self._kinematics.inverse(feet)
        reached = self._feet(joints)
        contacts = self._contacts(from_quaternion(position, quaternion), reached)
        return HexapodState(joints, reached, position, quaternion, contacts)

    def _contacts(self, pose: Pose, feet: Sequence[Vector]) -> tuple[bool, ...]:
        threshold = self._model.timing.contact_threshold
        world = map(pose.apply, feet)
        return tuple(z < self.terrain.height(x) + threshold for x, _, z in world)


def _carried(
    feet: Sequence[Vector], before: Sequence[Vector], old: Pose
) -> tuple[Vector, Quaternion]:
    """Find the body pose in which the standing feet stay where they were.

    ``feet`` and ``before`` are the same feet in the body frame, now and under the ``old``
    pose. Where they do not all fit one rigid motion, some have been lifted: the body then
    rests on those that carry its weight.
    """
    anchors = [old.apply(foot) for foot in before]
    position, quaternion = register(feet, anchors)
    pose = from_quaternion(position, quaternion)
    if len(feet) > 3 and not all(
        math.dist(pose.apply(foot), anchor) < RELEASE
        for foot, anchor in zip(feet, anchors, strict=True)
    ):
        rise = [old.apply(foot)[2] - anchor[2] for foot, anchor in zip(feet, anchors, strict=True)]
        centre = (old.position[0], old.position[1])
        carrying = _resting_on([(x, y) for x, y, _ in anchors], rise, centre)
        return register([feet[k] for k in carrying], [anchors[k] for k in carrying])
    return position, quaternion


def _resting_on(
    points: Sequence[tuple[float, float]], rise: Sequence[float], centre: tuple[float, float]
) -> list[int]:
    """Find the feet on which a body comes to rest, by gravity and one-sided contact.

    ``points`` are (x, y) of the feet and ``rise`` how far each has been moved up, m. A body
    rests on the facet of the lower hull of (x, y, rise) below its centre; without one, when
    it is about to tip, on the facet that most feet touch.
    """
    best: tuple[bool, int, list[int]] = (False, 0, [0, 1, 2])
    for triple in combinations(range(len(points)), 3):
        (ax, ay), (bx, by), (cx, cy) = (points[index] for index in triple)
        az, bz, cz = (rise[index] for index in triple)
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            continue
        slope_x = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
        slope_y = ((bx - ax) * (cz - az) - (cx - ax) * (bz - az)) / area
        gaps = [
            z - az - slope_x * (x - ax) - slope_y * (y - ay)
            for (x, y), z in zip(points, rise, strict=True)
        ]
        if min(gaps) < -RELEASE:
            continue
        touching = [index for index, gap in enumerate(gaps) if gap < RELEASE]
        hull = convex_hull(points[index] for index in touching)
        candidate = (depth(hull, centre) is not None, len(touching), touching)
        best = max(best, candidate)
    return best[2]
