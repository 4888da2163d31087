"""Test goals of Nav2's clients on the graph, with stand-ins for the messages of nav2_msgs."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

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


class Handle:
    """A goal of an action, and what became of it."""

    def __init__(self, pose: Any) -> None:
        self.request = SimpleNamespace(pose=pose)
        self.is_cancel_requested = False
        self.outcome, self.told = '', []

    def execute(self) -> None:
        self.outcome = 'executing'

    def publish_feedback(self, feedback: Any) -> None:
        self.told.append(feedback)

    def succeed(self) -> None:
        self.outcome = 'succeeded'

    def abort(self) -> None:
        self.outcome = 'aborted'

    def canceled(self) -> None:
        self.outcome = 'canceled'


@pytest.fixture
def scene(planning: Any, tmp_path: Path) -> Iterator[Any]:
    there = planning.Scene(tmp_path, ROOM)
    yield there
    there.close()


def pose(x: float, y: float, frame: str = 'map') -> Any:
    from geometry_msgs.msg import PoseStamped

    message = PoseStamped()
    message.header.frame_id = frame
    message.pose.position.x, message.pose.position.y = x, y
    message.pose.orientation.w = 1.0
    return message


def test_goals_of_nav2_are_tasks(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from rclpy.action import GoalResponse

    from walking_robots.nodes.mdle import navigate_to_pose

    finished: dict[Any, Any] = {}
    server = SimpleNamespace(finish=finished.__setitem__, destroy=lambda: None)
    monkeypatch.setattr(navigate_to_pose, 'GoalServer', lambda *_: server)
    action = SimpleNamespace(
        Feedback=SimpleNamespace, Result=lambda: SimpleNamespace(error_code=0, error_msg='')
    )
    nav2 = navigate_to_pose.NavigateToPoseServer(scene.planner, action, scene.planner._self, 'map')
    scene.until(lambda: not scene.planner._refusal(), 'the planner')
    assert nav2.accept(SimpleNamespace(pose=pose(1.0, 1.0, 'odom'))) == GoalResponse.REJECT
    assert nav2.accept(SimpleNamespace(pose=pose(float('nan'), 1.0))) == GoalResponse.REJECT

    first, second = Handle(pose(2.2, 1.5)), Handle(pose(1.0, 1.0))
    assert nav2.accept(first.request) == GoalResponse.ACCEPT
    nav2.begin(first)
    scene.until(lambda: scene.planner._task is not None, 'a task')
    nav2.begin(second)
    scene.until(lambda: second in finished, 'a refusal')
    assert second.outcome == 'aborted' and 'another task runs' in finished[second].error_msg
    scene.until(lambda: first in finished, 'a result')
    assert first.outcome == 'succeeded' and finished[first].error_msg == ''
    assert scene.scout.pose.distance(type(scene.scout.pose)(2.2, 1.5)) < 0.15
    assert abs(scene.scout.pose.heading) < 0.1
    assert max(told.distance_remaining for told in first.told) > 0.5
    assert first.told[-1].navigation_time.sec >= 1

    third = Handle(pose(1.0, 1.0))
    nav2.begin(third)
    scene.until(lambda: scene.planner._run is not None, 'a program')
    third.is_cancel_requested = True
    nav2.cancel(third)
    scene.until(lambda: third in finished, 'an end')
    assert third.outcome == 'canceled'
