"""The closed loop of a hexapod in plain Python: coordinator, leg servo and backend.

The same three objects run inside the nodes of the graph, and the same data cross the same
borders, so that a trial gives the same trace here, composed and distributed.
"""

from typing import NamedTuple

import numpy as np

from walking_robots.gaits.commands.sight import within_sight
from walking_robots.gaits.coordinators import make_coordinator
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.gaits.planned.coordinator import Workers
from walking_robots.geometry.pose import from_quaternion, to_quaternion
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.legs.servo import LegServo, ServoState, initial_state
from walking_robots.legs.states import LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.kinematic import HexapodState, KinematicHexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.trials.hexapod.eyes_settings import Vision
from walking_robots.trials.hexapod.timed_executor import TimedExecutor


class LoopStep(NamedTuple):
    """All that happened in one step: what was seen, decided, ordered and reached."""

    reports: tuple[LegReport, ...]
    before: HexapodState
    gait: GaitStep
    servo: ServoState
    after: HexapodState


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
        eyes: Vision | None = None,
    ) -> None:
        """Stand the robot on the terrain in its initial posture.

        With ``eyes`` it knows only what it has seen of the terrain.
        """
        self.model = model
        self.terrain = terrain
        self._eyes = eyes
        self.backend = KinematicHexapod(model, terrain)
        pose = self.backend.state.pose
        self.planning, self.forecasting = TimedExecutor(), TimedExecutor()
        self.coordinator = make_coordinator(
            gait,
            model,
            repairs,
            pose,
            workers=Workers(self.planning, self.forecasting),
            cross_ditches=cross_ditches,
        )
        self.servo = LegServo(
            model, initial_state(model, pose), pin_stance=repairs.pin_stance_feet
        )
        self._kinematics = leg_kinematics(model)

    def step(self, command: Command) -> LoopStep:
        """Walk one step under a velocity command (vx, vy, wz), m/s and rad/s."""
        before = self.backend.state
        reports = self.servo.state.reports(before.contacts)
        terrain = self.terrain if self._eyes is None else self._eyes.look(before, reports)
        command = within_sight(command, before.pose, terrain, self.model)
        gait = self.coordinator.step(reports, before.pose, command, terrain)
        rates = gait.motion.rates
        # The servo gets the pose as a message carries it, by a quaternion.
        moved = gait.motion.pose
        pose = from_quaternion(moved.position, to_quaternion(moved))
        servo = self.servo.step(gait.decisions, pose, rates, before.contacts, gait.clear_heights)
        bears = [leg.control.carries for leg in servo.legs]
        after = self.backend.step(self._kinematics.follow(np.array(servo.feet()), bears))
        step = LoopStep(reports, before, gait, servo, after)
        if self._eyes is not None:
            self._eyes.check(step.servo, after)
        return step
