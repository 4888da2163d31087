"""Between messages and the library's data: stamps, body, joints, legs and decisions.

Floats cross unchanged to the last bit. What comes from a message is checked here, and a
ValueError says in one sentence what is wrong with it.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, TransformStamped, Twist, Vector3
from numpy.typing import NDArray
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import GaitDecision, LegState

from walking_robots.body.motion import BodyMotion
from walking_robots.geometry import pose as geometry
from walking_robots.geometry.pose import Rates, Vector
from walking_robots.geometry.se2 import Pose2, Twist2, quaternion
from walking_robots.legs.states import (
    ControlState,
    Decision,
    DecisionKind,
    LegReport,
    PlanState,
)

Array = NDArray[np.float64]

FARTHEST = 1.0e6
"""Coordinates beyond this, m, are refused, which cell indices could not hold, and velocities, m/s
and rad/s, by which numbers overflow."""

_SECOND = 1_000_000_000
_NOWHERE: Vector = (math.nan, math.nan, math.nan)


def header_to_msg(stamp: int, frame: str) -> Header:
    """Return a header; ``stamp`` in ns."""
    found = Header(frame_id=frame)
    found.stamp.sec, found.stamp.nanosec = divmod(stamp, _SECOND)
    return found


def time_to_msg(stamp: int) -> Time:
    """Return a time of ``stamp`` ns."""
    return Time(sec=stamp // _SECOND, nanosec=stamp % _SECOND)


def stamp_from_msg(message: Any) -> int:
    """Return the stamp of a message with a header, ns."""
    stamp = message.header.stamp
    return int(stamp.sec * _SECOND + stamp.nanosec)


def charge_from_msg(message: Any) -> float:
    """Return the charge of a BatteryState, 0 ... 1, NaN where it is not measured.

    Raises ValueError for one outside of this.
    """
    charge = float(message.percentage)
    if charge < 0.0 or charge > 1.0:
        raise ValueError(f'its percentage is {charge:g}; publish a share from 0 to 1')
    return charge


# Filling a message in place costs half as much as composing it of parts, which would replace
# the parts it was made with.


def fill_header(message: Any, stamp: int, frame: str) -> None:
    """Fill in the header of a message; ``stamp`` in ns."""
    found = message.header
    found.stamp.sec, found.stamp.nanosec = divmod(stamp, _SECOND)
    found.frame_id = frame


def fill_point(message: Any, vector: Vector | None) -> None:
    """Fill in a point or vector; NaN stands for none."""
    message.x, message.y, message.z = _NOWHERE if vector is None else vector


def fill_pose(message: Any, position: Vector, quaternion: geometry.Quaternion) -> None:
    """Fill in a pose: position (m) and quaternion (w, x, y, z)."""
    fill_point(message.position, position)
    q = message.orientation
    q.w, q.x, q.y, q.z = quaternion


def fill_twist(message: Any, rates: Sequence[float]) -> None:
    """Fill in a twist: (vx, vy, vz, wx, wy, wz)."""
    linear, angular = message.linear, message.angular
    linear.x, linear.y, linear.z, angular.x, angular.y, angular.z = rates


def point_to_msg(vector: Vector | None) -> Point:
    """Return a point; NaN stands for none."""
    found = Point()
    fill_point(found, vector)
    return found


def vector_to_msg(vector: Vector) -> Vector3:
    """Return a force or any other free vector."""
    x, y, z = vector
    return Vector3(x=x, y=y, z=z)


def pose_to_msg(position: Vector, quaternion: geometry.Quaternion) -> Pose:
    """Return a pose from a position (m) and a quaternion (w, x, y, z)."""
    found = Pose()
    fill_pose(found, position, quaternion)
    return found


def twist_to_msg(rates: Sequence[float]) -> Twist:
    """Return a twist from (vx, vy, vz, wx, wy, wz)."""
    found = Twist()
    fill_twist(found, rates)
    return found


def vector_from_msg(message: Any, what: str) -> Vector:
    """Read a point, m, that must be there."""
    found = optional_vector_from_msg(message, what)
    if found is None:
        raise ValueError(f'{what} is not finite')
    return found


def optional_vector_from_msg(message: Any, what: str) -> Vector | None:
    """Read a point, m, of which NaN in x means none."""
    x, y, z = message.x, message.y, message.z
    if x != x:
        return None
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST and abs(z) <= FARTHEST):
        raise ValueError(f'{what} is out of range')
    return (x, y, z)


def pose_from_msg(message: Any) -> geometry.Pose:
    """Read a geometry_msgs/Pose."""
    q = message.orientation
    norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
    if not abs(norm - 1.0) < 1e-3:
        raise ValueError('the orientation is not a unit quaternion')
    return geometry.from_quaternion(
        vector_from_msg(message.position, 'the position'), (q.w, q.x, q.y, q.z)
    )


def twist_from_msg(message: Any) -> Rates:
    """Read a twist."""
    linear, angular = message.linear, message.angular
    found = Rates(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
    if not all(map(math.isfinite, found)):
        raise ValueError('a velocity is not finite')
    if max(map(abs, found)) > FARTHEST:
        raise ValueError('a velocity is out of range')
    return found


def body_motion_from_msg(message: Any) -> BodyMotion:
    """Read a BodyCommand."""
    return BodyMotion(pose_from_msg(message.pose), twist_from_msg(message.twist))


def contacts_from_msg(message: Any, legs: int) -> tuple[bool, ...]:
    """Read FootContacts."""
    if len(message.contact) != legs:
        raise ValueError(f'it has {len(message.contact)} foot contacts instead of {legs}')
    return tuple(message.contact)


def joints_from_msg(names: Sequence[str], positions: Any, wanted: Sequence[str]) -> Array:
    """Read joint positions by name as an array of shape (legs, 3).

    Its rows lie in memory as the library lays them, so that numpy adds and multiplies in the
    same order here and there.
    """
    if len(positions) != len(names):
        raise ValueError(f'it has {len(names)} names but {len(positions)} positions')
    values = np.array(positions, dtype=np.float64)
    if list(names[: len(wanted)]) == list(wanted):
        values = values[: len(wanted)]
    else:
        place = {name: index for index, name in enumerate(names)}
        missing = [name for name in wanted if name not in place]
        if missing:
            raise ValueError(f'joint {missing[0]!r} is missing')
        values = values[[place[name] for name in wanted]]
    if not (np.abs(values) <= FARTHEST).all():
        raise ValueError('a joint position is out of range')
    return values.reshape(-1, 3).T.copy().T


def array_to_msg(values: Array) -> 'array[float]':
    """Return the entries of an array, row by row, as messages take them."""
    return array('d', np.ascontiguousarray(values).tobytes())


def leg_report_to_msg(report: LegReport) -> LegState:
    """Return the message of a leg."""
    found = LegState()
    found.leg = report.number
    found.plan_state, found.control_state = int(report.plan), int(report.control)
    found.contact = report.contact
    fill_point(found.foothold, report.foothold)
    fill_point(found.foot, report.foot)
    return found


def leg_reports_from_msg(message: Any, legs: int) -> tuple[LegReport, ...]:
    """Read LegStates."""
    if [leg.leg for leg in message.legs] != list(range(1, legs + 1)):
        raise ValueError(f'it does not list legs 1 to {legs} in order')
    return tuple(
        LegReport(
            leg.leg,
            PlanState(leg.plan_state),
            ControlState(leg.control_state),
            leg.contact,
            optional_vector_from_msg(leg.foothold, 'a foothold'),
            vector_from_msg(leg.foot, 'a foot'),
        )
        for leg in message.legs
    )


def feet_from_msg(message: Any, legs: int) -> tuple[Array, tuple[bool, ...]]:
    """Read a FeetCommand: feet (legs, 3), m, body frame, and which of them stand."""
    if len(message.feet) != legs or len(message.stands) != legs:
        raise ValueError(f'it does not list {legs} feet and whether each stands')
    places = [vector_from_msg(foot, 'a foot') for foot in message.feet]
    return np.array(places), tuple(message.stands)


def decision_to_msg(made: Decision) -> GaitDecision:
    """Return the message of a decision."""
    return GaitDecision(
        kind=int(made.kind),
        leg=made.leg,
        partner=made.partner,
        foothold=point_to_msg(made.foothold),
        reason=made.reason,
    )


def decisions_from_msg(message: Any, legs: int) -> tuple[Decision, ...]:
    """Read GaitDecisions."""
    found = []
    for made in message.decisions:
        kind = DecisionKind(made.kind)
        exchange = kind is DecisionKind.EXCHANGE
        if not 1 <= made.leg <= legs or not (1 if exchange else 0) <= made.partner <= legs:
            raise ValueError(f'there is no leg {made.leg} or no partner {made.partner}')
        foothold = optional_vector_from_msg(made.foothold, 'a foothold')
        found.append(Decision(kind, made.leg, made.partner, foothold, made.reason))
    return tuple(found)


def clear_heights_from_msg(message: Any, legs: int) -> Sequence[float]:
    """Return the heights of GaitDecisions that feet in the air have to keep, m, or none."""
    heights: list[float] = message.clear_heights.tolist()
    if len(heights) not in (0, legs) or not all(abs(height) <= FARTHEST for height in heights):
        raise ValueError(f'clear_heights must be {legs} heights up to {FARTHEST:.0f} m, or none')
    return heights


def touched_bearings_from_msg(message: Any) -> list[float]:
    """Return the bearings, rad, of the closed switches of a Bumper; raise ValueError."""
    switches = zip(message.bearings, message.switches, strict=True)
    found = [bearing for bearing, closed in switches if closed]
    if not all(map(math.isfinite, found)):
        raise ValueError('the bearing of a switch is not finite')
    return found


def planar_pose_from_msg(message: Any) -> Pose2:
    """Return the pose in the plane of a geometry_msgs/Pose or Transform; raise ValueError."""
    place = message.position if hasattr(message, 'position') else message.translation
    turn = message.orientation if hasattr(message, 'orientation') else message.rotation
    pose = Pose2(place.x, place.y, 2.0 * math.atan2(turn.z, turn.w))
    if not all(abs(value) <= FARTHEST for value in pose):
        raise ValueError('the pose is out of range')
    return pose


def planar_twist_from_msg(message: Any) -> Twist2:
    """Return the speed ahead and the turning rate of a twist; raise ValueError if not finite."""
    rates = twist_from_msg(message)
    return Twist2(rates.vx, rates.wz)


def joint_values_from_msg(message: Any) -> dict[str, float]:
    """Return positions (rad, m) by the names of joints."""
    return dict(zip(message.name, message.position, strict=False))


def transform_to_msg(stamp: int, frames: tuple[str, str], pose: Pose2) -> TFMessage:
    """Return the transform from an outer frame to another."""
    found = TransformStamped(header=header_to_msg(stamp, frames[0]), child_frame_id=frames[1])
    fill_point(found.transform.translation, (pose.x, pose.y, 0.0))
    q = found.transform.rotation
    q.w, q.x, q.y, q.z = quaternion(pose.heading)
    return TFMessage(transforms=[found])
