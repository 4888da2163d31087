"""From messages to what the pages show."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Pose
from walking_robots.legs.states import ControlState, PlanState
from walking_robots.nodes.common.clouds import cloud_from_msg, mount_from_msg
from walking_robots.nodes.common.conversions import (
    joint_values_from_msg,
    leg_reports_from_msg,
    pose_from_msg,
    stamp_from_msg,
    twist_from_msg,
    vector_from_msg,
)
from walking_robots.viewer.hexapod.state import Points, SwingMark, ViewState

RAYS = 40
"""Rays of a cloud that are drawn, evenly from all."""


def view_state_from_msgs(
    odom: Any,
    joints: Any,
    legs: Any = None,
    gait: Any = None,
    *,
    fired: Iterable[str] = (),
    plan: Any = None,
    **others: Any,
) -> ViewState:
    """Return the moment that messages of one stamp describe; without a gait, that of the body.

    ``others`` are fields of a ViewState.
    Raise ValueError for messages that make no sense.
    """
    pose = odom.pose.pose
    pose_from_msg(pose)
    p, q = pose.position, pose.orientation
    values: dict[str, Any] = {}
    if joints.effort:
        values['efforts'] = dict(zip(joints.name, joints.effort, strict=True))
    if legs is not None:
        reports = leg_reports_from_msg(legs, 6)
        values |= {
            'leg_states': tuple(ControlState(r.control).name.lower() for r in reports),
            'plan_states': tuple(PlanState(r.plan).name.lower() for r in reports),
            'contacts': tuple(r.contact for r in reports),
        }
    if gait is not None:
        footholds = np.array([(f.x, f.y, f.z) for f in gait.footholds])
        if footholds.shape != (6, 3) or len(gait.kinematic_margin) != 6:
            raise ValueError('it does not describe six legs')
        velocity = twist_from_msg(gait.velocity)
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
        time=stamp_from_msg(odom) * 1e-9,
        position=(p.x, p.y, p.z),
        quaternion=(q.w, q.x, q.y, q.z),
        joints=joint_values_from_msg(joints),
        fired=tuple(fired),
        swings=() if plan is None else swing_marks_from_msg(plan),
        otherwise='' if plan is None else plan.otherwise,
        **values,
        **others,
    )


def forces_from_msg(message: Any) -> tuple[Points, Points]:
    """Return where feet are and the forces on them; raise ValueError for what makes no sense."""
    found = [
        np.array([vector_from_msg(item, name) for item in items]).reshape(-1, 3)
        for items, name in ((message.feet, 'a foot'), (message.force, 'a force'))
    ]
    if len(found[0]) != len(found[1]):
        raise ValueError('its lists differ in length')
    return found[0], found[1]


def rays_from_msg(message: Any, mounts: Sequence[Pose]) -> NDArray[np.float32]:
    """Return some rays (n, 2, 3), m, base_link, of the cloud of a sensor at one of its mounts."""
    mount = mounts[mount_from_msg(message, len(mounts))]
    points = cloud_from_msg(message)
    shown = points[np.linspace(0, len(points) - 1, min(RAYS, len(points))).astype(np.intp)]
    ends = shown @ mount.matrix().T + np.array(mount.position)
    return np.stack((np.broadcast_to(mount.position, ends.shape), ends), axis=1).astype(np.float32)


def swing_marks_from_msg(plan: Any) -> tuple[SwingMark, ...]:
    """Return the swings of a plan; raise ValueError for a message that makes no sense."""
    if not len(plan.legs) == len(plan.footholds) == len(plan.body) == len(plan.margins):
        raise ValueError('its lists differ in length')
    return tuple(
        SwingMark(vector_from_msg(foothold, 'a foothold'), vector_from_msg(body, 'a body'), margin)
        for foothold, body, margin in zip(plan.footholds, plan.body, plan.margins, strict=True)
    )
