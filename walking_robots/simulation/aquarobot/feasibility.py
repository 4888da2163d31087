"""What feet may do on the ground: sinkage, slippage and support (aquarobot.md §5.3, §5.4).

Feet are points of the earth frame in cm, z down, so that a positive z is below flat ground.
"""

import numpy as np
from numpy.typing import NDArray

from walking_robots.simulation.aquarobot.frames import Array

CONTACT_TOLERANCE = 1e-4
"""How far above the ground a foot stands on it, cm.

The literal height of the reset leaves the feet up to 3.7e-5 cm above the ground (§2.5).
"""


def supports(feet: Array, tolerance: float = CONTACT_TOLERANCE) -> NDArray[np.bool_]:
    """Return which feet, shape (..., 3), are on the ground or below."""
    return feet[..., 2] >= -tolerance


def legs_feasible(
    previous: Array,
    current: Array,
    sinkage: float,
    slippage: float,
    tolerance: float = CONTACT_TOLERANCE,
) -> NDArray[np.bool_]:
    """Return which legs, shape (...), came from one place of their feet to another as feet may.

    ``previous`` and ``current``, shape (..., 3): a foot may not be deeper than ``sinkage``, and
    one that was and is on the ground may not have moved along it by more than ``slippage``.
    """
    along = current[..., :2] - previous[..., :2]
    slipped = np.hypot(along[..., 0], along[..., 1])
    free = ~(supports(previous, tolerance) & supports(current, tolerance))
    return (current[..., 2] <= sinkage) & (free | (slipped <= slippage))
