"""Feel feet slip, from the joints and the pitch.

While both feet stand, the distance between them stays as it is. While one stands alone, the speed
of the body, which is felt over this foot, changes no faster than the force of a leg can change it;
what is faster is the foot. A slow slide of one foot is not felt, nor one of both by the same way.
"""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.robots.kwalk import GRAVITY

LEAST_SLIP = 0.008
"""m; what is less is not felt: feet roll by up to 3 mm, and common errors of joints (1 mrad, or
1 mm) change their distance by 5 mm."""
LEAST_SPEED = 0.4
"""m/s; a foot that stands alone is felt to slide from this speed on: common errors make 0.1, and
touch-down on very rough ground 0.4 for a tick."""
FASTEST_CHANGE = GRAVITY
"""m/s²; of the speed of the body ahead: that of a leg at 45 degrees that carries it."""


class FeetApart(NamedTuple):
    """The distance between the feet, m, and how fast it grows, m/s."""

    distance: float
    rate: float


class FeltSlip(NamedTuple):
    """What is felt of slip.

    stood: the distance between the feet, m, when both came to stand; NaN unless they do. body: the
    speed of the body ahead, m/s, without what is too fast for it. slid: by how much the foot that
    stands alone has slid. slip, speed: m and m/s, of the foot that stands, or of both apart or
    together, since they came to stand; zero below `LEAST_SLIP`.
    """

    stood: float = math.nan
    body: float = 0.0
    slid: float = 0.0
    slip: float = 0.0
    speed: float = 0.0

    def __str__(self) -> str:
        """Return it in words."""
        return f'a foot slipped {1e3 * self.slip:.0f} mm' if self.slip else 'no slip felt'


def feel_slip(before: FeltSlip, ahead: float, feet: FeetApart | None, dt: float) -> FeltSlip:
    """Return what is felt after ``dt`` s.

    ahead: speed of the body, m/s, over the foot that carries, if that rests; NaN without one;
    feet: None unless both stand.
    """
    if math.isnan(ahead):
        return FeltSlip(body=before.body, slip=before.slip)
    most = FASTEST_CHANGE * dt
    body = before.body + max(-most, min(ahead - before.body, most))
    if feet is None:
        stood, speed = math.nan, abs(ahead - body)
        if speed < LEAST_SPEED:
            speed = 0.0
        slip = slid = before.slid + speed * dt
    else:
        stood = feet.distance if math.isnan(before.stood) else before.stood
        slip, speed, slid = abs(feet.distance - stood), abs(feet.rate), 0.0
    if slip < LEAST_SLIP:
        slip = speed = 0.0
    return FeltSlip(stood, body, slid, slip, speed)


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
