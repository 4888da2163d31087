"""Those who wait for what becomes of a command of ARS MAGNA: goals and calls."""

from typing import TYPE_CHECKING, Any, Protocol

from walking_robots.ars_magna.agent.messages import CommandReport
from walking_robots.ars_magna.codes import Code
from walking_robots.nodes.ars_magna.command_messages import REFUSED, report_to_msg

if TYPE_CHECKING:
    from rclpy.task import Future

_READINGS = (Code.GRASPING, Code.NOT_GRASPING)
"""Codes that are readings of a hand."""


class PendingCommand(Protocol):
    """Somebody who waits for what becomes of a command; number: of the request."""

    number: int

    def started(self, report: CommandReport, sequence: int) -> None:
        """Report that a lasting command has started."""

    def ended(self, report: CommandReport, sequence: int) -> None:
        """Return how the command has ended."""

    def refused(self, sentence: str, sequence: int) -> None:
        """Report why no robot could be given the command."""


class PendingGoal:
    """A goal of an action for a part of a robot.

    since: the tick after which it came; lasting: whether it has started something that goes on.
    """

    def __init__(
        self, handle: Any, kind: Any, part: tuple[str, int], done: 'Future[Any]', since: int
    ) -> None:
        """Take an accepted goal; ``done`` is its result."""
        self.handle, self.kind, self.part, self.done = handle, kind, part, done
        self.since = since
        self.number, self.lasting = -1, False

    def started(self, report: CommandReport, sequence: int) -> None:
        """Publish the feedback."""
        self.lasting = True
        self.handle.publish_feedback(report_to_msg(self.kind.Feedback(), report, sequence))

    def ended(self, report: CommandReport, sequence: int) -> None:
        """Return the result, as succeeded, canceled or aborted."""
        felt = report.command == 'hand_grasp_check' and report.code in _READINGS
        if self.handle.is_cancel_requested and report.code == Code.INTERRUPT:
            self.handle.canceled()
        elif report.code == Code.NIL or felt:
            self.handle.succeed()
        else:
            self.handle.abort()
        self.done.set_result(report_to_msg(self.kind.Result(), report, sequence))

    def refused(self, sentence: str, sequence: int) -> None:
        """Abort: only a result can say why."""
        self.handle.abort()
        self.done.set_result(_refusal(self.kind.Result(), sentence, sequence))


class PendingCall:
    """A call of a service, which is answered when its command has ended."""

    def __init__(self, response: Any, done: 'Future[Any]') -> None:
        """Take the response to be filled in."""
        self.response, self.done, self.number = response, done, -1

    def started(self, report: CommandReport, sequence: int) -> None:
        """Say nothing: no command of a service lasts."""

    def ended(self, report: CommandReport, sequence: int) -> None:
        """Answer."""
        self.done.set_result(report_to_msg(self.response, report, sequence))

    def refused(self, sentence: str, sequence: int) -> None:
        """Answer at once."""
        self.done.set_result(_refusal(self.response, sentence, sequence))


def _refusal(message: Any, sentence: str, sequence: int) -> Any:
    """Fill in the result of a command that no robot could be given."""
    message.code, message.code_name, message.message = REFUSED, 'REFUSED', sentence
    message.sequence = sequence
    return message
