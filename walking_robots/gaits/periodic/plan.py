"""What a walk needs to know beforehand: gait, period, strides and the speeds they allow."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from walking_robots.gaits.periodic.paths import PATHS, FootPath
from walking_robots.gaits.periodic.patterns import PATTERNS, Pattern, offsets
from walking_robots.gaits.periodic.posture import Posture, PostureRates
from walking_robots.gaits.periodic.strides import STRIDE_SHARE, Stepping, Swings, largest_radius
from walking_robots.geometry.pose import Vector
from walking_robots.geometry.se2 import Screw2
from walking_robots.robots.articulated import ArticulatedHexapod

STEP_TIME = 0.02
"""Time of a step of a periodic gait, s, where nothing else is said."""

CLEARANCE = 0.15
"""Height of a swing as a share of the height of the body."""

SWING_SHARE = 0.8
"""Share of the joint speed that a steady swing may take; starts and postures need the rest."""

POSTURE_SHARE = 0.04
"""Share of the joint speed that a shift of the body, and that a turn, may take, axis by axis."""

RAMP = 0.25
"""Share of a cycle in which a command goes from nothing to the greatest speed."""

SHORTEST_STRIDE = 0.02
"""Least radius of a stride worth walking with, as a share of the height of the body."""

SHIFTS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""How far the body may be held away from the foot of a leg that has failed, in its distances."""

ENOUGH = 0.3
"""Radius of strides, in heights of the body, for which it is held no farther away."""


@dataclass(frozen=True)
class GaitPlan:
    """A gait for one robot; lengths m, times s, angles rad.

    ``stepping`` says how feet step, ``period`` how long a cycle takes; ``radius`` is how far feet
    go to every side of their neutral places ``feet`` (x, y on the ground, z over it); no
    standing feet may leave the centre of gravity a margin below ``least_margin``.
    """

    robot: ArticulatedHexapod
    stepping: Stepping
    period: float
    radius: float
    offsets: tuple[float, ...] = field(init=False)
    feet: tuple[Vector, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Compute the requirements of every step."""
        robot = self.robot
        object.__setattr__(self, 'offsets', offsets(self.stepping.pattern, robot))
        feet = tuple((x, y, z + robot.height) for x, y, z in robot.neutral_feet)
        object.__setattr__(self, 'feet', feet)

    @cached_property
    def stance_time(self) -> float:
        """Return how long a foot stands, s."""
        return self.stepping.pattern.duty * self.period

    @cached_property
    def swing_time(self) -> float:
        """Return how long a foot is in the air, s."""
        return (1.0 - self.stepping.pattern.duty) * self.period

    @cached_property
    def least_margin(self) -> float:
        """Return the static margin below which the robot stops, m: half the width of a foot."""
        return 0.5 * self.robot.foot_radius

    @cached_property
    def stride(self) -> float:
        """Return how far the body goes while a foot stands in the fastest walk, m."""
        return STRIDE_SHARE * 2.0 * self.radius

    @cached_property
    def speed(self) -> float:
        """Return the greatest speed of the body in any direction, m/s."""
        return self.stride / self.stance_time

    @cached_property
    def swing_speed(self) -> float:
        """Return the greatest speed of a swinging foot over the ground, m/s: twice its mean."""
        return 2.0 * 2.0 * self.radius / (self.stepping.pattern.duty * self.swing_time)

    @cached_property
    def turn_rate(self) -> float:
        """Return the greatest turn on the spot, rad/s."""
        return self.speed / max(math.hypot(x, y) for x, y, _ in self.feet)

    @cached_property
    def servo_give(self) -> float:
        """Return how far a foot misses its place, m, where a joint bears its greatest torque."""
        robot = self.robot
        legs = zip(robot.legs, robot.neutral_feet, strict=True)
        return robot.servo.compliance * max(math.dist(leg.mount, foot) for leg, foot in legs)

    @cached_property
    def posture_rates(self) -> PostureRates:
        """Return how fast the body may shift and turn, m/s and rad/s."""
        speed = POSTURE_SHARE * self.robot.joint_speed
        return PostureRates(speed * min(leg.femur for leg in self.robot.legs), speed)

    def limited(self, twist: Screw2) -> Screw2:
        """Return a twist slowed down, its parts alike, to what every foot's stride allows."""
        fastest = fastest_foot(twist, self.feet)
        if fastest <= self.speed:
            return twist
        share = self.speed / fastest
        return Screw2(*(part * share for part in twist))

    def follow(self, intent: Screw2, twist: Screw2, dt: float) -> Screw2:
        """Return the intent ``dt`` seconds later on its way to a twist, which is `limited`."""
        wanted = self.limited(twist)
        if intent == wanted:
            return wanted
        change = Screw2(*(b - a for a, b in zip(intent, wanted, strict=True)))
        fastest = fastest_foot(change, self.feet)
        most = self.speed * dt / (RAMP * self.period)
        if fastest <= most:
            return wanted
        return Screw2(*(a + b * most / fastest for a, b in zip(intent, change, strict=True)))


def fastest_foot(twist: Screw2, feet: Sequence[Vector]) -> float:
    """Return how fast the fastest of standing feet goes below the body, m/s."""
    v, aside, w = twist
    return max([math.hypot(v - w * y, aside + w * x) for x, y, _ in feet])


def without_legs(plan: GaitPlan, failed: tuple[int, ...]) -> GaitPlan:
    """Return a plan for the legs that are left where some, counted from 0, have failed.

    They step one after the other, and the body keeps away from the failed ones, as far as strides
    need. Raises ValueError, one sentence, where they do not carry the body.
    """
    robot, stepping = plan.robot, plan.stepping
    feet = [robot.neutral_feet[leg] for leg in failed]
    away = [-sum(foot[axis] for foot in feet) / len(feet) for axis in (0, 1)]
    posture, found, longest = stepping.posture, stepping, -1.0
    for share in SHIFTS:
        x, y = (share * part for part in away)
        held = posture._replace(x=posture.x + x, y=posture.y + y)
        tried = Stepping(PATTERNS['wave'], stepping.path, stepping.clearance, held, failed)
        radius = largest_radius(robot, tried)
        if radius > longest:
            found, longest = tried, radius
        if longest >= ENOUGH * robot.height:
            break
    try:
        return _planned(robot, found, None)
    except ValueError as error:
        legs = ' and '.join(str(leg + 1) for leg in failed)
        raise ValueError(
            f'{robot.name} cannot walk without leg{"s" * (len(failed) > 1)} {legs}; repair them'
        ) from error


def plan_gait(
    robot: ArticulatedHexapod,
    pattern: Pattern,
    *,
    period: float | None = None,
    posture: Posture | None = None,
    path: FootPath = PATHS['trapezoid'],
) -> GaitPlan:
    """Plan a gait; without a period that of the fastest walk, without a posture the neutral one.

    Raises ValueError, one sentence, when the legs cannot step so.
    """
    posture = Posture(robot.height) if posture is None else posture
    stepping = Stepping(pattern, path, CLEARANCE * robot.height, posture)
    return _planned(robot, stepping, period)


def _planned(robot: ArticulatedHexapod, stepping: Stepping, period: float | None) -> GaitPlan:
    """Plan a gait whose feet step so; without a period that of the fastest walk."""
    pattern, posture = stepping.pattern, stepping.posture
    swings = Swings.of(robot, stepping)
    allowed = SWING_SHARE * robot.joint_speed * (1.0 - pattern.duty)
    given = period is not None
    if period is None:
        best = int((swings.radii / swings.effort).argmax())
        period = float(swings.effort[best]) / allowed
    radius = swings.radius(allowed * period * (1.0 + 1e-12)) if math.isfinite(period) else math.nan
    least = SHORTEST_STRIDE * robot.height
    if not radius >= least:
        # In all the time in the world the joints are no limit.
        hurried = given and swings.radius(sys.float_info.max) >= least
        raise ValueError(
            f'{robot.name} cannot walk in {pattern.name} with its body {posture.words()}'
            + (
                f' and a period of {period:g} s; take a longer period or another posture'
                if hurried
                else '; take another posture or another gait'
            )
        )
    return GaitPlan(robot, stepping, period, radius)
