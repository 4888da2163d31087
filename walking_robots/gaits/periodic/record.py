"""The GaitStep of a periodic gait."""

import math

from walking_robots.body.motion import BodyMotion
from walking_robots.gaits.commands.stall_detector import HALT_TIME
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.gaits.periodic.plan import RAMP, GaitPlan
from walking_robots.gaits.periodic.walker import Walked
from walking_robots.geometry.pose import Pose, Rates
from walking_robots.robots.model import CommandLimits

KEY_STEPS = 10
"""Presses of a key from rest to the greatest speed."""

SLOW_SWINGS = 4.0
"""Swings in the time of which something has to change while a foot looks for ground."""


def record(plan: GaitPlan, walked: Walked, pose: Pose) -> GaitStep:
    """Return a step that began with the body at ``pose``; a foot in the air has no foothold."""
    gait, before, twist = walked.gait, walked.before, walked.twist
    legs = gait.state.legs
    support = tuple(number for number, leg in enumerate(legs, start=1) if leg.stands)
    waits = f'waits for {gait.waits}' if gait.waits else ''
    held = waits if any(gait.state.intent) and not any(twist) else ''
    return GaitStep(
        decisions=(),
        motion=BodyMotion(pose, Rates(vx=twist.v, vy=twist.aside, wz=twist.w)),
        mode=plan.stepping.pattern.name,
        cycle=0,
        state=waits,
        fired=(),
        stop_reason=held,
        deceleration=0,
        margin=gait.margin,
        planned_margin=gait.margin,
        kinematic_margins=(None,) * len(legs),
        footholds=tuple(
            pose.apply(foot) if leg.stands else None
            for leg, foot in zip(legs, before, strict=True)
        ),
        support=support,
        planned_support=support,
        failed=tuple(leg + 1 for leg in plan.stepping.failed),
    )


def held(plan: GaitPlan, pose: Pose, why: str) -> GaitStep:
    """Return a step in which all legs are held where they are."""
    everyone = tuple(leg.number for leg in plan.robot.legs)
    return GaitStep(
        decisions=(),
        motion=BodyMotion(pose, Rates()),
        mode=plan.stepping.pattern.name,
        cycle=0,
        state='',
        fired=(),
        stop_reason=why,
        deceleration=0,
        margin=math.nan,
        planned_margin=math.nan,
        kinematic_margins=(None,) * len(everyone),
        footholds=(None,) * len(everyone),
        support=everyone,
        planned_support=everyone,
    )


def facts(plan: GaitPlan) -> list[str]:
    """Return how a gait goes, line by line."""
    return [
        f'period {plan.period:.3g} s',
        f'stride {plan.stride:.3g} m',
        f'speed up to {plan.speed:.3g} m/s',
        f'turn up to {plan.turn_rate:.3g} rad/s',
        f'body {plan.stepping.posture.words()}',
    ]


def mobility(plan: GaitPlan, dt: float) -> Mobility:
    """Return how a robot moves by a gait, in steps of ``dt`` seconds."""
    speed, turn = plan.speed, plan.turn_rate
    ramp = RAMP * plan.period
    return Mobility(
        CommandLimits(speed, speed, turn, *(most / KEY_STEPS for most in (speed, speed, turn))),
        dt,
        deceleration=speed / ramp,
        rest_time=ramp + plan.period,
        halt_time=max(HALT_TIME, SLOW_SWINGS * plan.swing_time),
    )
