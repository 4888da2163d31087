"""Measure deadlines that hold on an idle machine only: ``python -m benchmarks.deadlines``.

Prints each figure with its limit; the exit code is 1 if one is not held. All other deadlines are
tested without the waits for a processor (`own_clock.py`).
"""

import sys
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.node import Node

from walking_robots.mdle.session import RunRequest
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine

TIME = 60.0
"""Wall time, s, of the program; mdle.md asks for ten minutes."""
JITTER, MISSED = 0.005, 0
"""AC-38: most deviation, s, of 99 % of the intervals between ticks, and most missed ticks."""


def ticks() -> tuple[float, int]:
    """Return the deviation of 99 % of the intervals between ticks at 20 Hz, s, and missed ones."""
    with free_domain() as domain:
        graph = Composition(
            'mdle',
            {'mdle_executor': {'robot': 'twist', 'tick_period': 0.05}},
            without=('viewer', 'scout_driver', 'scout_emulator'),
            domain=domain,
        )
        try:
            executor: Any = graph.nodes['mdle_executor']
            robot = graph.add('robot', lambda **options: Node('robot', **options))
            publisher = robot.create_publisher(Odometry, 'odom', 10)

            def publish() -> None:
                message = Odometry()
                message.header.stamp = robot.get_clock().now().to_msg()
                message.pose.pose.orientation.w = 1.0
                publisher.publish(message)

            robot.create_timer(0.02, publish)
            now = executor.get_clock().now().nanoseconds
            text = f'mdle 1; import std.body2; plan p {{ do {{ wait({TIME} s); }} }}'
            run = executor._session.submit(RunRequest(text), now)
            graph.spin(lambda: run.result is not None)
            assert run.result.outcome == 'DONE', run.result
            return executor._jitter.jitter(), executor._jitter.missed
        finally:
            graph.close()


def main() -> int:
    """Print the table."""
    stay_on_this_machine()
    jitter, missed = ticks()
    rows = (
        (f'AC-38 jitter of ticks, 99 % in {TIME:.0f} s', 1e3 * jitter, 1e3 * JITTER, 'ms'),
        (f'AC-38 ticks missed in {TIME:.0f} s', missed, MISSED, ''),
    )
    for name, figure, limit, unit in rows:
        verdict = 'held' if figure <= limit else 'not held'
        print(f'{name:42} {figure:7.2f} {unit:2} (at most {limit:g} {unit}) {verdict}')
    return int(any(figure > limit for _, figure, limit, _ in rows))


if __name__ == '__main__':
    sys.exit(main())
