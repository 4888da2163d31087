"""Run trials in several processes."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Trial = TypeVar('Trial')
Result = TypeVar('Result')


def side_by_side(
    work: Callable[[Trial], Result], trials: Sequence[Trial], jobs: int
) -> Iterator[Result]:
    """Run ``work`` on trials, ``jobs`` at a time; yield the results in the order of the trials.

    work: a function of a module, which other processes can import.
    """
    if jobs <= 1 or len(trials) <= 1:
        yield from map(work, trials)
        return
    # A forked child would inherit the threads of a process that has used ROS.
    with ProcessPoolExecutor(min(jobs, len(trials)), mp_context=get_context('spawn')) as pool:
        yield from pool.map(work, trials)
