"""Two driven wheels: speeds of the wheels and motion of the body (mdle.md §1.1 to §1.3).

Positive rotation is counter-clockwise and drives the right wheel faster, as REP-103 and the
maker of the Nomad Scout have it; the report's own formula turns the other way.
"""

from typing import Literal, NamedTuple

from walking_robots.geometry.se2 import Twist2

Convention = Literal['ros', 'report']


class Wheels(NamedTuple):
    """Something of both wheels, such as their speeds at the rim, m/s."""

    left: float
    right: float

    def scaled_to(self, limit: float) -> 'Wheels':
        """Slow both wheels by one factor until neither passes ``limit``: curvature is kept."""
        largest = max(abs(self.left), abs(self.right))
        if largest <= limit:
            return self
        factor = limit / largest
        return Wheels(self.left * factor, self.right * factor)


def body_twist(wheels: Wheels, separation: float, convention: Convention = 'ros') -> Twist2:
    """Return the motion of the body from the speeds of its wheels, ``separation`` m apart.

    ``report`` gives the sign printed in the MDLe report (mdle.md §1.3), for its figures only.
    """
    turn = (wheels.right - wheels.left) / separation
    return Twist2(0.5 * (wheels.left + wheels.right), -turn if convention == 'report' else turn)


def wheel_speeds(twist: Twist2, separation: float) -> Wheels:
    """Return the speeds of the wheels, m/s, that move the body so."""
    half = 0.5 * twist.w * separation
    return Wheels(twist.v - half, twist.v + half)


def separation_from_spin(travel: Wheels, angle: float) -> float:
    """Return the wheel separation, m, from the travel of both wheels, m, over a known turn, rad.

    Raises ValueError where there was no turn.
    """
    if angle == 0.0:
        raise ValueError('the robot has not turned; spin it some turns on the spot')
    return (travel.right - travel.left) / angle
