"""Several robots in one ROS domain, each in its namespace and driven alone."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph

SCOUTS, HEXAPODS = ('/scout1', '/scout2'), ('/insect1', '/insect2')
ROBOTS = (*SCOUTS, *HEXAPODS)
SPEED, WAY = 0.05, 0.02


class Fleet:
    """Two Scouts, two hexapods, and a person in the root namespace who watches and drives."""

    def __init__(self, graph: Any, folder: Path) -> None:
        import rclpy
        from geometry_msgs.msg import TwistStamped
        from nav_msgs.msg import Odometry
        from rclpy.context import Context
        from rclpy.node import Node
        from rosgraph_msgs.msg import Clock
        from tf2_msgs.msg import TFMessage

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.qos import LATCHED
        from walking_robots.nodes.common.running import make_executor
        from walking_robots.nodes.hexapod.robot import left_out

        domain = graph.private_domain()
        walks = {'robot': 'insect18', 'gait': 'tripod'}
        insect = {name: walks for name in ('periodic_gait', 'leg_servo', 'hexapod_sim')}
        insect['terrain'] = {'robot': 'insect18'}
        self.graphs = []
        for name in SCOUTS:
            line = f'{folder}{name}'
            values = {'scout_emulator': {'link': line}, 'scout_driver': {'port': line}}
            without: tuple[str, ...] = ('viewer', 'scout_wander')
            self.graphs.append(
                Composition('scout', values, without=without, domain=domain, namespace=name)
            )
        for name in HEXAPODS:
            without = ('viewer', *left_out('tripod'))
            self.graphs.append(
                Composition('hexapod', insect, without=without, domain=domain, namespace=name)
            )
        self.context = Context()
        rclpy.init(args=[], context=self.context, domain_id=domain)
        self.person = Node('person', context=self.context)
        self.executor = make_executor(self.context)
        self.executor.add_node(self.person)
        self.ending = threading.Event()
        self.threads = [
            threading.Thread(target=found.spin, args=[self.ending.is_set]) for found in self.graphs
        ]
        for thread in self.threads:
            thread.start()
        self._pushed = 0.0
        self.odom: dict[str, Any] = {}
        self.frames: dict[str, Any] = {}
        self.static: dict[str, Any] = {}
        self.clocks: dict[str, Any] = {}
        self.sticks: dict[str, Any] = {}
        listen = self.person.create_subscription
        for name in ROBOTS:
            listen(Odometry, f'{name}/odom', _keep(self.odom, name), 10)
            listen(TFMessage, f'{name}/tf', _keep(self.frames, name), 10)
            listen(TFMessage, f'{name}/tf_static', _keep(self.static, name), LATCHED)
            listen(Clock, f'{name}/clock', _keep(self.clocks, name), 10)
            self.sticks[name] = self.person.create_publisher(TwistStamped, f'{name}/cmd_vel', 10)

    def until(self, done: Callable[[], Any], what: str) -> None:
        wait_until(done, lambda: f'{what}; heard: {self.heard()}', spin=self._spin)

    def _spin(self, done: Callable[[], bool]) -> None:
        while not done():
            self.executor.spin_once(timeout_sec=0.02)

    def heard(self) -> dict[str, tuple[list[str], int]]:
        """Return, by topic, the robots that were heard, and how many publish what is missing."""
        topics = {'odom': self.odom, 'tf': self.frames, 'tf_static': self.static}
        return {
            topic: (
                sorted(found),
                sum(self.person.count_publishers(f'{name}/{topic}') for name in ROBOTS),
            )
            for topic, found in topics.items()
        }

    def push(self, name: str, speed: float) -> None:
        """Publish a velocity, m/s, for one robot, ten times a second at most."""
        from geometry_msgs.msg import TwistStamped

        if time.monotonic() < self._pushed + 0.1:
            return
        self._pushed = time.monotonic()
        message = TwistStamped()
        message.twist.linear.x = speed
        self.sticks[name].publish(message)

    def rest(self, name: str) -> None:
        """Wait until a robot has stood still in five messages, also where its link stumbles."""
        found: list[Any] = []

        def rests() -> bool:
            if not found or found[-1] is not self.odom[name]:
                found.append(self.odom[name])
            x = [odom.pose.pose.position.x for odom in found[-5:]]
            return len(x) == 5 and max(x) - min(x) < 1e-4

        self.until(rests, f'{name} rests')

    def place(self, name: str) -> tuple[float, float]:
        """Return where a robot is by its odometry, m."""
        position = self.odom[name].pose.pose.position
        return position.x, position.y

    def frame(self, name: str) -> tuple[float, float]:
        """Return where the robot is by the transforms of its namespace, m."""
        (transform,) = self.frames[name].transforms
        assert (transform.header.frame_id, transform.child_frame_id) == ('odom', 'base_link')
        return transform.transform.translation.x, transform.transform.translation.y

    def close(self) -> None:
        from walking_robots.nodes.common.running import shut_down

        self.ending.set()
        for thread in self.threads:
            thread.join()
        shut_down(self.executor)
        self.context.try_shutdown()
        for found in self.graphs:
            found.close()


def _keep(values: dict[str, Any], name: str) -> Callable[[Any], None]:
    return lambda message: values.__setitem__(name, message)


@pytest.fixture
def fleet(graph: Any, tmp_path: Path) -> Iterator[Fleet]:
    found = Fleet(graph, tmp_path)
    yield found
    found.close()


@pytest.mark.slow
def test_each_of_four_robots_is_driven_alone(fleet: Fleet) -> None:
    everything = (fleet.odom, fleet.frames, fleet.static)
    for found, what in zip(everything, ('odometry', 'transforms', 'static ones'), strict=True):
        for name in ROBOTS:
            fleet.until(lambda: name in found, f'{what} of {name}')  # noqa: B023
    fleet.until(lambda: set(fleet.clocks) == set(HEXAPODS), 'simulated time')
    for name in ROBOTS:
        before = {other: fleet.place(other) for other in ROBOTS}
        start = before[name][0]

        def moved(name: str = name, start: float = start) -> bool:
            fleet.push(name, SPEED)
            return fleet.place(name)[0] > start + WAY

        fleet.until(moved, f'{name} moves')
        after = {other: fleet.place(other) for other in ROBOTS}
        # A Scout at rest may still report the last millimetre of its braking.
        ways = {other: math.dist(before[other], after[other]) for other in ROBOTS}
        assert [other for other in ROBOTS if ways[other] >= 0.002] == [name], ways
        fleet.rest(name)
        assert abs(fleet.odom[name].twist.twist.linear.x) < 1e-9
        fleet.until(
            lambda name=name: fleet.frame(name) == pytest.approx(fleet.place(name)),
            f'the transforms of {name}',
        )
    # Nothing is published where robots would mix.
    for topic in ('/tf', '/tf_static', '/clock', '/odom'):
        assert fleet.person.count_publishers(topic) == 0
    times = {fleet.clocks[name].clock.sec for name in HEXAPODS}
    assert 0 not in times
