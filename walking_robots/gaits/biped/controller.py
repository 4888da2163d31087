"""The controller of a blind biped: senses in, orders for four joints out (biped.md §8, §9)."""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.feeling import (
    height_over_foot,
    slope_between,
    smoothed,
    velocity_over_foot,
)
from walking_robots.gaits.biped.laws import distribute, single_support, vertical_force
from walking_robots.gaits.biped.machine import EXITS, Moment
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.states import (
    Phase,
    Servo,
    half_of,
    modes_of,
    phase_of,
    state_of,
)
from walking_robots.gaits.biped.swing import aim
from walking_robots.gaits.biped.virtual_legs import LegRates, virtual_leg
from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import GRAVITY, LEFT, RIGHT, Kwalk

__all__ = ['BipedGait', 'GaitTick', 'JointOrders', 'WalkMemory']

Joints = tuple[float, float, float, float]
JointOrders = tuple[JointOrder, JointOrder, JointOrder, JointOrder]
"""Orders for rhip, rknee, lhip and lknee."""

_AIMED = (Phase.LIFT, Phase.SWING)
FALL_PITCH = 1.0
"""Pitch, rad, beyond which the robot has fallen (§15.1)."""
FALL_HEIGHT = 0.2
"""Height of the hips over a standing foot, m, below which it has (§15.1)."""


class WalkMemory(NamedTuple):
    """All that the controller remembers; pairs are right and left.

    state: 0 to 11, or 12 for fallen; time: s since the beginning; entered: when the state was;
    why: how the last state was left; hips: their targets, rad; angles: where legs were last sent,
    rad; swing_length, clear_length: as in `Moment`; velocity: of the body, m/s, as it is felt;
    slope: of the ground between the feet when last both stood, rad.
    """

    state: int
    time: float
    entered: float
    why: str
    hips: tuple[float, float]
    angles: tuple[float, float]
    swing_length: float
    clear_length: float
    velocity: tuple[float, float]
    slope: float


class GaitTick(NamedTuple):
    """What a tick gave: memory for the next one, orders, and what they come from.

    legs: virtual legs, right and left; height m, speed m/s: of the body, as felt or as the thesis
    has them; forward, upward: desired force on the body, N; forces: of the legs, N, positive when
    they push.
    """

    memory: WalkMemory
    orders: JointOrders
    legs: tuple[LegRates, LegRates]
    height: float
    speed: float
    forward: float
    upward: float
    forces: tuple[float, float]


class BipedGait:
    """The walk of one robot by one set of parameters; holds constants, remembers nothing."""

    def __init__(self, robot: Kwalk, parameters: WalkParameters) -> None:
        """Derive masses, damping and servo modes."""
        self.robot, self.parameters = robot, parameters
        ways = parameters.ways
        self._leg = virtual_leg(robot)
        self._masses = parameters.masses(robot)
        self._damping = parameters.damping(robot)
        self._modes = modes_of(
            balance_at_start=ways.balance_at_start,
            swing_hip_in_lift=ways.swing_hip_in_lift,
            carry_shank=ways.carry_shank,
            damped_hip=ways.lowering == 'damped',
        )
        self._hip_room = robot.hip_effort / parameters.hip_stiffness
        self._shank_weight = robot.shank.mass * GRAVITY
        angle, length = parameters.start_angle, parameters.start_length
        self._start = (self._leg.inverse(length, -angle), self._leg.inverse(length, angle))
        self._start_force = 0.0
        if ways.start_effort:
            weight = self._masses.double * GRAVITY
            self._start_force, _ = distribute(0.0, weight, -angle, angle, parameters.least_push)

    @property
    def start_joints(self) -> Joints:
        """Give the joints of the posture from which a walk begins (§9.1, §9.2)."""
        return (*self._start[RIGHT], *self._start[LEFT])

    def beginning(self) -> WalkMemory:
        """Give the memory of a robot that is set up, its right foot ahead."""
        angle, length = self.parameters.start_angle, self.parameters.start_length
        hips = (self._start[RIGHT][0], self._start[LEFT][0])
        return WalkMemory(0, 0.0, 0.0, '', hips, (-angle, angle), length, length, (0.0, 0.0), 0.0)

    def tick(self, memory: WalkMemory, senses: Senses, speed: float | None = None) -> GaitTick:
        """Decide once; speed: desired, m/s, in place of the parameters' own."""
        joints, rates, pitch, pitch_rate, contacts, dt, _ = senses
        legs = (
            self._leg.forward(pitch + joints[0], joints[1], pitch_rate + rates[0], rates[1]),
            self._leg.forward(pitch + joints[2], joints[3], pitch_rate + rates[2], rates[3]),
        )
        phase, s = phase_of(memory.state), half_of(memory.state)
        w = LEFT - s
        height, velocity = _body(memory, senses, legs, s, self.parameters.smoothing)
        now = self._moment(memory, senses, legs, s, height, velocity[0])

        forward, upward, force_s, force_w = self._forces(phase, now, velocity[1], speed)
        hips = list(memory.hips)
        if contacts[s] and phase >= Phase.BALANCE:
            hips[s] = self._pitch_target(joints[2 * s], pitch)
        aim(now, phase)

        to, half, why = phase, s, ''
        for way in EXITS[phase]:
            if way.when(now):
                way.then(now)
                to, why = way.to, way.name
                half = w if way.other_half else s
                break
        if phase >= Phase.BALANCE and self._lies(now):
            to, why = Phase.FALLEN, 'fallen'
        if to == Phase.LIFT:
            force_w = -self._shank_weight * math.cos(now.angle_w)

        targets = [0.0, 0.0]
        if to <= Phase.SETTLE:
            (hips[RIGHT], targets[RIGHT]), (hips[LEFT], targets[LEFT]) = self._start
        elif to in _AIMED or phase in _AIMED or (to == Phase.LOWER and self._holds):
            hip, targets[w] = self._leg.inverse(now.swing_length, now.swing_angle)
            if self.parameters.ways.less_pitch:
                hip -= pitch
            hips[w] = _within(hip, joints[2 * w], self._hip_room)

        forces = (force_s, force_w) if s == RIGHT else (force_w, force_s)
        orders = self._orders(to, half, joints, legs, hips, targets, forces)
        state = state_of(to, half)
        angles = (memory.angles[0], now.swing_angle) if w else (now.swing_angle, memory.angles[1])
        slope = memory.slope
        if contacts[RIGHT] and contacts[LEFT] and phase > Phase.PLACE:
            slope = slope_between(*legs)
        next_memory = WalkMemory(
            state,
            memory.time + dt,
            memory.time if why else memory.entered,
            why or memory.why,
            (hips[RIGHT], hips[LEFT]),
            angles,
            now.swing_length,
            now.clear_length,
            velocity,
            slope,
        )
        return GaitTick(next_memory, orders, legs, height, velocity[0], forward, upward, forces)

    @property
    def _holds(self) -> bool:
        return self.parameters.ways.lowering == 'hold'

    def _moment(
        self,
        memory: WalkMemory,
        senses: Senses,
        legs: tuple[LegRates, LegRates],
        s: int,
        height: float,
        speed: float,
    ) -> Moment:
        """Collect what the table of the states looks at."""
        w = LEFT - s
        now = Moment()
        now.set = self.parameters
        now.time = memory.time
        now.height, now.speed = height, speed
        now.pitch = senses.pitch
        now.length_s, now.angle_s, _, _ = legs[s]
        now.length_w, now.angle_w, _, _ = legs[w]
        now.hip_w = senses.joints[2 * w]
        now.contact_s, now.contact_w = senses.contacts[s], senses.contacts[w]
        now.swing_length, now.clear_length = memory.swing_length, memory.clear_length
        now.swing_angle = memory.angles[w]
        now.unmirrored = s == LEFT and not self.parameters.ways.mirrored
        return now

    def _forces(
        self, phase: Phase, now: Moment, rising: float, speed: float | None
    ) -> tuple[float, float, float, float]:
        """Give the desired force on the body, forward and upward, and those of s and w, N."""
        if phase < Phase.BALANCE:
            return 0.0, 0.0, self._start_force, self._start_force
        parameters = self.parameters
        double = phase <= Phase.DOUBLE
        upward = vertical_force(
            self._masses.double if double else self._masses.single,
            parameters.height_stiffness,
            self._damping.height,
            parameters.height - now.height,
            rising,
        )
        least = parameters.least_push
        if not double:
            carried = single_support(upward, now.angle_s, least)
            if phase == Phase.LOWER:
                return 0.0, upward, carried, parameters.lowering_force
            return 0.0, upward, carried, -self._shank_weight * math.cos(now.angle_w)
        forward = 0.0
        if phase == Phase.DOUBLE:
            desired = parameters.speed if speed is None else speed
            forward = parameters.speed_gain * (desired - now.speed)
        return forward, upward, *distribute(forward, upward, now.angle_s, now.angle_w, least)

    def _pitch_target(self, hip: float, pitch: float) -> float:
        """Give the target of the supporting hip that turns the body level (§8.5)."""
        if self.parameters.ways.clip_pitch_servo:
            return _within(pitch + hip, hip, self._hip_room)
        return pitch + hip

    def _lies(self, now: Moment) -> bool:
        """Tell whether the robot has fallen, as far as it can feel."""
        stands = now.contact_s or now.contact_w
        return abs(now.pitch) > FALL_PITCH or (stands and now.height < FALL_HEIGHT)

    def _orders(
        self,
        phase: Phase,
        half: int,
        joints: Joints,
        legs: tuple[LegRates, LegRates],
        hips: list[float],
        targets: list[float],
        forces: tuple[float, float],
    ) -> JointOrders:
        """Give the orders by the servo modes of a phase."""
        modes, parameters, damping = self._modes[phase], self.parameters, self._damping
        stiffness, rate = parameters.knee_stiffness, damping.knee
        if phase <= Phase.SETTLE:
            stiffness, rate = parameters.start_knee_stiffness, damping.start_knee
        most, down = self.robot.knee_effort, parameters.lowering_damping
        found = []
        for i in (RIGHT, LEFT):
            hip, knee = modes[:2] if i == half else modes[2:]
            hip_order = _order(hip, hips[i], 0.0, parameters.hip_stiffness, damping.hip, down)
            found.append(hip_order)
            if knee == 'limp':
                found.append(LIMP)
                continue
            push = max(-most, min(most, self._leg.knee_effort(forces[i], legs[i].length)))
            target = _within(targets[i], joints[2 * i + 1], most / stiffness)
            found.append(_order(knee, target, push, stiffness, rate, down))
        return (found[0], found[1], found[2], found[3])


def _order(
    mode: Servo, target: float, push: float, stiffness: float, damping: float, down: float
) -> JointOrder:
    """Give the order of a servo mode (§2.5)."""
    if mode == 'ff':
        return JointOrder(effort=push)
    if mode == 'pd':
        return JointOrder(target, 0.0, stiffness, damping)
    if mode == 'pd+ff':
        return JointOrder(target, 0.0, stiffness, damping, push)
    if mode == 'ff+damping':
        return JointOrder(damping=down, effort=push)
    return LIMP


def _within(target: float, found: float, room: float) -> float:
    """Keep a target so near to a joint that its servo stays within the effort (§2.4)."""
    return max(found - room, min(found + room, target))


def _body(
    memory: WalkMemory, senses: Senses, legs: tuple[LegRates, LegRates], s: int, constant: float
) -> tuple[float, tuple[float, float]]:
    """Give height, m, and velocity, m/s, of the hips: felt, or as the thesis has them (§15.6)."""
    right, left = senses.contacts
    stands = (right, left)[s]
    foot = legs[s] if stands or not (right or left) else legs[LEFT - s]
    height = height_over_foot(foot)
    if senses.body is not None:
        given, forward, vertical = senses.body
        return height if given is None else given, (forward, vertical)
    if not (right or left):
        return height, memory.velocity
    forward, vertical = velocity_over_foot(foot)
    old_forward, old_vertical = memory.velocity
    return height, (
        smoothed(old_forward, forward, senses.dt, constant),
        smoothed(old_vertical, vertical, senses.dt, constant),
    )
