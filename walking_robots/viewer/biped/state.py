"""State and requests of the page of a biped, as plain data."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.viewer.common.controls import WalkControls, ignore

Ground = tuple[tuple[float, float], ...]
"""Points (x, z) of the ground by growing x, m, odom; straight lines between them."""

Pair = tuple[float, float]
"""Of the right leg and of the left one."""

UNKNOWN = (math.nan, math.nan)


class CellGround(NamedTuple):
    """Ground of square cells with upright edges: centres of their tops (n, 3), and a side, m."""

    tops: NDArray[np.float64]
    side: float


class SpatialPlace(NamedTuple):
    """Where a robot in space is; pairs are of the right and of the left leg.

    place: of the middle between the hips, m, odom; attitude: w, x, y, z; hips, feet: m, odom;
    forces: of the ground on the feet, N.
    """

    place: Vector
    attitude: Quaternion
    hips: tuple[Vector, Vector]
    feet: tuple[Vector, Vector]
    forces: tuple[Vector, Vector]


class Left(NamedTuple):
    """A state that was left: when, s, which one, 0 to 16, and why, by the name of the way out."""

    time: float
    state: int
    why: str


@dataclass(frozen=True)
class BipedSettings:
    """How simulation and gait are set, as far as known; empty where not.

    robot: its letter; terrain: words such as 'slope:20deg'; seed: of rough ground; params: the
    choice, or name, of the numbers by which it walks; ground: the class they are chosen for.
    """

    robot: str = ''
    terrain: str = ''
    seed: int = 0
    params: str = ''
    ground: str = ''


@dataclass(frozen=True, eq=False)
class BipedView:
    """One moment of a walk; pairs are of the right and of the left leg, NaN where not known.

    time: s since start; settings: see `BipedSettings`; x, z: of the hip axis, m, odom; pitch: rad,
    nose down; joints: value (rad, m) by URDF joint name; efforts: of rhip, rknee, lhip, lknee, N m
    or N; height: true, of the hips over the ground below them, m; speed: true, m/s; felt_height,
    felt_speed, desired_speed: as the controller has them; felt_slip: the
    most since the last moment shown, m, as it feels; state: 0 to 16, as numbered by the
    thesis, then stumble and step back; None before any is known; left: the states that were left
    since the last moment shown, the oldest first; lengths, angles: of the virtual legs, m and
    rad to the rear; contacts:
    whether the ground bears a foot; feet: (x, z), m, odom; forces: of the ground on the feet,
    (x, z), N; space: where a robot in space is, None for one in the plane; friction: that a foot
    needs not to slip, NaN for one that hardly stands;
    push: that acts forward at the hips now, N; fallen: how
    it fell, such as 'fell after 1.2 m', or nothing; diagnostic: a sentence to warn with, or
    nothing.
    """

    time: float = 0.0
    settings: BipedSettings = BipedSettings()
    x: float = 0.0
    z: float = 0.0
    pitch: float = 0.0
    joints: Mapping[str, float] = field(default_factory=dict)
    efforts: tuple[float, float, float, float] = (math.nan,) * 4
    height: float = math.nan
    speed: float = math.nan
    felt_height: float = math.nan
    felt_speed: float = math.nan
    desired_speed: float = math.nan
    felt_slip: float = math.nan
    state: int | None = None
    left: tuple[Left, ...] = ()
    lengths: Pair = UNKNOWN
    angles: Pair = UNKNOWN
    contacts: tuple[bool, bool] = (False, False)
    feet: tuple[Pair, Pair] = (UNKNOWN, UNKNOWN)
    forces: tuple[Pair, Pair] = ((0.0, 0.0), (0.0, 0.0))
    space: SpatialPlace | None = None
    friction: Pair = UNKNOWN
    push: float = 0.0
    fallen: str = ''
    diagnostic: str = ''


@dataclass(frozen=True)
class BipedControls(WalkControls):
    """The requests of the page of a biped, in addition to those of every walking robot.

    walk: velocity, m/s and rad/s; robot: a, b or b3d; params: literal or tuned; ground: words
    such as 'slope:20deg', and a seed; push: force forward at the hips, N.
    """

    robot: Callable[[str], None] = ignore
    params: Callable[[str], None] = ignore
    ground: Callable[[str, int], None] = ignore
    push: Callable[[float], None] = ignore
