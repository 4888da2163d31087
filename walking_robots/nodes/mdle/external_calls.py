# mypy: disable-error-code="attr-defined"
"""What atoms of space none do on the graph: signals, messages, services, actions, questions."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rclpy.action import ActionClient, get_action_names_and_types
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from walking_robots_interfaces.msg import PlanSignal

from walking_robots.mdle.runtime.events import RunError
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.mdle.message_from_yaml import find_interface, message_from_yaml
from walking_robots.nodes.mdle.pending_calls import (
    ActionCall,
    PendingRequest,
    Question,
    ServiceCall,
)

TOLD = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=256,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""A robot that joins late still hears what was signaled."""


class _Signal(NamedTuple):
    """A signal: of which run, by whom, and what."""

    run: str
    robot: str
    tag: str


class RosExternalCalls:
    """Carries what programs say; every request belongs to one entry of one atom."""

    def __init__(self, node: GraphNode, robot: str, run_name: str) -> None:
        """Speak by ``node`` in the name of a robot; ``run_name``: that partners share, if any."""
        self._node, self._robot, self._run_name = node, robot, run_name
        self._run = run_name
        self._signals: set[_Signal] = set()
        self._own: set[_Signal] = set()
        self._publishers: dict[str, tuple[Any, Any]] = {}
        # Kept until the end: the events executor does not survive a client that goes before it.
        self._actions: dict[str, Any] = {}
        self._services: dict[str, Any] = {}
        self._open: list[PendingRequest] = []
        self._signal = node.create_publisher(PlanSignal, '/mdle/signals', TOLD)
        node.listen(PlanSignal, '/mdle/signals', self._signaled, TOLD)

    def begin(self) -> None:
        """Begin a run: what was signaled in others, by whomever, and by this robot, is no more."""
        self._run = self._run_name or uuid.uuid4().hex
        self._signals = {signal for signal in self._signals - self._own if signal.run == self._run}
        self._own.clear()

    def signal(self, tag: str) -> None:
        """Publish a tag to all robots of the run, this one included."""
        signal = _Signal(self._run, self._robot, tag)
        self._signals.add(signal)
        self._own.add(signal)
        self._signal.publish(PlanSignal(run=signal.run, robot=signal.robot, tag=signal.tag))

    def _signaled(self, message: Any) -> None:
        self._signals.add(_Signal(message.run, message.robot, message.tag))

    def signaled(self, tag: str) -> bool:
        """Return whether some robot has published the tag in this run."""
        return any(signal.run == self._run and signal.tag == tag for signal in self._signals)

    def log(self, text: str) -> None:
        """Write a line to the log."""
        self._node.get_logger().info(text)

    def publish(self, topic: str, message: str) -> None:
        """Publish on a topic that somebody knows; raises RunError where nobody does."""
        kind = self._kind_of(topic, self._node.get_topic_names_and_types(), 'topic')
        if topic not in self._publishers:
            made = self._node.create_publisher(kind, topic, 10)
            self._publishers[topic] = (made, kind)
        publisher, kind = self._publishers[topic]
        publisher.publish(self._filled(kind(), message))

    def call_service(self, name: str, request: str) -> PendingRequest:
        """Call a service; raises RunError where nobody offers it."""
        kind = self._kind_of(name, self._node.get_service_names_and_types(), 'service')
        if name not in self._services:
            self._services[name] = self._node.create_client(kind, name)
        filled = self._filled(kind.Request(), request)
        return self._begin(ServiceCall(self, self._services[name], filled))

    def call_action(self, name: str, goal: str) -> PendingRequest:
        """Send a goal to an action; raises RunError where nobody offers it."""
        kind = self._kind_of(name, get_action_names_and_types(self._node), 'action')
        if name not in self._actions:
            self._actions[name] = ActionClient(self._node, kind, name)
        filled = self._filled(kind.Goal(), goal)
        return self._begin(ActionCall(self, self._actions[name], filled))

    def ask(self, text: str) -> PendingRequest:
        """Ask the operator; the answer comes by ``answer``."""
        return self._begin(Question(self, text))

    @property
    def question(self) -> str:
        """The question that is to be answered next, '' where there is none."""
        return next((asked.text for asked in self._unanswered()), '')

    def answer(self, text: str) -> bool:
        """Take an answer to the question that was asked first; returns whether there was one."""
        for asked in self._unanswered():
            asked.answered = text
            return True
        return False

    def _unanswered(self) -> Iterator[Question]:
        for request in self._open:
            if isinstance(request, Question) and request.answered is None:
                yield request

    def close(self) -> None:
        """Take back what is still open."""
        for request in list(self._open):
            request.cancel()
        for client in self._actions.values():
            client.destroy()
        self._actions.clear()

    def forget(self, request: PendingRequest) -> None:
        """Let go of a request that is over."""
        if request in self._open:
            self._open.remove(request)

    def _begin(self, request: PendingRequest) -> PendingRequest:
        self._open.append(request)
        return request

    def _kind_of(self, name: str, known: list[tuple[str, list[str]]], what: str) -> Any:
        full = self._node.resolve_topic_name(name)
        for found, kinds in known:
            if found == full and kinds:
                try:
                    return find_interface(kinds[0])
                except ValueError as error:
                    raise RunError('E808', str(error)) from None
        raise RunError('E808', f'there is no {what} {full}')

    def _filled(self, message: Any, text: str) -> Any:
        try:
            return message_from_yaml(message, text)
        except ValueError as error:
            raise RunError('E302', str(error)) from None

    @property
    def now(self) -> Callable[[], float]:
        """The steady clock, s."""
        return self._node.now
