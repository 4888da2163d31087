"""Eyes of a hexapod: it knows of the ground what a depth sensor and its feet measure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from walking_robots.geometry.pose import Pose
from walking_robots.legs.servo import ServoState
from walking_robots.legs.states import LegReport
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.depth_sensor import DepthSensor
from walking_robots.simulation.hexapod.sensor_files import find_sensor, usual_sensor
from walking_robots.simulation.hexapod.simulated import HexapodState
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.classifier import ClassifierSettings, TerrainClassifier
from walking_robots.terrain.elevation_map import HEIGHT, VARIANCE, ElevationMap, MapSettings
from walking_robots.terrain.forbidden_ground import visible_ground
from walking_robots.trials.hexapod.eyes_settings import EyesSettings

Result = TypeVar('Result')

EVERY = 10
"""Steps between two comparisons of the map with the truth."""

ASIDE = (-1, 0, 1)
"""How far aside along each axis a height may be right, in cells of the map."""


class Eyes:
    """Sees the terrain from a robot, and counts how wrong it is."""

    def __init__(
        self, settings: EyesSettings, model: HexapodModel, terrain: TernaryTerrain, seed: int
    ) -> None:
        """Open the eyes of a robot on a terrain; noise follows from the seed.

        Raises ValueError, one sentence, for an unknown sensor, and where MuJoCo is missing.
        """
        lift = model.timing.lift_height
        robot = model.kinematics
        self._terrain = terrain
        self._ground = visible_ground(terrain, settings.depth * lift)
        pattern = find_sensor(settings.sensor or usual_sensor(model.name)).scaled(
            model.start_position[2]
        )
        self._mounts = [mount.pose() for mount in pattern.mounts]
        self._sensor = DepthSensor(
            pattern,
            robot if isinstance(robot, ArticulatedHexapod) else None,
            self._ground,
            seed=seed,
        )
        self.map = ElevationMap(MapSettings.of(model.cell, lift, noise=pattern.noise))
        self._classifier = TerrainClassifier(ClassifierSettings.of(model.cell, lift))
        self._steps = 0
        self._carried = [True] * len(model.legs)
        self.footholds = self.false_footholds = 0
        self._errors: list[Any] = []
        self._seen: list[float] = []

    def look(
        self, state: HexapodState, believed: Pose, reports: Sequence[LegReport]
    ) -> TernaryTerrain:
        """Look once and return the terrain as far as it is known.

        ``believed`` is where odometry has the body.
        """
        self.map.move(*believed.position[:2])
        mount = self._mounts[self._sensor.mount]
        points = self._sensor.look(state)
        self.map.see(points, believed, mount)
        self.map.feel([believed.apply(report.foot) for report in reports if report.contact])
        terrain = self._classifier.classify(self.map.window())
        if self._steps % EVERY == 0:
            self._compare(state.pose, believed)
        self._steps += 1
        return terrain

    def check(self, servo: ServoState, state: HexapodState) -> None:
        """Count the feet that have come down, and those on forbidden ground."""
        for index, leg in enumerate(servo.legs):
            carries = leg.control.carries
            if carries and not self._carried[index]:
                x, y, _ = state.pose.apply(state.feet[index])
                self.footholds += 1
                self.false_footholds += not self._terrain.permitted(x, y)
            self._carried[index] = carries

    def add_to(self, result: Result) -> Result:
        """Return a result that says how well the robot has seen."""
        found: Any = result
        seen: Result = replace(
            found,
            footholds=self.footholds,
            false_footholds=self.false_footholds,
            map_error_m=self.map_error,
            seen_share=float(np.mean(self._seen)),
        )
        return seen

    @property
    def map_error(self) -> float:
        """Return the 95th percentile of the errors of the heights of seen cells, m."""
        return float(np.percentile(np.concatenate(self._errors), 95.0))

    def _compare(self, true: Pose, believed: Pose) -> None:
        """Compare the map with the truth, but for what is at most one of its cells aside.

        The map is in the frame of odometry, which has the body elsewhere.
        """
        window, ground = self.map.window(), self._ground
        seen = np.isfinite(window.layers[VARIANCE])
        middles = (np.argwhere(seen) + window.first + 0.5) * window.cell
        mapped = np.column_stack((middles, window.layers[HEIGHT][seen])) - believed.position
        places = mapped @ (true.matrix() @ believed.matrix().T).T + true.position
        # Nothing is known of the ground beyond the terrain.
        along = places[:, 0] / ground.cell - ground.first_row
        across = places[:, 1] / ground.cell - ground.first_column
        inside = (along > 0.5) & (along < ground.rows - 0.5)
        inside &= (across > 0.5) & (across < ground.columns - 0.5)
        places = places[inside]
        truth = [
            ground.heights_at(places[:, :2] + window.cell * np.array((i, j)))
            for i in ASIDE
            for j in ASIDE
        ]
        height = places[:, 2]
        off = np.maximum(np.min(truth, axis=0) - height, height - np.max(truth, axis=0))
        self._errors.append(np.maximum(off, 0.0))
        self._seen.append(float(seen.mean()))
