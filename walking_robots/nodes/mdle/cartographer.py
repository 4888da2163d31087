"""The cartographer: odometry, ranges and touches in; a map and ``map`` -> ``odom`` out."""

import math
import time
from functools import partial
from pathlib import Path
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from map_msgs.msg import OccupancyGridUpdate
from nav_msgs.msg import OccupancyGrid as OccupancyGridMsg
from nav_msgs.msg import Odometry
from nav_msgs.srv import LoadMap
from sensor_msgs.msg import LaserScan, PointCloud2, Range
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.cartographer.cartographer import Cartographer, CartographerSettings
from walking_robots.mdle.cartographer.map_files import MapFileError, load_map, save_map
from walking_robots.nodes.common.clouds import cloud_from_msg
from walking_robots.nodes.common.conversions import (
    planar_pose_from_msg,
    stamp_from_msg,
    touched_bearings_from_msg,
    transform_to_msg,
)
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP, RECORD
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.mdle.map_conversions import (
    certain_to_msg,
    grid_to_msg,
    pose_with_covariance_to_msg,
    scan_from_cloud,
    scan_from_msg,
    update_to_msg,
)
from walking_robots.nodes.mdle.parameters import declare_robot
from walking_robots.nodes.mdle.planned_robot import RADIUS, radius_of
from walking_robots.robots.super_scout import SUPER_SCOUT

PERIOD = 0.1
"""Time, s, between two poses."""
MAP_PERIOD = 1.0
"""Time, s, between two updates of the map."""
RESTART, NEAR = 60.0, 10.0
"""Age, s, of a saved map, beyond the time between two savings, and way, m, by odometry since then,
up to which a run goes on; a choice."""
BEGUN = 0.05
"""Distance from its origin, m, up to which odometry has just begun; a choice."""
WHOLE = 10
"""Updates after which the whole map is published, for whoever comes later."""


class MdleCartographerNode(GraphNode):
    """Draws a map while a robot drives, or finds the robot in a map that was saved."""

    def __init__(self, **options: Any) -> None:
        """Begin a map, or load one; raise ConfigurationError for a wrong parameter or file."""
        super().__init__('mdle_cartographer', **options)
        own = partial(self.parameter, fixed=True)
        self._frames = (
            own('map_frame', 'map', 'frame of the map'),
            own('odom_frame', 'odom', 'frame of odometry'),
        )
        self._base = own('base_frame', 'base_link', 'frame of the robot')
        self._settings = CartographerSettings(
            resolution=own('resolution', 0.05, 'side of a cell', 'm', low=0.01, high=0.5),
            slip=own('slip', 0.01, 'greatest slip of a wheel, as a share', low=0.0, high=0.1),
            separation=own(
                'wheel_separation', SUPER_SCOUT.wheel_separation, 'track', 'm', low=0.05, high=5.0
            ),
            radius=self._radius(own('radius', 0.0, RADIUS, 'm', low=0.0, high=5.0)),
            scan_to=own(
                'scan_to', 12.0, 'range of a laser that is used', 'm', low=0.5, high=100.0
            ),
        )
        start = own('start', [0.0, 0.0, 0.0], 'pose in the map of a robot without a saved one')
        if len(start) != 3:
            raise ConfigurationError("mdle_cartographer: 'start' must be x, y and heading.")
        self._start = Pose2(*start)
        self._file: str = own('map_file', '', 'map to go on with and to save, .yaml; empty: none')
        interval = own('save_interval', 30.0, 'between two savings', 's', low=1.0, high=3600.0)
        height = own('cloud_height', [0.1, 1.0], 'of points that are walls, least and most', 'm')
        if len(height) != 2 or height[0] >= height[1]:
            raise ConfigurationError("mdle_cartographer: 'cloud_height' must be least and most.")
        self._height = tuple(height)
        self._odom: Pose2 | None = None
        self._saved_odom: Pose2 | None = None
        self._mounts = {
            f'sonar_{number}': _sonar_mount(number) for number in range(SUPER_SCOUT.sonar.count)
        }
        self._mounts[self._base] = ORIGIN
        self._is_restart = False
        self._cartographer = self._first(interval)
        self._published, self._whole = -1, 0
        self._map = self.create_publisher(OccupancyGridMsg, 'map', LATCHED)
        self._updates = self.create_publisher(OccupancyGridUpdate, 'map_updates', LOOP)
        self._certain = self.create_publisher(OccupancyGridMsg, 'map_certain', LATCHED)
        self._pose = self.create_publisher(PoseWithCovarianceStamped, 'pose', LATCHED)
        self._tf = self.create_publisher(TFMessage, '/tf', LOOP)
        self.expect_single('map')
        self.listen(TFMessage, '/tf_static', self._mount, RECORD)
        self.listen(Odometry, 'odom', self._move)
        for number in range(
            own('sonars', SUPER_SCOUT.sonar.count, 'topics of sonars', low=0, high=64)
        ):
            self.listen(Range, f'sonar/range_{number}', self._hear)
        self.listen(LaserScan, 'scan', self._scan)
        self.listen(PointCloud2, 'points', self._see_cloud)
        self.listen(Bumper, 'bumper', self._feel)
        self.listen(PoseWithCovarianceStamped, 'initialpose', self._place)
        self.provide(Trigger, '~/save_map', self._save_asked)
        self.provide(Trigger, '~/new_map', self._begin_anew)
        self.create_service(LoadMap, '~/load_map', self._load)
        self.create_timer(PERIOD, self._publish_pose)
        self.create_timer(MAP_PERIOD, self._publish_map)
        if self._file:
            self.create_timer(interval, self._save)

    def _radius(self, radius: float) -> float:
        """Declare which robot it is; return its radius, m."""
        try:
            return radius_of(*declare_robot(self), radius)
        except ValueError as error:
            raise ConfigurationError(f'mdle_cartographer: {str(error).rstrip(".")}.') from error

    def _first(self, interval: float) -> Cartographer:
        """Return a cartographer with the saved map, where there is one.

        interval: s between two savings, by which a node knows that it was restarted.
        """
        if not self._file or not Path(self._file).expanduser().exists():
            return Cartographer(self._settings, self._start)
        try:
            found = self._loaded(self._file)
            age = time.time() - Path(self._file).expanduser().stat().st_mtime
            self._is_restart = age < interval + RESTART
            return found
        except MapFileError as error:
            raise ConfigurationError(f'mdle_cartographer: {error}') from None

    def _loaded(self, path: str) -> Cartographer:
        """Return a cartographer that goes on with a map; raise MapFileError."""
        grid, pose, odometry = load_map(path)
        self._saved_odom = odometry if pose else None
        self.get_logger().info(f'goes on with the map {path}')
        return Cartographer(self._settings, pose or self._start, grid, sigma=0.1)

    # What the robot measures

    def _mount(self, message: Any) -> None:
        for transform in message.transforms:
            if transform.header.frame_id == self._base:
                self._mounts[transform.child_frame_id] = planar_pose_from_msg(transform.transform)

    def _mounted(self, message: Any) -> Pose2:
        """Return where a sensor is on the robot; raise ValueError where it is not known."""
        frame = message.header.frame_id
        if frame not in self._mounts:
            raise ValueError(f"frame '{frame}' is not on /tf_static below {self._base}")
        return self._mounts[frame]

    def _move(self, message: Any) -> None:
        pose = planar_pose_from_msg(message.pose.pose)
        if self._odom is None:
            self._find_again(pose)
        self._odom = pose
        self._cartographer.move(stamp_from_msg(message), pose)

    def _find_again(self, odometry: Pose2) -> None:
        """Begin in a map that was loaded, with the first pose by odometry."""
        saved = self._saved_odom
        if saved is None or (ORIGIN.distance(odometry) < BEGUN < ORIGIN.distance(saved)):
            # Odometry has begun anew: the robot is where it was, as far as anyone knows.
            return
        # The robot may have moved while no map was drawn.
        here = self._cartographer.pose @ saved.inverse() @ odometry
        if self._is_restart and saved.distance(odometry) < NEAR:
            self._cartographer.go_on(here)
        else:
            self._cartographer.place(here)

    def _hear(self, message: Any) -> None:
        reach = message.range
        # REP-117: minus infinity is something too near to be measured.
        if reach != -math.inf and not message.min_range <= reach < message.max_range:
            reach = math.inf
        self._cartographer.hear(
            stamp_from_msg(message),
            message.header.frame_id,
            self._mounted(message),
            reach,
            0.5 * message.field_of_view,
            message.min_range,
        )

    def _scan(self, message: Any) -> None:
        angles, ranges = scan_from_msg(message)
        self._cartographer.scan(stamp_from_msg(message), self._mounted(message), angles, ranges)

    def _see_cloud(self, message: Any) -> None:
        angles, ranges = scan_from_cloud(cloud_from_msg(message), self._height)
        self._cartographer.scan(stamp_from_msg(message), self._mounted(message), angles, ranges)

    def _feel(self, message: Any) -> None:
        self._cartographer.touch(touched_bearings_from_msg(message))

    def _place(self, message: Any) -> None:
        self._cartographer.place(planar_pose_from_msg(message.pose.pose))

    # What is known

    def _publish_pose(self) -> None:
        """Publish where the robot is; in a map of another world nobody knows."""
        if self._odom is None or self._cartographer.is_other_world:
            return
        stamp = self.get_clock().now().nanoseconds
        found = self._cartographer
        self._tf.publish(transform_to_msg(stamp, self._frames, found.map_to_odom))
        self._pose.publish(pose_with_covariance_to_msg(stamp, self._frames[0], found.estimate))

    def _publish_map(self) -> None:
        """Publish what changed, and now and then, or with another shape, the whole map."""
        grid, stamp = self._cartographer.grid, self.get_clock().now().nanoseconds
        self._whole -= 1
        if self._published < grid.shaped or (self._whole <= 0 and self._published < grid.version):
            self._whole = WHOLE
            self._map.publish(grid_to_msg(grid, stamp, self._frames[0]))
        else:
            rows, columns = grid.changed_since(self._published)
            if rows.size:
                self._updates.publish(update_to_msg(grid, rows, columns, stamp, self._frames[0]))
        if self._published != grid.version:
            self._certain.publish(certain_to_msg(grid, stamp, self._frames[0]))
        self._published = grid.version

    def _save_asked(self, *_: Any) -> str:
        if not self._file:
            raise ValueError('no file: start the node with map_file, such as map_file:=map.yaml')
        self._write()
        return f'saved {self._file}'

    def _save(self) -> None:
        try:
            self._write()
        except MapFileError as error:
            self.warn_throttled(str(error))

    def _write(self) -> None:
        if not self._cartographer.is_other_world:
            save_map(self._file, self._cartographer.grid, self._cartographer.pose, self._odom)

    def _begin_anew(self, *_: Any) -> str:
        self._replace(Cartographer(self._settings, self._start))
        return 'a new map'

    def _load(self, request: Any, response: Any) -> Any:
        """Load a map by the standard service of map servers."""
        try:
            self._replace(self._loaded(request.map_url.removeprefix('file://')))
        except MapFileError as error:
            self.get_logger().error(str(error))
            missing = 'cannot be read' in str(error)
            response.result = (
                LoadMap.Response.RESULT_MAP_DOES_NOT_EXIST
                if missing
                else LoadMap.Response.RESULT_INVALID_MAP_METADATA
            )
            return response
        response.result = LoadMap.Response.RESULT_SUCCESS
        stamp = self.get_clock().now().nanoseconds
        response.map = grid_to_msg(self._cartographer.grid, stamp, self._frames[0])
        return response

    def _replace(self, cartographer: Cartographer) -> None:
        self._cartographer, self._published = cartographer, -1
        self._is_restart = False
        self._odom = None

    def halt(self) -> None:
        """Save the map; the cartographer moves nothing."""
        if self._file and self._odom is not None:
            self._save()

    def health(self) -> Health:
        """Return what is wrong, or how well the pose is known."""
        if self._odom is None:
            return WARN, "waits for 'odom'"
        found = self._cartographer
        if found.trouble:
            return WARN, found.trouble
        return OK, f'pose known to {2.0 * found.estimate.sigma:.2f} m (two sigma)'


def _sonar_mount(number: int) -> Pose2:
    """Return the pose of a sonar of the Scout, for graphs that publish no description of it."""
    ring = SUPER_SCOUT.sonar
    bearing = ring.bearing(number)
    return Pose2(ring.radius * math.cos(bearing), ring.radius * math.sin(bearing), bearing)


def main() -> int:
    """Run the node as a process."""
    return run_node(MdleCartographerNode)
