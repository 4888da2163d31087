"""Show people the truth about a world of ARS MAGNA: a picture, markers, a map, frames."""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import OccupancyGrid
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray
from walking_robots_interfaces.msg import ArsMessage, ArsPicture

from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.messages import Message
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.ars_magna.simulation.snapshots import ThingSnapshot
from walking_robots.geometry.se2 import Pose2, quaternion
from walking_robots.nodes.ars_magna.conversions import robot_to_msg, thing_to_msg
from walking_robots.nodes.ars_magna.ground_conversions import ground_to_markers, new_marker
from walking_robots.nodes.ars_magna.readings import estimated_pose
from walking_robots.nodes.common.conversions import fill_header, fill_pose
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.common.world_conversions import world_to_msg
from walking_robots.viewer.ars_magna.colours import thing_colour, thing_width

_LAST = 20
"""Messages in a picture."""
_MAP = 'map'
_HEIGHT = 0.3
_ROBOT = (26, 77, 179)
_CORNER = (-0.5, -0.5)
"""Cells are centred on whole numbers (ars_magna.md §1.9)."""


class Display:
    """Publishes pictures, markers and frames of a world."""

    def __init__(self, node: GraphNode, simulator: Simulator) -> None:
        """Publish the map, once and for all."""
        self._simulator = simulator
        self._experimenter = Experimenter(simulator)
        self._robots = simulator.world.robots
        self._top = simulator.world.ground.rows - 1
        self._messages: deque[ArsMessage] = deque(maxlen=_LAST)
        world = replace(simulator.world.ground.world, origin=_CORNER)
        grid = node.create_publisher(OccupancyGrid, 'display/map', LATCHED)
        grid.publish(world_to_msg(world, _MAP))
        walls = node.create_publisher(MarkerArray, 'display/walls', LATCHED)
        walls.publish(ground_to_markers(simulator.world.ground, _MAP))
        self._picture = node.create_publisher(ArsPicture, 'display/picture', LATCHED)
        self._markers = node.create_publisher(MarkerArray, 'display/markers', LATCHED)
        self._news = node.create_publisher(ArsMessage, 'messages', RECORD)
        self._tf = node.create_publisher(TFMessage, '/tf', 100)

    def say(self, messages: Iterable[Message]) -> None:
        """Publish messages for people."""
        for message in messages:
            message = ArsMessage(
                severity=message.severity,
                robot=message.robot,
                text=message.text,
                tick=message.tick,
            )
            self._messages.append(message)
            self._news.publish(message)

    def forget(self) -> None:
        """Leave the messages so far out of pictures."""
        self._messages.clear()

    def show(self, stamp: int) -> None:
        """Publish what there is to see; stamp: ns."""
        # Latched, for subscribers that come later.
        self._picture.publish(self._drawn())
        if self._markers.get_subscription_count():
            self._markers.publish(self._marked(stamp))
        if self._tf.get_subscription_count():
            self._tf.publish(TFMessage(transforms=list(self._frames(stamp))))

    def _drawn(self) -> ArsPicture:
        truth = self._experimenter
        return ArsPicture(
            tick=self._simulator.now,
            robots=[robot_to_msg(truth.status(name)) for name in self._robots],
            things=[thing_to_msg(thing) for thing in truth.things()],
            messages=list(self._messages),
        )

    # Markers and frames, with y to the left (ars_magna.md §1.9)

    def _marked(self, stamp: int) -> MarkerArray:
        things = [thing for thing in self._experimenter.things() if not thing.inside]
        markers = [Marker(action=Marker.DELETEALL)]
        markers += [self._thing(stamp, index, thing) for index, thing in enumerate(things)]
        for index, robot in enumerate(self._robots.values()):
            base = f'{robot.name}/base_link'
            marker = new_marker('robots', Marker.ARROW, base, (0.9, 0.3, 0.3), _ROBOT, stamp)
            marker.id = index
            markers.append(marker)
        return MarkerArray(markers=markers)

    def _thing(self, stamp: int, index: int, thing: ThingSnapshot) -> Marker:
        drawn = thing_to_msg(thing)
        width = thing_width(drawn.size)
        size, colour = (width, width, _HEIGHT), thing_colour(drawn.color)
        marker = new_marker('things', Marker.CUBE, _MAP, size, colour, stamp)
        marker.id, marker.text = index, thing.label
        fill_pose(marker.pose, (thing.x, self._top - thing.y, _HEIGHT / 2), quaternion(0.0))
        return marker

    def _frames(self, stamp: int) -> Iterable[TransformStamped]:
        for robot in self._robots.values():
            odom, base = f'{robot.name}/odom', f'{robot.name}/base_link'
            estimate = estimated_pose(robot)
            yield _frame(stamp, _MAP, odom, self._truth(robot) @ estimate.inverse())
            yield _frame(stamp, odom, base, estimate)
            for camera in robot.cameras:
                child = f'{robot.name}/camera_{camera.index}'
                yield _frame(stamp, base, child, Pose2(0.0, 0.0, -camera.angle))

    def _truth(self, robot: SimulatedRobot) -> Pose2:
        return Pose2(robot.x, self._top - robot.y, -robot.heading)


def _frame(stamp: int, parent: str, child: str, pose: Pose2) -> TransformStamped:
    found = TransformStamped(child_frame_id=child)
    fill_header(found, stamp, parent)
    found.transform.translation.x, found.transform.translation.y = pose.x, pose.y
    turn = found.transform.rotation
    turn.w, turn.x, turn.y, turn.z = quaternion(pose.heading)
    return found
