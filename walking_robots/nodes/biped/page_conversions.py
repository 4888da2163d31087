"""From messages to what the page of a biped shows."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from walking_robots.gaits.biped.states import STATES
from walking_robots.geometry.pitch import pitch_of
from walking_robots.nodes.biped.conversions import joints_by_name
from walking_robots.nodes.common.conversions import (
    FARTHEST,
    pose_from_msg,
    stamp_from_msg,
    twist_from_msg,
    vector_from_msg,
)
from walking_robots.robots.kwalk import JOINTS
from walking_robots.robots.kwalk_spatial import KWALKB3D, SPATIAL_JOINTS
from walking_robots.simulation.biped.friction import needed_friction
from walking_robots.simulation.biped.state import BipedFootState
from walking_robots.terrain.profile import HeightProfile
from walking_robots.viewer.biped.state import BipedSettings, BipedView, CellGround, SpatialPlace


def profile_from_msg(message: Any) -> HeightProfile:
    """Read the Path of the ground; raise ValueError for points that are no ground."""
    points = [
        vector_from_msg(pose.pose.position, f'point {number} of the ground')
        for number, pose in enumerate(message.poses)
    ]
    return HeightProfile(tuple(p[0] for p in points), tuple(p[2] for p in points))


def joints_from_msg(message: Any) -> dict[str, Any]:
    """Read a JointState: values by name, and efforts, where given, in the order of the robot."""
    found: dict[str, Any] = {'joints': joints_by_name(message.name, message.position, 'positions')}
    if message.effort:
        efforts = joints_by_name(message.name, message.effort, 'efforts')
        found['efforts'] = tuple(efforts[name] for name in JOINTS)
    return found


def legs_from_msg(message: Any) -> dict[str, Any]:
    """Read BipedLegs."""
    if message.state >= STATES:
        raise ValueError(f'there is no state {message.state}')
    lengths, angles = tuple(message.length.tolist()), tuple(message.angle.tolist())
    body = (message.height, message.speed, message.desired_speed, message.slip)
    if not all(map(_is_sane, (*body, *lengths, *angles))):
        raise ValueError('its values of body and legs are out of range')
    return {
        'felt_height': body[0],
        'felt_speed': body[1],
        'desired_speed': body[2],
        'felt_slip': body[3],
        'lengths': lengths,
        'angles': angles,
        'state': int(message.state),
    }


def feet_from_msg(message: Any, slope: float) -> tuple[dict[str, Any], float]:
    """Read FootForces; a foot stands where the ground bears it.

    slope: of the line between the feet when last both stood, rad; it is given again, or anew.
    """
    if len(message.feet) != 2 or len(message.force) != 2:
        raise ValueError(
            f'it has {len(message.feet)} feet and {len(message.force)} forces instead of two each'
        )
    feet = []
    for foot, force in zip(message.feet, message.force, strict=True):
        x, _, z = vector_from_msg(foot, 'a foot')
        if not (_is_sane(force.x) and _is_sane(force.z)):
            raise ValueError('a force is out of range')
        feet.append(BipedFootState(force.z > 0.0, force.x, force.z, x, z))
    right, left = feet
    if right.contact and left.contact and right.x != left.x:
        slope = math.atan((right.z - left.z) / (right.x - left.x))
    needed = [needed_friction(foot, slope) for foot in feet]
    found = {
        'contacts': (right.contact, left.contact),
        'feet': tuple((foot.x, foot.z) for foot in feet),
        'forces': tuple((foot.force_x, foot.force_z) for foot in feet),
        'friction': tuple(math.nan if value is None else value for value in needed),
    }
    return found, slope


def _is_sane(value: float) -> bool:
    """Return whether a number is one, and not beyond all measure."""
    return abs(value) <= FARTHEST


def _in_space(pose: Any, forces: Any) -> SpatialPlace:
    """Return where a robot in space is, by its pose and FootForces."""
    found, q = pose_from_msg(pose), pose.orientation
    right, left = (found.apply((0.0, hip, 0.0)) for hip in KWALKB3D.hips)
    foot, other_foot = (vector_from_msg(foot, 'a foot') for foot in forces.feet)
    force, other_force = (vector_from_msg(force, 'a force') for force in forces.force)
    return SpatialPlace(
        found.position, (q.w, q.x, q.y, q.z), (right, left), (foot, other_foot),
        (force, other_force),
    )  # fmt: skip


def cells_from_msg(message: Any) -> CellGround | None:
    """Read the Marker of ground of cells; None where there are none."""
    if not message.points:
        return None
    boxes = [vector_from_msg(point, 'a cell') for point in message.points]
    tops = np.array(boxes)
    tops[:, 2] += message.scale.z / 2.0
    if not 0.0 < message.scale.x <= FARTHEST:
        raise ValueError('the side of its cells is out of range')
    return CellGround(tops, message.scale.x)


def settings_from_parameters(sim: Mapping[str, Any], gait: Mapping[str, Any]) -> BipedSettings:
    """Return how simulation and gait are set, as far as their parameters are known."""
    return BipedSettings(
        robot=str(sim.get('robot') or gait.get('robot') or ''),
        terrain=str(sim.get('terrain') or ''),
        seed=int(sim.get('seed') or 0),
        params=str(gait.get('params') or ''),
        ground=str(gait.get('ground') or ''),
    )


def biped_view_from_msgs(
    odom: Any,
    joints: Any,
    forces: Any,
    legs: Any = None,
    *,
    ground: HeightProfile | None,
    slope: float,
    **values: Any,
) -> tuple[BipedView, float]:
    """Return the moment that messages of one stamp describe; without `legs`, that of the body.

    slope: see `feet_from_msg`, and given again; values: what else a `BipedView` says. Raise
    ValueError for a message that makes no sense.
    """
    pose = odom.pose.pose
    pose_from_msg(pose)
    p, q = pose.position, pose.orientation
    pitch = pitch_of((q.w, q.x, q.y, q.z))
    rates = twist_from_msg(odom.twist.twist)
    feet, slope = feet_from_msg(forces, slope)
    if SPATIAL_JOINTS[0] in joints.name:
        values['space'] = _in_space(pose, forces)
    view = BipedView(
        time=stamp_from_msg(odom) * 1e-9,
        x=p.x,
        z=p.z,
        pitch=pitch,
        height=math.nan if ground is None else p.z - ground.height(p.x),
        speed=math.cos(pitch) * rates.vx + math.sin(pitch) * rates.vz,
        **joints_from_msg(joints),
        **feet,
        **(({} if legs is None else legs_from_msg(legs)) | values),
    )
    return view, slope
