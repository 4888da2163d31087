"""The controller of a blind biped in space: senses in, orders for eight joints out.

The planar controller walks; what is added keeps the robot upright sideways by where feet are put
down, and steers it (``biped_frontier.md`` §3).
"""

import math
from dataclasses import replace
from typing import NamedTuple

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.felt_slip import FeetApart
from walking_robots.gaits.biped.machine import WalkMoment
from walking_robots.gaits.biped.memory import GaitTick, Legs, WalkMemory
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.servos import within
from walking_robots.gaits.biped.spatial.feet import (
    LateralFoot,
    foot_beside,
    pitch_rate,
    spatial_feet_apart,
)
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.gaits.biped.spatial.senses import Eight, SpatialSenses
from walking_robots.gaits.biped.state_estimation import BodyEstimate, smoothed
from walking_robots.gaits.biped.states import (
    DOUBLE,
    FALLEN,
    LIFT,
    LOWER,
    SETTLE,
    STEP_BACK,
    STUMBLE,
    SWING,
    WalkPhase,
    half_of,
    phase_of,
)
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import GRAVITY, LEFT, RIGHT
from walking_robots.robots.kwalk_spatial import EACH_LEG, SpatialKwalk

SETTING_OFF = 1.0
"""Time, s, for which a robot walks at first, even where it is to stand."""
FASTEST_BACK = 0.1
"""Greatest speed backward, m/s; steps on the spot are made for slow ones."""
EARLY = 0.5
"""Part of the time of a step on the spot from which on a foot that touches has landed."""
FASTEST_SPOT, WALKS_FROM = 0.25, 0.2
"""Speed of the spot, m/s, of a robot that is to walk from it, and its own from which it does."""
MOST_DRIFT = 0.3
"""Way, m, that counts at most of how far a body has drifted that steps on the spot."""
WIDEST = 0.35
"""Greatest distance of the feet sideways, m."""
SWINGING = (LIFT, SWING, LOWER, STUMBLE, STEP_BACK)
"""Phases in which one leg is off the ground, or leaves it."""
SIDES = (-1.0, 1.0)
"""Where the right and the left leg are: to the left positive."""


class SpatialMemory(NamedTuple):
    """All that the controller remembers.

    walk: of the planar controller; sway: speed sideways as it is felt, m/s; lifted: when the last
    foot was lifted, s; heading: desired, rad, NaN before the first tick; drift: m, by which the
    body is ahead of its spot, NaN in a walk.
    """

    walk: WalkMemory
    sway: float
    lifted: float
    heading: float
    drift: float


class SpatialTick(NamedTuple):
    """What a tick gave: memory for the next one, orders, and what they come from.

    planar: what the planar controller made of it; capture: capture point, m to the left of the
    leg that carries; heading_error: rad, to the left of the desired heading.
    """

    memory: SpatialMemory
    orders: tuple[JointOrder, ...]
    planar: GaitTick
    capture: float
    heading_error: float


class GatedGait(BipedGait):
    """The planar controller, whose steps also depend on how the body moves sideways.

    Set anew before each tick: inward: how far the capture point is inward of the foot ahead, m;
    marching: the angle, rad, to which a foot swings that steps on the spot, None in a walk; since:
    s from the last lift-off; feet: where they are.
    """

    feet: tuple[LateralFoot, LateralFoot]
    inward = 0.0
    marching: float | None = None
    since = 0.0
    parameters: SpatialParameters

    def _apart(self, legs: Legs) -> FeetApart:
        return spatial_feet_apart(*self.feet)

    def _moment(
        self, memory: WalkMemory, senses: Senses, legs: Legs, body: BodyEstimate, s: int,
        speed: float | None,
    ) -> WalkMoment:  # fmt: skip
        now, own = super()._moment(memory, senses, legs, body, s, speed), self.parameters
        phase = phase_of(memory.state)
        may_lift, hurries = self.inward <= own.gate, self.inward < -own.hurry
        if not may_lift:
            now.least_speed = math.inf
        if hurries:
            now.reach = math.inf
        if self.marching is not None:
            # On the spot a foot is put down by time, wherever it is, and has landed where it
            # touches a little early.
            early = now.contact_w and self.since >= EARLY * own.march_time
            due = hurries or early or self.since >= own.march_time
            now.steps_anyway = may_lift if phase == DOUBLE else due
            now.reach = -math.inf
            if phase in (SWING, LOWER):
                # The planar controller aims at this less the angle of the leg that stands.
                now.set = replace(own, lead=self.marching + now.angle_s, forward_limit=0.0)
        return now


class SpatialGait:
    """The walk of one robot by one set of parameters; holds constants, remembers nothing."""

    def __init__(self, robot: SpatialKwalk, parameters: SpatialParameters) -> None:
        """Take robot and parameters."""
        self.robot, self.parameters = robot, parameters
        self.planar = GatedGait(robot.planar, parameters)
        self._pendulum = math.sqrt(GRAVITY / parameters.height)
        self._damping = parameters.damping(robot.planar)

    @property
    def start_joints(self) -> Eight:
        """Return the joints of the posture from which a walk begins."""
        rhip, rknee, lhip, lknee = self.planar.start_joints
        right, left = (
            self._roll_for(side * self.parameters.start_beside, leg, self.parameters.height, 0.0)
            for side, leg in zip(SIDES, (RIGHT, LEFT), strict=True)
        )
        return (0.0, right, rhip, rknee, 0.0, left, lhip, lknee)

    def beginning(self) -> SpatialMemory:
        """Return the memory of a robot that is set up, its right foot ahead."""
        return SpatialMemory(self.planar.beginning(), 0.0, 0.0, math.nan, math.nan)

    def recovered(self, senses: SpatialSenses) -> SpatialMemory:
        """Return the memory with which to go on where a controller was lost."""
        return self.beginning()._replace(walk=self.planar.recovered(_planar(senses)))

    def tick(
        self, memory: SpatialMemory, senses: SpatialSenses, speed: float | None = None,
        turn: float = 0.0,
    ) -> SpatialTick:  # fmt: skip
        """Decide once; speed: desired, m/s, ahead; turn: desired, rad/s, to the left."""
        planar = _planar(senses)
        walk = memory.walk
        legs = self.planar._legs(planar)
        hips = self.robot.hips
        feet = self.planar.feet = (
            foot_beside(hips[RIGHT], legs[RIGHT], EACH_LEG * RIGHT, senses, planar.pitch_rate),
            foot_beside(hips[LEFT], legs[LEFT], EACH_LEG * LEFT, senses, planar.pitch_rate),
        )
        s = half_of(walk.state)
        sway = memory.sway
        on = s if senses.contacts[s] else LEFT - s
        if senses.contacts[on]:
            sway = smoothed(sway, -feet[on].speed, senses.dt, self.parameters.sway_smoothing)
        capture = sway / self._pendulum - feet[s].place
        since = walk.time - memory.lifted
        self.planar.inward, self.planar.since = -SIDES[s] * capture, since
        self.planar.marching, drift = None, math.nan
        spot = self._spot_speed(memory, speed)
        if spot is not None:
            before = 0.0 if math.isnan(memory.drift) else memory.drift
            drift = before + (walk.velocity[0] - spot) * senses.dt
            self.planar.marching = self._on_the_spot(walk.velocity[0], spot, legs[s], since, drift)
            speed = spot
        elif speed is not None and speed < self.parameters.march_below:
            speed = None
        found = self.planar.tick(walk, planar, speed, legs)
        before, phase = phase_of(walk.state), phase_of(found.memory.state)
        lifted = memory.lifted
        if phase == LIFT and before != LIFT:
            lifted = walk.time
        heading = senses.heading if math.isnan(memory.heading) else memory.heading
        heading = math.remainder(heading + turn * senses.dt, math.tau)
        error = math.remainder(senses.heading - heading, math.tau)
        orders = self._orders(found, phase, senses, feet, sway, walk.time - lifted, error, turn)
        return SpatialTick(
            SpatialMemory(found.memory, sway, lifted, heading, drift),
            orders,
            found,
            capture,
            error,
        )

    def _spot_speed(self, memory: SpatialMemory, speed: float | None) -> float | None:
        """Return the speed, m/s, with which a spot moves on which the robot steps, if it does.

        From its first posture, one foot far ahead, a robot can only walk, and from the spot it
        walks as soon as it is fast enough.
        """
        own, walk = self.parameters, memory.walk
        desired = own.speed if speed is None else speed
        if walk.time < SETTING_OFF:
            return None
        if desired < own.march_below:
            return max(desired, -FASTEST_BACK)
        sets_off = not math.isnan(memory.drift) and walk.velocity[0] < WALKS_FROM
        return FASTEST_SPOT if sets_off else None

    def _on_the_spot(
        self, speed: float, spot: float, leg: LegRates, since: float, drift: float
    ) -> float:
        """Return the angle, rad, to which a foot swings so that the body comes to rest over it.

        speed, spot: of the body and of the spot, m/s ahead; leg: the virtual leg that stands;
        since: s from lift-off; drift: m, ahead of where it is to be.
        """
        own = self.parameters
        stands = -leg.length * math.sin(leg.angle)
        capture = speed / self._pendulum - stands
        left = max(0.0, own.ahead - since) + own.after
        place = own.march_share * (stands + capture * math.exp(self._pendulum * left))
        place += own.march_ahead - own.march_lead * spot
        place += own.march_hold * within(drift, 0.0, MOST_DRIFT)
        return -math.asin(max(-0.5, min(place / leg.length, 0.5)))

    def _orders(
        self, found: GaitTick, phase: WalkPhase, senses: SpatialSenses,
        feet: tuple[LateralFoot, ...], sway: float, since: float, error: float, turn: float,
    ) -> tuple[JointOrder, ...]:  # fmt: skip
        """Return the orders of all joints."""
        if found.memory.state == FALLEN:
            return (LIMP,) * 8
        ahead = half_of(found.memory.state)
        orders = []
        for leg in (RIGHT, LEFT):
            planar = found.orders[2 * leg : 2 * leg + 2]
            if phase in SWINGING and leg != ahead:
                first = self._swinging(found, senses, feet, sway, since, error, leg)
            elif phase <= SETTLE:
                first = self._standing(found, senses, leg, error, turn, 1.0)
            else:
                part = 1.0 if leg == ahead else self.parameters.rear_damping
                first = self._standing(found, senses, leg, error, turn, part)
            orders += [*first, *planar]
        return tuple(orders)

    def _standing(
        self, found: GaitTick, senses: SpatialSenses, leg: int, error: float, turn: float,
        part: float,
    ) -> tuple[JointOrder, JointOrder]:  # fmt: skip
        """Return yaw and roll of a leg that stands: they turn the body, not the leg."""
        own = self.parameters
        roll = (
            own.load_share * self.robot.hips[leg] * found.forces[leg]
            + own.roll_stiffness * senses.roll
            + own.roll_damping * part * senses.turning[0]
        )
        yaw = own.yaw_stiffness * error + own.yaw_damping * (senses.turning[2] - turn)
        return (
            JointOrder(0.0, 0.0, 0.0, 0.0, within(yaw, 0.0, self.robot.yaw_effort)),
            JointOrder(0.0, 0.0, 0.0, 0.0, within(roll, 0.0, self.robot.roll_effort)),
        )

    def _swinging(
        self, found: GaitTick, senses: SpatialSenses, feet: tuple[LateralFoot, ...], sway: float,
        since: float, error: float, leg: int,
    ) -> tuple[JointOrder, JointOrder]:  # fmt: skip
        """Return yaw and roll of a leg that swings: to where the capture point will be."""
        own, side = self.parameters, SIDES[leg]
        stands = feet[LEFT - leg].place
        capture = sway / self._pendulum - stands
        left = max(0.0, own.ahead - since) + own.after
        target = own.share * (stands + capture * math.exp(self._pendulum * left))
        target += side * own.beside
        apart = max(own.narrow, min(side * (target - stands), WIDEST))
        angle = found.legs[leg].angle - senses.pitch
        down = found.legs[leg].length * math.cos(angle)
        roll = self._roll_for(stands + side * apart, leg, down, senses.roll)
        if senses.contacts[leg]:
            # A foot that is held by the side of a cell would push the body over.
            roll = senses.joints[EACH_LEG * leg + 1]
        return (
            JointOrder(own.yaw_lead * error, 0.0, own.yaw_stiffness, own.yaw_damping),
            JointOrder(roll, 0.0, own.swing_stiffness, own.swing_damping),
        )

    def _roll_for(self, place: float, leg: int, down: float, body: float) -> float:
        """Return the roll of a hip that puts its foot at a place, m to the left."""
        hip = self.robot.hips[leg]
        sine = (place - hip * math.cos(body)) / down
        return math.asin(max(-0.7, min(sine, 0.7))) - body


def _planar(senses: SpatialSenses) -> Senses:
    """Return what the planar controller feels: the planes in which the legs bend, and pitch."""
    joints, rates = senses.joints, senses.rates
    return Senses(
        (joints[2], joints[3], joints[6], joints[7]),
        (rates[2], rates[3], rates[6], rates[7]),
        senses.pitch,
        pitch_rate(senses),
        senses.contacts,
        senses.dt,
    )
