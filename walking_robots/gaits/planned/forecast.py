"""What the rules would do: their walk over the ground ahead, simulated."""

import cmath
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.free.memory import resumed
from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.gaits.planned.feet import feet_of
from walking_robots.gaits.planned.follower import RouteFollower
from walking_robots.geometry.pose import Pose
from walking_robots.geometry.se2 import wrap
from walking_robots.legs.servo import LegServo, reported_state
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

PATIENCE = 12.0
"""Time, s, without getting on after which the rules count as stopped."""

MARGIN = 0.75
"""Least stability margin on the way, in margins that the leg servo demands for a lift."""


TURN_TOLERANCE = 0.01
"""Error of the yaw, rad, at which a body has turned."""


class Forecast(NamedTuple):
    """Whether the rules get to the goal; where they end, m, and why there."""

    reached: bool
    place: complex
    why: str = ''


class SimulatedRules:
    """Rules that walk with a body and legs that do exactly as they are told.

    If there is a ``route``, it is followed for some ``steps`` before the rules take over.
    ``reports`` and ``pose`` are those after the last step, ``places`` of the body, m, after each.
    """

    def __init__(
        self,
        rules: TerrainCoordinator,
        reports: Sequence[LegReport],
        pose: Pose,
        route: RouteFollower | None = None,
        steps: int = 0,
    ) -> None:
        """Begin with rules that walk on from their memory, which changes."""
        self.reports, self.pose = tuple(reports), pose
        self.places = [complex(*pose.position[:2])]
        self.rules = rules
        self._route, self._steps = route, steps
        self._servo = LegServo(rules.model, reported_state(rules.model, reports, pose))
        self._contacts = [report.contact for report in reports]

    def step(self, command: Command, terrain: TernaryTerrain) -> GaitStep:
        """Walk one step."""
        route, speed = self._route, math.hypot(*command[:2])
        if route is None:
            gait = self.rules.step(self.reports, self.pose, command, terrain)
        else:
            gait = route.step(self.reports, self.pose, speed, terrain)
            if len(self.places) == self._steps:
                self.rules.memory = resumed(route.body, self.rules.model.plane_period)
                self._route = None
        self.pose, rates = gait.motion
        state = self._servo.step(
            gait.decisions, self.pose, rates, self._contacts, gait.clear_heights
        )
        touch = self.rules.model.timing.contact_threshold
        feet = map(self.pose.apply, state.feet())
        self._contacts = [z < terrain.height(x, y) + touch for x, y, z in feet]
        self.reports = state.reports(self._contacts)
        self.places.append(complex(*self.pose.position[:2]))
        return gait


class ProgressChecker:
    """Watches whether a body gets on."""

    def __init__(self, model: HexapodModel) -> None:
        """Begin with a body that has not moved."""
        self._patience = round(PATIENCE / model.timing.dt)
        self._furthest, self._steps = -math.inf, 0

    def stalled(self, along: float) -> bool:
        """Take in how far ahead the body is, m; return whether it has not got on for long."""
        self._steps = 0 if along > self._furthest else self._steps + 1
        self._furthest = max(along, self._furthest)
        return self._steps > self._patience


def forecast(
    walk: SimulatedRules,
    command: Command,
    terrain: TernaryTerrain,
    goal: float,
    given_up: Callable[[], bool],
) -> Forecast:
    """Let rules walk on until the body is at the goal or does not get on.

    The goal is so far along the direction of the command, m; a ditch that is begun before it is
    crossed, too.
    """
    ahead = complex(*command[:2]) * cmath.rect(1.0, walk.pose.yaw())
    back = (ahead / abs(ahead)).conjugate()
    model = walk.rules.model
    progress = ProgressChecker(model)
    while True:
        gait = walk.step(command, terrain)
        along = (walk.places[-1] * back).real
        if along >= goal and gait.mode != 'ditch_crossing':
            return Forecast(True, walk.places[-1])
        if gait.margin < MARGIN * model.stability.lift:
            return Forecast(False, walk.places[-1], 'the body gets hardly stable')
        if progress.stalled(along) or given_up():
            why = gait.stop_reason or 'no leg finds a foothold'
            return Forecast(False, walk.places[-1], why)


def turn_rate(model: HexapodModel, error: float) -> float:
    """Return the rate, rad/s, at which a body turns by an error of its yaw, rad; 0 at the end."""
    if abs(error) < TURN_TOLERANCE:
        return 0.0
    least = 3.0 * model.velocity.angular_dead_zone
    rate = max(0.5 * abs(error) / model.velocity.time_constant, least)
    return math.copysign(min(rate, model.command.turn), error)


def turned(
    rules: TerrainCoordinator,
    reports: Sequence[LegReport],
    pose: Pose,
    terrain: TernaryTerrain,
    yaw: float,
    given_up: Callable[[], bool],
) -> SimulatedRules | None:
    """Turn on the spot to a yaw, rad, by rules, until body and legs rest; None if that fails."""
    walk = SimulatedRules(rules, reports, pose)
    model = rules.model
    way = abs(wrap(yaw - pose.yaw()))
    for _ in range(round((PATIENCE + 2.0 * way / model.command.turn) / model.timing.dt)):
        turn = turn_rate(model, wrap(yaw - walk.pose.yaw()))
        gait = walk.step((0.0, 0.0, turn), terrain)
        settled = gait.motion.rates.at_rest and feet_of(walk.reports, walk.pose).settled
        if not turn and settled:
            return walk
        if given_up():
            break
    return None
