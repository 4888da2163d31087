"""Return what the executor of MDLe programs is at: status, events, tree, outputs for partners."""

from collections.abc import Sequence
from typing import Any

from walking_robots_interfaces.msg import PlanEvent, PlanOutputs, PlanStatus, PlanTree

from walking_robots.mdle.runtime.events import Event
from walking_robots.mdle.runtime.outline import outline
from walking_robots.mdle.session import Session
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.mdle.conversions import (
    event_to_msg,
    frame_to_msg,
    outline_to_msg,
    outputs_to_msg,
    time_to_msg,
    values_to_msg,
)
from walking_robots.nodes.mdle.external_calls import RosExternalCalls
from walking_robots.nodes.mdle.parameters import MdleParameters
from walking_robots.nodes.mdle.topic_robot import TopicRobot


class StatusPublisher:
    """Publishes what the library says of a run."""

    def __init__(
        self,
        node: GraphNode,
        session: Session,
        robot: TopicRobot,
        calls: RosExternalCalls,
        own: MdleParameters,
    ) -> None:
        """Offer the topics on ``node``."""
        self._node, self._session, self._robot = node, session, robot
        self._calls, self._own = calls, own
        self._status = node.create_publisher(PlanStatus, '~/status', LATCHED)
        self._events = node.create_publisher(PlanEvent, '~/events', RECORD)
        self._tree = node.create_publisher(PlanTree, '~/tree', LATCHED)
        self._outputs = node.create_publisher(PlanOutputs, '~/outputs', 10)
        self._last_tree = PlanTree()
        self.last_event = ''
        node.create_timer(1.0, self.publish_status, clock=node.steady)

    def status(self) -> PlanStatus:
        """Return what the executor is at."""
        executor = self._session.executor
        context, job, result = executor.context, executor.job, executor.result
        space, control = self._robot.control
        # Of frames with one path the innermost says most.
        frames = {frame.path: frame for frame in executor.frames()}
        return PlanStatus(
            stamp=time_to_msg(self._now()),
            phase=executor.phase.name,
            entry=job.entry if job else '',
            program=job.digest if job else '',
            time=(context.now - context.begun) * 1e-9,
            tick=context.tick,
            waiting=self._session.waiting,
            stack=list(frames),
            frames=[frame_to_msg(f, context.values, context.now) for f in frames.values()],
            space=space,
            control=list(control),
            board=values_to_msg(context.board),
            outcome=result.outcome if result else '',
            message=result.message if result else self._calls.question,
        )

    def publish_status(self) -> PlanStatus:
        """Publish what the executor is at, and return it."""
        status = self.status()
        self._status.publish(status)
        return status

    def publish_events(self, events: Sequence[Event], begun: int) -> None:
        """Publish transitions of a program that began at a time, ns; its first brings its tree."""
        for event in events:
            self._events.publish(event_to_msg(event, begun))
            self.last_event = f'{event.kind} {event.path} {event.cause}'.strip()
            if event.kind == 'start':
                self._publish_tree()

    def _publish_tree(self) -> None:
        job = self._session.executor.job
        assert job
        self._last_tree = outline_to_msg(job.digest, job.entry, job.program.source, outline(job))
        self._tree.publish(self._last_tree)

    def share(self) -> None:
        """Publish what partners may read."""
        executor = self._session.executor
        result = executor.result
        self._outputs.publish(
            outputs_to_msg(
                self._own.robot_name,
                'done' if result and result.succeeded else executor.phase.name.lower(),
                {name: executor.context.values.get(name) for name in self._own.shared},
                self._own.spec,
                self._now(),
            )
        )

    def fill_snapshot(self, response: Any) -> None:
        """Fill the answer of ``get_snapshot``."""
        response.status = self.status()
        response.tree = self._last_tree
        checkpoint = self._session.executor.checkpoint()
        try:
            response.checkpoint = checkpoint.to_text() if checkpoint else ''
        except ValueError as error:
            self._node.warn_throttled(f'gives no checkpoint: {error}')

    def _now(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)
