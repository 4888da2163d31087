"""A trial of ARS MAGNA in the real graph, composed or distributed: the same to the last bit."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from itertools import count
from typing import Any, Literal

import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsMessage, ArsPicture
from walking_robots_interfaces.srv import ArsListThings

from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.simulation.messages import Message
from walking_robots.nodes.ars_magna.parameters import LOCK_STEP
from walking_robots.nodes.ars_magna.remote import RemoteWorld, Spin
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.processes import Processes
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.common.running import make_executor, spin, stay_on_this_machine
from walking_robots.trials.ars_magna.trial import ArsResult, ArsTrial, TrialRun, noisy, prepare

UNUSED = ('viewer',)

_numbers = count(1)


def run_in_graph(
    trial: ArsTrial, how: Literal['composed', 'distributed'], *, domain: int | None = None
) -> ArsResult:
    """Run a trial in the graph and return the same result as the plain trial.

    The nodes live in a ROS domain, ``domain`` or one taken from the process id, and a namespace of
    their own. Raises ValueError for a trial that cannot be, TimeoutError when the graph is silent.
    """
    stay_on_this_machine()
    domain = 1 + os.getpid() % 100 if domain is None else domain
    course = prepare(trial)
    stage = _composed if how == 'composed' else _distributed
    namespace = f'/trial_{os.getpid()}_{next(_numbers)}'
    with stage(_values(trial), domain, namespace) as (node, turn):
        witness = _ExperimenterClient(node, turn)
        if trial.noise == 'clean':
            witness.ask(Trigger, 'admin/clean', Trigger.Request())
        world = RemoteWorld(node, turn)
        try:
            robot = world.connect(course.robot)
            course.start(robot)
            while not course.task.done and robot.now < trial.ticks:
                world.advance()
            at = witness.position(course)
            return course.result(robot.now, at, witness.messages())
        finally:
            world.close()


def _values(trial: ArsTrial) -> dict[str, Any]:
    """Return the parameters of the node: the noise, unless it is clean, among them."""
    values: dict[str, Any] = {
        'world': trial.worlds[0],
        'definitions': [*trial.worlds[1:], ''],
        'seed': trial.seed,
        'mode': LOCK_STEP,
    }
    if trial.noise != 'clean':
        before = load_design(*trial.worlds).parameters
        after = noisy(before, trial.noise)
        for field in fields(after):
            value = getattr(after, field.name)
            if value != getattr(before, field.name):
                values[field.name] = value
    return values


class _ExperimenterClient:
    """Asks the node for what only experimenters may know."""

    def __init__(self, node: Node, turn: Spin) -> None:
        self._node, self._turn = node, turn
        self._picture: Any = None
        self._heard: list[Any] = []
        node.create_subscription(ArsPicture, 'display/picture', self._see, LATCHED)
        node.create_subscription(ArsMessage, 'messages', self._heard.append, RECORD)

    def _see(self, message: Any) -> None:
        self._picture = message

    def ask(self, kind: Any, name: str, request: Any) -> Any:
        client: Any = self._node.create_client(kind, name)
        self._turn(client.service_is_ready)
        call = client.call_async(request)
        self._turn(call.done)
        self._node.destroy_client(client)
        return call.result()

    def position(self, course: TrialRun) -> tuple[float, float]:
        """Return where the thing is that was fetched, or else the robot, cells."""
        answer = self.ask(ArsListThings, 'admin/things', ArsListThings.Request(name=course.target))
        self._turn(lambda: self._picture is not None and self._picture.tick >= answer.tick)
        if course.target and answer.things:
            return answer.things[0].x, answer.things[0].y
        robot = next(one for one in self._picture.robots if one.name == course.robot)
        return robot.x, robot.y

    def messages(self) -> list[Message]:
        """Return the messages up to the picture that `position` used."""
        last = self._picture.messages[-1:]
        self._turn(lambda: all(message in self._heard for message in last))
        return [Message(one.severity, one.robot, one.text, one.tick) for one in self._heard]


@contextmanager
def _composed(values: dict[str, Any], domain: int, namespace: str) -> Iterator[tuple[Node, Spin]]:
    graph = Composition(
        'ars_magna', {'ars_magna': values}, without=UNUSED, domain=domain, namespace=namespace
    )
    try:
        yield graph.add('trial', lambda **options: Node('trial', **options)), graph.spin
    finally:
        graph.close()


@contextmanager
def _distributed(
    values: dict[str, Any], domain: int, namespace: str
) -> Iterator[tuple[Node, Spin]]:
    context = Context()
    rclpy.init(
        args=[], context=context, domain_id=domain, signal_handler_options=SignalHandlerOptions.NO
    )
    try:
        with Processes(
            'ars_magna', {'ars_magna': values}, without=UNUSED, domain=domain, namespace=namespace
        ) as processes:
            node = Node('trial', context=context, namespace=namespace)
            executor = make_executor(context)
            executor.add_node(node)

            def turn(done: Callable[[], bool]) -> None:
                spin(executor, lambda: _ended(done, processes.fallen()))

            yield node, turn
            executor.remove_node(node)
            node.destroy_node()
    finally:
        context.try_shutdown()


def _ended(done: Callable[[], bool], fallen: str) -> bool:
    if fallen:
        raise ValueError(fallen)
    return done()
