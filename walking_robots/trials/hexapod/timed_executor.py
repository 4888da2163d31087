"""Computations of a coordinator in a trial: done when requested, and timed."""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

Found = TypeVar('Found')
Given = ParamSpec('Given')


class TimedExecutor(Executor):
    """Computes at once; ``count`` and ``cpu_s`` are the calls and their CPU time, s."""

    def __init__(self) -> None:
        """Begin with nothing computed."""
        self.count, self.cpu_s = 0, 0.0

    def submit(
        self, fn: Callable[Given, Found], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Found]:
        """Compute now."""
        done: Future[Found] = Future()
        begun = time.process_time()
        done.set_result(fn(*args, **kwargs))
        self.cpu_s += time.process_time() - begun
        self.count += 1
        return done
