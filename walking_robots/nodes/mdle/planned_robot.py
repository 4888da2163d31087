"""The robot that a planner leads: what it can do, how large it is, and what it hears."""

from dataclasses import dataclass, replace

from walking_robots.gaits.mobility import body_of, usual_gait
from walking_robots.mdle.planner.motion_model import MotionModel, motion_model
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.mdle.parameters import (
    BIPEDS,
    ON_WHEELS,
    declare_robot,
    spec_of_robot,
)
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import SonarModel

ROUND = len(SUPER_SCOUT.sonar.order) * SUPER_SCOUT.sonar.period
"""Time, s, between two looks at the map: a round of the sonars, and about that between two maps
of the cartographer."""
RADIUS = 'of the robot; 0: its own'
"""What a parameter of that name means."""
ACTUATION = 0.15
"""Time, s, of a tick and until the robot brakes (mdle.md §5.1)."""


@dataclass(frozen=True)
class PlannedRobot:
    """A robot on ``cmd_vel``.

    sonar: its ring of sonars, None without one; nearest: shortest range of them, m; has_contact:
    whether it feels contacts.
    """

    model: MotionModel
    sonar: SonarModel | None
    nearest: float | None
    has_contact: bool


def radius_of(name: str, gait: str, radius: float) -> float:
    """Return the radius, m, of a robot, where ``radius`` does not say it.

    Raises ValueError, one sentence, for a robot that is not known.
    """
    if radius:
        return radius
    if name in ON_WHEELS:
        return SUPER_SCOUT.radius
    return body_of(name, gait or usual_gait(name)).radius


def planned_robot(node: GraphNode, radius: float, speed: float) -> PlannedRobot:
    """Declare which robot it is, and return it.

    radius: m, 0 for that of the robot itself; speed: greatest one, m/s. Raises ConfigurationError
    for a robot that is not known or cannot turn on the spot.
    """
    name, gait = declare_robot(node)
    if name in BIPEDS:
        raise ConfigurationError(
            f'{node.get_name()}: {name} does not turn on the spot, so that no way can be planned '
            'for it.'
        )
    spec = spec_of_robot(node.get_name(), name, gait, speed, SUPER_SCOUT.default_turn)
    radius = radius_of(name, gait, radius)
    hears = 'sonar' in spec.outputs
    model = motion_model(spec, radius, speed=speed)
    return PlannedRobot(
        # What the other sensors see is known with the next map.
        model if hears else replace(model, delay=ROUND + ACTUATION),
        SUPER_SCOUT.sonar if hears else None,
        spec.outputs['sonar'].low if hears else None,
        'bumper.any' in spec.outputs,
    )
