"""A depth sensor on a simulated hexapod: rays that meet the ground, or the robot's own legs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.simulation.hexapod.physical_model import build_model
from walking_robots.simulation.hexapod.physical_parts import (
    PhysicsSettings,
    add_ground,
    new_model,
)
from walking_robots.simulation.hexapod.sensor_files import SensorPattern
from walking_robots.simulation.hexapod.simulated import HexapodState
from walking_robots.terrain.cells import TernaryTerrain

Array = NDArray[np.float64]

DITHER = (0.7548776662466927, 0.5698402909980532)
"""Shares of a pixel by which rays go on, aside and down, from look to look: no place stays between
them for long."""


class DepthSensor:
    """Casts the rays of a pattern from a robot's body; hits on the robot itself give no point.

    Without a ``robot`` on articulated legs the rays meet the ground alone.
    """

    def __init__(
        self,
        pattern: SensorPattern,
        robot: ArticulatedHexapod | None,
        ground: TernaryTerrain,
        *,
        seed: int = 0,
    ) -> None:
        """Compile the world; ``pattern`` is in m."""
        self._mj = mujoco_engine()
        self._model: Any = (
            _ground_model(ground)
            if robot is None
            else build_model(robot, ground, PhysicsSettings())
        )
        self._data: Any = self._mj.MjData(self._model)
        self._mj.mj_kinematics(self._model, self._data)
        self._ground = int(self._model.geom('ground').id)
        self._pattern, self._seed = pattern, seed
        self._legs = robot is not None
        self._mounts = [mount.pose() for mount in pattern.mounts]
        self._random = np.random.default_rng(seed)
        self._looks = 0

    def reset(self) -> None:
        """Begin anew, with the same noise."""
        self._random, self._looks = np.random.default_rng(self._seed), 0

    @property
    def mount(self) -> int:
        """Return from which of its mounts the sensor looks next."""
        return self._looks % len(self._mounts)

    def look(self, state: HexapodState) -> NDArray[np.float32]:
        """Return the points (n, 3), m, in the frame of the sensor at its mount."""
        data = self._data
        if self._legs:
            data.qpos[:3], data.qpos[3:7] = state.position, state.quaternion
            data.qpos[7:] = state.joints.ravel()
            self._mj.mj_kinematics(self._model, data)
        turned, mount = state.pose.matrix(), self._mounts[self.mount]
        aside, down = ((self._looks * share + 0.5) % 1.0 - 0.5 for share in DITHER)
        rays = self._pattern.rays.directions(aside, down)
        self._looks += 1
        eye = np.array(state.position) + turned @ np.array(mount.position)
        world = rays @ (turned @ mount.matrix()).T
        count = len(rays)
        geoms, ranges = np.empty(count, np.int32), np.empty(count)
        near, far = self._pattern.range
        self._mj.mj_multiRay(
            self._model, data, eye, world.ravel(), None, 1, -1, geoms, ranges, None, count, far
        )
        # As many random numbers at each look, whatever the rays meet.
        noise = 1.0 + self._pattern.noise * self._random.standard_normal(count)
        kept = self._random.random(count) >= self._pattern.dropouts
        kept &= (geoms == self._ground) & (ranges >= near) & (ranges <= far)
        points: Array = rays[kept] * (ranges * noise)[kept, None]
        return points.astype(np.float32)


def _ground_model(ground: TernaryTerrain) -> Any:
    """Compile ground without a robot."""
    settings = PhysicsSettings()
    spec = new_model('ground', settings)
    add_ground(spec, ground, ground.cell, settings)
    return spec.compile()
