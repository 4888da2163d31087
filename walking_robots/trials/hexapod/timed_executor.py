"""Computations of a coordinator in a trial: done when requested, and timed."""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

Found = TypeVar('Found')
Given = ParamSpec('Given')


class TimedExecutor(Executor):
    """Computes at once; ``times`` are the CPU times of its calls, s."""

    def __init__(self, initializer: Callable[[], object] = lambda: None) -> None:
        """Begin with nothing computed; ``initializer`` is called before, and not timed."""
        self._initializer = initializer
        self.times: list[float] = []

    def submit(
        self, fn: Callable[Given, Found], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Found]:
        """Compute now."""
        done: Future[Found] = Future()
        if not self.times:
            self._initializer()
        begun = time.process_time()
        done.set_result(fn(*args, **kwargs))
        self.times.append(time.process_time() - begun)
        return done
