"""An executor sleeps while its nodes wait, with a goal or a call pending."""

from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph

FEW = 50
"""Spins between two callbacks of a timer of 0.1 s; without sleep there are thousands."""


@pytest.mark.parametrize('server', ['walk', 'run_plan', 'go_forward', 'step'])
def test_the_executor_sleeps_while_something_is_pending(server: str, graph: Any) -> None:
    import rclpy
    from geometry_msgs.msg import Twist
    from rclpy.action import ActionClient
    from rclpy.context import Context
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.signals import SignalHandlerOptions
    from walking_robots_interfaces.action import ArsGo, RunPlan, Walk
    from walking_robots_interfaces.srv import ArsStep

    from walking_robots.nodes.ars_magna.world import ArsMagnaNode
    from walking_robots.nodes.common.running import make_executor, shut_down
    from walking_robots.nodes.hexapod.free_gait import FreeGait
    from walking_robots.nodes.mdle.executor import MdleExecutorNode

    velocity = Twist()
    velocity.linear.x = 0.1
    source = 'mdle 1; import std.body2; plan p { do { wait(100 s); } }'
    step = ArsStep.Request(ticks=1, robots=['robbie'], requests=[5])
    lock_step = {'mode': 'lock-step'}
    node, values, name, kind, request = {
        'walk': (FreeGait, {}, 'walk', Walk, Walk.Goal(velocity=velocity)),
        'run_plan': (
            MdleExecutorNode, {'autonomy_level': 'confirm'},
            'mdle_executor/run_plan', RunPlan, RunPlan.Goal(source=source),
        ),
        'go_forward': (ArsMagnaNode, lock_step, 'robbie/go_forward', ArsGo, ArsGo.Goal(ticks=1)),
        'step': (ArsMagnaNode, lock_step, 'admin/step', ArsStep, step),
    }[server]  # fmt: skip
    context = Context()
    rclpy.init(
        args=[], context=context, domain_id=graph.private_domain(),
        signal_handler_options=SignalHandlerOptions.NO,
    )  # fmt: skip
    overrides = [Parameter(key, value=value) for key, value in values.items()]
    asked = node(context=context, parameter_overrides=overrides)
    person = Node('person', context=context)
    executor = make_executor(context)
    for one in (asked, person):
        executor.add_node(one)

    def until(done: Any) -> int:
        spins = 0

        def spin(over: Any) -> None:
            nonlocal spins
            while not over():
                executor.spin_once(timeout_sec=1.0)
                spins += 1

        wait_until(done, spin=spin)
        return spins

    try:
        client: Any
        if server == 'step':
            client = person.create_client(kind, name)
            until(client.service_is_ready)
            pending = client.call_async(request)
        else:
            client = ActionClient(person, kind, name)
            until(client.server_is_ready)
            # A server that has not discovered its client yet drops a goal.
            sent = [client.send_goal_async(request)]
            person.create_timer(2.0, lambda: sent.append(client.send_goal_async(request)))
            until(lambda: any(future.done() for future in sent))
            handle = next(future.result() for future in sent if future.done())
            assert handle.accepted
            pending = handle.get_result_async()
        fired: list[int] = []
        person.create_timer(0.1, lambda: fired.append(1))
        until(lambda: len(fired) >= 5)
        fired.clear()
        spins = until(lambda: len(fired) >= 10)
        assert spins < 10 * FEW
        assert not pending.done(), pending.result()
    finally:
        asked.halt()
        shut_down(executor)
        client.destroy()
        context.try_shutdown()
