"""Between the message GaitState and the coordinator's step."""

import math
from array import array
from collections.abc import Sequence
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path
from walking_robots_interfaces.msg import GaitState, SwingPlan

from walking_robots.body.motion import BodyMotion
from walking_robots.gaits.free.rule_engine import Firing
from walking_robots.gaits.gait_step import Command, GaitStep, PlanAhead
from walking_robots.geometry.pose import Quaternion, Vector, to_quaternion
from walking_robots.nodes.common.conversions import (
    fill_header,
    fill_pose,
    fill_twist,
    header_to_msg,
    optional_vector_from_msg,
    point_to_msg,
    pose_from_msg,
    pose_to_msg,
    twist_from_msg,
)


def gait_step_to_msg(
    stamp: int, step: GaitStep, steps: int, facts: list[str], command: Command
) -> GaitState:
    """Return the message of a step, the ``steps``-th one, after which the ``facts`` hold."""
    pose, rates = step.motion
    vx, vy, wz = command
    found = GaitState()
    fill_header(found, stamp, 'odom')
    found.step = steps
    found.mode, found.cycle, found.state = step.mode, step.cycle, step.state
    found.fired = [firing.sentence for firing in step.fired]
    found.rules = [firing.rule for firing in step.fired]
    found.facts = facts
    found.stopped, found.stop_reason = bool(step.stop_reason), step.stop_reason
    found.deceleration = step.deceleration
    found.margin, found.planned_margin = step.margin, step.planned_margin
    margins = step.kinematic_margins
    found.kinematic_margin = array(
        'd', [math.nan if margin is None else margin for margin in margins]
    )
    found.footholds = [point_to_msg(foothold) for foothold in step.footholds]
    found.support = array('B', step.support)
    found.planned_support = array('B', step.planned_support)
    found.failed = array('B', step.failed)
    found.slowed = step.slowed
    fill_twist(found.command, (vx, vy, 0.0, 0.0, 0.0, wz))
    fill_twist(found.velocity, rates)
    fill_pose(found.pose, pose.position, to_quaternion(pose))
    return found


def gait_step_from_msg(message: Any) -> GaitStep:
    """Read a GaitState; its decisions travel elsewhere and are left out."""
    rules = message.rules
    fired = [Firing(rule, said) for rule, said in zip(rules, message.fired, strict=True)]
    return GaitStep(
        decisions=(),
        motion=BodyMotion(pose_from_msg(message.pose), twist_from_msg(message.velocity)),
        mode=message.mode,
        cycle=message.cycle,
        state=message.state,
        fired=tuple(fired),
        stop_reason=message.stop_reason,
        deceleration=message.deceleration,
        margin=message.margin,
        planned_margin=message.planned_margin,
        kinematic_margins=tuple(
            None if math.isnan(margin) else margin for margin in message.kinematic_margin
        ),
        footholds=tuple(
            optional_vector_from_msg(foothold, 'a foothold') for foothold in message.footholds
        ),
        support=tuple(message.support),
        planned_support=tuple(message.planned_support),
        failed=tuple(message.failed),
        slowed=message.slowed,
    )


def swing_plan_to_msg(stamp: int, ahead: PlanAhead) -> SwingPlan:
    """Return the message of what is planned ahead."""
    swings = ahead.swings
    return SwingPlan(
        header=header_to_msg(stamp, 'odom'),
        legs=array('B', [swing.leg for swing in swings]),
        footholds=[point_to_msg(swing.foothold) for swing in swings],
        body=[point_to_msg(swing.body) for swing in swings],
        margins=array('d', [swing.margin for swing in swings]),
        otherwise=ahead.otherwise,
    )


def path_to_msg(stamp: int, places: Sequence[Vector], quaternion: Quaternion) -> Path:
    """Return the path of a body along places, m, for RViz; it keeps its orientation."""
    header = header_to_msg(stamp, 'odom')
    poses = [pose_to_msg(place, quaternion) for place in places]
    return Path(header=header, poses=[PoseStamped(header=header, pose=pose) for pose in poses])
