"""Feel feet slip: while both stand, the distance between them stays as it is.

It follows from the joints alone. What it cannot show is a slip of both feet by the same way, and
the slip of a foot that stands alone: neither changes anything that the robot measures.
"""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.virtual_legs import LegRates

LEAST_SLIP = 0.006
"""m; a smaller change of the distance is not felt: feet roll by up to 3 mm, and common errors of
joints (1 mrad, or 1 mm) change it by 5 mm."""


class FeetApart(NamedTuple):
    """The distance between the feet, m, and how fast it grows, m/s."""

    distance: float
    rate: float


class FeltSlip(NamedTuple):
    """What is felt of slip.

    stood: the distance between the feet, m, when both came to stand; NaN while one is in the air.
    slip: by how much they have moved apart since, m, negative together, zero below `LEAST_SLIP`;
    with a foot in the air that of the time before. speed: of the slip, m/s, NaN with a foot in the
    air.
    """

    stood: float = math.nan
    slip: float = 0.0
    speed: float = math.nan

    def __str__(self) -> str:
        """Return it in words."""
        if not self.slip:
            return 'no slip felt'
        way = 'apart' if self.slip > 0.0 else 'together'
        return f'feet slipped {1e3 * abs(self.slip):.0f} mm {way}'


def feel_slip(before: FeltSlip, feet: FeetApart | None) -> FeltSlip:
    """Return what is felt; feet: None unless both switches are closed."""
    if feet is None:
        return before if math.isnan(before.stood) else FeltSlip(slip=before.slip)
    stood = feet.distance if math.isnan(before.stood) else before.stood
    slip = feet.distance - stood
    if abs(slip) < LEAST_SLIP:
        return FeltSlip(stood, 0.0, 0.0)
    return FeltSlip(stood, slip, feet.rate)


def feet_apart(right: LegRates, left: LegRates) -> FeetApart:
    """Return the distance of the feet of two legs that meet at the hips; pitch cancels out."""
    angle, turning = right.angle - left.angle, right.angle_rate - left.angle_rate
    a, b, cosine = right.length, left.length, math.cos(angle)
    distance = math.sqrt(max(0.0, a * a + b * b - 2.0 * a * b * cosine))
    if not distance:
        return FeetApart(0.0, 0.0)
    growth = (
        (a - b * cosine) * right.length_rate
        + (b - a * cosine) * left.length_rate
        + a * b * math.sin(angle) * turning
    )
    return FeetApart(distance, growth / distance)
