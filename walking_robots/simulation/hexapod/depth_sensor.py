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
from walking_robots.terrain.level import LevelGround

Array = NDArray[np.float64]

World = tuple[Any, Any]
"""A model of MuJoCo and its data."""

STEEP = -1e-6
"""Upward part of a ray, as a share of it, above which it meets no ground below it."""

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
        self._ground, self._terrain = self._world(_ground_model(ground)), ground
        self._robot = (
            None
            if robot is None
            else self._world(build_model(robot, LevelGround(), PhysicsSettings()))
        )
        self._top = float(ground.heights.max())
        corners = ground.heights == self._top
        self._highest = corners[1:, 1:] & corners[1:, :-1] & corners[:-1, 1:] & corners[:-1, :-1]
        self._pattern, self._seed = pattern, seed
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
        turned, mount = state.pose.matrix(), self._mounts[self.mount]
        aside, down = ((self._looks * share + 0.5) % 1.0 - 0.5 for share in DITHER)
        rays = self._pattern.rays.directions(aside, down)
        self._looks += 1
        eye = np.array(state.position) + turned @ np.array(mount.position)
        world = rays @ (turned @ mount.matrix()).T
        count, (near, far) = len(rays), self._pattern.range
        ranges = self._to_ground(eye, world)
        # As many random numbers at each look, whatever the rays meet.
        noise = 1.0 + self._pattern.noise * self._random.standard_normal(count)
        kept = self._random.random(count) >= self._pattern.dropouts
        kept &= (ranges >= near) & (ranges <= far)
        if self._robot is not None:
            _, data = self._robot
            data.qpos[:3], data.qpos[3:7] = state.position, state.quaternion
            data.qpos[7:] = state.joints.ravel()
            self._mj.mj_kinematics(*self._robot)
            hits = np.flatnonzero(kept)
            to_robot = self._cast(self._robot, eye, world[hits], without=0)
            kept[hits] = (to_robot < 0.0) | (to_robot > ranges[hits])
        points: Array = rays[kept] * (ranges * noise)[kept, None]
        return points.astype(np.float32)

    def _to_ground(self, eye: Array, rays: Array) -> Array:
        """Return the ranges, m, at which rays (n, 3) meet the ground, negative where none does."""
        if eye[2] <= self._top:
            return self._cast(self._ground, eye, rays)
        # Above all ground, a ray has to get down to the highest, and most meet that at once.
        ranges = (self._top - eye[2]) / np.minimum(rays[:, 2], STEEP)
        down = np.flatnonzero(ranges <= self._pattern.range[1])
        terrain = self._terrain
        places = (eye[:2] + ranges[down, None] * rays[down, :2]) / terrain.cell
        i, j = (np.floor(places).astype(np.intp) - (terrain.first_row, terrain.first_column)).T
        rows, columns = self._highest.shape
        inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns)
        at_once = inside & self._highest[i.clip(0, rows - 1), j.clip(0, columns - 1)]
        found = np.full(len(rays), -1.0)
        found[down[at_once]] = ranges[down[at_once]]
        others = down[~at_once]
        found[others] = self._cast(self._ground, eye, rays[others])
        return found

    def _cast(self, world: World, eye: Array, rays: Array, *, without: int = -1) -> Array:
        """Return the ranges, m, at which rays (n, 3) meet a world, negative where they do not.

        ``without``: a body that they pass, -1: none.
        """
        count, far = len(rays), self._pattern.range[1]
        geoms, ranges = np.empty(count, np.int32), np.empty(count)
        if count:
            self._mj.mj_multiRay(
                *world, eye, rays.ravel(), None, 1, without, geoms, ranges, None, count, far
            )
        return ranges

    def _world(self, model: Any) -> World:
        data = self._mj.MjData(model)
        self._mj.mj_kinematics(model, data)
        return model, data


def _ground_model(ground: TernaryTerrain) -> Any:
    """Compile ground without a robot."""
    settings = PhysicsSettings()
    spec = new_model('ground', settings)
    add_ground(spec, ground, ground.cell, settings)
    return spec.compile()
