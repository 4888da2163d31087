"""What every simulated hexapod is: a robot that stands on ground and takes joint commands."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.plane import LEVEL, fit_plane
from walking_robots.geometry.pose import (
    Pose,
    Quaternion,
    Vector,
    from_quaternion,
    upright_along,
)

Array = NDArray[np.float64]

SETTLING = 5
"""Steps in which a foot is lowered along the body's axis onto ground that is not a plane."""


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
        """Return the body pose in the odometry frame."""
        return from_quaternion(self.position, self.quaternion)


class Legs(Protocol):
    """Kinematics of all legs: joints and feet of shape (6, 3)."""

    def forward(self, joints: Array, /) -> Array:
        """Return the feet of joints, m, body frame."""

    def inverse(self, feet: Array, /) -> Array:
        """Return the joints of feet; raises ValueError for a foot out of reach."""


class GroundSurface(Protocol):
    """Ground of any height."""

    def height(self, x: float, y: float, /) -> float:
        """Return the height at a point, m, odometry frame."""


class Stand(NamedTuple):
    """A robot that stands on level ground.

    ``feet`` are in the body frame, m; ``bears`` says which of them are on the ground;
    ``position``: where the body stands, x and y in the odometry frame, and its height over the
    ground.
    """

    feet: Array
    bears: tuple[bool, ...]
    position: Vector


class SimulatedHexapod(ABC):
    """Steps a hexapod's pose, joints and foot switches from joint commands, whatever its legs are.

    ``state`` is what its sensors and a motion capture measure; ``start`` is where the body was
    put, m, before anything gave way, and ``stand`` how.
    """

    def __init__(self, legs: Legs, stand: Stand, terrain: GroundSurface, touch: float) -> None:
        """Stand the robot on the ground in its initial posture.

        ``touch`` is the height over the ground, m, below which a foot stands there.
        """
        self._kinematics = legs
        self.stand = stand
        self._touch = touch
        self.terrain = terrain
        self.state = self._initial()
        self.start = self.state.position

    @property
    def charge(self) -> float:
        """Return the charge of the battery as last reported, 0 ... 1, NaN where it is unknown."""
        return math.nan

    def reset(self) -> HexapodState:
        """Put the robot back to its initial posture."""
        self.state = self._initial()
        return self.state

    @abstractmethod
    def hold(self) -> HexapodState:
        """Command the joints for a step as in the step before."""

    @abstractmethod
    def step(self, joints: Array) -> HexapodState:
        """Drive the joints, shape (6, 3), to new positions in the time of a step."""

    def _feet(self, joints: Array) -> tuple[Vector, ...]:
        return tuple((x, y, z) for x, y, z in self._kinematics.forward(joints).tolist())

    def _initial(self) -> HexapodState:
        """Return the robot as it stands along the plane of the ground below its feet."""
        x, y, height = self.stand.position
        feet = self.stand.feet.copy()
        bearing = [leg for leg, bears in enumerate(self.stand.bears) if bears]
        points = [(x + dx, y + dy) for dx, dy, _ in feet[bearing].tolist()]
        plane = fit_plane([(*point, self.terrain.height(*point)) for point in points]) or LEVEL
        nx, ny, nz = plane.normal
        position = (x + nx * height, y + ny * height, plane.height_at(x, y) + nz * height)
        quaternion = upright_along(plane.normal)
        pose = from_quaternion(position, quaternion)
        for leg in bearing:
            for _ in range(SETTLING):
                at_x, at_y, _ = pose.apply(feet[leg].tolist())
                gap = self.terrain.height(at_x, at_y) - plane.height_at(at_x, at_y)
                feet[leg, 2] = self.stand.feet[leg, 2] + gap * nz
        joints = self._kinematics.inverse(feet)
        reached = self._feet(joints)
        return HexapodState(joints, reached, position, quaternion, self._contacts(pose, reached))

    def _contacts(self, pose: Pose, feet: Sequence[Vector]) -> tuple[bool, ...]:
        world = map(pose.apply, feet)
        return tuple(z < self.terrain.height(x, y) + self._touch for x, y, z in world)
