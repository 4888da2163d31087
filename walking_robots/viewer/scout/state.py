"""What the Scout's page shows and what it can ask for, as plain data."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.viewer.common.controls import ignore

FAULTS: Mapping[str, str] = {
    'cut_cable': 'Cable cut',
    'half_packets': 'Half packets',
    'wrong_checksums': 'Wrong checksums',
    'silence': 'No replies',
    'nak': 'Commands refused',
    'garbage': 'Garbage on the line',
    'slow_replies': 'Slow replies',
    'power_off': 'Power off',
    'estop': 'Emergency stop',
}
"""What can go wrong on an emulated robot, in words, by the name that InjectFault takes."""


CONNECTED = 'connected'
"""Link of a robot that answers."""


@dataclass(frozen=True, eq=False)
class Walls:
    """Where a world has walls, as in an occupancy grid.

    occupied: (rows, columns) bool, rows along y and columns along x of the grid; cell: m;
    origin: pose of the grid's corner, that of cell (0, 0), in map.
    """

    occupied: NDArray[np.bool_]
    cell: float
    origin: Pose2 = ORIGIN


@dataclass(frozen=True, eq=False)
class ScoutView:
    """One moment of a drive.

    time: s since the first message of the robot; pose: base_link in map as the robot believes;
    truth: the same in truth, None where nobody knows it; joints: angle (rad) by URDF joint name;
    ranges: m from each sonar, inf where no echo came, -inf where something is too near, NaN where
    it has not been heard of yet; bumper: pressed or not, by switch; voltage: V, NaN unknown;
    charge: 0 ... 1, NaN unknown; battery: a few words on it; velocity and command: m/s and rad/s
    in base_link, as measured and as last commanded, None where unknown or not commanded; link: how
    the robot is connected; counters: names and values that the driver counts; diagnostic: a
    sentence to warn with, or nothing; programs: state of the page's part for programs, None
    without one.
    """

    time: float = 0.0
    pose: Pose2 = ORIGIN
    truth: Pose2 | None = None
    joints: Mapping[str, float] = field(default_factory=dict)
    ranges: tuple[float, ...] = (math.nan,) * 16
    bumper: tuple[bool, ...] = (False,) * 6
    voltage: float = math.nan
    charge: float = math.nan
    battery: str = ''
    velocity: Twist2 | None = None
    command: Twist2 | None = None
    link: str = ''
    counters: tuple[tuple[str, str], ...] = ()
    diagnostic: str = ''
    programs: object = None


@dataclass(frozen=True)
class ScoutControls:
    """Functions that the page calls from its own thread.

    drive: velocity ahead (m/s) and turning rate to the left (rad/s), to be held until `stop`;
    wander: whether the robot is to find its way by itself; motors: on or off; inject: name of a
    fault and how long it lasts (s); restart: an emulated robot goes back to its start.
    """

    drive: Callable[[float, float], None] = ignore
    stop: Callable[[], None] = ignore
    wander: Callable[[bool], None] = ignore
    reset_odometry: Callable[[], None] = ignore
    motors: Callable[[bool], None] = ignore
    inject: Callable[[str, float], None] = ignore
    restart: Callable[[], None] = ignore
