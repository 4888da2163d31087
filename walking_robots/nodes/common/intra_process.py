"""Messages between the nodes of one process, without the middleware."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from rclpy.context import Context
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock

from walking_robots.nodes.common.qos import LOOP, RECORD

MOST = 10
"""Messages that are delivered before the executor attends to timers and the middleware again."""

DUE = 2
"""Rounds of the executor in which it calls the timers that are due at a new simulated time, before
anything else is delivered: measured, one is not enough."""


class LocalSubscription(NamedTuple):
    """A subscription of a node in this process."""

    node: Node
    callback: Callable[[Any], None]


class IntraProcess:
    """Hands messages to the nodes of this process, where no other process subscribes.

    They arrive in the order of publication, and as the objects that were published: a published
    message must not be changed any more. ``error``: the first exception of a callback, to be
    raised where the executor is spun; in a task it would crash the events executor (rclpy 9.1).
    """

    def __init__(self, executor: Executor) -> None:
        """Deliver by tasks of ``executor``, on which all nodes are."""
        self._executor: Executor | None = executor
        self._subscriptions: dict[tuple[str, type], list[LocalSubscription]] = {}
        self._queue: deque[tuple[list[LocalSubscription], LocalSubscription, Any]] = deque()
        self._scheduled = False
        self._rounds = 0
        self.error: Exception | None = None

    def subscriptions(self, topic: str, kind: type) -> list[LocalSubscription]:
        """Return the subscriptions to a topic, a list that is kept up to date."""
        return self._subscriptions.setdefault((topic, kind), [])

    def subscribe(self, node: Node, subscription: Any) -> None:
        """Take in a new subscription of a node."""
        found = self.subscriptions(subscription.topic_name, subscription.msg_type)
        found.append(LocalSubscription(node, subscription.callback))

    def unsubscribe(self, node: Node, subscription: Any) -> None:
        """Forget a subscription that is to be destroyed."""
        found = self.subscriptions(subscription.topic_name, subscription.msg_type)
        local = LocalSubscription(node, subscription.callback)
        if local in found:
            found.remove(local)

    def deliver(self, subscriptions: list[LocalSubscription], message: Any) -> None:
        """Have the executor call back all ``subscriptions`` with a message."""
        self._queue.extend((subscriptions, local, message) for local in subscriptions)
        self._schedule()

    def attach(self, executor: Executor | None) -> None:
        """Deliver by tasks of another executor; None: keep messages until there is one.

        An executor keeps its tasks for ever, and the garbage collector cannot see what it holds.
        """
        self._executor = executor
        self._schedule()

    def close(self) -> None:
        """Drop what is not delivered yet."""
        self.attach(None)
        self._queue.clear()

    def _schedule(self) -> None:
        if self._queue and not self._scheduled and self._executor is not None:
            self._scheduled = True
            self._executor.create_task(self._call_back)

    def _call_back(self) -> None:
        """Deliver what has been published, and what is published meanwhile."""
        if self._rounds:
            self._rounds -= 1
        elif self._executor is not None:
            self._deliver_some(self._executor.get_nodes())
        self._scheduled = False
        self._schedule()

    def _deliver_some(self, nodes: list[Node]) -> None:
        try:
            for _ in range(MOST):
                if not self._queue:
                    break
                subscriptions, local, message = self._queue.popleft()
                # It may have been destroyed since, or its node taken from the executor.
                if local in subscriptions and local.node in nodes:
                    local.callback(message)
                if isinstance(message, Clock):
                    self._rounds = DUE
                    break
        except Exception as error:
            self.error = self.error or error


class IntraProcessContext(Context):  # type: ignore[misc,unused-ignore]
    """A context whose nodes hand messages to each other."""

    intra_process: IntraProcess


class IntraProcessPublisher(Publisher):  # type: ignore[misc,type-arg,unused-ignore]
    """Publishes by the middleware only where another process subscribes."""

    def __init__(self, intra_process: IntraProcess, *arguments: Any, **options: Any) -> None:
        """Make a publisher; ``arguments`` and ``options`` are those of rclpy's."""
        super().__init__(*arguments, **options)
        self._intra_process = intra_process
        self._local = intra_process.subscriptions(self.topic_name, self.msg_type)

    def publish(self, message: Any) -> None:
        """Send a message to all subscriptions."""
        if self.get_subscription_count() > len(self._local):
            super().publish(message)
        elif self._local:
            self._intra_process.deliver(self._local, message)


def may_skip_middleware(qos: QoSProfile | int) -> bool:
    """Return whether the middleware keeps no message for late subscriptions and loses none."""
    return isinstance(qos, int) or (
        qos.reliability == ReliabilityPolicy.RELIABLE
        and qos.durability == DurabilityPolicy.VOLATILE
    )


class IntraProcessNode(Node):  # type: ignore[misc,unused-ignore]
    """A node that hands messages to the others of its process, where it shares their context."""

    def record_qos(self) -> QoSProfile:
        """Return the quality of service of records.

        In one process every subscription is found before a simulation begins, so that no message
        need be kept.
        """
        return LOOP if isinstance(self.context, IntraProcessContext) else RECORD

    def create_publisher(  # type: ignore[override,unused-ignore]
        self, kind: Any, topic: str, qos: Any, **options: Any
    ) -> Any:
        """Publish on a topic; see `rclpy.node.Node` and `IntraProcess`."""
        if isinstance(self.context, IntraProcessContext) and may_skip_middleware(qos):
            make = partial(IntraProcessPublisher, self.context.intra_process)
            options.setdefault('publisher_class', make)
        return super().create_publisher(kind, topic, qos, **options)

    def create_subscription(  # type: ignore[override,unused-ignore]
        self, kind: Any, topic: str, callback: Callable[..., Any], qos: Any, **options: Any
    ) -> Any:
        """Subscribe to a topic; see `rclpy.node.Node` and `IntraProcess`."""
        # What parameters override is written into the profile. A clock may lose steps, but the
        # ticks of a node with simulated time would be late then.
        skips = may_skip_middleware(qos) or kind is Clock
        made = super().create_subscription(kind, topic, callback, qos, **options)
        if isinstance(self.context, IntraProcessContext) and skips:
            self.context.intra_process.subscribe(self, made)
        return made

    def destroy_subscription(self, subscription: Any) -> bool:
        """End a subscription; see `rclpy.node.Node`."""
        if isinstance(self.context, IntraProcessContext):
            self.context.intra_process.unsubscribe(self, subscription)
        return bool(super().destroy_subscription(subscription))
