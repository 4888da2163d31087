"""How any hexapod moves by any gait."""

import math
from typing import NamedTuple

from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, GaitPlan, plan_gait
from walking_robots.gaits.periodic.record import mobility
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.model import HexapodModel

STEP_SHARE = 0.8
"""Share of the height to which feet are lifted that a step may have; a choice."""

GAITS = (*PATTERNS, 'free')


class WalkingBody(NamedTuple):
    """How far feet that stand are from the middle of the body at most, and the highest step, m."""

    radius: float
    step: float

    @classmethod
    def of(cls, walks: GaitPlan | HexapodModel) -> 'WalkingBody':
        """Return that of a hexapod in a periodic gait, or in the free gait."""
        if isinstance(walks, GaitPlan):
            places = [foot[:2] for foot in walks.feet]
            lift = walks.stepping.clearance
        else:
            places = [place for leg in walks.legs for place in leg.template]
            lift = walks.timing.lift_height
        return cls(max(math.hypot(*place) for place in places), STEP_SHARE * lift)


def usual_gait(robot: str) -> str:
    """Return the gait of a robot where none is asked for: the ASV has no periodic one."""
    return 'free' if robot == ASV.name else 'tripod'


def mobility_of(robot: str, gait: str) -> Mobility:
    """Return how a robot, by its name or file, moves by a periodic gait, or by the free gait.

    Raises ValueError, one sentence, when it cannot walk so.
    """
    if gait in PATTERNS:
        return mobility(plan_gait(find_hexapod(robot), find_pattern(gait)), STEP_TIME)
    return Mobility.of(find_free_gait_model(robot))


def body_of(robot: str, gait: str) -> WalkingBody:
    """Return how large a robot, by its name or file, is in a gait, and what it steps over.

    Raises ValueError, one sentence, when it cannot walk so.
    """
    if gait in PATTERNS:
        return WalkingBody.of(plan_gait(find_hexapod(robot), find_pattern(gait)))
    return WalkingBody.of(find_free_gait_model(robot))
