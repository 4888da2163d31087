"""What a robot of ARS MAGNA knows: readings, odometers, what it is made of, and fluents."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import (
    ArsFluent,
    ArsOdometry,
    ArsReadings,
    ArsRobotInfo,
    ArsView,
)
from walking_robots_interfaces.srv import ArsUseOdometer

from walking_robots.ars_magna.agent.fluents import FLUENTS, Update, updates
from walking_robots.ars_magna.agent.messages import CommandReport, DesignatorReport
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.ars_magna.simulation.robots import MAIN_ODOMETER, SimulatedRobot
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.geometry.se2 import Pose2, quaternion
from walking_robots.nodes.ars_magna.command_servers import CommandServers
from walking_robots.nodes.ars_magna.conversions import (
    attribute_to_msg,
    designator_to_msg,
    odometry_to_msg,
)
from walking_robots.nodes.common.conversions import fill_header, fill_pose
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP

_MOST = 100
"""Odometers of a robot, each of which costs time in every tick."""
_UNKNOWN = 1e6
"""Variance of what an odometer says nothing about."""

PULSE = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=10, reliability=ReliabilityPolicy.RELIABLE
)


def estimated_pose(robot: SimulatedRobot) -> Pose2:
    """Return the middle of what the main odometer says, in its frame, y to the left (§1.9)."""
    box, angle = robot.main_odometer.position(), robot.main_odometer.angle()
    return Pose2(box.x.nominal, -box.y.nominal, -angle.nominal)


class RobotReadings:
    """Publishes what a robot can read of itself after each tick; the truth is not among it."""

    def __init__(
        self, node: GraphNode, robot: SimulatedRobot, simulator: Simulator, goals: CommandServers
    ) -> None:
        """Publish on topics of ``node`` below the robot's name."""
        self._node, self._robot = node, robot
        self._simulator, self._goals = simulator, goals
        self._readings = node.create_publisher(ArsReadings, f'{robot.name}/readings', LATCHED)
        self._odom = node.create_publisher(Odometry, f'{robot.name}/odom', LOOP)
        self._odometers: dict[str, Any] = {}
        self._follow(MAIN_ODOMETER)
        info = node.create_publisher(ArsRobotInfo, f'{robot.name}/robot_info', LATCHED)
        info.publish(
            ArsRobotInfo(
                name=robot.name,
                camera_fields_of_view=[camera.fov for camera in robot.cameras],
                camera_resolutions=[camera.resolution for camera in robot.cameras],
                hand_strengths=[hand.strength for hand in robot.hands],
                bin_capacities=[found.capacity for found in robot.bins],
            )
        )
        for name, use in (('create', self._create), ('reset', self._reset)):
            topic = f'{robot.name}/odometer/{name}'
            node.provide(ArsUseOdometer, topic, partial(self._use, use))
        node.provide(Trigger, f'{robot.name}/sensor_model', self._sensor_model)

    def _sensor_model(self, request: Any, response: Any) -> str:
        world = self._simulator.world
        return SensorModel(world.definitions.attributes, world.parameters).to_json()

    def show(self, stamp: int, *, always: bool) -> None:
        """Publish what somebody listens to, and with ``always`` the readings; stamp: ns."""
        if always or self._readings.get_subscription_count():
            self._readings.publish(self._message())
        for name, publisher in self._odometers.items():
            if publisher.get_subscription_count():
                publisher.publish(self._odometer(name))
        if self._odom.get_subscription_count():
            self._odom.publish(self._odometry(stamp))

    def _message(self) -> ArsReadings:
        robot = self._robot
        return ArsReadings(
            tick=self._simulator.now,
            requests=self._goals.requests,
            reports=self._goals.reports,
            speed=robot.speed,
            turn_angle=robot.turn_angle,
            camera_angles=[camera.angle for camera in robot.cameras],
            views=[ArsView(pixels=camera.view) for camera in robot.cameras],
            bins_closed=[found.closed for found in robot.bins],
            free_capacities=[found.free for found in robot.bins],
            designators=[
                designator_to_msg(designation.sighting)
                for designation in robot.designations.values()
                if not designation.pending
            ],
            odometers=[self._odometer(name) for name in robot.odometers],
        )

    # Odometers

    def _odometer(self, name: str) -> ArsOdometry:
        found = self._robot.odometers[name]
        generation = self._robot.generations.get(name, 0)
        return odometry_to_msg(
            name, generation, self._simulator.now, found.position(), found.angle()
        )

    def _odometry(self, stamp: int) -> Odometry:
        robot = self._robot
        found = Odometry(child_frame_id=f'{robot.name}/base_link')
        fill_header(found, stamp, f'{robot.name}/odom')
        pose = estimated_pose(robot)
        position = (pose.x, pose.y, 0.0)
        fill_pose(found.pose.pose, position, quaternion(pose.heading))
        box, angle = robot.main_odometer.position(), robot.main_odometer.angle()
        # All of an interval is equally likely.
        x, y, turn = (width**2 / 12 for width in (box.x.width, box.y.width, angle.width))
        for index, variance in enumerate((x, y, _UNKNOWN, _UNKNOWN, _UNKNOWN, turn)):
            found.pose.covariance[7 * index] = variance
            found.twist.covariance[7 * index] = _UNKNOWN
        return found

    def _follow(self, name: str) -> None:
        if name not in self._odometers:
            topic = f'{self._robot.name}/odometer/{name}'
            self._odometers[name] = self._node.create_publisher(ArsOdometry, topic, LOOP)

    def _create(self, request: Any) -> None:
        if len(self._robot.odometers) >= _MOST and request.name not in self._robot.odometers:
            raise ValueError(f'there are {_MOST} odometers already; use one of them again')
        self._robot.new_odometer(request.name)
        self._follow(request.name)

    def _reset(self, request: Any) -> None:
        odometer = self._robot.odometers.get(request.name)
        if odometer is None:
            raise ValueError(f'there is no odometer {request.name!r}; make it first')
        odometer.reset(request.position, request.angle)

    def _use(self, use: Callable[[Any], None], request: Any, response: Any) -> str:
        use(request)
        response.odometer = self._odometer(request.name)
        return ''


class FluentTopics:
    """The topics ``fluent/NAME`` of a robot, and ``fluent/NAME_0`` of its parts."""

    def __init__(self, node: GraphNode, robot: str, counts: Mapping[str, int]) -> None:
        """Publish on ``node``; counts: how many parts there are of each kind."""
        self._counts: dict[tuple[str, int], int] = {}
        self._topics: dict[tuple[str, int], Any] = {}
        for name, fluent in FLUENTS.items():
            for index in range(counts.get(fluent.part, 1)):
                end = '' if fluent.part == 'robot' else f'_{index}'
                self._topics[name, index] = node.create_publisher(
                    ArsFluent, f'{robot}/fluent/{name}{end}', PULSE if fluent.is_pulse else LATCHED
                )

    def publish(self, report: CommandReport) -> None:
        """Publish what a report does to fluents."""
        for update in updates(report):
            key = update.name, update.part
            self._counts[key] = self._counts.get(key, 0) + 1
            message = ArsFluent(tick=report.tick, count=self._counts[key])
            _put(message, update)
            self._topics[key].publish(message)


def _put(message: ArsFluent, update: Update) -> None:
    """Fill in a value, in the field that its kind has."""
    value = update.value
    if isinstance(value, DesignatorReport):
        message.designators = [designator_to_msg(value)]
    elif update.name == 'camera_designators':
        message.designators = list(map(designator_to_msg, value))
    elif update.name == 'camera_views':
        message.view = value
    else:
        message.value = attribute_to_msg('', value)
