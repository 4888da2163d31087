"""From messages to what the pages show."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from walking_robots.legs.states import ControlState, PlanState
from walking_robots.nodes.common.conversions import (
    joint_values_from_msg,
    leg_reports_from_msg,
    pose_from_msg,
    stamp_from_msg,
    twist_from_msg,
    vector_from_msg,
)
from walking_robots.viewer.hexapod.state import SwingMark, ViewState


def view_state_from_msgs(
    odom: Any,
    joints: Any,
    legs: Any = None,
    gait: Any = None,
    *,
    fired: Iterable[str] = (),
    plan: Any = None,
    diagnostic: str = '',
) -> ViewState:
    """Return the moment that messages of one stamp describe; without a gait, that of the body.

    Raise ValueError for messages that make no sense.
    """
    pose = odom.pose.pose
    pose_from_msg(pose)
    p, q = pose.position, pose.orientation
    values: dict[str, Any] = {}
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
        diagnostic=diagnostic,
        **values,
    )


def swing_marks_from_msg(plan: Any) -> tuple[SwingMark, ...]:
    """Return the swings of a plan; raise ValueError for a message that makes no sense."""
    if not len(plan.legs) == len(plan.footholds) == len(plan.body) == len(plan.margins):
        raise ValueError('its lists differ in length')
    return tuple(
        SwingMark(vector_from_msg(foothold, 'a foothold'), vector_from_msg(body, 'a body'), margin)
        for foothold, body, margin in zip(plan.footholds, plan.body, plan.margins, strict=True)
    )
