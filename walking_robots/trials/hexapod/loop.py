"""The closed loop of a hexapod in plain Python: coordinator, leg servo and backend.

The same three objects run inside the nodes of the graph, and the same data cross the same
borders, so that a trial gives the same trace here, composed and distributed.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from walking_robots.body.reference import BodyReference
from walking_robots.gaits.commands.charge import explained, within_charge
from walking_robots.gaits.commands.sight import explained_sight, within_sight
from walking_robots.gaits.coordinators import COMPLIANT_LIFT_MARGIN, make_coordinator
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.gaits.planned.coordinator import Workers
from walking_robots.geometry.compiled import load
from walking_robots.geometry.pose import Pose, Vector, from_quaternion, to_quaternion
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.legs.servo import LegServo, ServoState, initial_state
from walking_robots.legs.servo_faults import fault_detector
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.kinematic import KinematicHexapod
from walking_robots.simulation.hexapod.odometry import EXACT, make_odometry
from walking_robots.simulation.hexapod.physical import PhysicalHexapod, physical_free
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.simulated import Array, HexapodState, SimulatedHexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.trials.hexapod.eyes_settings import Vision
from walking_robots.trials.hexapod.forces import ForceRecorder
from walking_robots.trials.hexapod.referee import Referee
from walking_robots.trials.hexapod.timed_executor import TimedExecutor


class LoopStep(NamedTuple):
    """All that happened in one step: what was seen, decided, ordered and reached.

    ``before`` and ``after`` are true, and ``pose`` is where odometry had the body before.
    """

    reports: tuple[LegReport, ...]
    before: HexapodState
    pose: Pose
    gait: GaitStep
    servo: ServoState
    after: HexapodState

    @property
    def drifts(self) -> bool:
        """Return whether odometry has the body elsewhere."""
        return self.pose != self.before.pose

    def true(self, point: Vector) -> Vector:
        """Return where a point of the frame of odometry truly is, m."""
        return self.before.pose.apply(self.pose.to_body(point))


class ClosedLoop:
    """A robot that walks over a terrain, one step a call."""

    def __init__(
        self,
        model: HexapodModel,
        terrain: TernaryTerrain,
        repairs: Repairs,
        *,
        gait: str = 'rules',
        cross_ditches: bool = True,
        physics: PhysicsSettings | None = None,
        eyes: Vision | None = None,
        odometry: str = EXACT,
        seed: int = 1,
    ) -> None:
        """Stand the robot on the terrain in its initial posture, kinematic without ``physics``.

        With ``eyes`` it knows only what it has seen of the terrain. ``odometry`` is a kind as
        `drift_of` reads it, ``seed`` that of its noise and of foot switches.
        """
        self.model = model
        self.terrain = terrain
        self._eyes = eyes
        self.backend: SimulatedHexapod = (
            KinematicHexapod(model, terrain)
            if physics is None
            else physical_free(model, terrain, physics, seed=seed)
        )
        start = self.backend.state
        self.odometry = make_odometry(odometry, start, model.timing.dt, seed)
        pose = start.pose
        self._reference = BodyReference(model.timing.lift_height)
        self.planning, self.forecasting = TimedExecutor(load), TimedExecutor()
        self.coordinator = make_coordinator(
            gait,
            model,
            repairs,
            pose,
            workers=Workers(self.planning, self.forecasting),
            cross_ditches=cross_ditches,
            lift_margin=1.0 if physics is None else COMPLIANT_LIFT_MARGIN,
        )
        self.servo = LegServo(
            model,
            initial_state(model, pose, start.contacts),
            pin_stance=repairs.pin_stance_feet,
        )
        self._kinematics = leg_kinematics(model)
        self._faults = fault_detector(model)
        self._ordered: Array | None = None

    def step(self, command: Command) -> LoopStep:
        """Walk one step under a velocity command (vx, vy, wz), m/s and rad/s."""
        before = self.backend.state
        here = self.odometry.measured.pose
        places = [here.apply(foot) for foot in before.feet]
        if self._ordered is not None:
            failed = self._faults.add(self._ordered, before.joints)
            if failed:
                self.servo.fail(failed, before.contacts, places)
        self.servo.follow_odometry(before.contacts, places)
        reports = self.servo.state.reports(before.contacts)
        pose = self._reference.pose(here, self.servo.state.drift)
        terrain = self.terrain if self._eyes is None else self._eyes.look(before, here, reports)
        charge = self.backend.charge
        command = within_charge(command, charge, self.model.command)
        seen = within_sight(command, pose, terrain, self.model)
        gait = self.coordinator.step(reports, pose, seen, terrain)
        gait = explained(explained_sight(gait, command, seen), charge)
        moved, rates = gait.motion
        self._reference.send(moved)
        # The servo gets the pose as a message carries it, by a quaternion.
        pose = from_quaternion(moved.position, to_quaternion(moved))
        servo = self.servo.step(
            gait.decisions, pose, rates, before.contacts, gait.clear_heights, places
        )
        bears = servo.bearing(before.contacts)
        self._ordered = self._kinematics.follow(np.array(servo.feet()), bears)
        after = self.backend.step(self._ordered)
        self.odometry.add(after)
        if self._eyes is not None:
            self._eyes.check(servo, after)
        return LoopStep(reports, before, here, gait, servo, after)


def walk(loop: ClosedLoop, referee: Referee, command: Command) -> Iterator[LoopStep]:
    """Walk under a command until the referee ends it, step by step.

    A walk with forces also ends where the robot falls or a standing foot is out of reach.
    """
    robot = loop.backend
    if isinstance(robot, PhysicalHexapod):
        referee.forces = ForceRecorder(robot)
    while not referee.reason:
        try:
            step = loop.step(command)
        except ValueError as error:
            if referee.forces is None:
                raise
            referee.reason = str(error)
            return
        referee.add(step.gait)
        if referee.forces is not None:
            turn = step.gait.motion.rates.wz * loop.model.timing.dt
            referee.forces.add(step.before, step.after, turn)
            if referee.forces.fell:
                referee.reason = 'fell'
        yield step
