"""The nodes by which a hexapod sees the terrain, and their parameters."""

from collections.abc import Mapping
from typing import Any

from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.hexapod.conversions import TRUTH
from walking_robots.simulation.hexapod.sensor_files import usual_sensor
from walking_robots.trials.hexapod.eyes_settings import EyesSettings

EYES = ('elevation_map', 'terrain_classifier')


def eyes_overrides(
    name: str, eyes: EyesSettings, robot: Mapping[str, Any] | None = None
) -> Overrides:
    """Return the parameters with which a robot sees, by node.

    name: of the robot; robot: parameters that name robot and gait, where they are not those of the
    parameter file.
    """
    sensor = {'sensor': eyes.sensor or usual_sensor(name)}
    robot = dict(robot or {})
    return {
        'terrain': {'topics': TRUTH},
        'hexapod_sim': sensor | {'hole_depth': eyes.depth},
        'elevation_map': robot | sensor,
        'terrain_classifier': robot,
        'viewer': sensor,
    }
