"""CPU time of an idle machine, to which tests are held.

A processor that two tests share, or that is slow at the moment, needs more CPU time for the same
work. A fixed piece of work before and after it says how much more. What the process holds already
is kept from the garbage collector meanwhile, which would go through it at the cost of the work.
"""

import gc
import math
import time
from collections.abc import Callable

REFERENCE = 0.026
"""CPU time, s, of the fixed piece of work on an idle machine with two cores."""

TRIES = 4
"""How often work is timed at most; the least time counts."""


def cpu_time(work: Callable[[], object], limit: float = 0.0) -> float:
    """Return the CPU time, s, of work on an idle machine, whatever else runs.

    The work is timed again only where it took longer than a limit.
    """
    least = math.inf
    gc.freeze()
    try:
        for _ in range(TRIES):
            before = _timed(_fixed)
            needed = _timed(work)
            reference = (before + _timed(_fixed)) / 2
            least = min(least, needed * min(1.0, REFERENCE / reference))
            if least < limit:
                break
    finally:
        gc.unfreeze()
    return least


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _fixed() -> None:
    table = {}
    for number in range(200_000):
        table[number % 1000] = f'{number}x'
