"""What the viewer does for every robot: requests of a page, services, velocities, warnings."""

import queue
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from diagnostic_msgs.msg import DiagnosticArray

from walking_robots.nodes.common.health import OK
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.velocity_publisher import (
    PEOPLE,
    VelocityPublisher,
    stamped_parameter,
)

NEWS = 3.0
"""Wall time, s, for which a warning of a node is shown."""
MOST_WARNINGS = 100
"""Sources whose last warnings are kept."""


class RobotPage(Protocol):
    """One robot's part of the viewer: made with a PageNode, it opens a page and updates it."""

    def controls(self) -> Any:
        """Return the controls of the page; they may be called from any thread."""

    def open(self, controls: Any, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""

    def halt(self) -> None:
        """Stop the robot if it was moved from the page."""


class PageNode(GraphNode):
    """A node that carries out the requests of a page and collects warnings."""

    def __init__(self, **options: Any) -> None:
        """Listen to the diagnostics."""
        super().__init__('viewer', **options)
        self._queue: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._warnings: dict[str, tuple[float, str, int]] = {}
        self._clients_of: dict[str, Any] = {}
        self.listen(DiagnosticArray, '/diagnostics', self._warned)
        self.create_timer(0.05, self._process_queue, clock=self.steady)

    # Requests, from a thread of the page

    def run_on_node(self, act: Callable[..., None]) -> Callable[..., None]:
        """Return a function, callable from any thread, that has the node run ``act``."""
        return lambda *values: self._queue.put(partial(act, *values))

    def _process_queue(self) -> None:
        while not self._queue.empty():
            self._queue.get()()

    def offer_commands(self) -> None:
        """Prepare to command velocities."""
        self.stamped = stamped_parameter(self)
        self._commands = VelocityPublisher(self, self.stamped, PEOPLE)

    def command(self, vx: float, vy: float, wz: float) -> None:
        """Publish a velocity: m/s, m/s and rad/s in base_link; after a stall only rest."""
        if not self.resumes or not any((vx, vy, wz)):
            self._commands.publish(vx, vy, wz)

    def offer(self, kind: Any, *names: str) -> None:
        """Prepare to call services of a kind."""
        self._clients_of |= {name: self.create_client(kind, name) for name in names}

    def there(self, name: str) -> bool:
        """Return whether a service that was prepared can be called now."""
        return bool(self._clients_of[name].service_is_ready())

    def call(self, name: str, request: Any, then: Callable[[], None] | None = None) -> None:
        """Call a service without waiting; what it refuses is shown on the page."""
        self.ask(name, request, lambda _: then() if then is not None else None)

    def ask(self, name: str, request: Any, then: Callable[[Any], None]) -> None:
        """Call a service without waiting, and take its answer where it does not refuse."""
        if not self.there(name):
            self.warn(name, f'{name} is not there: is its node running?')
            return

        def answered(future: Any) -> None:
            answer = future.result()
            reason = _refusal(answer)
            if reason is not None:
                self.warn(name, reason)
            else:
                then(answer)

        self._clients_of[name].call_async(request).add_done_callback(self.guard(answered))

    # What is to be warned of

    def warn(self, source: str, sentence: str, urgency: int = 3) -> None:
        """Show a sentence on the page for a while, in place of the last one of its source.

        The most urgent one is shown: 1 for warnings, 2 for errors, 3 for answers to a person.
        """
        # The oldest first.
        self._warnings.pop(source, None)
        self._warnings[source] = (self.now(), sentence, urgency)
        if len(self._warnings) > MOST_WARNINGS:
            del self._warnings[next(iter(self._warnings))]

    def warning(self) -> str:
        """Return the most urgent of the recent warnings, or nothing."""
        now = self.now()
        recent = [warning for warning in self._warnings.values() if now - warning[0] < NEWS]
        return max(recent, key=lambda warning: warning[2], default=(now, '', 0))[1]

    def _warned(self, message: Any) -> None:
        for status in message.status:
            if status.level != OK:
                self.warn(status.name, f'{status.name} {status.message}', status.level[0])
            else:
                self._warnings.pop(status.name, None)


def _refusal(answer: Any) -> str | None:
    """Return the reason for which a service refused, None where it did not."""
    result = getattr(answer, 'result', None)
    if result is not None:
        return None if result.successful else str(result.reason)
    return None if getattr(answer, 'success', True) else str(answer.message)
