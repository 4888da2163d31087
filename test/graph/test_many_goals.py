"""Every one of many goals that are sent at once is answered, and gets its result."""

from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch

pytestmark = pytest.mark.graph


def answers(node: Any, action: str, kind: Any, goal: Any, number: int, local: Any) -> list[Any]:
    """Send a goal many times at once to a node; return the handles that came."""
    from rclpy.node import Node

    from walking_robots.nodes.common.goal_client import GoalClient
    from walking_robots.nodes.common.qos import ACTION_SERVER

    person = Node('person', context=local.context)
    # The queues of the client are deep as well.
    client = GoalClient(person, kind, action, **ACTION_SERVER)
    local.closing.append(client.destroy)
    local.add(node(context=local.context), person)
    # A server that has not discovered its client yet drops a goal.
    local.until(client.server_is_ready)
    answered = False
    while not answered:
        first, watch = client.send_goal_async(goal), Stopwatch()
        local.until(lambda first=first, watch=watch: first.done() or watch.passed(2.0))
        answered = first.done()
    sent = [client.send_goal_async(goal) for _ in range(number)]
    local.until(lambda: all(future.done() for future in sent))
    handles = [future.result() for future in sent]
    results = [handle.get_result_async() for handle in handles if handle.accepted]
    # The last walk goes on; the client does not grow with every goal.
    local.until(lambda: sum(not future.done() for future in results) <= 1)
    local.until(lambda: len(client._futures) <= 1)
    return handles


@pytest.mark.parametrize(
    ('server', 'number'),
    [
        ('walk', 100),
        ('run_plan', 100),
        ('ars_magna', 100),
        pytest.param('walk', 1000, marks=pytest.mark.slow),
    ],
)
def test_every_goal_is_answered(server: str, number: int, local: Any) -> None:
    from geometry_msgs.msg import Twist
    from walking_robots_interfaces.action import ArsGo, RunPlan, Walk

    from walking_robots.nodes.ars_magna.world import ArsMagnaNode
    from walking_robots.nodes.hexapod.free_gait import FreeGait
    from walking_robots.nodes.mdle.executor import MdleExecutorNode

    velocity = Twist()
    velocity.linear.x = 0.1
    node, action, kind, goal = {
        'walk': (FreeGait, 'walk', Walk, Walk.Goal(velocity=velocity)),
        'run_plan': (MdleExecutorNode, 'mdle_executor/run_plan', RunPlan, RunPlan.Goal()),
        'ars_magna': (ArsMagnaNode, 'robbie/go_forward', ArsGo, ArsGo.Goal(ticks=1)),
    }[server]
    assert len(answers(node, action, kind, goal, number, local)) == number
