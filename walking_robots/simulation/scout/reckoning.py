"""The odometry inside the controller, and the steps in which it is reported (§4.9)."""

import math

from walking_robots.geometry.differential_drive import Wheels, body_twist
from walking_robots.geometry.se2 import ORIGIN
from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.simulation.scout.settings import Overflow

LARGEST = 0x7FFF
TURN = 3600
"""Steps of the heading in one turn."""


class Reckoning:
    """Adds up what the encoders count, with the wheel separation the maker put in."""

    def __init__(self, separation: float, overflow: Overflow) -> None:
        """Begin at the origin."""
        self._separation, self._overflow = separation, overflow
        self.pose = ORIGIN

    def advance(self, wheels: Wheels, dt: float) -> None:
        """Move by the speeds of the wheels, m/s, for a time, s."""
        self.pose = self.pose.advance(body_twist(wheels, self._separation), dt)

    def define_position(self, x: int, y: int) -> None:
        """Take a place, 0.1 inch, for the present one; the heading stays (``dp``)."""
        self.pose = self.pose._replace(x=x * TENTH_INCH, y=y * TENTH_INCH)

    def define_heading(self, heading: int) -> None:
        """Take a heading, 0.1 degree, for the present one; the place stays (``da``)."""
        self.pose = self.pose._replace(heading=math.radians(0.1 * heading))

    def zero(self) -> None:
        """Begin anew at the origin (``zr``)."""
        self.pose = ORIGIN

    def reported(self) -> tuple[int, int, int]:
        """Return x and y, 0.1 inch, and the heading, 0 ... 3599 tenths of a degree."""
        x, y, heading = self.pose
        return self._place(x), self._place(y), round(math.degrees(heading) * 10.0) % TURN

    def _place(self, length: float) -> int:
        number = round(length / TENTH_INCH)
        if self._overflow == 'wrap':
            return (number + LARGEST) % (2 * LARGEST + 1) - LARGEST
        return max(-LARGEST, min(LARGEST, number))
