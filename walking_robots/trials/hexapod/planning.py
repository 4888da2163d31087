"""Plans within a trial: each is computed when it is requested, and its time is measured."""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

Found = TypeVar('Found')
Given = ParamSpec('Given')


class TimedPlanning(Executor):
    """Computes at once; ``plans`` and ``cpu_s`` are what it has computed and the time of it, s."""

    def __init__(self) -> None:
        """Begin with no plan."""
        self.plans, self.cpu_s = 0, 0.0

    def submit(
        self, fn: Callable[Given, Found], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Found]:
        """Compute now."""
        done: Future[Found] = Future()
        begun = time.process_time()
        done.set_result(fn(*args, **kwargs))
        self.cpu_s += time.process_time() - begun
        self.plans += 1
        return done
