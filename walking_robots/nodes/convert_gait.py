# mypy: disable-error-code="import-untyped"
"""Between the message GaitState and the coordinator's step."""

import math
from array import array
from typing import Any

from walking_robots_interfaces.msg import GaitState

from walking_robots.body.motion import BodyMotion
from walking_robots.gaits.coordinator import Command, GaitStep
from walking_robots.gaits.memory import Memory
from walking_robots.gaits.rules import Firing
from walking_robots.geometry.pose import to_quaternion
from walking_robots.nodes import convert


def gait_state(stamp: int, step: GaitStep, memory: Memory, command: Command) -> GaitState:
    """Give the message of a step; ``memory`` is the coordinator's after it."""
    pose, rates = step.motion
    vx, vy, wz = command
    return GaitState(
        header=convert.header(stamp, 'odom'),
        step=memory.steps,
        mode=step.mode,
        cycle=step.cycle,
        state=step.state,
        fired=[firing.sentence for firing in step.fired],
        rules=[firing.rule for firing in step.fired],
        facts=memory.facts.lines(),
        stopped=bool(step.stop_reason),
        stop_reason=step.stop_reason,
        deceleration=step.deceleration,
        margin=step.margin,
        planned_margin=step.planned_margin,
        kinematic_margin=array(
            'd', [math.nan if margin is None else margin for margin in step.kinematic_margins]
        ),
        footholds=[convert.point(foothold) for foothold in step.footholds],
        support=array('B', step.support),
        planned_support=array('B', step.planned_support),
        command=convert.twist((vx, vy, 0.0, 0.0, 0.0, wz)),
        velocity=convert.twist(rates),
        pose=convert.pose(pose.position, to_quaternion(pose)),
    )


def gait_step(message: Any) -> GaitStep:
    """Read a GaitState; its decisions travel elsewhere and are left out."""
    rules = message.rules
    fired = [Firing(rule, said) for rule, said in zip(rules, message.fired, strict=True)]
    return GaitStep(
        decisions=(),
        motion=BodyMotion(convert.body_pose(message.pose), convert.rates(message.velocity)),
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
            convert.vector_or_none(foothold, 'a foothold') for foothold in message.footholds
        ),
        support=tuple(message.support),
        planned_support=tuple(message.planned_support),
    )
