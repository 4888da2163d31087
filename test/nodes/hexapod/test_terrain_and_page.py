"""Terrain is published where somebody listens, and a motion of the page ends with its time."""

from typing import Any

import pytest

from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.robots.hexapod_files import find_hexapod

pytestmark = pytest.mark.graph


class PageNode:
    """A desk on which velocities are kept."""

    def __init__(self) -> None:
        self.requests: list[tuple[float, ...]] = []

    def offer(self, *_: Any) -> None:
        """Let services be."""

    def create_publisher(self, *_: Any) -> None:
        """Let publishers be."""

    def offer_commands(self) -> None:
        """Let commands be."""

    def command(self, *velocity: float) -> None:
        self.requests.append(velocity)

    def now(self) -> float:
        return 0.0


def odometry(seconds: int) -> Any:
    from nav_msgs.msg import Odometry

    message = Odometry()
    message.header.stamp.sec = seconds
    return message


def test_a_velocity_of_the_page_ends_where_time_begins_afresh() -> None:
    from walking_robots.nodes.hexapod.page import HexapodPage

    desk: Any = PageNode()
    view = HexapodPage(desk, hexapod_machine(find_hexapod('insect18'), 'tripod'), lambda: '')
    view._walk(0.05, 0.0, 0.0)
    for seconds in (1, 2, 2):
        view._moved(odometry(seconds))
    assert desk.requests == [(0.05, 0.0, 0.0)] * 4
    for seconds in (0, 1, 2):
        view._moved(odometry(seconds))
    assert len(desk.requests) == 4


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
