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

ENDING = 8
"""Longest wall time, s, between a signal and the end: ``ros2 launch`` kills after 10 s."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Handles SIGINT, SIGTERM and SIGHUP: the first requests an orderly end, more do no harm.

    ``ros2 launch`` forwards the SIGINT that a terminal sends to the nodes too. The end is bounded:
    ENDING seconds after the first signal, the kernel ends the process wherever it hangs. A process
    that ignores SIGHUP, by nohup, goes on ignoring it.
    """

    def __init__(self) -> None:
        """Take over the signals."""
        self.requested = False
        self._old = {
            number: signal.signal(number, self)
            for number in _SIGNALS
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
        }

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Request the end."""
        if not self.requested:
            self.requested = True
            signal.alarm(ENDING)

    def release(self) -> None:
        """Restore the previous signal handlers, for a process that goes on."""
        signal.alarm(0)
        for number, handler in self._old.items():
            signal.signal(number, handler)

    def ignore(self) -> None:
        """Ignore further signals, for a process that has only to exit."""
        for number in self._old:
            signal.signal(number, signal.SIG_IGN)


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


def shut_down(executor: Executor) -> None:
    """End an executor and destroy its nodes."""
    nodes = list(executor.get_nodes())
    end_executor(executor)
    for node in nodes:
        node.destroy_node()


def end_executor(executor: Executor) -> None:
    """End an executor, whose nodes may be added to another one or destroyed.

    First it runs its tasks, which would keep nodes, and with them a participant of DDS, for ever.
    Nodes are not removed before: the events executor, if it spins on, releases what is due of an
    action of a removed node without the lock of the interpreter, which crashes now and then
    (rclpy 9.1; ros2/rclpy#1644). For the same reason destroy clients of actions only after it.
    """
    last = executor.create_task(lambda: None)
    spin(executor, last.done)
    executor.shutdown()


class _DeferredSignals:
    """Calls handlers of signals later, for ``with``; of a second signal at once.

    An exception that a handler raises within a callback does not leave the events executor.
    A `Stop` raises none and is called at once.
    """

    def __enter__(self) -> Self:
        self._pending: int | None = None
        self._handlers: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler) and not isinstance(handler, Stop):
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
    # The next full collection comes when there are a quarter more objects than at the last one;
    # had that one counted the frozen objects, garbage would grow for hours.
    gc.collect()


def run_node(make: Callable[..., GraphNode], arguments: Sequence[str] | None = None) -> int:
    """Run one node as a process, which then has only to exit, and give its exit code."""
    stop = Stop()
    context = Context()
    node: GraphNode | None = None
    executor: Executor | None = None
    try:
        with one_sentence():
            rclpy.init(
                args=None if arguments is None else list(arguments),
                context=context,
                signal_handler_options=SignalHandlerOptions.NO,
            )
            running = node = make(context=context)
        node.warn_of_unknown_parameters()
        node.warn_of_overruled_parameters(sys.argv if arguments is None else arguments)
        executor = make_executor(context)
        executor.add_node(node)
        freeze_gc()
        spin(executor, lambda: stop.requested or running.done)
        if running.done and running.failure:
            return FAILED
    except ConfigurationError as error:
        print(one_line(str(error)), file=sys.stderr)
        return REFUSED
    finally:
        if node is not None:
            # Also where something has gone wrong: a robot must not be left moving.
            try:
                node.end()
            finally:
                if executor is not None:
                    end_executor(executor)
                node.destroy_node()
        context.try_shutdown()
        stop.ignore()
    return 0


@contextmanager
def ended_at_once(close: Callable[[], None]) -> Iterator[None]:
    """Meanwhile a signal calls ``close`` and ends the process with code 0.

    An exception in its place would be lost in libraries that catch all of an import.
    """

    def end(number: int, frame: FrameType | None) -> None:
        for ended in _SIGNALS:
            signal.signal(ended, signal.SIG_IGN)
        try:
            close()
        finally:
            os._exit(0)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
