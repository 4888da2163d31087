"""Which hexapod a node serves: the parameters `robot` and `gait`, and what follows from them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from walking_robots.gaits.coordinators import COMPLIANT_LIFT_MARGIN
from walking_robots.gaits.free.articulated_model import free_gait_model
from walking_robots.gaits.mobility import WalkingBody
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, GaitPlan, plan_gait
from walking_robots.gaits.periodic.record import mobility
from walking_robots.legs.driven import DrivenLegs
from walking_robots.legs.kinematics import LegKinematics, leg_kinematics
from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.model import CommandLimits, HexapodModel
from walking_robots.robots.urdf.description import articulated_description, robot_description
from walking_robots.simulation.hexapod.articulated import KinematicArticulated, start_place
from walking_robots.simulation.hexapod.battery import report_steps
from walking_robots.simulation.hexapod.kinematic import KinematicHexapod
from walking_robots.simulation.hexapod.physical import physical_articulated, physical_free
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.sensor_files import SensorPattern, find_sensor
from walking_robots.simulation.hexapod.simulated import SimulatedHexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.classifier import ClassifierSettings
from walking_robots.terrain.elevation_map import MapSettings
from walking_robots.trials.hexapod.free import cleared

FREE = 'free'
GAITS = (FREE, *PATTERNS)

KINEMATIC, MUJOCO = 'kinematic', 'mujoco'
"""What a simulated hexapod is: joints that its body follows, or masses, servos and contacts."""

ASV_FOOT = 0.15
"""How large the footholds of the ASV are marked, m."""


@dataclass(frozen=True)
class Hexapod:
    """A hexapod and how it walks; ``articulated`` is None where its legs are pantographs."""

    gait: str
    articulated: ArticulatedHexapod | None

    @cached_property
    def model(self) -> HexapodModel:
        """Return the robot as the free gait knows it."""
        return ASV if self.articulated is None else free_gait_model(self.articulated)

    @property
    def free(self) -> bool:
        """Return whether rules find its footholds; otherwise its legs step in turn."""
        return self.gait == FREE

    @property
    def dt(self) -> float:
        """Return the time of a step, s."""
        return self.model.timing.dt if self.free else STEP_TIME

    @property
    def limits(self) -> CommandLimits:
        """Return the speed limits of its gait."""
        if self.articulated is None or self.free:
            return self.model.command
        return mobility(self._plan, self.dt).limits

    @cached_property
    def body(self) -> WalkingBody:
        """Return how large it is, and what it steps over."""
        free = self.articulated is None or self.free
        return WalkingBody.of(self.model if free else self._plan)

    @cached_property
    def _plan(self) -> GaitPlan:
        assert self.articulated is not None
        return plan_gait(self.articulated, find_pattern(self.gait))

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Name the driven joints, leg by leg."""
        return (self.articulated or self.model).joint_names()

    @property
    def passive_joint_names(self) -> tuple[str, ...]:
        """Name the joints that follow from the driven ones."""
        return (self.articulated or self.model).passive_joint_names()

    @property
    def foot_size(self) -> float:
        """Return how large its footholds are marked, m."""
        return ASV_FOOT if self.articulated is None else 3.0 * self.articulated.foot_radius

    @property
    def height(self) -> float:
        """Return how high the body stands, m."""
        return self.model.start_position[2]

    def map_settings(self, noise: float) -> MapSettings:
        """Return its map of the ground; ``noise`` of its ranges as a share of them."""
        return MapSettings.of(self.model.cell, self.model.timing.lift_height, noise=noise)

    @property
    def classifier_settings(self) -> ClassifierSettings:
        """Return where it may stand."""
        return ClassifierSettings.of(self.model.cell, self.model.timing.lift_height)

    def kinematics(self) -> LegKinematics:
        """Return its legs in the joint values that travel on topics."""
        return DrivenLegs(self.articulated) if self.articulated else leg_kinematics(self.model)

    @property
    def start(self) -> tuple[float, float]:
        """Return where it begins on a terrain, x and y, m."""
        if self.articulated is None or self.free:
            return self.model.start_position[:2]
        place = start_place(self.articulated)
        return place, place

    def on(
        self,
        terrain: TernaryTerrain,
        x: float,
        y: float,
        settings: PhysicsSettings | None,
        seed: int,
    ) -> SimulatedHexapod:
        """Stand a simulated one on a terrain, its body at (x, y), m, kinematic without settings.

        seed: of the noise of its foot switches.
        Raises ValueError where its physics are missing.
        """
        if self.articulated is not None and not self.free:
            if settings is not None:
                return physical_articulated(
                    self.articulated, terrain, self.dt, settings, x=x, y=y, seed=seed
                )
            return KinematicArticulated(self.articulated, terrain, x=x, y=y)
        model = replace(self.model, start_position=(x, y, self.model.start_position[2]))
        if settings is not None:
            return physical_free(model, cleared(terrain, model, 0.5), settings, seed=seed)
        return KinematicHexapod(model, terrain)

    def description(self) -> str:
        """Return its URDF."""
        if self.articulated is None:
            return robot_description(self.model.name)
        return articulated_description(self.articulated)


def declare_robot(node: GraphNode) -> ArticulatedHexapod | None:
    """Declare the parameter ``robot`` and give the hexapod that it names, None for the ASV.

    Raise ConfigurationError for a robot that is none.
    """
    name = node.parameter(
        'robot', ASV.name, 'the robot: asv, a shipped hexapod, or the file of one', fixed=True
    )
    try:
        return None if name == ASV.name else find_hexapod(name)
    except ValueError as error:
        raise ConfigurationError(f'{node.get_name()}: {str(error).rstrip(".")}.') from error


def simulation_parameters(
    settings: PhysicsSettings | None, odometry: str, seed: int
) -> dict[str, Any]:
    """Return the parameters of ``hexapod_sim`` for a trial; ``seed`` is that of all noise."""
    found = {'physics': KINEMATIC, 'odometry': odometry, 'sensor_seed': seed}
    if settings is not None:
        found |= {
            'physics': MUJOCO,
            'fail': settings.fail,
            'fail_at': settings.fail_at,
            'switch_noise': settings.switch_noise,
            'battery': settings.battery,
        }
    return found


def battery_timeout(
    robot: HexapodModel | ArticulatedHexapod, settings: PhysicsSettings | None, dt: float
) -> float:
    """Return the parameter ``battery_timeout`` of a gait whose trial waits for each report, s."""
    links = robot.kinematics if isinstance(robot, HexapodModel) else robot
    battery = links.battery if isinstance(links, ArticulatedHexapod) else None
    # Half a step less than from report to report: stamps are whole nanoseconds.
    return 0.0 if battery is None or settings is None else (report_steps(dt) - 0.5) * dt


def lift_margin(*, forces: bool) -> float:
    """Return the parameter ``lift_margin`` of ``free_gait`` for a simulation."""
    return COMPLIANT_LIFT_MARGIN if forces else 1.0


def left_out(gait: str) -> tuple[str, ...]:
    """Return the nodes that a hexapod does without in a gait."""
    return ('periodic_gait',) if gait == FREE else ('free_gait',)


def declare_hexapod(node: GraphNode, *, changeable: bool = False) -> Hexapod:
    """Declare the parameters ``robot`` and ``gait``, and give what they name.

    Only a ``changeable`` gait may change while the node runs. Raise ConfigurationError
    for an unknown robot or gait.
    """
    articulated = declare_robot(node)
    gait = node.parameter(
        'gait', FREE if articulated is None else 'tripod', f'how it walks: {", ".join(GAITS)}',
        check=one_of('gait', GAITS), fixed=not changeable,
    )  # fmt: skip
    if articulated is None and gait != FREE:
        raise ConfigurationError(f'{node.get_name()}: the robot asv walks by the gait free only.')
    return Hexapod(gait, articulated)


def declare_sensor(node: GraphNode, hexapod: Hexapod, default: str = '') -> SensorPattern | None:
    """Declare the parameter ``sensor`` and give the pattern that it names, None if empty.

    Raise ConfigurationError for an unknown sensor or a wrong file.
    """
    name = node.parameter(
        'sensor', default, 'the depth sensor: a shipped one, or the file of one; empty: none',
        fixed=True,
    )  # fmt: skip
    try:
        return find_sensor(name).scaled(hexapod.height) if name else None
    except ValueError as error:
        raise ConfigurationError(f'{node.get_name()}: {str(error).rstrip(".")}.') from error
