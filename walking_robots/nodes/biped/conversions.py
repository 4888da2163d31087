"""Between messages and what a biped feels, is ordered and thinks."""

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path
from sensor_msgs.msg import Imu, JointState
from visualization_msgs.msg import Marker
from walking_robots_interfaces.msg import BipedLegs, FootForces, JointCommand

from walking_robots.gaits.biped.memory import GaitTick
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.spatial.senses import SpatialSenses, posture
from walking_robots.gaits.biped.states import phase_of
from walking_robots.geometry.pitch import pitch_of
from walking_robots.geometry.pose import Quaternion, Vector
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
from walking_robots.robots.kwalk_spatial import SPATIAL_JOINTS
from walking_robots.simulation.biped.spatial_state import SpatialState
from walking_robots.simulation.biped.state import BipedState
from walking_robots.terrain.profile import HeightProfile
from walking_robots.terrain.step_field import StepField

APART, NEAR = 0.05, 0.001
"""Distances, m, between points of shown ground: of a grid, and of the grid from the profile."""

THICKNESS = 0.1
"""Height of the boxes by which cells are shown, m."""
CELL_COLOUR = (0.72, 0.66, 0.56, 1.0)

UNKNOWN = -1.0
"""First entry of the covariance of what an Imu does not measure."""


NAMES = {len(names): names for names in (JOINTS, SPATIAL_JOINTS)}
"""The names of the joints, in the plane and in space, by their number."""

AnyState = BipedState | SpatialState


def joints_by_name(
    names: Sequence[str], values: Sequence[float], what: str, wanted: Sequence[str] = JOINTS
) -> dict[str, float]:
    """Return values by the names of joints, the wanted ones of a biped among them.

    ``what`` they are is said in a ValueError.
    """
    if len(values) != len(names):
        raise ValueError(f'it has {len(names)} joints but {len(values)} {what}')
    found = dict(zip(names, values, strict=True))
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(f'joint {missing[0]!r} is missing')
    if not all(abs(value) <= FARTHEST for value in found.values()):
        raise ValueError(f'the {what} are out of range')
    return found


def _in_order(
    names: Sequence[str], values: Sequence[float], what: str, wanted: Sequence[str]
) -> Sequence[float]:
    """Return values of the wanted joints in their order."""
    given = len(values) == len(wanted) and tuple(names) == wanted
    if given and all(abs(value) <= FARTHEST for value in values):
        return values
    found = joints_by_name(names, values, what, wanted)
    return [found[name] for name in wanted]


def joints_to_msg(stamp: int, state: AnyState, robot: str) -> JointState:
    """Return the message of the joints, its frame the robot's name; ``stamp`` in ns."""
    found = JointState(
        name=list(NAMES[len(state.joints)]),
        position=array('d', state.joints),
        velocity=array('d', state.rates),
        effort=array('d', state.efforts),
    )
    fill_header(found, stamp, robot)
    return found


def imu_to_msg(stamp: int, state: AnyState) -> Imu:
    """Return the message of attitude and its rates; a biped measures no acceleration."""
    found = Imu()
    fill_header(found, stamp, 'base_link')
    q, rate = found.orientation, found.angular_velocity
    q.w, q.x, q.y, q.z = state.attitude
    rate.x, rate.y, rate.z = state.turning
    found.linear_acceleration_covariance[0] = UNKNOWN
    return found


def foot_forces_to_msg(stamp: int, state: AnyState) -> FootForces:
    """Return the message of the feet and the forces on them."""
    found = FootForces(header=header_to_msg(stamp, 'odom'))
    for foot in state.feet:
        found.feet.append(point_to_msg(foot.place))
        found.force.append(vector_to_msg(foot.force))
    return found


def joint_senses_from_msg(
    message: Any, wanted: Sequence[str] = JOINTS
) -> tuple[Sequence[float], Sequence[float]]:
    """Read positions and velocities of the wanted joints of a JointState."""
    positions = _in_order(message.name, message.position, 'positions', wanted)
    return positions, _in_order(message.name, message.velocity, 'velocities', wanted)


def senses_from_msgs(joints: Any, body: Any, contacts: Any, dt: float) -> Senses:
    """Read what a biped feels ``dt`` s after it felt last: JointState, Imu and FootContacts."""
    (a, b, c, d), (e, f, g, h) = joint_senses_from_msg(joints)
    attitude, (_, rate, _) = _attitude_from_msg(body)
    right, left = contacts_from_msg(contacts, 2)
    return Senses((a, b, c, d), (e, f, g, h), pitch_of(attitude), rate, (right, left), dt)


def spatial_senses_from_msgs(joints: Any, body: Any, contacts: Any, dt: float) -> SpatialSenses:
    """Read what a biped in space feels, likewise."""
    positions, rates = joint_senses_from_msg(joints, SPATIAL_JOINTS)
    a, b, c, d, e, f, g, h = positions
    i, j, k, m, n, o, p, q = rates
    attitude, turning = _attitude_from_msg(body)
    right, left = contacts_from_msg(contacts, 2)
    return SpatialSenses(
        (a, b, c, d, e, f, g, h), (i, j, k, m, n, o, p, q), *posture(attitude), turning,
        (right, left), dt,
    )  # fmt: skip


def _attitude_from_msg(body: Any) -> tuple[Quaternion, Vector]:
    """Read orientation and angular velocity of an Imu."""
    q, rate = body.orientation, body.angular_velocity
    if not abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-3:
        raise ValueError('the orientation is not a unit quaternion')
    if body.orientation_covariance[0] == UNKNOWN:
        raise ValueError('it holds no orientation, and a biped has to feel its pitch')
    if not all(map(math.isfinite, (rate.x, rate.y, rate.z))):
        raise ValueError('the angular velocity is not finite')
    return (q.w, q.x, q.y, q.z), (rate.x, rate.y, rate.z)


def joint_orders_to_msg(stamp: int, orders: Sequence[JointOrder]) -> JointCommand:
    """Return the message of orders for all joints."""
    positions, velocities, stiffness, damping, effort = zip(*orders, strict=True)
    found = JointCommand(
        name=list(NAMES[len(orders)]),
        position=array('d', positions),
        velocity=array('d', velocities),
        stiffness=array('d', stiffness),
        damping=array('d', damping),
        effort=array('d', effort),
    )
    fill_header(found, stamp, '')
    return found


def joint_orders_from_msg(message: Any, wanted: Sequence[str] = JOINTS) -> tuple[JointOrder, ...]:
    """Read a JointCommand for the wanted joints."""
    lists = [
        # What is left out of a command means zeros.
        _in_order(
            message.name, getattr(message, field) or [0.0] * len(message.name), what, wanted
        )
        for field, what in (
            ('position', 'positions'), ('velocity', 'velocities'), ('stiffness', 'stiffnesses'),
            ('damping', 'dampings'), ('effort', 'efforts'),
        )
    ]  # fmt: skip
    return tuple(JointOrder(*values) for values in zip(*lists, strict=True))


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
        slip=memory.slip.slip,
        slip_speed=memory.slip.speed,
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


def cells_to_msg(field: StepField | None) -> Marker:
    """Return the marker of ground of cells, a box for each; without any it takes them away."""
    found = Marker(header=header_to_msg(0, 'odom'), ns='cells', type=Marker.CUBE_LIST)
    if field is None:
        found.action = Marker.DELETE
        return found
    found.pose.orientation.w = 1.0
    found.scale.x = found.scale.y = field.cell
    found.scale.z = THICKNESS
    found.color.r, found.color.g, found.color.b, found.color.a = CELL_COLOUR
    for row, heights in enumerate(field.heights):
        for column, height in enumerate(heights):
            x = field.corner[0] + (row + 0.5) * field.cell
            y = field.corner[1] + (column + 0.5) * field.cell
            found.points.append(point_to_msg((x, y, height - THICKNESS / 2.0)))
    return found
