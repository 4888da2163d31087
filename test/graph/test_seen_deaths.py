"""Others see within a second that a driver or a gait has ended."""

from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch

pytestmark = pytest.mark.graph

SEEN = 1.0
"""s."""


def test_a_silent_driver_is_seen_within_a_second(local: Any) -> None:
    from diagnostic_msgs.msg import DiagnosticArray
    from nav_msgs.msg import Odometry
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from sensor_msgs.msg import Range

    from walking_robots.nodes.common.page_node import PageNode
    from walking_robots.nodes.mdle.executor import MdleExecutorNode
    from walking_robots.nodes.scout.page_state import ScoutStateCache
    from walking_robots.nodes.scout.wander import ScoutWanderNode
    from walking_robots.robots.super_scout import SUPER_SCOUT

    context = local.context

    def values(**parameters: Any) -> dict[str, Any]:
        found = [Parameter(name, value=value) for name, value in parameters.items()]
        return {'context': context, 'parameter_overrides': found}

    page = PageNode(context=context)
    page.offer_commands()
    cache = ScoutStateCache(page, SUPER_SCOUT, lambda walls: None)
    person = Node('person', context=context)
    wanderer = ScoutWanderNode(**values(enabled=True))
    local.add(MdleExecutorNode(context=context), wanderer, page, person)
    levels: dict[str, bytes] = {}
    odom = person.create_publisher(Odometry, 'odom', 10)
    sonar = person.create_publisher(Range, 'sonar/range_0', 10)
    watch = Stopwatch()

    def speak() -> None:
        nonlocal watch
        watch = Stopwatch()
        stamp = person.get_clock().now().to_msg()
        message = Odometry()
        message.header.stamp, message.pose.pose.orientation.w = stamp, 1.0
        odom.publish(message)
        sonar.publish(Range(range=1.0))

    def diagnosed(message: Any) -> None:
        levels.update((status.name, status.level) for status in message.status)

    person.create_subscription(DiagnosticArray, '/diagnostics', diagnosed, 100)
    timer = person.create_timer(0.1, speak)

    def until(done: Any) -> None:
        local.until(done, lambda: levels)

    watching = ('mdle_executor', 'scout_wander')
    until(lambda: all(levels.get(name) == b'\0' for name in watching))
    until(lambda: cache.view().velocity is not None)
    timer.cancel()
    for name in watching:
        until(lambda name=name: levels[name] != b'\0')
    until(lambda: cache.view().diagnostic)
    assert watch.elapsed() < SEEN


@pytest.mark.parametrize(
    ('killed', 'observer'), [('free_gait', 'leg_servo'), ('hexapod_sim', 'free_gait')]
)
def test_a_killed_node_is_seen_within_a_second(killed: str, observer: str, world: Any) -> None:
    with world({'hexapod_sim': {'real_time_factor': 1.0}}) as there:
        there.until(
            lambda: all(there.person.news.get(name) for name in (killed, observer)), 'diagnostics'
        )
        there.until(lambda: there.person.news[observer][0] == b'\0', 'a healthy graph')
        watch = Stopwatch(there.graph.running[observer].pid)
        there.graph.kill(killed)
        there.until(lambda: there.person.news[observer][0] != b'\0', f'{observer} warns')
        assert watch.elapsed() < SEEN
