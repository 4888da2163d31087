"""What limits the speed of a periodic gait, and what would raise it."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from walking_robots.gaits.periodic.patterns import Pattern
from walking_robots.gaits.periodic.plan import SWING_SHARE, GaitPlan, plan_gait
from walking_robots.gaits.periodic.strides import Swings, feet_meet
from walking_robots.robots.articulated import JOINTS, ArticulatedHexapod, Stance

SWIFTER = 1.1
"""Joint speed that is tried, in that of the robot."""

NEARBY = (0.9, 0.95, 1.0, 1.05, 1.1)
"""Heights and reaches that are tried, in those of the stance."""

GAIN = 1.02
"""Speed from which on a change is worth its words, in the speed without it."""


class SpeedLimit(NamedTuple):
    """The fastest walk by a gait; a sentence for each thing that limits it, or would raise it.

    ``plan`` is None where the robot cannot walk so, and ``limits`` says why.
    """

    plan: GaitPlan | None
    limits: tuple[str, ...]
    remedies: tuple[str, ...]


def speed_limit(
    robot: ArticulatedHexapod, pattern: Pattern, period: float | None = None
) -> SpeedLimit:
    """Return the fastest walk at a period, s, or at the best one."""
    try:
        plan = plan_gait(robot, pattern, period=period)
    except ValueError as error:
        return SpeedLimit(None, (str(error),), ())
    limits = list(_limits(plan, given=period is not None))
    remedies = [
        f'{change}: {found.speed:.3g} m/s'
        for change, found in _changes(plan, pattern, period)
        if found.speed > GAIN * plan.speed
    ]
    return SpeedLimit(plan, tuple(limits), tuple(remedies))


def fastest_stance(
    robot: ArticulatedHexapod, pattern: Pattern, heights: Sequence[float], reaches: Sequence[float]
) -> Stance | None:
    """Return the stance of some heights and reaches, m, in which a gait is fastest, if in any."""
    best, most = None, 0.0
    for height, reach in itertools.product(heights, reaches):
        stance = Stance(height, reach)
        try:
            speed = plan_gait(replace(robot, stance=stance), pattern).speed
        except ValueError:
            continue
        if speed > most:
            best, most = stance, speed
    return best


def _limits(plan: GaitPlan, *, given: bool) -> Iterator[str]:
    """Say what keeps strides from being longer, or a period without longer ones from shorter."""
    robot, swings = plan.robot, Swings.of(plan.robot, plan.stepping)
    place = int(np.abs(swings.radii - plan.radius).argmin())
    last = place == len(swings.radii) - 1
    farther = math.inf if last else float(swings.effort[place + 1])
    if not given or math.isfinite(farther):
        joint = JOINTS[int(swings.efforts[place].argmax())]
        speed = math.degrees(SWING_SHARE * robot.joint_speed)
        yield f'joint speed: the {joint} joints turn at up to {speed:.3g} deg/s in a swing'
    else:
        yield 'period: the joints are fast enough for a shorter one'
    if not math.isfinite(farther):
        if not last:
            yield 'stride: feet would leave their reach in longer strides'
        elif feet_meet(robot, plan.stepping, plan.radius):
            yield 'stride: feet would meet in longer strides'
        else:
            yield 'margin: the body would tip in longer strides'


def _changes(
    plan: GaitPlan, pattern: Pattern, period: float | None
) -> Iterator[tuple[str, GaitPlan]]:
    """Return what could be changed, in words, and the gait that comes of it."""
    robot = plan.robot
    if period is not None:
        best = plan_gait(robot, pattern)
        yield f'a period of {best.period:.2f} s', best
    swifter = replace(robot, joint_speed=SWIFTER * robot.joint_speed)
    yield (
        f'joints that are {100 * (SWIFTER - 1):.0f} % faster',
        plan_gait(swifter, pattern, period=period),
    )
    stances = dict(_stances(robot))
    plans = []
    for words, changed in stances.items():
        try:
            plans.append((words, plan_gait(changed, pattern, period=period)))
        except ValueError:
            continue
    if plans:
        yield max(plans, key=lambda found: found[1].speed)


def _stances(robot: ArticulatedHexapod) -> Iterator[tuple[str, ArticulatedHexapod]]:
    """Return robots that stand a little differently, after the words for it."""
    stance = robot.stance
    if isinstance(stance, Stance):
        for taller, wider in itertools.product(NEARBY, NEARBY):
            height, reach = round(taller * stance.height, 3), round(wider * stance.reach, 3)
            words = f'stance {{height: {1000 * height:.0f}mm, reach: {1000 * reach:.0f}mm}}'
            yield words, replace(robot, stance=Stance(height, reach))
        return
    for taller in NEARBY:
        feet = tuple((x, y, taller * z) for x, y, z in stance)
        yield f'a stance {1000 * taller * robot.height:.0f} mm high', replace(robot, stance=feet)
