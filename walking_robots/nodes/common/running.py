"""Run nodes until a signal ends them, and return an exit code."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol, Self

import rclpy
from rclpy.context import Context
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from walking_robots.documents.sentences import one_line
from walking_robots.nodes.common.node import ConfigurationError, GraphNode

FAILED, REFUSED = 1, 2
"""Exit codes: after an exception in a callback, and for a wrong parameter or file."""

TICK = 0.1
"""Longest time, s, between two checks whether to end."""

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Handles SIGINT, SIGTERM and SIGHUP.

    The first requests an orderly end, a second SIGINT or SIGTERM ends at once. A process that
    ignores SIGHUP, by nohup, goes on ignoring it.
    """

    def __init__(self) -> None:
        """Take over the signals."""
        self.requested = False
        self._old = {
            number: signal.signal(number, self._note)
            for number in _ENDING
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
        }

    def _note(self, number: int, frame: FrameType | None) -> None:
        # A terminal that closes may send SIGHUP twice.
        if self.requested and number != signal.SIGHUP:
            os._exit(128 + number)
        self.requested = True

    def release(self) -> None:
        """Restore the previous signal handlers."""
        for number, handler in self._old.items():
            signal.signal(number, handler)


class _Spins(Protocol):
    def spin_once(self, timeout_sec: float | None = None) -> None: ...


def make_executor(context: Context) -> Executor:
    """Return the cheapest executor this distribution has.

    The events executor costs half or less; its ``spin`` never returns on a signal, so callers use
    ``spin_once`` in a loop.
    """
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError:
        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)


def spin(executor: _Spins, done: Callable[[], bool]) -> None:
    """Spin until ``done``; the handlers of signals run between two callbacks."""
    with _DeferredSignals() as signals:
        while not done():
            executor.spin_once(timeout_sec=TICK)
            signals.handle()


class _DeferredSignals:
    """Calls handlers of signals later, for ``with``; of a second signal at once.

    An exception that a handler raises within a callback does not leave the events executor.
    """

    def __enter__(self) -> Self:
        self._pending: int | None = None
        self._handlers: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in _ENDING:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._pending is not None:
            self._handlers[number](number, frame)
        self._pending = number

    def handle(self) -> None:
        """Call the handler of a signal that came."""
        if self._pending is not None:
            number, self._pending = self._pending, None
            self._handlers[number](number, None)

    def __exit__(self, *error: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self.handle()


def freeze_gc() -> None:
    """Freeze loaded objects, such as modules, so that garbage collection misses no tick.

    A collection of all of them takes 40 to 60 ms.
    """
    gc.freeze()


def run_node(make: Callable[..., GraphNode], arguments: Sequence[str] | None = None) -> int:
    """Run one node as a process and give its exit code."""
    stop = Stop()
    context = Context()
    node: GraphNode | None = None
    try:
        with one_sentence():
            rclpy.init(
                args=None if arguments is None else list(arguments),
                context=context,
                signal_handler_options=SignalHandlerOptions.NO,
            )
            running = node = make(context=context)
        node.warn_of_unknown_parameters()
        executor = make_executor(context)
        executor.add_node(node)
        freeze_gc()
        spin(executor, lambda: stop.requested or running.done)
        executor.remove_node(node)
        if running.done and running.failure:
            return FAILED
    except ConfigurationError as error:
        print(one_line(str(error)), file=sys.stderr)
        return REFUSED
    finally:
        if node is not None:
            # Also where something has gone wrong: a robot must not be left moving.
            try:
                node.halt()
            finally:
                node.destroy_node()
        context.try_shutdown()
        stop.release()
    return 0


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn what ROS 2 says against the start of a node into a ConfigurationError."""
    try:
        yield
    except _start_errors() as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConfigurationError(f'ROS 2 does not start this node: {reason}') from error


def _start_errors() -> tuple[type[BaseException], ...]:
    from rclpy.impl.implementation_singleton import rclpy_implementation as implementation

    names: Any = ('RCLInvalidROSArgsError', 'UnknownROSArgsError', 'RCLError')
    return tuple(getattr(implementation, name) for name in names if hasattr(implementation, name))
