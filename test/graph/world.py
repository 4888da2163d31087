"""What the graph tests share: a person who watches, commands and waits."""

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.action import ActionClient
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from ros_domains import private_domain
from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.action import Walk
from walking_robots_interfaces.msg import GaitState, JointCommand

from benchmarks.own_clock import PATIENCE, Stopwatch, wait_until
from walking_robots.nodes.common.processes import Processes
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.running import make_executor, shut_down, spin

FLAT = {'forbidden_share': 0.0, 'ditch_width': 0.0}


class LocalNodes:
    """Nodes in this process on one executor, in a domain of their own unless another is given."""

    def __init__(self, domain: int | None = None) -> None:
        self.context = Context()
        rclpy.init(
            args=[],
            context=self.context,
            domain_id=private_domain() if domain is None else domain,
            signal_handler_options=SignalHandlerOptions.NO,
        )
        self.executor = make_executor(self.context)
        # Clients of actions must not be destroyed before their executor has ended.
        self.closing: list[Callable[[], object]] = []

    def add(self, *nodes: Node) -> None:
        """Spin nodes."""
        for node in nodes:
            self.executor.add_node(node)

    def spin(self, done: Callable[[], bool]) -> None:
        """Spin until something holds."""
        spin(self.executor, done)

    def until(self, done: Callable[[], Any], what: Any = 'a state') -> None:
        """Spin until something holds, and fail if it never does."""
        wait_until(done, what, spin=self.spin)

    def close(self) -> None:
        """End the executor and its nodes."""
        shut_down(self.executor)
        for end in self.closing:
            end()
        self.context.try_shutdown()


class Person(Node):
    """Watches odometry, gait and diagnostics, and requests motion."""

    def __init__(self, **options: Any) -> None:
        super().__init__('person', **options)
        self.x: list[tuple[int, float]] = []
        self.gait: list[Any] = []
        self.commands: list[Any] = []
        self.news: dict[str, tuple[bytes, str]] = {}
        self.hold: tuple[float, float, float] | None = None
        self.closing: list[Callable[[], object]] = []
        self.stick = self.create_publisher(TwistStamped, 'cmd_vel', 10)
        self.walk = ActionClient(self, Walk, 'walk')
        self.pause = self.create_client(SetBool, 'hexapod_sim/pause')
        self.step = self.create_client(Trigger, 'hexapod_sim/step')
        self.reset = self.create_client(Trigger, 'hexapod_sim/reset')
        self.create_subscription(Odometry, 'odom', self._moved, LOOP)
        self.create_subscription(GaitState, 'gait/state', self.gait.append, LOOP)
        self.create_subscription(JointCommand, 'joint_command', self.commands.append, LOOP)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._told, LOOP)

    def _moved(self, odom: Any) -> None:
        stamp = odom.header.stamp
        at = stamp.sec * 10**9 + stamp.nanosec
        self.x.append((at, odom.pose.pose.position.x))
        if self.hold is not None:
            self.push(*self.hold)

    def _told(self, message: Any) -> None:
        place = self.get_namespace().lstrip('/')
        for status in message.status:
            if status.name.startswith(place):
                self.news[status.name.split('/')[-1]] = (status.level, status.message)

    def push(self, vx: float, vy: float = 0.0, wz: float = 0.0, *, stamped: bool = False) -> None:
        """Move the stick once."""
        message = TwistStamped()
        if stamped:
            message.header.stamp = self.get_clock().now().to_msg()
        message.twist.linear.x, message.twist.linear.y, message.twist.angular.z = vx, vy, wz
        self.stick.publish(message)

    @property
    def here(self) -> float:
        """Return x of the body, m."""
        return self.x[-1][1]


class World:
    """A graph and a person in it."""

    def __init__(
        self,
        overrides: dict[str, dict[str, Any]],
        *,
        system: str = 'asv',
        without: Iterable[str] = ('viewer',),
    ) -> None:
        self.domain = private_domain()
        self._met: set[str] = set()
        self.namespace = f'/world_{os.getpid()}_{self.domain}'
        terrain = {'terrain': FLAT | overrides.pop('terrain', {})}
        self.graph = Processes(
            system,
            terrain | overrides,
            without=without,
            domain=self.domain,
            namespace=self.namespace,
        )
        self._local = LocalNodes(self.domain)
        self.executor = self._local.executor
        self.person = Person(context=self._local.context, namespace=self.namespace)
        self.person.closing = self._local.closing
        self._local.add(self.person)

    def until(self, done: Callable[[], Any], what: str, limit: float = PATIENCE) -> None:
        """Let time go on until something holds."""
        wait_until(done, lambda: f'{what}; {self.person.news}', limit, spin=self._spin)

    def _spin(self, done: Callable[[], bool]) -> None:
        while not done():
            self.executor.spin_once(timeout_sec=0.02)

    def wait(self, seconds: float) -> None:
        """Let wall time go on."""
        end = time.monotonic() + seconds
        self._spin(lambda: time.monotonic() >= end)

    def _meet(self, ready: Callable[[], bool], name: str) -> None:
        """Wait for a server, and the first time also until it has found its client in turn."""
        self.until(ready, name)
        if name not in self._met:
            self._met.add(name)
            self.wait(0.3)

    def call(self, client: Any, request: Any) -> Any:
        """Call a service and give its answer."""
        self._meet(client.service_is_ready, client.srv_name)
        future = client.call_async(request)
        self.until(future.done, client.srv_name)
        return future.result()

    def start_walk(self, **goal: Any) -> Any:
        """Send a walk and give its handle once it is accepted or refused."""
        return send_goal(self.person.walk, Walk.Goal(**goal), self.until)

    def send_goal(self, client: Any, goal: Any) -> Any:
        """Send a goal and give its handle once it is accepted or refused."""
        return send_goal(client, goal, self.until)

    def result(self, handle: Any) -> Any:
        """Wait for what came of a walk."""
        future = handle.get_result_async()
        self.until(future.done, 'the result of the walk')
        return future.result().result

    def walks(self, distance: float = 0.05) -> None:
        """Wait until the body has moved on from here."""
        # Each topic is discovered by itself, the odometry perhaps long before the gait.
        self.until(lambda: self.person.x and self.person.gait, 'odometry and gait')
        start = self.person.here
        self.until(lambda: abs(self.person.here - start) > distance, 'motion')

    def close(self) -> None:
        self._local.close()
        self.graph.__exit__()


def send_goal(client: Any, goal: Any, until: Callable[[Callable[[], Any], str], None]) -> Any:
    """Send a goal until it is answered and return its handle; a refused goal is sent once more.

    A server that has not discovered its client yet drops a goal, and one that stood still just
    now refuses it.
    """
    until(client.server_is_ready, 'the action')
    refusals = 0
    while True:
        future, watch = client.send_goal_async(goal), Stopwatch()
        until(lambda future=future, watch=watch: future.done() or watch.passed(2.0), 'an answer')
        if not future.done():
            continue
        handle = future.result()
        refusals += not handle.accepted
        if handle.accepted or refusals == 2:
            return handle
        until(lambda watch=watch: watch.passed(1.0), 'a second')


@contextmanager
def world(overrides: dict[str, dict[str, Any]] | None = None, **options: Any) -> Iterator[World]:
    """Return a distributed graph on flat ground, and end it."""
    found = World(overrides or {}, **options)
    try:
        yield found
    finally:
        found.close()


def wait_for_nodes(domain: int, wanted: set[str]) -> None:
    """Wait until nodes can be seen."""
    context = Context()
    rclpy.init(
        args=[], context=context, domain_id=domain, signal_handler_options=SignalHandlerOptions.NO
    )
    node = Node('watcher', context=context)
    wait_until(
        lambda: wanted <= set(node.get_node_names()),
        lambda: f'{wanted}; only {node.get_node_names()} are there',
    )
    node.destroy_node()
    context.try_shutdown()


def run_alone(*command: str, domain: int | None = None) -> subprocess.Popen[str]:
    """Start a process by itself."""
    environment = os.environ | {'ROS_DOMAIN_ID': str(domain or private_domain())}
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
