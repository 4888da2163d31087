"""Ask whether something ends soon, on a machine that may be doing something else."""

import time

TRIES = 4


def soon(limit, act):
    """Tell whether ``act`` takes less than a limit, s of CPU time, in one of a few tries."""
    for _ in range(TRIES):
        start = time.process_time()
        act()
        if time.process_time() - start < limit:
            return True
    return False
