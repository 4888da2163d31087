# mypy: disable-error-code="attr-defined"
"""Serve the commands of one robot of ARS MAGNA as actions and services."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rclpy.action import CancelResponse
from rclpy.clock import ROSClock
from rclpy.task import Future
from walking_robots_interfaces.action import ArsAct

from walking_robots.ars_magna.agent.messages import STARTED, CommandReport, CommandRequest
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.command_messages import (
    COMMAND_MESSAGES,
    REFUSED,
    SERVICES,
    command_of,
    report_to_msg,
)
from walking_robots.nodes.common.deferred_service import create_deferred_service
from walking_robots.nodes.common.goal_server import GoalServer
from walking_robots.nodes.common.node import GraphNode

_UNNUMBERED = 1 << 40
"""Requests from here on are numbered by the node, and come after all others in a tick."""
KEPT = 30
"""Seconds for which a result is kept for a program that is busy."""
_READINGS = (Code.GRASPING, Code.NOT_GRASPING)
"""Codes that are readings of a hand."""


class _OwnTime:
    """A node with a clock of its own, by which results expire.

    Wall time, however fast simulated time goes; and executors warn of many timers of one clock.
    """

    def __init__(self, node: GraphNode) -> None:
        self._node, self._own = node, ROSClock()

    def get_clock(self) -> ROSClock:
        return self._own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._node, name)


@dataclass(eq=False)
class PendingCommand:
    """A goal of an action, or a call of a service, that waits for what becomes of its command.

    answer: the result or response, to be filled in; send: sends it; handle: of a goal, None for a
    call; part: kind and index; since: the tick after which it came; number: of the request;
    lasting: whether it has started something that goes on.
    """

    kind: Any
    answer: Any
    send: Callable[[Any], None]
    part: tuple[str, int]
    since: int
    handle: Any = None
    number: int = -1
    lasting: bool = False

    def started(self, report: CommandReport, sequence: int) -> None:
        """Publish the feedback; no command of a service lasts."""
        self.lasting = True
        self.handle.publish_feedback(report_to_msg(self.kind.Feedback(), report, sequence))

    def ended(self, report: CommandReport, sequence: int) -> None:
        """Answer; a goal is succeeded, canceled or aborted."""
        felt = report.command == 'hand_grasp_check' and report.code in _READINGS
        if self.handle is not None:
            if self.handle.is_cancel_requested and report.code == Code.INTERRUPT:
                self.handle.canceled()
            elif report.code == Code.NIL or felt:
                self.handle.succeed()
            else:
                self.handle.abort()
        self.send(report_to_msg(self.answer, report, sequence))

    def refused(self, sentence: str, sequence: int) -> None:
        """Answer why no robot could be given the command."""
        if self.handle is not None:
            self.handle.abort()
        answer = self.answer
        answer.code, answer.code_name, answer.message = REFUSED, 'REFUSED', sentence
        answer.sequence = sequence
        self.send(answer)


class CommandServers:
    """The commands of a robot.

    requests, reports: how many numbered requests were received, and how many reports on them
    were sent, refusals included.
    """

    def __init__(
        self,
        node: GraphNode,
        robot: str,
        counts: dict[str, int],
        simulator: Simulator,
        received: Callable[[], None],
    ) -> None:
        """Offer all commands of a robot, whose parts are counted by kind, on ``node``.

        received: is called after each numbered request.
        """
        self._node, self._robot = node, robot
        self._simulator, self._received = simulator, received
        self._pending_commands: dict[int, PendingCommand] = {}
        self._goals: dict[bytes, PendingCommand] = {}
        self._unnumbered = _UNNUMBERED
        self._over = ''
        self.requests = self.reports = 0
        self._servers: dict[tuple[str, int], GoalServer] = {}
        names: dict[tuple[str, str], list[str]] = {}
        for command, info in COMMANDS.items():
            names.setdefault((info.part, info.topic), []).append(command)
        for (part, _), commands in names.items():
            for index in range(counts.get(part, 1)):
                self._offer(commands, index)

    def _offer(self, commands: list[str], index: int) -> None:
        form = COMMAND_MESSAGES[commands[0]]
        topic = f'{self._robot}/{form.topic(index)}'
        if form.kind in SERVICES:
            call = partial(self._call, commands, index)
            create_deferred_service(self._node, form.kind, topic, call)
            return
        node: Any = _OwnTime(self._node)
        begin = partial(self._begin, commands, index)
        server = GoalServer(node, form.kind, topic, begin, self._cancel, result_timeout=KEPT)
        self._servers[commands[0], index] = server

    # Goals and calls

    def _begin(self, commands: list[str], index: int, handle: Any) -> None:
        message, kind = handle.request, COMMAND_MESSAGES[commands[0]].kind
        name, server = bytes(handle.goal_id.uuid), self._servers[commands[0], index]

        def send(result: Any) -> None:
            del self._goals[name]
            server.finish(handle, result)

        goal = self._new_pending(commands, index, message, kind.Result(), send, handle)
        self._goals[name] = goal
        handle.execute()
        self._submit(commands, message, goal)

    def _new_pending(
        self,
        commands: list[str],
        index: int,
        message: Any,
        answer: Any,
        send: Callable[[Any], None],
        handle: Any = None,
    ) -> PendingCommand:
        part = (COMMANDS[commands[0]].part, index)
        if commands == ['manipulate']:
            part = (message.by, message.part)
        kind = COMMAND_MESSAGES[commands[0]].kind
        return PendingCommand(kind, answer, send, part, self._simulator.now, handle)

    def _call(self, commands: list[str], index: int, request: Any, response: Any) -> 'Future[Any]':
        answer: Future[Any] = Future()
        call = self._new_pending(commands, index, request, response, answer.set_result)
        self._submit(commands, request, call)
        return answer

    def _submit(self, commands: list[str], message: Any, pending: PendingCommand) -> None:
        """Hand a command to the simulator, or refuse it."""
        is_numbered = message.request > 0
        try:
            self._check_number(message.request)
            pending.number = message.request - 1 if is_numbered else self._own_number()
            command = command_of(commands, message)
            arguments = COMMAND_MESSAGES[command].arguments(message)
            self._simulator.submit(
                CommandRequest(self._robot, pending.number, command, pending.part[1], arguments)
            )
            self._pending_commands[pending.number] = pending
        except ValueError as error:
            pending.refused(str(error), self._sequence(is_numbered))
        if is_numbered:
            self.requests += 1
            self._received()

    def _check_number(self, request: int) -> None:
        """Raise ValueError for a number that a request cannot have, or when all is over."""
        if self._over:
            raise ValueError(self._over)
        if not 0 <= request < _UNNUMBERED:
            raise ValueError(
                f'{request} is no number of a request; number them from 1 to {_UNNUMBERED - 1}, '
                'or give 0 to leave one without'
            )
        if request - 1 in self._pending_commands:
            raise ValueError(
                f'another program commands {self._robot}: its request {request} is under way; '
                'let one program at a time command a robot'
            )

    def _sequence(self, is_numbered: bool) -> int:
        """Count a report of a numbered request."""
        self.reports += is_numbered
        return self.reports if is_numbered else 0

    def _own_number(self) -> int:
        self._unnumbered += 1
        return self._unnumbered

    def _cancel(self, handle: Any) -> CancelResponse:
        """Grab the resource of a goal; what has taken its place there meanwhile goes on."""
        goal = self._goals.get(bytes(handle.goal_id.uuid))
        if goal is None or self._pending_commands.get(goal.number) is not goal:
            return CancelResponse.REJECT
        if goal.since < self._simulator.now:
            self._simulator.grab(self._resource(goal))
        else:
            self._simulator.withdraw(self._robot, goal.number)
        return CancelResponse.ACCEPT

    def _resource(self, goal: PendingCommand) -> str:
        """Name what a goal that has begun occupies (ars_magna.md §1.6)."""
        kind, index = goal.part
        if kind == 'robot':
            return f'{self._robot}/robot' + ('/sense' if goal.kind is ArsAct else '')
        track = '/track' if goal.lasting and kind == 'camera' else ''
        return f'{self._robot}/{kind}/{index}{track}'

    # Reports

    def publish(self, report: CommandReport) -> None:
        """Pass a report on to the goal or call of its command."""
        pending = self._pending_commands.get(report.number)
        if pending is None:
            return
        sequence = self._sequence(report.number < _UNNUMBERED)
        if report.kind == STARTED:
            pending.started(report, sequence)
        else:
            del self._pending_commands[report.number]
            pending.ended(report, sequence)

    def end(self, sentence: str) -> bool:
        """Refuse all that is under way and whatever follows; return whether anything was."""
        self._over, pending = sentence, dict(self._pending_commands)
        self._pending_commands.clear()
        for number, one in pending.items():
            one.refused(sentence, self._sequence(number < _UNNUMBERED))
        return bool(pending)

    def close(self) -> None:
        """Take the actions away."""
        self._pending_commands.clear()
        self._goals.clear()
        for server in self._servers.values():
            server.destroy()
