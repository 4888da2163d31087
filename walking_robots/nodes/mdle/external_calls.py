# mypy: disable-error-code="attr-defined"
"""What atoms of space none do on the graph: signals, messages, services, actions, questions."""

import uuid
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, NamedTuple

from action_msgs.msg import GoalStatus
from rclpy.action import get_action_names_and_types
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from walking_robots_interfaces.msg import PlanSignal

from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.mdle.runtime.events import RunError
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.mdle.message_from_yaml import find_interface, message_from_yaml

FIND = 5.0
"""Wall time, s, to find a name and its type, then the server, and for it to accept a goal."""
Known = list[tuple[str, list[str]]]
"""Names on the graph with their types."""
SIGNALS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=256,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""A robot that joins late still hears what was signaled."""
MOST_SIGNALS = 1000
"""Signals of a run that count."""
LONGEST_SIGNAL = 1000
"""Letters of a signal that counts, the name of its robot included."""

Waiting = Generator[None, None, Progress]
"""A call that yields while it waits, and returns how it ended; closing it cancels it."""


class ExternalCall:
    """One call, for one entry of one atom."""

    def __init__(self, steps: Waiting) -> None:
        """Take the call; nothing is sent yet."""
        self._steps = steps

    def progress(self) -> Progress:
        """Go on, and return how it stands; not to be called after its end."""
        try:
            next(self._steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        return Progress()

    def cancel(self) -> None:
        """Cancel what was not answered."""
        self._steps.close()


class _Signal(NamedTuple):
    """A signal of a run: by whom, and what."""

    robot: str
    tag: str


class _Question:
    """A question to the operator; ``answer`` is None until there is one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.answer: str | None = None


class RosExternalCalls:
    """Carries what programs say.

    ``dropped``: signals of the run that were dropped because newer ones took their places.
    """

    def __init__(self, node: GraphNode, robot: str, run_name: str) -> None:
        """Speak by ``node`` in the name of a robot; ``run_name``: that partners share, if any."""
        self._node, self._robot, self._run_name = node, robot, run_name
        self._run = run_name
        # The oldest first.
        self._signals: dict[_Signal, None] = {}
        self._own: set[_Signal] = set()
        self.dropped = 0
        self._publishers: dict[str, Any] = {}
        # Kept until the end: the events executor does not survive a client that goes before it.
        self._actions: dict[str, Any] = {}
        self._services: dict[str, Any] = {}
        self._questions: list[_Question] = []
        self._signal = node.create_publisher(PlanSignal, '/mdle/signals', SIGNALS)
        node.listen(PlanSignal, '/mdle/signals', self._signaled, SIGNALS)

    def begin(self) -> None:
        """Begin a run: what was signaled in others, by whomever, and by this robot, is no more."""
        self._run = self._run_name or uuid.uuid4().hex
        for signal in self._own if self._run_name else list(self._signals):
            self._signals.pop(signal, None)
        self._own.clear()
        self.dropped = 0

    def signal(self, tag: str) -> None:
        """Publish a tag to all robots of the run, this one included."""
        signal = _Signal(self._robot, tag)
        self._keep(signal)
        self._own.add(signal)
        self._signal.publish(PlanSignal(run=self._run, **signal._asdict()))

    def _signaled(self, message: Any) -> None:
        if message.run != self._run:
            return
        if len(message.robot) + len(message.tag) > LONGEST_SIGNAL:
            raise ValueError(f'a signal is longer than {LONGEST_SIGNAL} letters')
        self._keep(_Signal(message.robot, message.tag))

    def _keep(self, signal: _Signal) -> None:
        """Keep a signal of this run, and the newest of all."""
        self._signals[signal] = None
        if len(self._signals) <= MOST_SIGNALS:
            return
        oldest = next(iter(self._signals))
        del self._signals[oldest]
        self._own.discard(oldest)
        if not self.dropped:
            self._node.get_logger().warning(
                f'keeps the newest {MOST_SIGNALS} signals of a run; older ones no longer count'
            )
        self.dropped += 1

    def signaled(self, tag: str) -> bool:
        """Return whether some robot has published the tag in this run."""
        return any(signal.tag == tag for signal in self._signals)

    def log(self, text: str) -> None:
        """Write a line to the log."""
        self._node.get_logger().info(text)

    def publish(self, topic: str, message: str) -> None:
        """Publish on a topic that is known by now; raises RunError (E808) for any other."""
        kind = self._type_of(topic, self._node.get_topic_names_and_types(), 'topic')
        if topic not in self._publishers:
            self._publishers[topic] = self._node.create_publisher(kind, topic, 10)
        self._publishers[topic].publish(_filled(self._publishers[topic].msg_type(), message))

    def call_service(self, name: str, request: str) -> ExternalCall:
        """Call a service; the call raises RunError (E808) if it is not found within FIND."""
        return ExternalCall(self._serve(name, request))

    def call_action(self, name: str, goal: str) -> ExternalCall:
        """Send a goal to an action; the call raises RunError (E808) as that of a service does."""
        return ExternalCall(self._act(name, goal))

    def ask(self, text: str) -> ExternalCall:
        """Ask the operator; the answer comes by ``answer``."""
        return ExternalCall(self._wait_for_answer(_Question(text)))

    @property
    def question(self) -> str:
        """The question that is to be answered next, '' where there is none."""
        return next((found.text for found in self._questions if found.answer is None), '')

    def answer(self, text: str) -> bool:
        """Take an answer to the question that was asked first; returns whether there was one."""
        for found in self._questions:
            if found.answer is None:
                found.answer = text
                return True
        return False

    def close(self) -> None:
        """Destroy the clients."""
        for client in self._actions.values():
            client.destroy()
        self._actions.clear()

    def _wait_for_answer(self, question: _Question) -> Waiting:
        self._questions.append(question)
        try:
            while question.answer is None:
                yield
            return Progress('done', outputs={'answer': question.answer})
        finally:
            self._questions.remove(question)

    def _serve(self, name: str, text: str) -> Waiting:
        kind = yield from self._find(name, self._node.get_service_names_and_types, 'service')
        request = _filled(kind.Request(), text)
        if name not in self._services:
            self._services[name] = self._node.create_client(kind, name)
        client = self._services[name]
        if not (yield from self._within(FIND, client.service_is_ready)):
            return Progress('fail', 'the service did not come up')
        future = client.call_async(request)
        try:
            while not future.done():
                yield
        finally:
            client.remove_pending_request(future)
        response = future.result()
        if getattr(response, 'success', True):
            return Progress('done')
        return Progress('fail', getattr(response, 'message', '') or 'the service refused')

    def _act(self, name: str, text: str) -> Waiting:
        known = partial(get_action_names_and_types, self._node)
        kind = yield from self._find(name, known, 'action')
        goal = _filled(kind.Goal(), text)
        if name not in self._actions:
            self._actions[name] = GoalClient(self._node, kind, name)
        client = self._actions[name]
        if not (yield from self._within(FIND, client.server_is_ready)):
            return Progress('fail', 'the action did not come up')
        sent, ended = client.send_goal_async(goal), False
        try:
            if not (yield from self._within(FIND, sent.done)):
                return Progress('fail', 'the action did not answer')
            if not sent.result().accepted:
                return Progress('fail', 'the action refused the goal')
            result = sent.result().get_result_async()
            while not result.done():
                yield
            ended = True
        finally:
            if not ended:
                # Where it is accepted only later, it is canceled then.
                sent.add_done_callback(_cancel_goal)
        if result.result().status == GoalStatus.STATUS_SUCCEEDED:
            return Progress('done')
        return Progress('fail', 'the action did not succeed')

    def _within(self, limit: float, holds: Callable[[], bool]) -> Generator[None, None, bool]:
        """Wait until something holds; returns whether it does within a limit, s."""
        end = self._node.now() + limit
        while not holds():
            if self._node.now() > end:
                return False
            yield
        return True

    def _find(
        self, name: str, known: Callable[[], Known], what: str
    ) -> Generator[None, None, Any]:
        """Wait for a name; discovery takes a while after either node has begun."""
        full = self._node.resolve_topic_name(name)
        yield from self._within(FIND, lambda: full in dict(known()))
        return self._type_of(name, known(), what)

    def _type_of(self, name: str, known: Known, what: str) -> Any:
        full = self._node.resolve_topic_name(name)
        kinds = dict(known).get(full)
        if not kinds:
            raise RunError('E808', f'there is no {what} {full}')
        try:
            return find_interface(kinds[0])
        except ValueError as error:
            raise RunError('E808', str(error)) from None


def _filled(message: Any, text: str) -> Any:
    try:
        return message_from_yaml(message, text)
    except ValueError as error:
        raise RunError('E302', str(error)) from None


def _cancel_goal(sent: Any) -> None:
    """Cancel a goal that was accepted."""
    handle = sent.result()
    if handle is not None and handle.accepted:
        handle.cancel_goal_async()
