"""A node that halts its robot after an exception in a callback and after a stall."""

import math
import time
import traceback
from collections.abc import Callable
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType

from walking_robots.nodes.common.intra_process import IntraProcessNode

STALL = 0.5
"""Wall time, s, between two callbacks after which commands from before or meanwhile are void."""


class GuardedNode(IntraProcessNode):
    """A node of which every callback runs inside `guard`.

    ``failure`` is the last exception in words, ``failed_at`` when it was raised by the steady
    clock, s; ``ends_on_error``: whether it ends the node; ``done``: the node is to end;
    ``ended``: callbacks do nothing any more; ``warning_now``: the last warning, to be reported
    in the diagnostics.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """Start a node; ``options`` are those of :class:`rclpy.node.Node`."""
        self.failure = self.warning_now = ''
        self._ran = self._resumed = self.failed_at = -math.inf
        self.ends_on_error = self.done = self.ended = False
        self._warned_at: dict[str, float] = {}
        super().__init__(name, **options)
        self.steady = Clock(clock_type=ClockType.STEADY_TIME)
        # So that callbacks of a node that runs are never far apart.
        self.create_timer(0.4 * STALL, self.report_health, clock=self.steady)

    def guard(
        self,
        callback: Callable[..., Any],
        fallback: Callable[..., Any] = lambda *arguments: None,
    ) -> Callable[..., Any]:
        """Wrap a callback so that an exception in it, or a stall before it, halts the robot.

        After an exception the wrapped callback returns what ``fallback`` makes of its arguments;
        the diagnostics report an error with its place, and the node goes on or ends.
        """

        @wraps(callback)
        def act(*arguments: Any) -> Any:
            if self.ended:
                return fallback(*arguments)
            try:
                self._detect_stall()
                return callback(*arguments)
            except Exception as error:
                self.fail(error)
                return fallback(*arguments)

        # rclpy looks it up before every call of a timer.
        act.__signature__ = signature(callback)  # type: ignore[attr-defined]
        return act

    def create_subscription(  # type: ignore[override,unused-ignore]
        self, kind: Any, topic: str, callback: Callable[..., Any], qos: Any, **options: Any
    ) -> Any:
        """Subscribe to a topic; see `rclpy.node.Node`, `guard` and `IntraProcess`."""
        return super().create_subscription(kind, topic, self.guard(callback), qos, **options)

    def create_timer(  # type: ignore[override,unused-ignore]
        self, period: float, callback: Callable[..., Any], *others: Any, **options: Any
    ) -> Any:
        """Start a timer; see `rclpy.node.Node` and `guard`."""
        return super().create_timer(period, self.guard(callback), *others, **options)

    def create_service(  # type: ignore[override,unused-ignore]
        self, kind: Any, name: str, callback: Callable[..., Any], *others: Any, **options: Any
    ) -> Any:
        """Provide a service; see `rclpy.node.Node` and `guard`.

        The ValueError of a callback is the message of a refusal.
        """

        def answer(request: Any, response: Any) -> Any:
            try:
                return callback(request, response)
            except ValueError as error:
                return _with_message(response, str(error))

        def refuse(request: Any, response: Any) -> Any:
            return _with_message(response, 'the node ends' if self.ended else self.failure)

        return super().create_service(kind, name, self.guard(answer, refuse), *others, **options)

    def fail(self, error: Exception) -> None:
        """Halt the robot after an exception in a callback and report where it was raised."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if _is_own(frame.filename)] or frames
        place = f'{Path(own[-1].filename).name}:{own[-1].lineno}'
        self.failure = f'internal error in {place}: {type(error).__name__}: {error}'
        self.failed_at = self.now()
        self.get_logger().error(f'{self.failure}; the robot halts')
        self.get_logger().debug(''.join(traceback.format_exception(error)))
        self.done = self.done or self.ends_on_error
        try:
            self.rest(self.failure)
        except Exception as second:
            self.get_logger().error(f'could not halt the robot: {second}')

    def _detect_stall(self) -> None:
        now = self.now()
        gap, self._ran = now - self._ran, now
        if STALL < gap < math.inf:
            self._resumed = now
            self.stalled(f'the node stood still for {gap:.1f} s')

    def stalled(self, why: str) -> None:
        """Void what was commanded before a stall; overridden where it does not expire."""

    @property
    def resumes(self) -> bool:
        """Return whether what arrives may have waited while the process stood still."""
        return self.now() - self._resumed < STALL

    def report_health(self) -> None:
        """Look after the node five times a second; overridden to publish how it is."""

    def rest(self, why: str) -> None:
        """Bring the robot to rest and forget every command; overridden by nodes that move one."""

    def warn_throttled(self, sentence: str) -> None:
        """Warn, at most once a second for the same sentence."""
        now = self.now()
        if now - self._warned_at.get(sentence, -math.inf) >= 1.0:
            if len(self._warned_at) > 100:
                self._warned_at.clear()
            self._warned_at[sentence] = now
            self.get_logger().warning(sentence)
        self.warning_now = sentence

    def now(self) -> float:
        """Return the time of the steady clock, s."""
        return time.monotonic()

    def task_time(self) -> float:
        """Return the time by which programs and tasks count, s: simulated, or `now`."""
        if self.get_parameter('use_sim_time').value:
            return 1e-9 * float(self.get_clock().now().nanoseconds)
        return self.now()


def _with_message(response: Any, message: str) -> Any:
    """Return a response with its message, if responses of its kind have one."""
    if hasattr(response, 'message'):
        response.message = message
    return response


def _is_own(path: str) -> bool:
    """Return whether a file is of this package or of the program that uses it."""
    return 'walking_robots' in path or '/lib/python' not in path
