"""The simulated hexapod: joint commands in; joints, body, foot switches and time out."""

import math
from collections.abc import Mapping
from typing import Any

from walking_robots_interfaces.msg import JointCommand, TerrainPatch

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.conversions import joints_from_msg, stamp_from_msg
from walking_robots.nodes.common.health import WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.stepped_sim import SteppedSim
from walking_robots.nodes.hexapod.cloud_publisher import CloudPublisher
from walking_robots.nodes.hexapod.conversions import TERRAIN, TRUTH, Patches
from walking_robots.nodes.hexapod.robot import KINEMATIC, MUJOCO, declare_hexapod
from walking_robots.nodes.hexapod.scan_publisher import ScanPublisher
from walking_robots.nodes.hexapod.sim_publisher import StatePublisher
from walking_robots.simulation.engine import engine_name, mujoco_engine
from walking_robots.simulation.hexapod.battery import FULL, check_charge
from walking_robots.simulation.hexapod.odometry import EXACT, Odometry, drift_of, make_odometry
from walking_robots.simulation.hexapod.physical import PhysicalHexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.servo_failures import parse_failure
from walking_robots.simulation.hexapod.simulated import SimulatedHexapod
from walking_robots.worlds.contact import nearest_wall
from walking_robots.worlds.files import load_world
from walking_robots.worlds.world import World


class HexapodSim(SteppedSim):
    """Steps a hexapod; the foot switches are what the loop acts on."""

    answers_from = 'leg_servo and gait'

    def __init__(self, **options: Any) -> None:
        """Stand the robot on the terrain as soon as there is one."""
        super().__init__('hexapod_sim', **options)
        self._hexapod = declare_hexapod(self)
        self._physics = self.parameter(
            'physics', KINEMATIC, f'how it is simulated: {KINEMATIC}, or {MUJOCO} with forces',
            check=one_of('physics', (KINEMATIC, MUJOCO)), fixed=True,
        )  # fmt: skip
        described = self.parameter(
            'publish_description', False, 'publish robot_description, where no other node does',
            fixed=True,
        )  # fmt: skip
        self._walls = self._declare_walls()
        x, y = self._walls.start[:2] if self._walls else self._hexapod.start
        far: dict[str, Any] = {'low': -1000.0, 'high': 1000.0, 'fixed': True}
        self._start = (
            self.parameter('start_x', x, 'x at which the body begins', 'm', **far),
            self.parameter('start_y', y, 'y at which the body begins', 'm', **far),
        )
        self._names = list(self._hexapod.joint_names)
        self._patches = Patches()
        self._backend: SimulatedHexapod | None = None
        robot = self._hexapod.articulated
        self._battery = None if robot is None else robot.battery
        self._settings = self._declare_physics()
        gauged = self._settings is not None and self._battery is not None
        self._messages = StatePublisher(self, self._hexapod, description=described, battery=gauged)
        self._odometry_kind = self.parameter(
            'odometry', EXACT, 'where odom has the body: exact; legs: by legs and a gyroscope; '
            'drift:1%: off by that share of the way', check=drift_of, fixed=True,
        )  # fmt: skip
        self._odometry: Odometry | None = None
        self._seed = self.parameter(
            'sensor_seed', 1, 'seed of the noise of sensor, odometry and foot switches', low=0,
            high=2**31 - 1, fixed=True,
        )  # fmt: skip
        self._clouds = CloudPublisher(self, self._hexapod, self._seed)
        self._scans = ScanPublisher(self, self._walls, self._seed)
        # A robot with eyes makes its own terrain/elevation.
        ground = f'{TRUTH if self._clouds.sees else TERRAIN}/elevation'
        self.listen(TerrainPatch, ground, self._stand_on, LATCHED)
        self.listen(JointCommand, 'joint_command', self._command)
        self.serve(self._hexapod.dt)

    def _declare_walls(self) -> World | None:
        """Declare the world, and give its walls: what the robot does not step over."""
        file = self.parameter(
            'world', '', 'world, a file or the name of a shipped one, whose walls the body feels '
            'as a bumper, and where it begins; empty: none', fixed=True,
        )  # fmt: skip
        try:
            if not file:
                return None
            return load_world(find_world(file)).without_steps(self._hexapod.body.step)
        except ValueError as error:
            raise ConfigurationError(f'hexapod_sim: {str(error).rstrip(".")}.') from error

    def _stand_on(self, message: Any) -> None:
        terrain = self._patches.read(message)
        if self._backend is not None and self._physics == KINEMATIC:
            self._backend.terrain = terrain
            self._clouds.stand_on(terrain, self._backend.state)
            return
        # With forces a robot begins again on new ground: it may be inside of it.
        self._backend = self._hexapod.on(terrain, *self._start, self._settings, self._seed)
        state = self._backend.state
        self._odometry = make_odometry(self._odometry_kind, state, self._hexapod.dt, self._seed)
        self._messages.rest(state)
        self._clouds.stand_on(terrain, state)
        self.begin()

    def _declare_physics(self) -> PhysicsSettings | None:
        """Declare what goes wrong in a simulation with forces; return None of one without."""
        fail = self.parameter(
            'fail', '', 'with forces: a leg or joint that fails, such as 3:dead, 3.lift:stuck or '
            '3:weak; empty: none', fixed=True,
        )  # fmt: skip
        fail_at = self.parameter(
            'fail_at', 5.0, 'when it fails', 's', low=0.0, high=86400.0, fixed=True
        )
        noise = self.parameter(
            'switch_noise', 0.0, 'with forces: noise of the forces on foot switches', 'weights',
            low=0.0, high=1.0, fixed=True,
        )  # fmt: skip
        battery = self.parameter(
            'battery', FULL, 'with forces: charge of the battery at the start',
            low=0.0, high=1.0, fixed=True,
        )  # fmt: skip
        if self._physics == KINEMATIC:
            if fail or noise or battery != FULL:
                raise ConfigurationError(
                    'hexapod_sim: battery, fail and switch_noise need physics: mujoco.'
                )
            return None
        try:
            mujoco_engine()
            check_charge(battery, self._battery)
            if fail:
                parse_failure(fail, self._hexapod.joint_names)
        except ValueError as error:
            raise ConfigurationError(f'hexapod_sim: {str(error).rstrip(".")}.') from error
        return PhysicsSettings(fail=fail, fail_at=fail_at, switch_noise=noise, battery=battery)

    def _command(self, message: Any) -> None:
        if not self.expects(stamp_from_msg(message)):
            return
        unknown = set(message.name).difference(self._names)
        if unknown:
            raise ValueError(f'joint {min(unknown)!r} is unknown')
        self.take(joints_from_msg(message.name, message.position, self._names))

    def stands(self) -> bool:
        """Return whether a terrain has come to stand on."""
        return self._backend is not None

    def restart(self) -> None:
        """Stand the robot at the start."""
        assert self._backend is not None and self._odometry is not None
        state = self._backend.reset()
        self._odometry.reset(state)
        self._messages.rest(state)
        self._clouds.restart(state)

    def advance(self, answer: Any) -> None:
        """Drive the joints; without a command they stay."""
        backend, odometry = self._backend, self._odometry
        assert backend is not None and odometry is not None
        old = odometry.measured
        state = backend.hold() if answer is None else backend.step(answer)
        odometry.add(state)
        self._messages.move(old, odometry.measured)
        self._clouds.look(state)

    def show(self, stamp: int) -> None:
        """Publish joints, body and time."""
        robot, odometry = self._backend, self._odometry
        assert robot is not None and odometry is not None
        measured = odometry.measured
        physical = robot if isinstance(robot, PhysicalHexapod) else None
        if physical is not None and physical.battery is not None:
            self._messages.show_battery(physical.battery, stamp)
        self._messages.show(measured, stamp, None if physical is None else physical.loads)
        self._messages.show_truth(robot.state, stamp)
        x, y, _ = robot.state.position
        touched = math.inf, 0.0
        if self._walls is not None:
            touched = nearest_wall(self._walls, x, y, self._hexapod.body.radius)
        self._messages.show_bumper(*touched, robot.state.pose.yaw(), stamp)
        if physical is not None:
            turning, acceleration = physical.inertial()
            turning[2] += odometry.bias
            self._messages.show_inertial(measured, turning, acceleration, stamp)
        self._clouds.show(stamp)
        self._scans.show(Pose2(x, y, robot.state.pose.yaw()), stamp)

    def invite(self, stamp: int) -> None:
        """Publish the foot switches."""
        assert self._backend is not None
        self._messages.invite(self._backend.state, stamp)

    def health(self) -> Health:
        """Return what the simulation waits for."""
        if self._backend is None:
            return WARN, 'waits for terrain/elevation: is the terrain node running?'
        if isinstance(self._backend, PhysicalHexapod) and self._backend.fell:
            return WARN, 'the robot has fallen: call ~/reset'
        return super().health()

    def figures(self) -> Mapping[str, object]:
        """Return what walking has cost so far."""
        robot = self._backend
        if not isinstance(robot, PhysicalHexapod):
            return {'physics': self._physics}
        battery = robot.battery
        return {
            'physics': engine_name(),
            'energy, J': f'{robot.energy:.3g}',
            'greatest torque, N m': f'{robot.peak_torque:.3g}',
        } | ({} if battery is None else {'battery': f'{battery.charge:.1%}'})


def main() -> int:
    """Run the node as a process."""
    return run_node(HexapodSim)
