"""Test the cartographer's node on the emulated Scout: map, pose, files, and a restart."""

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import wait_until
from walking_robots.mdle.planner.ground import FREE, OCCUPIED

pytestmark = pytest.mark.graph

ROOM = """
ars_schema: 1
world:
  name: room
  size: [80, 60]
  cell: 5cm
  y_axis: up
  start: {at: [1.5m, 1.5m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 60], type: bricks, params: [1]}
    - wall: {from: [40, 0], to: [40, 25], type: bricks, params: [1]}
"""


class Scene:
    """A Scout in a room, its cartographer, and a person who watches."""

    def __init__(self, graph: Any, folder: Path) -> None:
        from geometry_msgs.msg import PoseWithCovarianceStamped, TwistStamped
        from map_msgs.msg import OccupancyGridUpdate
        from nav_msgs.msg import OccupancyGrid
        from nav_msgs.srv import LoadMap
        from rclpy.node import Node
        from std_srvs.srv import Trigger
        from tf2_msgs.msg import TFMessage

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.qos import LATCHED

        (folder / 'room.yaml').write_text(ROOM)
        line = str(folder / 'line')
        self.file = folder / 'map.yaml'
        emulator = {'link': line, 'world': str(folder / 'room.yaml'), 'map_frame': False}
        self.graph = Composition(
            'mdle',
            {
                'scout_emulator': emulator,
                'scout_driver': {'port': line},
                'mdle_cartographer': {'map_file': str(self.file), 'start': [1.5, 1.5, 0.0]},
            },
            without=('viewer', 'mdle_executor'),
            also=('mdle_cartographer',),
            domain=graph.private_domain(),
        )
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.heard: dict[str, list[Any]] = {}
        for topic, kind, qos in (
            ('map', OccupancyGrid, LATCHED), ('map_updates', OccupancyGridUpdate, 50),
            ('map_certain', OccupancyGrid, LATCHED),
            ('pose', PoseWithCovarianceStamped, LATCHED), ('/tf', TFMessage, 50),
        ):  # fmt: skip
            self.heard[topic] = []
            self.person.create_subscription(kind, topic, self.heard[topic].append, qos)
        self.commands = self.person.create_publisher(TwistStamped, 'cmd_vel', 10)
        self.services = {
            name: self.person.create_client(kind, f'mdle_cartographer/{name}')
            for name, kind in (('save_map', Trigger), ('load_map', LoadMap), ('new_map', Trigger))
        }

    @property
    def node(self) -> Any:
        return self.graph.nodes['mdle_cartographer']

    @property
    def truth(self) -> Any:
        return self.graph.nodes['scout_emulator']._emulator.state.pose

    def until(self, done: Any, what: str) -> None:
        wait_until(done, lambda: f'{what}; {self.node.health()}', spin=self.graph.spin)

    def drive_until(self, done: Any, v: float, w: float) -> None:
        from geometry_msgs.msg import TwistStamped

        def driven() -> bool:
            message = TwistStamped()
            message.twist.linear.x, message.twist.angular.z = v, w
            self.commands.publish(message)
            end = time.monotonic() + 0.1
            self.graph.spin(lambda: time.monotonic() >= end)
            return bool(done())

        self.until(driven, f'{v} m/s')

    def call(self, name: str, **fields: Any) -> Any:
        client = self.services[name]
        self.until(client.service_is_ready, name)
        future = client.call_async(client.srv_type.Request(**fields))
        self.until(future.done, name)
        return future.result()

    def off(self) -> float:
        pose = self.heard['pose'][-1].pose.pose.position
        return math.dist((pose.x, pose.y), self.truth[:2])


@pytest.fixture
def scene(graph: Any, tmp_path: Path) -> Iterator[Scene]:
    found = Scene(graph, tmp_path)
    try:
        yield found
    finally:
        found.graph.close()


def test_a_map_is_drawn_saved_and_gone_on_with(scene: Scene) -> None:
    node = scene.node
    scene.until(lambda: scene.heard['map'] and scene.heard['pose'], 'a map')
    scene.drive_until(lambda: scene.truth.heading > 5.0, 0.12, 0.25)
    scene.until(lambda: scene.heard['map_updates'], 'updates')
    assert {transform.header.frame_id for message in scene.heard['/tf']
            for transform in message.transforms} == {'map', 'odom'}  # fmt: skip
    assert scene.off() < 0.15
    update = scene.heard['map_updates'][-1]
    assert len(update.data) == update.width * update.height
    certain = np.array(scene.heard['map_certain'][-1].data)
    grid = node._cartographer.grid
    for value, kind in ((0, FREE), (100, OCCUPIED)):
        assert 0 < (certain == value).sum() < (grid.classes() == kind).sum()
    assert {0, 1, -1} == set(grid.classes().ravel().tolist())
    message = scene.heard['map'][0]
    assert (message.info.resolution, message.header.frame_id) == (pytest.approx(0.05), 'map')

    assert scene.call('save_map').success and scene.file.exists()
    known = int((grid.classes() == 1).sum())
    scene.graph.restart({'mdle_cartographer': {}})
    assert scene.node is not node
    assert (scene.node._cartographer.grid.classes() == 1).sum() == known
    scene.until(lambda: scene.node._odom is not None, 'odometry')
    scene.heard['pose'].clear()
    scene.drive_until(lambda: scene.truth.heading > 7.0, 0.1, 0.25)
    assert scene.off() < 0.2, 'it goes on where it was'
    assert (scene.node._cartographer.grid.classes() == 1).sum() > 0.5 * known

    response = scene.call('load_map', map_url=str(scene.file.with_name('none.yaml')))
    assert response.result == type(response).RESULT_MAP_DOES_NOT_EXIST
    response = scene.call('load_map', map_url=str(scene.file))
    assert response.result == type(response).RESULT_SUCCESS and response.map.data
    assert scene.call('new_map').success and not scene.node._cartographer.known
