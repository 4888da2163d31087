"""The controller of a blind biped: senses in, orders for four joints out (biped.md §8, §9)."""

import math

from walking_robots.gaits.biped.felt_slip import FeetApart, feel_slip, feet_apart
from walking_robots.gaits.biped.loads import Loads
from walking_robots.gaits.biped.machine import EXITS, WalkMoment
from walking_robots.gaits.biped.memory import GaitTick, Joints, Legs, WalkMemory
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.servos import JointServos, within
from walking_robots.gaits.biped.state_estimation import (
    BodyEstimate,
    feel_body,
    height_over_foot,
    slope_between,
)
from walking_robots.gaits.biped.states import (
    BALANCE,
    BEGIN,
    DOUBLE,
    FALLEN,
    LIFT,
    LOWER,
    PLACE,
    SETTLE,
    STEP_BACK,
    STUMBLE,
    SWING,
    WalkPhase,
    half_of,
    phase_of,
    state_of,
)
from walking_robots.gaits.biped.swing import aim
from walking_robots.gaits.biped.virtual_legs import virtual_leg
from walking_robots.robots.kwalk import LEFT, RIGHT, Kwalk, has_fallen

SHORT_STEP = 0.5
"""Part of the reach at which the swinging leg of a robot that comes to rest is put down."""

_AIMED = (LIFT, SWING, STUMBLE, STEP_BACK)


class BipedGait:
    """The walk of one robot by one set of parameters; holds constants, remembers nothing."""

    def __init__(self, robot: Kwalk, parameters: WalkParameters) -> None:
        """Take robot and parameters."""
        self.robot, self.parameters = robot, parameters
        self._leg = virtual_leg(robot)
        self._loads = Loads(robot, parameters)
        self._servos = JointServos(robot, parameters, self._leg)
        self._hip_room = robot.hip_effort / parameters.hip_stiffness
        self._less_speed = parameters.least_speed / parameters.speed
        self._holds = parameters.ways.lowering == 'hold'
        angle, length = parameters.start_angle, parameters.start_length
        self._start = (self._leg.inverse(length, -angle), self._leg.inverse(length, angle))

    @property
    def start_joints(self) -> Joints:
        """Return the joints of the posture from which a walk begins (§9.1, §9.2)."""
        return (*self._start[RIGHT], *self._start[LEFT])

    def beginning(self) -> WalkMemory:
        """Return the memory of a robot that is set up, its right foot ahead."""
        angle, length = self.parameters.start_angle, self.parameters.start_length
        hips = (self._start[RIGHT][0], self._start[LEFT][0])
        return WalkMemory(0, 0.0, 0.0, '', hips, (-angle, angle), length, length, (0.0, 0.0), 0.0)

    def recovered(self, senses: Senses) -> WalkMemory:
        """Return the memory with which to go on where a controller was lost.

        A robot that lies stays limp. With both feet on the ground the walk goes on from there;
        else it begins.
        """
        memory, legs = self.beginning(), self._legs(senses)
        heights = [
            height_over_foot(leg) for leg, on in zip(legs, senses.contacts, strict=True) if on
        ]
        if has_fallen(min(heights, default=math.inf), senses.pitch):
            return memory._replace(state=FALLEN, why='fallen')
        if not all(senses.contacts):
            return memory
        (right, left), joints = legs, senses.joints
        return memory._replace(
            state=state_of(DOUBLE, RIGHT if right.angle < left.angle else LEFT),
            why='recovered',
            hips=(joints[0], joints[2]),
            angles=(right.angle, left.angle),
        )

    def _legs(self, senses: Senses) -> Legs:
        """Return both virtual legs."""
        joints, rates, pitch, pitch_rate, _, _, _ = senses
        return (
            self._leg.forward(pitch + joints[0], joints[1], pitch_rate + rates[0], rates[1]),
            self._leg.forward(pitch + joints[2], joints[3], pitch_rate + rates[2], rates[3]),
        )

    def _apart(self, legs: Legs) -> FeetApart:
        """Return the distance between the feet."""
        return feet_apart(*legs)

    def tick(
        self, memory: WalkMemory, senses: Senses, speed: float | None = None,
        legs: Legs | None = None,
    ) -> GaitTick:  # fmt: skip
        """Decide once.

        speed: desired, m/s, in place of the parameters' own; the least speed changes with it. At
        zero the robot comes to stand on both feet, if need be after some short steps. legs: the
        virtual legs, where they are known already.
        """
        contacts = senses.contacts
        legs = legs or self._legs(senses)
        phase, s = phase_of(memory.state), half_of(memory.state)
        w = LEFT - s
        body = feel_body(memory, senses, legs, s, self.parameters)
        now = self._moment(memory, senses, legs, body, s, speed)
        load = self._loads.load(phase, now, body.velocity[1])
        aim(now, phase)

        to, half, why = phase, s, ''
        for way in EXITS[phase]:
            if way.when(now):
                way.then(now)
                to, why = way.to, way.name
                half = w if way.other_half else s
                break
        height = now.height if contacts[RIGHT] or contacts[LEFT] else math.inf
        if phase not in (BEGIN, FALLEN) and has_fallen(height, now.pitch):
            to, why = WalkPhase.FALLEN, 'fallen'

        hips, knees = self._targets(phase, to, now, memory, senses, s)
        other = self._loads.shank(now) if to == LIFT else load.other
        forces = (load.support, other) if s == RIGHT else (other, load.support)
        orders = self._servos.orders(to, half, senses.joints, legs, hips, knees, forces)
        right, left = memory.angles
        slope, feet = memory.slope, None
        if contacts[RIGHT] and contacts[LEFT]:
            feet = self._apart(legs)
            if phase > PLACE:
                slope = slope_between(*legs)
        remembered = WalkMemory(
            state_of(to, half),
            memory.time + senses.dt,
            memory.time if why else memory.entered,
            why or memory.why,
            (hips[RIGHT], hips[LEFT]),
            (right, now.swing_angle) if w == LEFT else (now.swing_angle, left),
            now.swing_length,
            now.clear_length,
            body.velocity,
            slope,
            (memory.raised[RIGHT], now.raised) if w == LEFT else (now.raised, memory.raised[LEFT]),
            feel_slip(memory.slip, body.ahead, feet, senses.dt),
        )
        return GaitTick(
            remembered, orders, legs, body.height, body.velocity[0],
            load.forward, load.upward, forces,
        )  # fmt: skip

    def _moment(
        self, memory: WalkMemory, senses: Senses, legs: Legs, body: BodyEstimate, s: int,
        speed: float | None,
    ) -> WalkMoment:  # fmt: skip
        """Collect what the table of the states looks at."""
        w = LEFT - s
        parameters = self.parameters
        now = WalkMoment()
        now.set = parameters
        now.time = memory.time
        now.height, now.speed = body.height, body.velocity[0]
        now.desired_speed, now.least_speed = parameters.speed, parameters.least_speed
        now.reach = parameters.reach
        if speed is not None:
            now.desired_speed = speed
            # With less energy a robot that comes to rest would fall back from its supporting leg.
            now.least_speed = speed * self._less_speed if speed else parameters.least_speed
            now.reach *= 1.0 if speed else SHORT_STEP
        now.brake_angle = parameters.brake * max(0.0, now.speed - now.desired_speed)
        now.reach -= now.brake_angle
        now.pitch = senses.pitch
        now.length_s, now.angle_s, _, _ = legs[s]
        now.length_w, now.angle_w, _, _ = legs[w]
        now.hip_w = senses.joints[2 * w]
        now.contact_s, now.contact_w = senses.contacts[s], senses.contacts[w]
        now.swing_length, now.clear_length = memory.swing_length, memory.clear_length
        now.swing_angle = memory.angles[w]
        now.entered, now.raised = memory.entered, memory.raised[w]
        now.steps_anyway = False
        now.unmirrored = s == LEFT and not parameters.ways.mirrored
        return now

    def _targets(
        self,
        phase: WalkPhase,
        to: WalkPhase,
        now: WalkMoment,
        memory: WalkMemory,
        senses: Senses,
        s: int,
    ) -> tuple[list[float], list[float]]:
        """Return the targets of hips and knees, right and left.

        A knee that is not sent anywhere has a target that its servo mode does not look at.
        """
        joints, pitch, w = senses.joints, senses.pitch, LEFT - s
        hips, knees = list(memory.hips), [0.0, 0.0]
        if to <= SETTLE:
            (hips[RIGHT], knees[RIGHT]), (hips[LEFT], knees[LEFT]) = self._start
            return hips, knees
        if now.contact_s and phase >= BALANCE:
            # The servo of the hip then turns the body level (§8.5).
            level = pitch + joints[2 * s]
            if self.parameters.ways.clip_pitch_servo:
                level = within(level, joints[2 * s], self._hip_room)
            hips[s] = level
        if to in _AIMED or phase in _AIMED or (to == LOWER and self._holds):
            hip, knees[w] = self._leg.inverse(now.swing_length, now.swing_angle)
            if self.parameters.ways.less_pitch:
                hip -= pitch
            hips[w] = within(hip, joints[2 * w], self._hip_room)
        return hips, knees
