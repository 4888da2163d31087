# mypy: disable-error-code="attr-defined"
"""What atoms of space none do on the graph: signals, messages, services, actions, questions."""

from collections.abc import Callable
from typing import Any

from rclpy.action import ActionClient, get_action_names_and_types
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from walking_robots_interfaces.msg import PlanSignal

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.nodes.base import GraphNode
from walking_robots.nodes.fill import filled_from, interface

__all__ = ['Voice']

TOLD = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=256,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""A robot that joins late still hears what was signaled."""

FIND = 5.0
"""Wall time, s, to find a server, and for it to accept a goal."""

WAITS = Progress()


class Voice:
    """Carries what programs say; every request belongs to one entry of one atom."""

    def __init__(self, node: GraphNode, robot: str) -> None:
        """Speak by ``node`` in the name of a robot."""
        self._node, self._robot = node, robot
        self.run = ''
        self._signals: set[tuple[str, str]] = set()
        self._publishers: dict[str, tuple[Any, Any]] = {}
        # Kept until the end: the events executor does not survive a client that goes before it.
        self._actions: dict[str, Any] = {}
        self._services: dict[str, Any] = {}
        self._open: list[_Request] = []
        self.question = ''
        self._answer: str | None = None
        self._signal = node.create_publisher(PlanSignal, '/mdle/signals', TOLD)
        node.listen(PlanSignal, '/mdle/signals', self._signaled, TOLD)

    def signal(self, tag: str) -> None:
        """Tell all robots of the run, this one too."""
        self._signals.add((self.run, tag))
        self._signal.publish(PlanSignal(run=self.run, robot=self._robot, tag=tag))

    def _signaled(self, message: Any) -> None:
        self._signals.add((message.run, message.tag))

    def signaled(self, tag: str) -> bool:
        """Tell whether somebody told it in this run."""
        return (self.run, tag) in self._signals

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

    def call_service(self, name: str, request: str) -> '_Request':
        """Call a service; raises RunError where nobody offers it."""
        kind = self._kind_of(name, self._node.get_service_names_and_types(), 'service')
        if name not in self._services:
            self._services[name] = self._node.create_client(kind, name)
        filled = self._filled(kind.Request(), request)
        return self._begin(_ServiceCall(self, self._services[name], filled))

    def call_action(self, name: str, goal: str) -> '_Request':
        """Send a goal to an action; raises RunError where nobody offers it."""
        kind = self._kind_of(name, get_action_names_and_types(self._node), 'action')
        if name not in self._actions:
            self._actions[name] = ActionClient(self._node, kind, name)
        filled = self._filled(kind.Goal(), goal)
        return self._begin(_ActionCall(self, self._actions[name], filled))

    def ask(self, text: str) -> '_Request':
        """Ask the operator; the answer comes by ``answer``."""
        self.question, self._answer = text, None
        return self._begin(_Question(self))

    def answer(self, text: str) -> bool:
        """Take an answer; tells whether there was a question."""
        asked, self.question = self.question, ''
        self._answer = text if asked else self._answer
        return bool(asked)

    def taken_answer(self) -> str | None:
        """Give the answer to the question, None while there is none."""
        return self._answer

    def close(self) -> None:
        """Take back what is still open."""
        for request in list(self._open):
            request.cancel()
        for client in self._actions.values():
            client.destroy()
        self._actions.clear()

    def forget(self, request: '_Request') -> None:
        """Let go of a request that is over."""
        if request in self._open:
            self._open.remove(request)

    def _begin(self, request: '_Request') -> '_Request':
        self._open.append(request)
        return request

    def _kind_of(self, name: str, known: list[tuple[str, list[str]]], what: str) -> Any:
        full = self._node.resolve_topic_name(name)
        for found, kinds in known:
            if found == full and kinds:
                try:
                    return interface(kinds[0])
                except ValueError as error:
                    raise RunError('E808', str(error)) from None
        raise RunError('E808', f'there is no {what} {full}')

    def _filled(self, message: Any, text: str) -> Any:
        try:
            return filled_from(message, text)
        except ValueError as error:
            raise RunError('E302', str(error)) from None

    @property
    def now(self) -> Callable[[], float]:
        """The steady clock, s."""
        return self._node.now


class _Request:
    """One request; ``progress`` tells how it stands, ``cancel`` takes it back."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.begun = voice.now()

    def progress(self) -> Progress:
        raise NotImplementedError

    def cancel(self) -> None:
        self.voice.forget(self)

    def late(self, limit: float) -> bool:
        return self.voice.now() - self.begun > limit


class _Question(_Request):
    def progress(self) -> Progress:
        answer = self.voice.taken_answer()
        if answer is None:
            return WAITS
        self.voice.forget(self)
        return Progress('done', outputs={'answer': answer})

    def cancel(self) -> None:
        self.voice.question = ''
        super().cancel()


class _ServiceCall(_Request):
    def __init__(self, voice: Voice, client: Any, request: Any) -> None:
        super().__init__(voice)
        self._client = client
        self._request: Any = request
        self._future: Any = None

    def progress(self) -> Progress:
        if self._future is None:
            if self._client.service_is_ready():
                self._future = self._client.call_async(self._request)
            elif self.late(FIND):
                return self._over('fail', 'the service did not come up')
            return WAITS
        if not self._future.done():
            return WAITS
        response = self._future.result()
        if getattr(response, 'success', True):
            return self._over('done', '')
        return self._over('fail', getattr(response, 'message', '') or 'the service refused')

    def _over(self, how: Any, text: str) -> Progress:
        self.voice.forget(self)
        return Progress(how, text)

    def cancel(self) -> None:
        if self._future is not None:
            self._client.remove_pending_request(self._future)
        super().cancel()


class _ActionCall(_Request):
    def __init__(self, voice: Voice, client: Any, goal: Any) -> None:
        super().__init__(voice)
        self._client = client
        self._goal = goal
        self._sent: Any = None
        self._result: Any = None
        self._canceled = False

    def progress(self) -> Progress:
        if self._sent is None:
            if self._client.server_is_ready():
                self._sent = self._client.send_goal_async(self._goal)
                self.begun = self.voice.now()
            elif self.late(FIND):
                return self._over('fail', 'the action did not come up')
            return WAITS
        if not self._sent.done():
            if self.late(FIND):
                self.cancel()
                return Progress('fail', 'the action did not answer')
            return WAITS
        handle = self._sent.result()
        if not handle.accepted:
            return self._over('fail', 'the action refused the goal')
        if self._result is None:
            self._result = handle.get_result_async()
        if not self._result.done():
            return WAITS
        # GoalStatus.STATUS_SUCCEEDED
        if self._result.result().status == 4:
            return self._over('done', '')
        return self._over('fail', 'the action did not succeed')

    def _over(self, how: Any, text: str) -> Progress:
        self.voice.forget(self)
        return Progress(how, text)

    def cancel(self) -> None:
        super().cancel()
        if self._sent is not None and not self._canceled:
            self._canceled = True
            # Where it is accepted only later, it is canceled then.
            self._sent.add_done_callback(_take_back)


def _take_back(sent: Any) -> None:
    """Cancel a goal that was accepted."""
    handle = sent.result()
    if handle is not None and handle.accepted:
        handle.cancel_goal_async()
