"""When bipeds are pushed, unless it is said."""

import numpy as np

PUSHED_FROM, PUSH_SPREAD = 4.0, 1.0
"""Times, s, from which pushes begin, and over which they are spread: about a cycle."""

PUSH_TIME = 0.1
"""How long a push lasts, s."""


def push_time(seed: int) -> float:
    """Return when a push begins, s, which follows from a seed."""
    return float(PUSHED_FROM + PUSH_SPREAD * np.random.default_rng(seed).uniform())
