"""What the page shows and what it can ask for, as plain data."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.elevation_map import MapWindow
from walking_robots.viewer.common.controls import WalkControls, ignore

Points = NDArray[np.float64]

NO_FOOTHOLDS: Points = np.full((6, 3), np.nan)
NO_POINTS: Points = np.empty((0, 3))
NO_RAYS: NDArray[np.float32] = np.empty((0, 2, 3), np.float32)


class Belief(NamedTuple):
    """What a robot believes of the ground: its map, and where it may stand."""

    window: MapWindow
    terrain: TernaryTerrain


class SwingMark(NamedTuple):
    """A planned swing: its foothold and the body after it, m, and the margin (m) there."""

    foothold: Vector
    body: Vector
    margin: float


@dataclass(frozen=True, eq=False)
class ViewState:
    """One moment of a walk.

    time: s since start; step: number of control steps; position (m) and quaternion (w, x, y, z):
    base_link in odom; joints: value (rad, m) by URDF joint name; leg_states and plan_states:
    names of the states of legs 1 to 6, such as 'support'; contacts: foot switches; footholds:
    (6, 3) m, odom, NaN where a leg has none; support: numbers of the legs that carry;
    margin and planned_margin: static stability margin now and one second ahead, m, negative when
    unstable; kinematic_margins: s, legs 1 to 6, NaN where undefined; mode, cycle, state: of the
    gait; fired: rules that fired, in words; stop_reason: why the body is held, or nothing;
    velocity: m/s, m/s, rad/s in base_link; swings: those that are planned ahead, the next first;
    otherwise: what the gait would do without a plan, in words, or nothing; diagnostic: a sentence
    to warn with, or nothing; efforts: N m or N by joint name, where measured; forces: where feet
    touch the ground, and its force on them, (n, 3) m and N, odom, empty where not measured; rays:
    (n, 2, 3) m, base_link, of a depth sensor, from there to what they met; belief: what a robot
    with eyes knows of the ground; battery: charge 0 ... 1, NaN where unknown.
    """

    time: float = 0.0
    step: int = 0
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    joints: Mapping[str, float] = field(default_factory=dict)
    leg_states: tuple[str, ...] = ('',) * 6
    plan_states: tuple[str, ...] = ('',) * 6
    contacts: tuple[bool, ...] = (False,) * 6
    footholds: Points = field(default_factory=NO_FOOTHOLDS.copy)
    support: tuple[int, ...] = ()
    margin: float = float('nan')
    planned_margin: float = float('nan')
    kinematic_margins: tuple[float, ...] = (float('nan'),) * 6
    mode: str = ''
    cycle: int = 0
    state: str = ''
    fired: tuple[str, ...] = ()
    stop_reason: str = ''
    velocity: Vector = (0.0, 0.0, 0.0)
    swings: tuple[SwingMark, ...] = ()
    otherwise: str = ''
    diagnostic: str = ''
    efforts: Mapping[str, float] = field(default_factory=dict)
    forces: tuple[Points, Points] = (NO_POINTS, NO_POINTS)
    rays: NDArray[np.float32] = field(default_factory=lambda: NO_RAYS)
    belief: Belief | None = None
    battery: float = float('nan')


def between(before: ViewState, after: ViewState, share: float) -> ViewState:
    """Return `before` with body and joints at a share, 0 ... 1, of their way to `after`.

    Return `after` where time has begun afresh.
    """
    if after.time <= before.time:
        return after

    def part(first: float, last: float) -> float:
        return first + share * (last - first)

    x, y, z = map(part, before.position, after.position)
    # The two quaternions of a rotation differ in sign.
    sign = math.copysign(1.0, sum(map(mul, before.quaternion, after.quaternion)))
    turn = [
        part(first, sign * last)
        for first, last in zip(before.quaternion, after.quaternion, strict=True)
    ]
    length = math.hypot(*turn)
    a, b, c, d = (value / length for value in turn)
    joints = {
        name: part(value, after.joints.get(name, value)) for name, value in before.joints.items()
    }
    return replace(before, position=(x, y, z), quaternion=(a, b, c, d), joints=joints)


@dataclass(frozen=True)
class Controls(WalkControls):
    """The requests of the page of a hexapod, in addition to those of every walking robot.

    walk: forward and lateral velocity (m/s), turning rate (rad/s); new_terrain: ditch width
    (m, 0 for none), share of forbidden cells (0 ... 0.9), seed; horizon: how far ahead footholds
    are planned (m); gait: name of a gait that repeats and its period (s, 0 for its shortest);
    body: shift over the feet ahead, to the left and upwards (m), roll, pitch and yaw (rad),
    against the neutral posture.
    """

    new_terrain: Callable[[float, float, int], None] = ignore
    horizon: Callable[[float], None] = ignore
    gait: Callable[[str, float], None] = ignore
    body: Callable[[float, float, float, float, float, float], None] = ignore
