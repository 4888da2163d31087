"""Run trials in several processes."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from typing import TypeVar

from walking_robots.trials.common.parent_death import end_with_parent

Trial = TypeVar('Trial')
Result = TypeVar('Result')

_FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to all processes; the parent alone answers them."""


def side_by_side(
    work: Callable[[Trial], Result], trials: Sequence[Trial], jobs: int
) -> Iterator[Result]:
    """Run ``work`` on trials, ``jobs`` at a time; yield the results in the order of the trials.

    work: a function of a module, which other processes can import. An exception ends the
    processes at once.
    """
    if jobs <= 1 or len(trials) <= 1:
        yield from map(work, trials)
        return
    # What is blocked now is blocked in the children from their first instruction on.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _FROM_TERMINAL)
    try:
        pool = ProcessPoolExecutor(
            min(jobs, len(trials)),
            # A forked child would inherit the threads of a process that has used ROS.
            mp_context=get_context('spawn'),
            initializer=end_with_parent,
            initargs=(os.getpid(),),
        )
        futures = deque(pool.submit(work, trial) for trial in trials)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with pool:
        try:
            while futures:
                yield futures.popleft().result()
        except BaseException:
            for child in active_children():
                child.terminate()
            raise
