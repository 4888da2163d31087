"""Measure deadlines that hold on an idle machine only: ``python -m benchmarks.deadlines``.

Prints each figure with its limit; the exit code is 1 if one is not held. All other deadlines are
tested without the waits for a processor (`own_clock.py`).
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from walking_robots_interfaces.action import ArsGo

from walking_robots.mdle.session import RunRequest
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine

TIME = 60.0
"""Wall time, s, of the program; mdle.md asks for ten minutes."""
JITTER, MISSED = 0.005, 0
"""AC-38: most deviation, s, of 99 % of the intervals between ticks, and most missed ticks."""


TICK, TIMES, LATENCY = 0.02, 200, 0.03
"""AC-39: period of the ticks, s, interrupts, and the longest time, s, from one to a command."""


ANSWER = 0.05
"""T26 of ars_magna.md: the longest time, s, from most commands to their answers."""


@contextmanager
def executor_alone(
    tick_period: float,
) -> Iterator[tuple[Composition, Any, Callable[[float], None]]]:
    """Run an executor that moves a robot by topics; also gives its node and a robot's odometry.

    Called with x, m, the odometry is published.
    """
    with free_domain() as domain:
        graph = Composition(
            'mdle',
            {'mdle_executor': {'robot': 'twist', 'tick_period': tick_period}},
            without=('viewer', 'scout_driver', 'scout_emulator'),
            domain=domain,
        )
        try:
            robot = graph.add('robot', lambda **options: Node('robot', **options))
            publisher = robot.create_publisher(Odometry, 'odom', 10)

            def publish(x: float) -> None:
                message = Odometry()
                message.header.stamp = robot.get_clock().now().to_msg()
                message.pose.pose.position.x = x
                message.pose.pose.orientation.w = 1.0
                publisher.publish(message)

            yield graph, robot, publish
        finally:
            graph.close()


def begin(graph: Composition, body: str) -> Any:
    """Submit a plan with such a body; return its run."""
    executor: Any = graph.nodes['mdle_executor']
    text = f'mdle 1; import std.body2; plan p {{ {body} }}'
    return executor._session.submit(RunRequest(text), executor.get_clock().now().nanoseconds)


def ticks() -> tuple[float, int]:
    """Return the deviation of 99 % of the intervals between ticks at 20 Hz, s, and missed ones."""
    with executor_alone(0.05) as (graph, robot, publish):
        robot.create_timer(0.02, lambda: publish(0.0))
        run = begin(graph, f'do {{ wait({TIME} s); }}')
        graph.spin(lambda: run.result is not None)
        assert run.result.outcome == 'DONE', run.result
        executor: Any = graph.nodes['mdle_executor']
        return executor._jitter.jitter(), executor._jitter.missed


def latency() -> float:
    """Return the longest time from the message that ends an element to the next command, s."""
    x, heard, longest = 0.0, [0.0], 0.0
    with executor_alone(TICK) as (graph, robot, publish):
        robot.create_timer(TICK, lambda: publish(x))
        robot.create_subscription(
            TwistStamped, 'cmd_vel', lambda m: heard.append(m.twist.linear.x), 10
        )
        graph.spin(partial(_is_past, time.monotonic() + 1.0))
        begin(
            graph,
            'loop forever; do { ahead(0.1 m/s) until y.pose.x > 1 m; '
            'ahead(-0.1 m/s) until y.pose.x < 1 m; }',
        )
        graph.spin(lambda: heard[-1] > 0.0)
        for number in range(TIMES):
            x = 0.0 if number % 2 else 2.0
            asked = time.monotonic()
            publish(x)
            graph.spin(partial(_turned_round, heard, heard[-1]))
            longest = max(longest, time.monotonic() - asked)
            # Interrupts at all times between two ticks.
            graph.spin(partial(_is_past, time.monotonic() + 0.0007 * (number % 37)))
    return longest


def _turned_round(heard: list[float], before: float) -> bool:
    return heard[-1] == -before


def _is_past(moment: float) -> bool:
    return time.monotonic() > moment


def answers() -> float:
    """Return the time, s, in which a world that runs free takes 15 of 20 commands."""
    spent = []
    with free_domain() as domain:
        graph = Composition(
            'ars_magna',
            {'ars_magna': {'mode': 'free-running', 'real_time_factor': 0.0}},
            without=('viewer', 'ars_program'),
            domain=domain,
        )
        try:
            planner = graph.add('planner', lambda **options: Node('planner', **options))
            client: Any = GoalClient(planner, ArsGo, 'robbie/go_forward')
            graph.spin(client.server_is_ready)
            for _ in range(20):
                begun = time.monotonic()
                graph.spin(client.send_goal_async(ArsGo.Goal(ticks=1000)).done)
                spent.append(time.monotonic() - begun)
        finally:
            graph.close()
        client.destroy()
    return sorted(spent)[14]


def main() -> int:
    """Print the table."""
    stay_on_this_machine()
    jitter, missed = ticks()
    rows = (
        (f'AC-38 jitter of ticks, 99 % in {TIME:.0f} s', 1e3 * jitter, 1e3 * JITTER, 'ms'),
        (f'AC-38 ticks missed in {TIME:.0f} s', missed, MISSED, ''),
        (f'AC-39 command after an interrupt, {TIMES} times', 1e3 * latency(), 1e3 * LATENCY, 'ms'),
        ('T26 answer of a world that runs free', 1e3 * answers(), 1e3 * ANSWER, 'ms'),
    )
    for name, figure, limit, unit in rows:
        verdict = 'held' if figure <= limit else 'not held'
        print(f'{name:42} {figure:7.2f} {unit:2} (at most {limit:g} {unit}) {verdict}')
    return int(any(figure > limit for _, figure, limit, _ in rows))


if __name__ == '__main__':
    sys.exit(main())
