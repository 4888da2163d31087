"""Between messages and what a biped feels, is ordered and thinks."""

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path
from sensor_msgs.msg import Imu, JointState
from walking_robots_interfaces.msg import BipedLegs, FootForces, JointCommand

from walking_robots.gaits.biped.memory import GaitTick, JointOrders
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.states import phase_of
from walking_robots.geometry.pitch import pitch_of, pitch_quaternion
from walking_robots.nodes.common.conversions import (
    FARTHEST,
    contacts_from_msg,
    fill_header,
    header_to_msg,
    point_to_msg,
    pose_to_msg,
    vector_to_msg,
)
from walking_robots.robots.impedance import JointOrder
from walking_robots.robots.kwalk import JOINTS
from walking_robots.simulation.biped.state import BipedState
from walking_robots.terrain.profile import HeightProfile

APART, NEAR = 0.05, 0.001
"""Distances, m, between points of shown ground: of a grid, and of the grid from the profile."""

UNKNOWN = -1.0
"""First entry of the covariance of what an Imu does not measure."""


def joints_by_name(names: Sequence[str], values: Sequence[float], what: str) -> dict[str, float]:
    """Return values by the names of joints, the four of a biped among them.

    ``what`` they are is said in a ValueError.
    """
    if len(values) != len(names):
        raise ValueError(f'it has {len(names)} joints but {len(values)} {what}')
    found = dict(zip(names, values, strict=True))
    missing = [name for name in JOINTS if name not in found]
    if missing:
        raise ValueError(f'joint {missing[0]!r} is missing')
    if not all(abs(value) <= FARTHEST for value in found.values()):
        raise ValueError(f'the {what} are out of range')
    return found


def _four(names: Sequence[str], values: Sequence[float], what: str) -> Sequence[float]:
    """Return values of the four joints in their order."""
    if len(values) == len(JOINTS) and tuple(names) == JOINTS:
        a, b, c, d = values
        if abs(a) <= FARTHEST and abs(b) <= FARTHEST and abs(c) <= FARTHEST and abs(d) <= FARTHEST:
            return values
    found = joints_by_name(names, values, what)
    return [found[name] for name in JOINTS]


def joints_to_msg(stamp: int, state: BipedState, robot: str) -> JointState:
    """Return the message of the joints, its frame the robot's name; ``stamp`` in ns."""
    found = JointState(
        name=list(JOINTS),
        position=array('d', state.joints),
        velocity=array('d', state.rates),
        effort=array('d', state.efforts),
    )
    fill_header(found, stamp, robot)
    return found


def imu_to_msg(stamp: int, state: BipedState) -> Imu:
    """Return the message of pitch and its rate; a planar robot measures no acceleration."""
    found = Imu()
    fill_header(found, stamp, 'base_link')
    q = found.orientation
    q.w, q.x, q.y, q.z = pitch_quaternion(state.pitch)
    found.angular_velocity.y = state.velocity[2]
    found.linear_acceleration_covariance[0] = UNKNOWN
    return found


def foot_forces_to_msg(stamp: int, state: BipedState) -> FootForces:
    """Return the message of the feet and the forces on them."""
    found = FootForces(header=header_to_msg(stamp, 'odom'))
    for foot in state.feet:
        found.feet.append(point_to_msg((foot.x, 0.0, foot.z)))
        found.force.append(vector_to_msg((foot.force_x, 0.0, foot.force_z)))
    return found


def joint_senses_from_msg(message: Any) -> tuple[Sequence[float], Sequence[float]]:
    """Read positions and velocities of the four joints of a JointState."""
    positions = _four(message.name, message.position, 'positions')
    return positions, _four(message.name, message.velocity, 'velocities')


def senses_from_msgs(joints: Any, body: Any, contacts: Any, dt: float) -> Senses:
    """Read what a biped feels ``dt`` s after it felt last: JointState, Imu and FootContacts."""
    (a, b, c, d), (e, f, g, h) = joint_senses_from_msg(joints)
    q, rate = body.orientation, body.angular_velocity.y
    if not abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-3:
        raise ValueError('the orientation is not a unit quaternion')
    if body.orientation_covariance[0] == UNKNOWN:
        raise ValueError('it holds no orientation, and a biped has to feel its pitch')
    if not math.isfinite(rate):
        raise ValueError('the angular velocity is not finite')
    right, left = contacts_from_msg(contacts, 2)
    pitch = pitch_of((q.w, q.x, q.y, q.z))
    return Senses((a, b, c, d), (e, f, g, h), pitch, rate, (right, left), dt)


def joint_orders_to_msg(stamp: int, orders: Sequence[JointOrder]) -> JointCommand:
    """Return the message of orders for the four joints."""
    positions, velocities, stiffness, damping, effort = zip(*orders, strict=True)
    found = JointCommand(
        name=list(JOINTS),
        position=array('d', positions),
        velocity=array('d', velocities),
        stiffness=array('d', stiffness),
        damping=array('d', damping),
        effort=array('d', effort),
    )
    fill_header(found, stamp, '')
    return found


def joint_orders_from_msg(message: Any) -> JointOrders:
    """Read a JointCommand."""
    lists = [
        # What is left out of a command means zeros.
        _four(message.name, getattr(message, field) or [0.0] * len(message.name), what)
        for field, what in (
            ('position', 'positions'), ('velocity', 'velocities'), ('stiffness', 'stiffnesses'),
            ('damping', 'dampings'), ('effort', 'efforts'),
        )
    ]  # fmt: skip
    a, b, c, d = (JointOrder(*values) for values in zip(*lists, strict=True))
    return (a, b, c, d)


def legs_to_msg(stamp: int, tick: GaitTick, desired_speed: float) -> BipedLegs:
    """Return the message of what a controller makes of its legs."""
    memory = tick.memory
    return BipedLegs(
        header=header_to_msg(stamp, 'base_link'),
        state=memory.state,
        phase=phase_of(memory.state).name.lower(),
        why=memory.why,
        height=tick.height,
        speed=tick.speed,
        desired_speed=desired_speed,
        forward=tick.forward,
        upward=tick.upward,
        length=[leg.length for leg in tick.legs],
        angle=[leg.angle for leg in tick.legs],
        force=list(tick.forces),
    )


def profile_to_msg(profile: HeightProfile, begin: float, end: float) -> Path:
    """Return the ground between two x, m."""
    own = np.array([at for at in profile.x if begin <= at <= end])
    grid = APART * np.arange(round(begin / APART), round(end / APART) + 1)
    far = np.abs(grid[:, None] - own).min(axis=1, initial=np.inf) > NEAR
    path = Path(header=header_to_msg(0, 'odom'))
    for x in sorted([*own.tolist(), *grid[far].tolist()]):
        pose = PoseStamped(header=path.header)
        pose.pose = pose_to_msg((x, 0.0, profile.height(x)), (1.0, 0.0, 0.0, 0.0))
        path.poses.append(pose)
    return path
