"""Test the planner's node on the emulated Scout: tasks, refusals, and rest at every end."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
"""


class Scene:
    """A Scout in a room, with all that finds its way, and a person who gives tasks."""

    def __init__(self, graph: Any, folder: Path) -> None:
        from rclpy.node import Node
        from walking_robots_interfaces.action import PlanTask

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.goal_client import GoalClient

        (folder / 'room.yaml').write_text(ROOM)
        line = str(folder / 'line')
        emulator = {'link': line, 'world': str(folder / 'room.yaml'), 'map_frame': False}
        self.graph = Composition(
            'mdle',
            {
                'scout_emulator': emulator,
                'scout_driver': {'port': line},
                'mdle_cartographer': {'start': [1.5, 1.5, 0.0], 'slip': 0.0},
                'mdle_planner': {'places': ['corner = 1.0,1.2']},
            },
            without=('viewer',),
            also=('mdle_cartographer', 'mdle_planner'),
            domain=graph.private_domain(),
        )
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.client: Any = GoalClient(self.person, PlanTask, 'mdle_planner/plan_task')

    @property
    def node(self) -> Any:
        return self.graph.nodes['mdle_planner']

    @property
    def truth(self) -> Any:
        return self.graph.nodes['scout_emulator']._emulator.state.pose

    def until(self, done: Any, what: str) -> None:
        wait_until(done, lambda: f'{what}; {self.node.health()}', spin=self.graph.spin)

    def ready(self) -> None:
        self.until(
            lambda: self.client.server_is_ready() and self.node.health()[1] == 'waits for a task',
            'the planner is ready',
        )

    def send(self, task: str) -> Any:
        from walking_robots_interfaces.action import PlanTask

        sent = self.client.send_goal_async(PlanTask.Goal(task=task))
        self.until(sent.done, 'an answer')
        return sent.result()

    def result(self, handle: Any) -> Any:
        future = handle.get_result_async()
        self.until(future.done, 'a result')
        return future.result().result

    def close(self) -> None:
        self.client.destroy()
        self.graph.close()


@pytest.fixture
def scene(graph: Any, tmp_path: Path) -> Iterator[Scene]:
    there = Scene(graph, tmp_path)
    yield there
    there.close()


def test_a_task_is_done_and_others_are_refused(scene: Scene) -> None:
    scene.ready()
    handle = scene.send('2.4,1.5')
    assert handle.accepted
    assert not scene.send('1,1').accepted, 'one task at a time'
    result = scene.result(handle)
    assert result.succeeded, result.reason
    assert result.programs >= 1
    assert math.dist(scene.truth[:2], (2.4, 1.5)) < 0.15
    ground = scene.node._inputs.ground
    assert ground.certain is not None
    for kind in (FREE, OCCUPIED):
        assert (ground.certain == kind).sum() < (ground.classes == kind).sum()
    wrong = scene.result(scene.send('bathroom'))
    assert not wrong.succeeded
    assert "'bathroom' is not a place" in wrong.reason
    canceled = scene.send('corner')
    scene.until(lambda: scene.node._run is not None, 'a program runs')
    canceled.cancel_goal_async()
    assert scene.result(canceled).reason == 'canceled'
    at = scene.truth
    scene.until(lambda: scene.node.health()[1] == 'waits for a task', 'rest')
    assert math.dist(scene.truth[:2], at[:2]) < 0.3
