"""Kinematics of legs with three rotary joints, for many postures at once.

Joints are canonical (`walking_robots.robots.articulated`), rad, of shape (..., 6, 3): leg by leg
yaw, lift and knee. Feet are in the body frame, m, of shape (..., 6, 3).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.leg_section import LegSections, folded, wrapped
from walking_robots.robots.articulated import ArticulatedHexapod

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

LIMIT_TOLERANCE = 1e-9
"""How far past a limit, rad, a solution still counts as on it; a rest pose may lie on one."""

ON_AXIS = 1e-12
"""Distance from the hip axis, m, below which the yaw of a foot says nothing."""


class OutOfReachError(ValueError):
    """Say that a leg does not reach a foot, and the nearest point that it does reach.

    leg: its number; foot, nearest: m, body frame.
    """

    def __init__(self, leg: int, foot: Array, nearest: Array) -> None:
        """Keep the figures beside the sentence."""
        super().__init__(
            f'leg {leg} does not reach ({_shown(foot)}) m; '
            f'the nearest point that it reaches is ({_shown(nearest)}) m'
        )
        self.leg, self.foot, self.nearest = leg, foot, nearest


class Solutions(NamedTuple):
    """All joints that lead to given feet, (..., 6, 4, 3), and which keep the limits, (..., 6, 4).

    In order: ahead of the hip axis with the knee up, then down; behind the axis up, then down.
    Joints that are not admissible may be mere projections.
    """

    joints: Array
    admissible: Mask


class Solved(NamedTuple):
    """Joints for given feet, (..., 6, 3), and which feet are reached, (..., 6).

    The joints of feet that are not reached mean nothing.
    """

    joints: Array
    reached: Mask


class Reach(NamedTuple):
    """Joints within their limits, the resulting feet, and whether these are the commanded ones."""

    joints: Array
    feet: Array
    reached: Mask


class ArticulatedLegs:
    """Forward and inverse kinematics of all legs of a robot at once."""

    def __init__(self, robot: ArticulatedHexapod) -> None:
        """Take mounts, headings, links and joints of a robot."""
        legs = robot.legs
        self._mounts = np.array([leg.mount for leg in legs])
        self._heading = np.array([leg.heading for leg in legs])
        self._cos, self._sin = np.cos(self._heading), np.sin(self._heading)
        self._coxa, self._femur, self._tibia = (
            np.array([getattr(leg, name) for leg in legs]) for name in ('coxa', 'femur', 'tibia')
        )
        self._directions = np.array([leg.directions for leg in legs])
        self._offsets = np.array([leg.offsets for leg in legs])
        self._sections = LegSections(legs)
        self.low: Array = np.array([[limit.low for limit in leg.ranges] for leg in legs])
        self.high: Array = np.array([[limit.high for limit in leg.ranges] for leg in legs])
        self._least, self._most = self.low - LIMIT_TOLERANCE, self.high + LIMIT_TOLERANCE
        self.home: Array = np.array([leg.home for leg in legs])

    def values(self, joints: Array) -> Array:
        """Return the robot's own joint values of canonical joints, rad."""
        values: Array = joints * self._directions + self._offsets
        return values

    def canonical(self, values: Array) -> Array:
        """Return the canonical joints of the robot's own joint values, rad."""
        joints: Array = (values - self._offsets) * self._directions
        return joints

    def within(self, joints: Array) -> Mask:
        """Return for every joint whether it keeps its limits, both included, (..., 6, 3)."""
        kept: Mask = (joints >= self.low) & (joints <= self.high)
        return kept

    def forward(self, joints: Array) -> Array:
        """Return the feet of joints (aquarobot.md §3.4)."""
        lift, shank = joints[..., 1], joints[..., 1] + joints[..., 2]
        r = self._coxa + self._femur * np.cos(lift) + self._tibia * np.cos(shank)
        h = self._femur * np.sin(lift) + self._tibia * np.sin(shank)
        return self._out(joints[..., 0], r, h)

    def points(self, joints: Array) -> Array:
        """Return hip, coxa end, knee and foot of every leg, (..., 6, 4, 3), m, body frame."""
        yaw, lift, shank = joints[..., 0], joints[..., 1], joints[..., 1] + joints[..., 2]
        angles = np.array((lift, shank, self._heading + yaw))
        (lift_cos, shank_cos, cos), (lift_sin, shank_sin, sin) = np.cos(angles), np.sin(angles)
        found = np.empty((*yaw.shape, 4, 3))
        out, up = np.zeros((*yaw.shape, 4)), found[..., 2]
        out[..., 1], up[..., :2] = self._coxa, 0.0
        out[..., 2], up[..., 2] = self._coxa + self._femur * lift_cos, self._femur * lift_sin
        out[..., 3] = out[..., 2] + self._tibia * shank_cos
        up[..., 3] = up[..., 2] + self._tibia * shank_sin
        found[..., 0], found[..., 1] = out * cos[..., None], out * sin[..., None]
        found += self._mounts[:, None]
        return found

    def jacobian(self, joints: Array) -> Array:
        """Return the derivatives of the feet by the joints, (..., 6, 3, 3), m/rad, body axes.

        Its determinant is -femur tibia r sin q3, r the distance from the hip axis: singular where
        the foot is on the axis or the knee is stretched (aquarobot.md §3.6, with z up).
        """
        angle = self._heading + joints[..., 0]
        cos, sin = np.cos(angle), np.sin(angle)
        lift, shank = joints[..., 1], joints[..., 1] + joints[..., 2]
        out, up = self._tibia * np.cos(shank), self._tibia * np.sin(shank)
        thigh_out, thigh_up = self._femur * np.cos(lift), self._femur * np.sin(lift)
        r = self._coxa + thigh_out + out
        matrix = np.empty((*joints.shape, 3))
        matrix[..., 0, 0], matrix[..., 1, 0], matrix[..., 2, 0] = -r * sin, r * cos, 0.0
        by_lift = -(thigh_up + up)
        matrix[..., 0, 1], matrix[..., 1, 1] = cos * by_lift, sin * by_lift
        matrix[..., 2, 1] = thigh_out + out
        matrix[..., 0, 2], matrix[..., 1, 2], matrix[..., 2, 2] = -cos * up, -sin * up, out
        return matrix

    def solutions(self, feet: Array, near: Array | None = None) -> Solutions:
        """Return all joints that lead to feet (aquarobot.md §3.5).

        near: a posture, (..., 6, 3); its yaw stands for a foot on the axis of its hip.
        """
        joints, admissible = self._branches(feet, near)
        return Solutions(np.moveaxis(joints, 0, -2), np.moveaxis(admissible, 0, -1))

    def solve(self, feet: Array, near: Array | None = None) -> Solved:
        """Return the joints for feet, and which feet are reached.

        Of several admissible solutions the one nearest to the posture ``near`` is taken, (..., 6,
        3); without one, a foot ahead of its hip axis goes before one behind it, and knee up before
        knee down (aquarobot.md §3.5).
        """
        joints, admissible = self._branches(feet, near)
        if near is None:
            chosen = admissible.argmax(axis=0)
        else:
            away = joints - near
            away *= away
            chosen = np.where(admissible, np.add.reduce(away, axis=-1), np.inf).argmin(axis=0)
        every = np.arange(chosen.size)
        best = joints.reshape(4, -1, 3)[chosen.ravel(), every].reshape(feet.shape)
        reached = np.logical_or.reduce(admissible, axis=0)
        return Solved(np.minimum(np.maximum(best, self.low), self.high), reached)

    def inverse(self, feet: Array, near: Array | None = None) -> Array:
        """Return the joints for feet, chosen as `solve` does.

        Raises OutOfReachError, which holds the nearest reachable point, for the first foot that is
        not reached.
        """
        solved = self.solve(feet, near)
        if not solved.reached.all():
            place = tuple(np.argwhere(~solved.reached)[0])
            nearest = self.reach(feet, near).feet[place]
            raise OutOfReachError(int(place[-1]) + 1, feet[place], nearest)
        return solved.joints

    def reach(self, feet: Array, near: Array | None = None) -> Reach:
        """Return the joints that bring every foot as near as possible to where it should be."""
        joints, reached = self.solve(feet, near)
        if reached.all():
            return Reach(joints, np.array(feet), reached)
        where = np.nonzero(~reached)
        joints[where] = self._nearest(where[-1], feet[where])
        return Reach(joints, np.where(reached[..., None], feet, self.forward(joints)), reached)

    def _nearest(self, leg: NDArray[np.intp], feet: Array) -> Array:
        """Return the joints whose feet are nearest to those out of reach, (n, 3).

        The yaw of the nearest point is that of the foot, ahead or behind, or a limit: from any
        other the leg could still be turned towards it.
        """
        x, y, h = self._in_hip(feet, leg)
        towards = np.arctan2(y, x)
        low, high = self.low[leg, 0], self.high[leg, 0]
        yaws = np.stack((towards, wrapped(towards + np.pi), low, high), axis=-1)
        yaws = np.clip(yaws, low[:, None], high[:, None])
        cos, sin = np.cos(yaws), np.sin(yaws)
        u = x[:, None] * cos + y[:, None] * sin
        aside = y[:, None] * cos - x[:, None] * sin
        heights = np.broadcast_to(h[:, None], u.shape)
        spot = self._sections.nearest(leg, u, heights)
        away = (spot.u - u) ** 2 + (spot.h - heights) ** 2 + aside**2
        best = away.argmin(axis=-1)[:, None]
        return np.concatenate(
            [np.take_along_axis(part, best, axis=-1) for part in (yaws, spot.lift, spot.knee)],
            axis=-1,
        )

    def _branches(self, feet: Array, near: Array | None) -> tuple[Array, Mask]:
        """Return the four solutions (4, ..., 6, 3) and which are admissible, (4, ..., 6)."""
        x, y, h = self._in_hip(feet, slice(None))
        rho = np.hypot(x, y)
        yaw = np.arctan2(y, x)
        if (rho < ON_AXIS).any():
            yaw = np.where(rho < ON_AXIS, (self.home if near is None else near)[..., 0], yaw)
        # Ahead of the axis and behind it, then with the knee up and down.
        out = np.array((rho, -rho)) - self._coxa
        bearing, fold, bend, closes = folded(out, h, self._femur, self._tibia)
        joints = np.empty((2, 2, *feet.shape))
        joints[0, ..., 0], joints[1, ..., 0] = yaw, yaw - np.copysign(np.pi, yaw)
        joints[:, 0, ..., 1], joints[:, 1, ..., 1] = bearing + fold, bearing - fold
        joints[..., 1] = wrapped(joints[..., 1])
        joints[:, 0, ..., 2], joints[:, 1, ..., 2] = -bend, bend
        kept = np.logical_and.reduce((joints >= self._least) & (joints <= self._most), axis=-1)
        admissible = (closes[:, None] & kept).reshape(4, *rho.shape)
        return joints.reshape(4, *feet.shape), admissible

    def _in_hip(self, feet: Array, leg: NDArray[np.intp] | slice) -> tuple[Array, Array, Array]:
        """Return feet from their hips: ahead of the leg, to its left, up, m."""
        away = feet - self._mounts[leg]
        cos, sin = self._cos[leg], self._sin[leg]
        x, y = away[..., 0], away[..., 1]
        return cos * x + sin * y, cos * y - sin * x, away[..., 2]

    def _out(self, yaw: Array, u: Array, h: Array) -> Array:
        """Return points of the planes of the legs in the body frame, (..., 6, 3)."""
        angle = self._heading + yaw
        return self._mounts + np.stack((u * np.cos(angle), u * np.sin(angle), h), axis=-1)


def _shown(point: Array) -> str:
    """Return a point with millimetres."""
    return ', '.join(f'{part:.3f}' for part in point)
