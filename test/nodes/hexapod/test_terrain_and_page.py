"""Terrain is published where somebody listens, and a motion of the page ends with its time."""

from typing import Any

import numpy as np
import pytest

from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.terrain.cells import TernaryTerrain

pytestmark = pytest.mark.graph

INSECT = find_hexapod('insect18')


class PageNode:
    """A desk on which velocities are kept."""

    def __init__(self) -> None:
        self.requests: list[tuple[float, ...]] = []

    def parameter(self, *_: Any, **__: Any) -> str:
        """Give the robot eyes."""
        return 'mast_lidar'

    def offer(self, *_: Any) -> None:
        """Let services be."""

    def create_publisher(self, *_: Any) -> None:
        """Let publishers be."""

    def offer_commands(self) -> None:
        """Let commands be."""

    def command(self, *velocity: float) -> None:
        self.requests.append(velocity)

    def now(self) -> float:
        return 1.0

    def warning(self) -> str:
        return ''


class ShownPage:
    """A page that keeps what it is to show."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.terrains: list[Any] = []
        self.show = self.shown.append
        self.show_terrain = self.terrains.append
        self.is_visited = lambda: True


def odometry(seconds: int, x: float = 0.0) -> Any:
    from nav_msgs.msg import Odometry

    message = Odometry()
    message.header.stamp.sec = seconds
    message.pose.pose.position.x = x
    message.pose.pose.orientation.w = 1.0
    return message


def step(seconds: int, rule: str = '') -> dict[str, Any]:
    """Return the messages of a moment: the body is `seconds` m ahead, as are its footholds."""
    from geometry_msgs.msg import Point
    from sensor_msgs.msg import JointState
    from walking_robots_interfaces.msg import GaitState, LegState, LegStates

    gait = GaitState(
        step=seconds,
        footholds=[Point(x=float(seconds))] * 6,
        kinematic_margin=[1.0] * 6,
        support=[1, 2, 3],
        fired=[rule] if rule else [],
    )
    messages = {
        'odom': odometry(seconds, float(seconds)),
        'joint_states': JointState(),
        'legs/state': LegStates(legs=[LegState(leg=number) for number in range(1, 7)]),
        'gait/state': gait,
    }
    for message in messages.values():
        message.header.stamp.sec = seconds
    return messages


@pytest.fixture
def view() -> Any:
    """Return the viewer's part for a hexapod, whose page keeps what it gets."""
    from walking_robots.nodes.hexapod.page import HexapodPage
    from walking_robots.nodes.hexapod.robot import Hexapod

    desk: Any = PageNode()
    machine = hexapod_machine(INSECT, 'tripod')
    found = HexapodPage(desk, Hexapod('tripod', INSECT), machine, lambda: '')
    found._page = ShownPage()
    return found


def receive(view: Any, messages: dict[str, Any], *topics: str) -> None:
    """Receive messages of a moment, all of them unless some are named."""
    view._shown = 0.0
    for topic in topics or messages:
        view._received(topic, messages[topic])


def test_a_velocity_of_the_page_ends_where_time_begins_afresh(view: Any) -> None:
    view._walk(0.05, 0.0, 0.0)
    for seconds in (1, 2, 2):
        view._received('odom', odometry(seconds))
    assert view._node.requests == [(0.05, 0.0, 0.0)] * 4
    for seconds in (0, 1, 2):
        view._received('odom', odometry(seconds))
    assert len(view._node.requests) == 4


def test_a_picture_has_body_legs_and_decisions_of_one_stamp(view: Any) -> None:
    first, second = step(1, 'leg 6 lifts'), step(2)
    receive(view, first)
    alone, shown = view._page.shown
    assert (alone.position[0], alone.support) == (1.0, ()), 'the gait has not answered yet'
    assert (shown.position[0], shown.step) == (1.0, 1)
    assert shown.fired == ('leg 6 lifts',)
    # Within its time to answer, the gait is waited for.
    for message in second.values():
        message.header.stamp.sec, message.header.stamp.nanosec = 1, 400_000_000
    receive(view, second, 'odom', 'joint_states')
    assert len(view._page.shown) == 2
    receive(view, second, 'legs/state', 'gait/state')
    shown = view._page.shown[-1]
    assert (shown.position[0], shown.step, shown.footholds[0, 0]) == (2.0, 2, 2.0)
    assert shown.fired == ()


def test_without_a_gait_the_body_is_shown_alone(view: Any) -> None:
    receive(view, step(1))
    receive(view, step(5), 'odom', 'joint_states')
    shown = view._page.shown[-1]
    assert (shown.position[0], shown.support, shown.mode) == (5.0, (), '')


def test_nothing_of_a_run_is_left_after_it(view: Any) -> None:
    receive(view, step(7, 'leg 6 lifts'))
    receive(view, step(8), 'legs/state', 'gait/state')
    receive(view, step(0), 'odom', 'joint_states')
    shown = view._page.shown[-1]
    assert (shown.position[0], shown.support, shown.fired) == (0.0, (), ())
    receive(view, step(0), 'legs/state', 'gait/state')
    shown = view._page.shown[-1]
    assert (shown.support, shown.footholds[0, 0]) == ((1, 2, 3), 0.0)
    assert [state.step for state in view._page.shown] == [0, 7, 0, 0], 'never step 8'


def test_decisions_on_an_old_terrain_are_not_shown_on_a_new_one(view: Any) -> None:
    from walking_robots.nodes.hexapod.conversions import terrain_to_msg
    from walking_robots.terrain.generator import build

    receive(view, step(7, 'leg 6 lifts'))
    view._ground(terrain_to_msg(build(rows=4, columns=4, cell=0.1), 0))
    receive(view, step(7), 'odom', 'joint_states')
    assert len(view._page.terrains) == 1
    assert view._page.shown[-1].support == ()


def test_what_is_seen_of_terrain_is_reported_only_where_somebody_listens() -> None:
    import rclpy
    from rclpy.context import Context
    from walking_robots_interfaces.msg import TerrainPatch

    from walking_robots.nodes.common.qos import LOOP
    from walking_robots.nodes.hexapod.terrain import Terrain

    context = Context()
    rclpy.init(args=[], context=context)
    node = Terrain(context=context)
    said: list[Any] = []
    publish = node._seen.publish
    node._seen.publish = lambda patch: (said.append(patch), publish(patch))
    try:
        node._look(odometry(1))
        assert not said
        node.create_subscription(TerrainPatch, 'terrain/local', lambda _: None, LOOP)
        while not node._seen.get_subscription_count():
            pass
        node._look(odometry(2))
        assert len(said) == 1
    finally:
        node.destroy_node()
        context.try_shutdown()


def test_a_map_is_shown_with_the_classes_and_not_too_often(view: Any) -> None:
    from walking_robots.nodes.common.clouds import map_to_msg
    from walking_robots.nodes.hexapod.conversions import terrain_to_msg
    from walking_robots.terrain.elevation_map import ElevationMap

    assert view._machine.sees
    window = ElevationMap(view._hexapod.map_settings(0.0)).window()
    cells = np.zeros((40, 40), np.int8)
    terrain = TernaryTerrain(cells, np.zeros((41, 41)), 4 * window.cell, 0, 0)
    view._mapped(map_to_msg(window, 0))
    assert 'belief' not in view._measured, 'its classes are not known'
    view._classified(terrain_to_msg(terrain, 0))
    view._mapped(map_to_msg(window, 0))
    belief = view._measured['belief']
    assert belief.terrain == terrain and belief.window.first == window.first
    view._mapped(map_to_msg(window, 1))
    assert view._measured['belief'] is belief
    receive(view, step(1))
    assert view._page.shown[-1].belief is belief


def test_rays_begin_at_the_mount_of_the_sensor(view: Any) -> None:
    from walking_robots.nodes.common.clouds import cloud_to_msg
    from walking_robots.nodes.hexapod.page_conversions import RAYS, rays_from_msg

    points = np.ones((3072, 3), np.float32)
    rays = rays_from_msg(cloud_to_msg(points, 0, 0), view._mounts)
    assert rays.shape == (RAYS, 2, 3)
    assert np.allclose(rays[:, 0], view._mounts[0].position)
    assert rays_from_msg(cloud_to_msg(points[:0], 0, 0), view._mounts).shape == (0, 2, 3)
