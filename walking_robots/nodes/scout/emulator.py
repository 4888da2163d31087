"""An emulated Super Scout behind a pseudo-terminal, in a world of walls."""

import math
from pathlib import Path
from typing import Any

from nav_msgs.msg import OccupancyGrid, Odometry
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray
from walking_robots_interfaces.srv import InjectFault, MoveObject

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.differential_drive import body_twist
from walking_robots.nodes.common.conversions import transform_to_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.stepped_sim import EXACT
from walking_robots.nodes.common.world_conversions import (
    disc_to_marker,
    world_to_markers,
    world_to_msg,
)
from walking_robots.nodes.scout.conversions import odometry_to_msg
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.terminal import PseudoTerminal
from walking_robots.worlds.files import load_world
from walking_robots.worlds.moving_disc import Disc, Jump

PERIOD = 0.05
"""Wall time, s, between two poses of the ground truth."""

ROOMS = 'scout_rooms'


class ScoutEmulatorNode(GraphNode):
    """Speaks the robot's side of the protocol, and publishes its true pose."""

    def __init__(self, **options: Any) -> None:
        """Open the pseudo-terminal; raise ConfigurationError for a wrong parameter or world."""
        super().__init__('scout_emulator', **options)
        world_file = self.parameter(
            'world', '', 'world, a file or a shipped name; empty: some rooms', fixed=True
        )
        link = self.parameter(
            'link', '', 'symbolic link to keep at the pseudo-terminal; empty: none', fixed=True
        )
        seed = self.parameter('seed', 0, 'seed of all noise', low=0, high=2**31 - 1, fixed=True)
        slip = self.parameter(
            'slip', 0.0, 'greatest slip of a wheel, as a share', low=0.0, high=0.2, fixed=True
        )
        echo = self.parameter(
            'echo_angle',
            EmulatorSettings.specular_angle,
            'greatest angle of incidence at which a wall answers',
            'rad',
            low=0.0,
            high=0.5 * math.pi,
            fixed=True,
        )
        thing = self.parameter(
            'object',
            '',
            "position of a movable object, such as '2 1'; empty: none",
            'm',
            fixed=True,
        )
        map_frame = self.parameter(
            'map_frame',
            True,
            'publish the true map -> odom; false where a cartographer finds it',
            fixed=True,
        )
        try:
            world = load_world(find_world(world_file or ROOMS))
            settings = EmulatorSettings(
                slip=slip, specular_angle=echo, object_script=_script(thing)
            )
            self._emulator = Emulator(world, settings, SUPER_SCOUT, seed=seed)
            self.terminal = PseudoTerminal(self._emulator, Path(link) if link else None)
            self.terminal.start()
        except (ValueError, OSError) as error:
            raise ConfigurationError(f'scout_emulator: {str(error).rstrip(".")}.') from None
        for warning in world.warnings:
            self.get_logger().warning(warning)
        self._start = self._emulator.state.pose
        self._separation = SUPER_SCOUT.wheel_separation
        self._truth = self.create_publisher(Odometry, 'ground_truth/odom', 10)
        # The latest of each stays to be had, for whoever comes later.
        self._latched = {
            topic: self.create_publisher(kind, topic, LATCHED)
            for kind, topic in (
                (OccupancyGrid, 'world/map'),
                (MarkerArray, 'world/markers'),
                (Marker, 'world/object'),
                *(((TFMessage, '/tf_static'),) if map_frame else ()),
            )
        }
        self._latched['world/map'].publish(world_to_msg(world, 'map'))
        self._latched['world/markers'].publish(world_to_markers(world, 'map'))
        if map_frame:
            frame = transform_to_msg(0, ('map', 'odom'), self._start)
            self._latched['/tf_static'].publish(frame)
        self._object: Disc | None = None
        self.provide(MoveObject, '~/move_object', self._move_object)
        self.provide(InjectFault, '~/inject_fault', self._inject)
        self.provide(Trigger, '~/reset', self._reset)
        self.create_timer(PERIOD, self._publish_truth, clock=self.steady)
        self.get_logger().info(f'an emulated Super Scout is on {self.terminal.path}')

    def _publish_truth(self) -> None:
        with self.terminal.emulator_lock:
            state = self._emulator.state
        stamp = self.get_clock().now().nanoseconds
        twist = body_twist(state.wheels, self._separation)
        truth = odometry_to_msg(stamp, ('map', 'base_link'), state.pose, twist)
        truth.pose.covariance = truth.twist.covariance = EXACT
        self._truth.publish(truth)
        if state.object is not None and state.object != self._object:
            self._object = state.object
            self._latched['world/object'].publish(disc_to_marker(stamp, 'map', state.object))

    def _move_object(self, request: Any, _: Any) -> str:
        with self.terminal.emulator_lock:
            self._emulator.move_object(request.x, request.y)
        return 'the object is there'

    def _inject(self, request: Any, _: Any) -> str:
        with self.terminal.emulator_lock:
            return self._emulator.inject(request.fault, request.duration)

    def _reset(self, *_: Any) -> str:
        with self.terminal.emulator_lock:
            self._emulator.place(self._start)
        return 'the robot is back at its start'

    def halt(self) -> None:
        """Take the pseudo-terminal away."""
        self.terminal.close()

    def health(self) -> Health:
        """Return the path of the robot's port and its injected faults."""
        with self.terminal.emulator_lock:
            faults = self._emulator.state.faults
        if faults:
            return WARN, f'on {self.terminal.path}, with a fault: {", ".join(faults)}'
        return OK, f'on {self.terminal.path}'


def _script(place: str) -> tuple[Jump, ...]:
    """Return the script of an object that stands in a place from the start; raises ValueError."""
    if not place:
        return ()
    try:
        x, y = map(float, place.replace(',', ' ').split())
    except ValueError:
        raise ValueError(
            f"object {place!r} is no place; write x and y in m, such as '2 1'"
        ) from None
    return (Jump(0.0, x, y),)


def main() -> int:
    """Run the node as a process."""
    return run_node(ScoutEmulatorNode)
