"""A hexapod with masses, servos and contact forces, in MuJoCo.

It takes the place of the kinematic one: joint commands in; joints, body and foot switches out.
"""

import math
from typing import Any

import numpy as np

from walking_robots.robots.articulated import LEGS, ArticulatedHexapod
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.simulation.hexapod.articulated import KinematicArticulated
from walking_robots.simulation.hexapod.kinematic import Array, HexapodState
from walking_robots.simulation.hexapod.physical_model import (
    GRAVITY,
    Ground,
    PhysicsSettings,
    build_model,
)

SWITCH, OPEN = 0.02, 0.002
"""Forces, in weights of the robot, at which a foot switch closes, and opens again."""

SETTLING = 0.5
"""Time, s, in which a robot comes to rest at the start."""

FALLEN = math.cos(math.radians(60.0))
"""Tilt of a body that has fallen, as the z part of its own upward direction."""


class PhysicalHexapod(KinematicArticulated):
    """Steps a robot by forces; ``state`` holds what its sensors and a motion capture measure.

    ``energy``, J, is the mechanical work of the servos so far, of which nothing is recovered;
    ``peak_torque``, N m, is the greatest of any of them.
    """

    def __init__(
        self,
        robot: ArticulatedHexapod,
        terrain: Ground,
        dt: float,
        settings: PhysicsSettings,
        *,
        x: float = 0.0,
        y: float = 0.0,
    ) -> None:
        """Stand the robot on its neutral feet, its body at (x, y), m, in the odometry frame.

        ``dt``: time of a step, s.
        """
        self._mj = mujoco_engine()
        self._model: Any = build_model(robot, terrain, settings)
        self._data: Any = self._mj.MjData(self._model)
        self._substeps = math.ceil(dt / settings.step - 1e-9)
        self._step_time = self._model.opt.timestep = dt / self._substeps
        self._weight = robot.masses.total * GRAVITY
        self.energy = self.peak_torque = 0.0
        super().__init__(robot, terrain, x=x, y=y)
        self._settle()

    def reset(self) -> HexapodState:
        """Put the robot back to its initial posture, at rest."""
        super().reset()
        self._settle()
        return self.state

    @property
    def fell(self) -> bool:
        """Return whether the body lies on the ground or has turned over."""
        return float(self._data.xmat[1, 8]) < FALLEN or self._lies()

    def hold(self) -> HexapodState:
        """Keep the set points of the joints for a step."""
        return self.step(self._data.ctrl.reshape(LEGS, 3).copy())

    def step(self, joints: Array) -> HexapodState:
        """Drive the joints, shape (6, 3), towards new set points for the time of a step."""
        data, before = self._data, self._data.ctrl.copy()
        wanted = joints.ravel()
        for count in range(1, self._substeps + 1):
            data.ctrl[:] = before + (wanted - before) * (count / self._substeps)
            self._mj.mj_step(self._model, data)
            power = data.actuator_force * data.qvel[6:]
            self.energy += float(np.maximum(power, 0.0).sum()) * self._step_time
            self.peak_torque = max(self.peak_torque, float(np.abs(data.actuator_force).max()))
        self.state = self._measured()
        return self.state

    def _settle(self) -> None:
        """Put the robot where the kinematic one begins, and let its servos take the weight."""
        data, state = self._data, self.state
        self._mj.mj_resetData(self._model, data)
        data.qpos[:3], data.qpos[3:7] = state.position, state.quaternion
        data.qpos[7:] = data.ctrl[:] = state.joints.ravel()
        self._mj.mj_step(self._model, data, round(SETTLING / self._step_time))
        self.state = self._measured()
        self.energy = self.peak_torque = 0.0

    def _lies(self) -> bool:
        body = self._model.geom('base_link').id
        pairs = self._data.contact.geom
        return bool((pairs == body).any())

    def _measured(self) -> HexapodState:
        data = self._data
        joints = data.qpos[7:].reshape(LEGS, 3).copy()
        x, y, z = data.qpos[:3].tolist()
        w, i, j, k = data.qpos[3:7].tolist()
        forces = np.linalg.norm(data.sensordata.reshape(LEGS, 3), axis=1)
        limits = np.where(self.state.contacts, OPEN, SWITCH) * self._weight
        contacts = tuple((forces > limits).tolist())
        return HexapodState(joints, self._feet(joints), (x, y, z), (w, i, j, k), contacts)
