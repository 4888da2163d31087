"""Every one of many goals that are sent at once is answered, and gets its result."""

from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, wait_until

pytestmark = pytest.mark.graph


def answers(node: Any, action: str, kind: Any, goal: Any, number: int, domain: int) -> list[Any]:
    """Send a goal many times at once to a node; return the handles that came."""
    import rclpy
    from rclpy.context import Context
    from rclpy.node import Node
    from rclpy.signals import SignalHandlerOptions

    from walking_robots.nodes.common.goal_client import GoalClient
    from walking_robots.nodes.common.qos import ACTION_SERVER
    from walking_robots.nodes.common.running import make_executor, shut_down, spin

    context = Context()
    rclpy.init(
        args=[], context=context, domain_id=domain, signal_handler_options=SignalHandlerOptions.NO
    )
    server = node(context=context)
    person = Node('person', context=context)
    # The queues of the client are deep as well.
    client = GoalClient(person, kind, action, **ACTION_SERVER)
    executor = make_executor(context)
    for one in (server, person):
        executor.add_node(one)

    def until(done: Any) -> None:
        wait_until(done, spin=lambda over: spin(executor, over))

    try:
        # A server that has not discovered its client yet drops a goal.
        until(client.server_is_ready)
        answered = False
        while not answered:
            first, watch = client.send_goal_async(goal), Stopwatch()
            until(lambda first=first, watch=watch: first.done() or watch.passed(2.0))
            answered = first.done()
        sent = [client.send_goal_async(goal) for _ in range(number)]
        until(lambda: all(future.done() for future in sent))
        handles = [future.result() for future in sent if future.done()]
        results = [handle.get_result_async() for handle in handles if handle.accepted]
        # The last walk goes on.
        until(lambda: sum(not future.done() for future in results) <= 1)
        assert sum(not future.done() for future in results) <= 1
        until(lambda: len(client._futures) <= 1)
        assert len(client._futures) <= 1, 'the client grows with every goal'
        return handles
    finally:
        shut_down(executor)
        client.destroy()
        context.try_shutdown()


@pytest.mark.parametrize(
    ('server', 'number'),
    [
        ('walk', 100),
        ('run_plan', 100),
        ('ars_magna', 100),
        pytest.param('walk', 1000, marks=pytest.mark.slow),
    ],
)
def test_every_goal_is_answered(server: str, number: int, graph: Any) -> None:
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
    domain = graph.private_domain()
    assert len(answers(node, action, kind, goal, number, domain)) == number
