"""Working volume of a foot and the time until a foothold leaves it (asv.md §3.2, §8)."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Rates, Vector
from walking_robots.robots.model import HalfSpace, KinematicMarginLimits

Array = NDArray[np.float64]


class VolumeBounds(Protocol):
    """What is bounded by planes, such as the model of a leg."""

    @property
    def volume(self) -> tuple[HalfSpace, ...]:
        """Half-spaces whose common part it is, body frame."""


class WorkingVolume:
    """The convex set of body-fixed points that a foot reaches, borders excluded."""

    def __init__(self, leg: VolumeBounds) -> None:
        """Take the half-spaces of a leg; each is turned so that the inside is negative."""
        self._planes = tuple(
            (*(-h.inside * n for n in h.normal), -h.inside * h.offset) for h in leg.volume
        )
        table = np.array(self._planes)
        self.normals: Array = table[:, :3]
        self.offsets: Array = table[:, 3]

    def contains(self, point: Vector) -> bool:
        """Return whether a point (m, body frame) lies strictly inside."""
        x, y, z = point
        return all(nx * x + ny * y + nz * z + d < 0.0 for nx, ny, nz, d in self._planes)

    def kinematic_margin(
        self, point: Vector, rates: Rates, limits: KinematicMarginLimits
    ) -> float | None:
        """Return the time (s) until the body's motion carries a foothold out of the volume.

        ``point`` is the foothold in the body frame, m. The motion is frozen to a straight
        line. None when the foothold is outside; ``limits.at_rest`` when it does not move.
        """
        x, y, z = point
        ux, uy, uz = rates.velocity_at(point)
        speed = math.sqrt(ux * ux + uy * uy + uz * uz)
        way = limits.far
        resting = speed < limits.zero_speed
        for nx, ny, nz, d in self._planes:
            distance = nx * x + ny * y + nz * z + d
            if distance >= 0.0:
                return None
            departure = nx * ux + ny * uy + nz * uz
            if departure < 0.0 and not resting:
                departure /= speed
                if departure <= -1e-7 and distance > way * departure:
                    way = distance / departure
        return limits.at_rest if resting else way / speed


def kinematic_margins(
    normals: Array, offsets: Array, points: Array, rates: Rates, limits: KinematicMarginLimits
) -> Array:
    """Return the kinematic margins of many footholds at once, s; NaN outside the volume.

    ``points`` has shape (3, n) in the body frame, m; ``normals`` (3, planes, n) or
    (3, planes, 1) and ``offsets`` (planes, n) or (planes, 1) hold the volume of each point.
    """
    x, y, z = points
    vx, vy, vz, wx, wy, wz = rates
    along_x, along_y, along_z = normals * points[:, None]
    distance = along_x + along_y + along_z + offsets
    inside = distance.max(axis=0) < 0.0
    velocity = np.array((vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x))
    ux, uy, uz = velocity
    speed = np.sqrt(ux * ux + uy * uy + uz * uz)
    resting = speed < limits.zero_speed
    rest = resting.any()
    if rest:
        speed[resting] = 1.0
    along_x, along_y, along_z = normals * velocity[:, None]
    departure = (along_x + along_y + along_z) / speed
    way = np.full(distance.shape, limits.far)
    np.divide(distance, departure, out=way, where=departure <= -1e-7)
    margin: Array = np.minimum.reduce(way, axis=0, initial=limits.far) / speed
    if rest:
        margin[resting] = limits.at_rest
    margin[~inside] = np.nan
    return margin
