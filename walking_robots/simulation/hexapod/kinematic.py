"""A massless hexapod whose body goes where its standing feet carry it.

The backend receives joint positions, as a real robot would, and knows nothing of gaits. Feet
on the ground do not slip: the body takes the pose in which they stay where they are. A foot
that the command moves against the others has let go of the ground.
"""

import math
from collections.abc import Sequence
from itertools import combinations, compress

import numpy as np

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Pose, Quaternion, Vector, from_quaternion
from walking_robots.geometry.registration import register
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.simulated import (
    Array,
    GroundSurface,
    HexapodState,
    Legs,
    SimulatedHexapod,
    Stand,
)
from walking_robots.terrain.cells import TernaryTerrain

# A foot this far (m) from where the others would leave it has been lifted or dragged; of a foot
# that rises by little in a step it is a share of that.
RELEASE = 0.001
RELEASE_SHARE = 0.1

EXACT = 1e-3
"""Share of that distance which is rounding."""


class CarriedHexapod(SimulatedHexapod):
    """A hexapod that its standing feet carry.

    ``touch`` is the height over the ground, m, below which a foot switch closes; ``release`` how
    far, m, a foot may miss where the others leave it before it counts as lifted.
    """

    def __init__(
        self, legs: Legs, stand: Stand, terrain: GroundSurface, *, touch: float, release: float
    ) -> None:
        """Stand the robot on the ground in its initial posture."""
        super().__init__(legs, stand, terrain, touch)
        self._release = release

    def hold(self) -> HexapodState:
        """Keep the joints where they are for a step."""
        return self.state

    def step(self, joints: Array) -> HexapodState:
        """Drive the joints, shape (6, 3), to new positions; the body follows.

        With fewer than three feet on the ground the body keeps its pose.
        """
        old = self.state
        feet = self._feet(joints)
        standing = [leg for leg, contact in enumerate(old.contacts) if contact]
        position, quaternion = old.position, old.quaternion
        if len(standing) >= 3:
            position, quaternion = _carried(
                [feet[leg] for leg in standing],
                [old.feet[leg] for leg in standing],
                old.pose,
                self._release,
            )
        contacts = self._contacts(from_quaternion(position, quaternion), feet)
        self.state = HexapodState(joints, feet, position, quaternion, contacts)
        return self.state


class KinematicHexapod(CarriedHexapod):
    """A robot that walks on ternary terrain by the free gait."""

    def __init__(self, model: HexapodModel, terrain: TernaryTerrain) -> None:
        """Stand the robot on a terrain in its initial posture.

        On a slope on which the body would be beside the three feet that usually bear it, or at
        the edge, it stands on the others.
        """
        timing, usual = model.timing, tuple(leg.starts_supporting for leg in model.legs)
        super().__init__(
            leg_kinematics(model),
            _stand(model, usual),
            terrain,
            touch=timing.contact_threshold,
            release=min(RELEASE, RELEASE_SHARE * timing.lift_height / timing.lift),
        )
        if self._margin() < model.stability.lift:
            self.stand = _stand(model, tuple(not bears for bears in usual))
            self.start = self.reset().position

    def _margin(self) -> float:
        """Return how far, m, the body is inside of its feet on the ground; 0 beside them."""
        state = self.state
        feet = map(state.pose.apply, compress(state.feet, state.contacts))
        found = depth(convex_hull((x, y) for x, y, _ in feet), state.position[:2])
        return found.distance if found else 0.0


def _stand(model: HexapodModel, bears: tuple[bool, ...]) -> Stand:
    """Return a robot that stands on some of its legs, the others ready."""
    feet = [
        leg.start_foot if bearing else leg.ready_foot
        for leg, bearing in zip(model.legs, bears, strict=True)
    ]
    return Stand(np.array(feet), bears, model.start_position)


def _carried(
    feet: Sequence[Vector], before: Sequence[Vector], old: Pose, release: float
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
        math.dist(pose.apply(foot), anchor) < release
        for foot, anchor in zip(feet, anchors, strict=True)
    ):
        rise = [old.apply(foot)[2] - anchor[2] for foot, anchor in zip(feet, anchors, strict=True)]
        centre = (old.position[0], old.position[1])
        carrying = _resting_on([(x, y) for x, y, _ in anchors], rise, centre, release)
        return register([feet[k] for k in carrying], [anchors[k] for k in carrying])
    return position, quaternion


def _resting_on(
    points: Sequence[tuple[float, float]],
    rise: Sequence[float],
    centre: tuple[float, float],
    release: float,
) -> list[int]:
    """Find the feet on which a body comes to rest, by gravity and one-sided contact.

    ``points`` are (x, y) of the feet and ``rise`` how far each has been moved up, m. A body
    rests on the facet of the lower hull of (x, y, rise) below its centre; without one, when
    it is about to tip, on the facet that most feet touch. A foot nearly on a facet belongs to it,
    but does not make it the one below the centre.
    """
    best: tuple[bool, bool, bool, int, list[int]] = (False, False, False, 0, [0, 1, 2])
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
        if min(gaps) < -release:
            continue
        touching = [index for index, gap in enumerate(gaps) if gap < release]
        below = _contains([points[index] for index in triple], centre)
        near = _contains([points[index] for index in touching], centre)
        exact = min(gaps) >= -EXACT * release
        best = max(best, (below, near, exact, len(touching), touching))
    return best[4]


def _contains(corners: Sequence[tuple[float, float]], point: tuple[float, float]) -> bool:
    """Return whether a point lies in the convex hull of corners."""
    return depth(convex_hull(corners), point) is not None
