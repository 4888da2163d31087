"""Send random messages, requests, goals and parameters to all nodes of a system.

``python -m benchmarks.fuzz --system scout --seconds 60 --seed 1`` prints what was sent and what it
broke: exceptions in callbacks, threads or pages, callbacks that take more than two seconds of CPU,
and numbers that are not finite in what drives a robot. The exit code is 1 where anything broke.
"""

import argparse
import logging
import math
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rcl_interfaces.msg import Parameter, ParameterValue
from rclpy.action.client import ActionClient
from rclpy.action.graph import get_action_server_names_and_types_by_node
from rclpy.node import Node

from benchmarks.own_clock import Stopwatch
from benchmarks.random_messages import RandomMessages
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.demo import Show
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine
from walking_robots.nodes.common.node import GraphNode
from walking_robots.systems import SYSTEMS, load

__all__ = ['fuzz']

LONGEST = 2.0
"""CPU time, s, that one callback may take."""

DRIVING = ('joint_command', 'joint_effort', 'joint_trajectory', 'cmd_vel', 'cmd_vel_teleop')
"""Topics, by their last part, that drive a robot: their numbers have to be finite."""

_OWN = ('/parameter_events', '/rosout')


class Fuzzer:
    """Sends random input to the nodes of a composed graph and collects what breaks."""

    def __init__(self, graph: Composition, seed: int) -> None:
        """Find all inputs of the nodes; the same seed sends the same to the same nodes."""
        self._rng = random.Random(seed)
        self._graph = graph
        self._nodes = [node for node in graph.nodes.values() if isinstance(node, GraphNode)]
        self._words = sorted({*graph.nodes, *(p for n in self._nodes for p in n._parameters)})
        self._random = RandomMessages(self._rng, self._words)
        self._node: Node = graph.add('fuzzer', lambda **options: Node('fuzzer', **options))
        self.sent: Counter[str] = Counter()
        self.broken: dict[str, str] = {}
        self._heard: dict[str, Any] = {}
        self._topics: dict[str, Any] = {}
        self._services: dict[str, Any] = {}
        self._actions: dict[str, Any] = {}
        self._goals: list[Any] = []
        for node in self._nodes:
            self._find_inputs(node)
            self._check_outputs(node)

    def _find_inputs(self, node: GraphNode) -> None:
        for subscription in node.subscriptions:
            name, kind = subscription.topic_name, subscription.msg_type
            if name not in _OWN and name not in self._topics:
                self._topics[name] = self._node.create_publisher(
                    kind, name, subscription.qos_profile
                )
                hear = self._heard.setdefault
                self._node.create_subscription(
                    kind, name, lambda m, name=name, hear=hear: hear(name, m), 10
                )
        for service in node.services:
            if '/_action/' not in service.service_name:
                self._services[service.service_name] = (
                    self._node.create_client(service.srv_type, service.service_name), node,
                )  # fmt: skip
        for action, kinds in get_action_server_names_and_types_by_node(
            self._node, node.get_name(), node.get_namespace()
        ):
            package, _, name = kinds[0].split('/')
            form = getattr(import_module(f'{package}.action'), name)
            self._actions[action] = ActionClient(self._node, form, action)

    def _check_outputs(self, node: GraphNode) -> None:
        for publisher in node.publishers:
            if publisher.topic_name.rsplit('/', 1)[-1] in DRIVING:
                self._check_output(publisher)

    def _check_output(self, publisher: Any) -> None:
        publish = publisher.publish

        def checked(message: Any) -> None:
            if not all(map(math.isfinite, _numbers(message))):
                self._note(f'{publisher.topic_name} is not finite')
            publish(message)

        publisher.publish = checked

    def run(self, seconds: float) -> None:
        """Send input for a time, s, without waits for a processor."""
        watch = Stopwatch()
        while not watch.passed(seconds):
            self._last = ''
            self._send()
            self._spin(0.002)
        self._spin(0.5)

    def close(self) -> None:
        """Take the clients of actions away."""
        for client in self._actions.values():
            client.destroy()

    def _send(self) -> None:
        kinds = [self._publish, self._publish, self._call, self._set_parameter]
        self._rng.choice([*kinds, self._send_goal] if self._actions else kinds)()

    def _publish(self) -> None:
        name = self._rng.choice(sorted(self._topics))
        publisher, real = self._topics[name], self._heard.pop(name, None)
        if real is not None and self._rng.random() < 0.7:
            message = self._random.changed(real)
        else:
            message = self._random.message(publisher.msg_type)
        self._log('messages', f'{name} {message}')
        publisher.publish(message)

    def _call(self) -> None:
        name = self._rng.choice(sorted(self._services))
        client, _ = self._services[name]
        if name.endswith(('/change_state', '/describe_parameters', '/get_parameters')):
            return
        request = self._random.message(client.srv_type.Request)
        self._log('requests', f'{name} {request}')
        client.call_async(request)

    def _set_parameter(self) -> None:
        name = self._rng.choice([n for n in self._services if n.endswith('/set_parameters')])
        client, node = self._services[name]
        wanted = self._rng.choice(sorted(node._parameters))
        value = self._random.message(ParameterValue)
        value.type = self._rng.randint(0, 9)
        request = client.srv_type.Request(parameters=[Parameter(name=wanted, value=value)])
        self._log('parameters', f'{name} {wanted} {value}')
        client.call_async(request)

    def _send_goal(self) -> None:
        name = self._rng.choice(sorted(self._actions))
        client = self._actions[name]
        if self._goals and self._rng.random() < 0.5:
            goal = self._goals.pop(0)
            if goal.done() and goal.result() is not None and goal.result().accepted:
                goal.result().cancel_goal_async()
            return
        goal = self._random.message(client._action_type.Goal)
        self._log('goals', f'{name} {goal}')
        if client.server_is_ready():
            self._goals.append(client.send_goal_async(goal))

    def _log(self, kind: str, text: str) -> None:
        self.sent[kind] += 1
        self._last = text

    def _spin(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            began = time.thread_time()
            self._graph.executor.spin_once(timeout_sec=0.001)
            took = time.thread_time() - began
            if took > LONGEST:
                self._note(f'a callback took {took:.1f} s')
            for node in self._nodes:
                if node.failure:
                    self._note(f'{node.get_name()}: {node.failure}')
                    node.failure = ''
            if time.monotonic() >= end:
                return

    def _note(self, what: str) -> None:
        self.broken.setdefault(re.sub(r'\d+ is not', 'N is not', what), self._last[:500])


def _numbers(message: Any) -> Iterator[float]:
    """Yield all floating point numbers of a message."""
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        for each in value if hasattr(value, '__len__') and not isinstance(value, str) else [value]:
            if isinstance(each, float):
                yield each
            elif hasattr(each, 'SLOT_TYPES'):
                yield from _numbers(each)


@contextmanager
def _logged_errors(fuzzer: Fuzzer) -> Iterator[None]:
    """Note what threads and pages log as errors."""

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            reason = record.exc_info[1] if record.exc_info else ''
            fuzzer._note(f'{record.name}: {record.getMessage()}: {reason!r}')

    handler, log = Noting(logging.ERROR), logging.getLogger('walking_robots')
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def fuzz(system: str, seconds: float, seed: int) -> Fuzzer:
    """Run a system for a time, s, under random input; ``seed`` is that of the input."""
    stay_on_this_machine()
    demo = SYSTEMS[system].demo
    show: Show = load(f'nodes.{demo.show}')(**demo.arguments())
    values = {name: dict(found) for name, found in show.overrides(1.0).items()}
    for found in values.values():
        found.pop('start_paused', None)
    values.setdefault('viewer', {})['port'] = 20000 + os.getpid() % 20000
    with free_domain() as domain:
        graph = Composition(system, values, without=show.without, domain=domain)
        try:
            graph.executor.spin_once(timeout_sec=0.1)
            fuzzer = Fuzzer(graph, seed)
            with _logged_errors(fuzzer):
                fuzzer.run(seconds)
        finally:
            graph.close()
        fuzzer.close()
    return fuzzer


def main() -> int:
    """Fuzz one system or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--system', choices=[*SYSTEMS], help='default: all, one after the other')
    parser.add_argument('--seconds', type=float, default=60.0, help='for each system')
    parser.add_argument('--seed', type=int, default=0)
    wanted = parser.parse_args()
    failed = False
    for system in [wanted.system] if wanted.system else SYSTEMS:
        found = fuzz(system, wanted.seconds, wanted.seed)
        counts = ', '.join(f'{count} {kind}' for kind, count in sorted(found.sent.items()))
        print(f'{system}: {counts}; {len(found.broken)} findings', flush=True)
        for what, last in found.broken.items():
            print(f'  {what}\n    after {last}')
        failed |= bool(found.broken)
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
