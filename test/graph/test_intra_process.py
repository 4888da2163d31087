"""Nodes of one process hand messages to each other, and others hear them by the middleware."""

import gc
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from weakref import ref

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph


@pytest.fixture
def stage(graph: Any) -> Iterator[Any]:
    """Return a robot that publishes, a listener in its process, and how to add outsiders."""
    import rclpy
    from rclpy.node import Node
    from rclpy.signals import SignalHandlerOptions
    from std_msgs.msg import String

    from walking_robots.nodes.common.intra_process import IntraProcess, IntraProcessContext
    from walking_robots.nodes.common.node import GraphNode
    from walking_robots.nodes.common.qos import LOOP, RECORD
    from walking_robots.nodes.common.running import make_executor, shut_down, spin

    context = IntraProcessContext()
    rclpy.init(
        args=[], context=context, domain_id=graph.private_domain(),
        signal_handler_options=SignalHandlerOptions.NO,
    )  # fmt: skip
    executor = make_executor(context)
    context.intra_process = IntraProcess(executor)
    found = SimpleNamespace(executor=executor, message=String(data='walk'), heard=[])
    found.robot, found.listener = (GraphNode(name, context=context) for name in ('robot', 'page'))
    nodes = [found.robot, found.listener]
    for node in nodes:
        executor.add_node(node)
    found.text = found.robot.create_publisher(String, 'text', LOOP)
    found.record = found.robot.create_publisher(String, 'record', RECORD)

    def listen(qos: Any = LOOP, topic: str = 'text') -> Any:
        return found.listener.create_subscription(String, topic, found.heard.append, qos)

    def join(qos: Any = LOOP, topic: str = 'text') -> list[Any]:
        """Add a node that hands over nothing; its process might be another one."""
        heard: list[Any] = []
        nodes.append(Node(f'outsider_{len(nodes)}', context=context))
        executor.add_node(nodes[-1])
        nodes[-1].create_subscription(String, topic, heard.append, qos)
        return heard

    def until(done: Callable[[], Any]) -> None:
        wait_until(done, spin=lambda over: spin(executor, over))

    found.listen, found.join, found.until = listen, join, until
    yield found
    shut_down(executor)
    context.intra_process.close()
    context.try_shutdown()


def test_a_message_within_the_process_arrives_as_it_is(stage: Any) -> None:
    stage.listen()
    stage.until(lambda: stage.text.get_subscription_count() == 1)
    stage.text.publish(stage.message)
    assert not stage.heard
    stage.until(lambda: stage.heard)
    assert stage.heard[0] is stage.message


@pytest.mark.parametrize('words', [0, 1, 3, 12])
def test_a_timer_of_simulated_time_misses_no_step(stage: Any, words: int) -> None:
    """However many messages a step has, the clock does not go on before what is due."""
    from rclpy.parameter import Parameter
    from rosgraph_msgs.msg import Clock

    from walking_robots.nodes.common.node import GraphNode

    timed = GraphNode(
        'timed',
        context=stage.robot.context,
        parameter_overrides=[Parameter('use_sim_time', value=True)],
    )
    stage.executor.add_node(timed)
    clock = stage.robot.create_publisher(Clock, '/clock', 10)
    step, fired = 0, []

    def go_on(message: Any) -> None:
        nonlocal step
        step += 1
        now = Clock()
        now.clock.sec, now.clock.nanosec = divmod(step * 10**8, 10**9)
        clock.publish(now)
        for _ in range(words):
            stage.record.publish(message)
        stage.text.publish(message)

    stage.listener.create_subscription(type(stage.message), 'text', go_on, 10)
    stage.listen(topic='record')
    timed.create_timer(0.1, lambda: fired.append(timed.get_clock().now().nanoseconds))
    stage.until(lambda: stage.text.get_subscription_count() == clock.get_subscription_count() == 1)
    stage.text.publish(stage.message)
    stage.until(lambda: step >= 300)
    steps = [later - earlier for earlier, later in pairwise(fired)]
    assert len(steps) > 250 and set(steps) == {10**8}


def test_where_an_outsider_subscribes_everybody_hears_a_message_once(stage: Any) -> None:
    from std_msgs.msg import String

    stage.listen()
    outside = stage.join()
    stage.until(lambda: stage.text.get_subscription_count() == 2)
    for _ in range(5):
        stage.text.publish(stage.message)
    stage.until(lambda: len(outside) >= 5 and len(stage.heard) >= 5)
    assert all(message is not stage.message for message in (*outside, *stage.heard))
    # A second copy of the first ones would arrive before the last one.
    stage.text.publish(String(data='stand'))
    stage.until(lambda: stage.heard[-1].data == outside[-1].data == 'stand')
    assert len(outside) == len(stage.heard) == 6


def test_a_subscription_that_has_ended_does_not_hide_an_outsider(stage: Any) -> None:
    ended = stage.listen()
    stage.listener.destroy_subscription(ended)
    outside = stage.join()
    stage.until(lambda: stage.text.get_subscription_count() == 1)
    stage.text.publish(stage.message)
    stage.until(lambda: outside)
    assert not stage.heard


def test_a_node_that_was_taken_from_the_executor_hears_nothing(stage: Any) -> None:
    stage.listen()
    stage.text.publish(stage.message)
    stage.executor.remove_node(stage.listener)
    outside = stage.join(topic='record')
    stage.record.publish(stage.message)
    stage.until(lambda: outside)
    assert not stage.heard
    stage.executor.add_node(stage.listener)


def test_a_record_is_kept_for_those_that_are_late(stage: Any) -> None:
    from walking_robots.nodes.common.qos import RECORD

    for _ in range(3):
        stage.record.publish(stage.message)
    stage.listen(RECORD, 'record')
    stage.until(lambda: len(stage.heard) == 3)
    assert all(message is not stage.message for message in stage.heard)


def test_messages_that_answer_messages_let_timers_run(stage: Any) -> None:
    answered, ticks = [], []
    stage.listener.create_subscription(
        type(stage.message), 'text', lambda message: answered.append(stage.text.publish(message)),
        10,
    )  # fmt: skip
    stage.robot.create_timer(0.01, lambda: ticks.append(1), clock=stage.robot.steady)
    stage.text.publish(stage.message)
    stage.until(lambda: len(ticks) > 3 and len(answered) > 10)


def test_a_system_that_has_ended_is_freed(graph: Any) -> None:
    from walking_robots.nodes.common.composition import Composition

    composition = Composition('asv', without=('viewer',), domain=graph.private_domain())
    context, turns = ref(composition.context), iter(range(100))
    composition.spin(lambda: next(turns, None) is None)
    # A task that is due keeps its node.
    composition.executor.create_task(composition.nodes['terrain'].report_health)
    composition.close()
    del composition
    gc.collect()
    assert context() is None


def test_what_a_callback_raises_leaves_the_spin_of_a_composition(graph: Any) -> None:
    from std_msgs.msg import String

    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.intra_process import IntraProcessNode

    def refuse(message: Any) -> None:
        raise ValueError(message.data)

    def make(**options: Any) -> Any:
        node = IntraProcessNode('observer', **options)
        node.create_subscription(String, 'text', refuse, 10)
        return node

    system = Composition('aquarobot', without=('viewer',), domain=graph.private_domain())
    try:
        publisher = system.add('observer', make).create_publisher(String, 'text', 10)
        publisher.publish(String(data='a step was lost'))
        with pytest.raises(ValueError, match='a step was lost'):
            system.spin(lambda: False)
    finally:
        system.close()
