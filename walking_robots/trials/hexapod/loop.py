"""The closed loop of a hexapod in plain Python: coordinator, leg servo and backend.

The same three objects run inside the nodes of the graph, and the same data cross the same
borders, so that a trial gives the same trace here, composed and distributed.
"""

from typing import NamedTuple

import numpy as np

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
    ) -> None:
        """Stand the robot on the terrain in its initial posture."""
        self.model = model
        self.terrain = terrain
        self.backend = KinematicHexapod(model, terrain)
        start = self.backend.state
        pose = start.pose
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
            model,
            initial_state(model, pose, start.contacts),
            pin_stance=repairs.pin_stance_feet,
        )
        self._kinematics = leg_kinematics(model)

    def step(self, command: Command) -> LoopStep:
        """Walk one step under a velocity command (vx, vy, wz), m/s and rad/s."""
        before = self.backend.state
        reports = self.servo.state.reports(before.contacts)
        gait = self.coordinator.step(reports, before.pose, command, self.terrain)
        rates = gait.motion.rates
        # The servo gets the pose as a message carries it, by a quaternion.
        moved = gait.motion.pose
        pose = from_quaternion(moved.position, to_quaternion(moved))
        servo = self.servo.step(gait.decisions, pose, rates, before.contacts, gait.clear_heights)
        bears = [leg.control.carries for leg in servo.legs]
        after = self.backend.step(self._kinematics.follow(np.array(servo.feet()), bears))
        return LoopStep(reports, before, gait, servo, after)
