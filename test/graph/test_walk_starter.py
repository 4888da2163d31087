"""A trial in the graph begins its walk although the answer to its first goal is lost."""

from typing import Any

import pytest

pytestmark = pytest.mark.graph


def test_a_goal_without_an_answer_is_sent_again(local: Any) -> None:
    from rclpy.action import ActionServer, GoalResponse
    from rclpy.node import Node
    from rclpy.task import Future
    from std_srvs.srv import SetBool
    from walking_robots_interfaces.action import Walk

    from walking_robots.nodes.common.walk_starter import WalkStarter

    context = local.context
    robot, trial = Node('robot', context=context), Node('trial', context=context)
    goals: list[float] = []
    released: list[bool] = []

    async def accept(goal: Any) -> GoalResponse:
        goals.append(goal.velocity.linear.x)
        if len(goals) == 1:
            await Future(executor=local.executor)
        return GoalResponse.ACCEPT

    def release(request: Any, response: Any) -> Any:
        released.append(request.data)
        return response

    server = ActionServer(
        robot, Walk, 'walk', lambda handle: Walk.Result(), goal_callback=accept,
        handle_accepted_callback=lambda handle: None,
    )  # fmt: skip
    robot.create_service(SetBool, 'hexapod_sim/pause', release)
    starter = WalkStarter(trial, (0.12, 0.0, 0.0))
    local.closing += [starter.close, server.destroy]
    local.add(robot, trial)
    local.until(lambda: released, lambda: goals)
    assert released == [False] and len(goals) > 1 and set(goals) == {0.12}
    assert not starter.refused
