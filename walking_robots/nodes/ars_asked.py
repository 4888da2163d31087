"""Those who wait for what becomes of a command of ARS MAGNA: goals and calls."""

from typing import TYPE_CHECKING, Any, Protocol

from walking_robots.ars_magna.agent.messages import Report
from walking_robots.ars_magna.codes import Code
from walking_robots.nodes.ars_forms import REFUSED, put_report

if TYPE_CHECKING:
    from rclpy.task import Future

__all__ = ['Asked', 'Call', 'Goal', 'refusal']


class Asked(Protocol):
    """Somebody who waits for what becomes of a command."""

    def started(self, report: Report, sequence: int) -> None:
        """Tell that a lasting command has started."""

    def ended(self, report: Report, sequence: int) -> None:
        """Tell how the command has ended."""


class Goal:
    """A goal of an action for a part of a robot.

    number: of its request; since: the tick after which it came; lasting: whether it has started
    something that goes on.
    """

    def __init__(
        self, handle: Any, kind: Any, part: tuple[str, int], done: 'Future[Any]', since: int
    ) -> None:
        """Take an accepted goal; ``done`` is its result."""
        self.handle, self.kind, self.part, self.done = handle, kind, part, done
        self.since = since
        self.number, self.lasting = -1, False

    def started(self, report: Report, sequence: int) -> None:
        """Publish the feedback."""
        self.lasting = True
        self.handle.publish_feedback(put_report(self.kind.Feedback(), report, sequence))

    def ended(self, report: Report, sequence: int) -> None:
        """Give the result, as succeeded, canceled or aborted."""
        # What a hand feels is a reading, not a failure.
        if self.handle.is_cancel_requested and report.code == Code.INTERRUPT:
            self.handle.canceled()
        elif report.code == Code.NIL or report.command == 'hand_grasp_check':
            self.handle.succeed()
        else:
            self.handle.abort()
        self.done.set_result(put_report(self.kind.Result(), report, sequence))

    def refuse(self, sentence: str) -> None:
        """Abort: only a result can say why."""
        self.handle.abort()
        self.done.set_result(refusal(self.kind.Result(), sentence))


class Call:
    """A call of a service, which is answered when its command has ended."""

    def __init__(self, response: Any, done: 'Future[Any]') -> None:
        """Take the response to be filled in."""
        self.response, self.done = response, done

    def started(self, report: Report, sequence: int) -> None:
        """Say nothing: no command of a service lasts."""

    def ended(self, report: Report, sequence: int) -> None:
        """Answer."""
        self.done.set_result(put_report(self.response, report, sequence))


def refusal(message: Any, sentence: str) -> Any:
    """Fill in the result of a command that no robot could be given."""
    message.code, message.code_name, message.message = REFUSED, 'REFUSED', sentence
    return message
