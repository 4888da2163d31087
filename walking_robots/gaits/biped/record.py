"""The GaitStep of a biped.

It stands apart from `biped/`, none of whose modules can reach the terrain.
"""

import math
from dataclasses import replace

from walking_robots.body.motion import BodyMotion
from walking_robots.gaits.biped.memory import GaitTick, WalkMemory
from walking_robots.gaits.biped.states import phase_of
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.commands.walk import WalkGoal
from walking_robots.gaits.free.rule_engine import Firing
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Pose, Rates
from walking_robots.robots.model import CommandLimits

LIMITS = CommandLimits(2.0, 0.0, 0.0, 0.05, 0.0, 0.0)
"""Speeds, m/s, that can be commanded; a robot may not reach them."""
FASTEST_TURN, TURN_STEP = 0.175, 0.025
"""Turns, rad/s, that can be commanded in space: it walks 10 degrees/s, and falls at 15."""

LAG, REST_TIME = 0.3, 2.0
"""How a walk that is to stop goes on, s, and when it counts as ended."""

STILL_TIME = 4.0
"""Time, s, in which a robot that is to stop is slower than 1 cm/s: after up to 3.2 s with the
tuned sets, and with those of the thesis, measured from any phase of a step."""


def record(
    tick: GaitTick, before: WalkMemory, contacts: tuple[bool, bool], way: float, fell: str
) -> GaitStep:
    """Return a tick; way: distance felt, m; fell: how it fell, or nothing."""
    memory = tick.memory
    support = tuple(leg for leg, stands in enumerate(contacts, start=1) if stands)
    left = memory.state != before.state
    return GaitStep(
        decisions=(),
        motion=BodyMotion(Pose((way, 0.0, tick.height)), Rates(vx=tick.speed)),
        mode='biped',
        cycle=memory.state,
        state=phase_of(memory.state).name.lower(),
        fired=(Firing(memory.why, memory.why),) if left else (),
        stop_reason=fell,
        deceleration=0,
        margin=math.nan,
        planned_margin=math.nan,
        kinematic_margins=(),
        footholds=(),
        support=support,
        planned_support=support,
    )


def mobility(dt: float, *, turns: bool = False) -> Mobility:
    """Return how a biped moves, in ticks of ``dt`` seconds; turns: as one in space does."""
    limits = replace(LIMITS, turn=FASTEST_TURN, turn_step=TURN_STEP) if turns else LIMITS
    return Mobility(limits, dt, lag=LAG, rest_time=REST_TIME)


def refusal(goal: WalkGoal, *, turns: bool = False) -> str:
    """Say why a robot cannot walk to a goal, or nothing; turns: whether it is one in space."""
    ahead, aside, turn = goal.velocity
    if goal.target is not None or ahead <= 0.0 or aside or (turn and not turns):
        return 'a biped walks ahead only, for a distance or a time'
    return ''
