"""From messages to what the pages show."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from sensor_msgs.msg import BatteryState

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.legs.states import ControlState, PlanState
from walking_robots.nodes.common import conversions as convert
from walking_robots.nodes.scout.conversions import planar_pose
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.scout.state import Walls

__all__ = [
    'battery_words',
    'heard',
    'joint_values',
    'plane_pose',
    'plane_twist',
    'view_state',
    'walls',
]

OCCUPIED = 50
"""Share, %, from which on a cell of an occupancy grid is a wall."""

_CHARGING = {
    BatteryState.POWER_SUPPLY_STATUS_CHARGING: 'charging',
    BatteryState.POWER_SUPPLY_STATUS_DISCHARGING: 'discharging',
    BatteryState.POWER_SUPPLY_STATUS_NOT_CHARGING: 'not charging',
    BatteryState.POWER_SUPPLY_STATUS_FULL: 'full',
}


def view_state(
    odom: Any, messages: Mapping[str, Any], fired: tuple[str, ...], diagnostic: str
) -> ViewState:
    """Give the moment of ``odom`` from the newest message of every topic.

    Raise ValueError for messages that make no sense.
    """
    joints, legs, gait = (messages.get(t) for t in ('joint_states', 'legs/state', 'gait/state'))
    pose = odom.pose.pose
    convert.body_pose(pose)
    p, q = pose.position, pose.orientation
    values: dict[str, Any] = {}
    if legs is not None:
        reports = convert.reports(legs, 6)
        values |= {
            'leg_states': tuple(ControlState(r.control).name.lower() for r in reports),
            'plan_states': tuple(PlanState(r.plan).name.lower() for r in reports),
            'contacts': tuple(r.contact for r in reports),
        }
    if gait is not None:
        footholds = np.array([(f.x, f.y, f.z) for f in gait.footholds])
        if footholds.shape != (6, 3) or len(gait.kinematic_margin) != 6:
            raise ValueError('it does not describe six legs')
        velocity = convert.rates(gait.velocity)
        values |= {
            'step': gait.step,
            'footholds': footholds,
            'support': tuple(gait.support),
            'margin': gait.margin,
            'planned_margin': gait.planned_margin,
            'kinematic_margins': tuple(gait.kinematic_margin),
            'mode': gait.mode,
            'cycle': gait.cycle,
            'state': gait.state,
            'stop_reason': gait.stop_reason,
            'velocity': (velocity.vx, velocity.vy, velocity.wz),
        }
    return ViewState(
        time=convert.nanoseconds(odom) * 1e-9,
        position=(p.x, p.y, p.z),
        quaternion=(q.w, q.x, q.y, q.z),
        joints=joint_values(joints) if joints else {},
        fired=fired,
        diagnostic=diagnostic,
        **values,
    )


def joint_values(message: Any) -> dict[str, float]:
    """Give positions (rad, m) by the names of joints."""
    return dict(zip(message.name, message.position, strict=False))


def plane_pose(message: Any) -> Pose2:
    """Give the place and heading of a pose or transform on a level floor.

    Raise ValueError for one that makes no sense.
    """
    pose = planar_pose(message)
    if not all(abs(value) <= convert.FARTHEST for value in pose):
        raise ValueError('the pose is out of range')
    return pose


def plane_twist(message: Any) -> Twist2:
    """Give the speed ahead and the turning rate of a twist; raise ValueError if not finite."""
    rates = convert.rates(message)
    return Twist2(rates.vx, rates.wz)


def heard(message: Any) -> float:
    """Give what a Range tells, m: inf without an echo, -inf too near (REP-117)."""
    value = float(message.range)
    if math.isnan(value):
        raise ValueError('the range is no number')
    # Consumers that know no infinity may be given the largest range in its place.
    if value >= message.max_range:
        return math.inf
    return value if value >= message.min_range else -math.inf


def battery_words(message: Any) -> str:
    """Give charge and state of a BatteryState in words, as far as they are known."""
    charge = '' if math.isnan(message.percentage) else f'{message.percentage:.0%}'
    state = _CHARGING.get(message.power_supply_status, '')
    return ', '.join(filter(None, (charge, state)))


def walls(message: Any) -> Walls:
    """Give the walls of an OccupancyGrid; raise ValueError for one that makes no sense."""
    info = message.info
    if len(message.data) != info.width * info.height:
        raise ValueError(f'it has {len(message.data)} cells, not {info.width} by {info.height}')
    if not (math.isfinite(info.resolution) and info.resolution > 0.0):
        raise ValueError('the size of a cell is no positive number')
    share = np.array(message.data, dtype=np.int8).reshape(info.height, info.width)
    return Walls(share >= OCCUPIED, float(info.resolution), plane_pose(info.origin))
