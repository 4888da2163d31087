"""Units and dimensions of the language (mdle.md §4.4): everything is SI once it is read."""

import math
from typing import NamedTuple


class Dimension(NamedTuple):
    """Exponents of metre, second and radian.

    An angle is a dimension of its own here, so that a bare number is never taken for one.
    """

    length: int = 0
    time: int = 0
    angle: int = 0

    def times(self, other: 'Dimension') -> 'Dimension':
        """Return the dimension of a product."""
        return Dimension(*(a + b for a, b in zip(self, other, strict=True)))

    def over(self, other: 'Dimension') -> 'Dimension':
        """Return the dimension of a quotient."""
        return Dimension(*(a - b for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        """Return the dimension as a unit: m/s^2, rad, num for a bare number."""
        powers = list(zip(('m', 's', 'rad'), self, strict=True))
        over = '*'.join(_power(name, n) for name, n in powers if n > 0)
        under = '/'.join(_power(name, -n) for name, n in powers if n < 0)
        if not under:
            return over or 'num'
        return 'Hz' if self == (0, -1, 0) else f'{over or 1}/{under}'


def _power(name: str, exponent: int) -> str:
    return name if exponent == 1 else f'{name}^{exponent}'


NUMBER = Dimension()
LENGTH = Dimension(length=1)
TIME = Dimension(time=1)
ANGLE = Dimension(angle=1)
SPEED = LENGTH.over(TIME)
RATE = ANGLE.over(TIME)


class Unit(NamedTuple):
    """What one of a unit is in SI."""

    factor: float
    dimension: Dimension


UNITS = {
    'm': Unit(1.0, LENGTH),
    'cm': Unit(0.01, LENGTH),
    'mm': Unit(0.001, LENGTH),
    'in': Unit(0.0254, LENGTH),
    's': Unit(1.0, TIME),
    'ms': Unit(0.001, TIME),
    'min': Unit(60.0, TIME),
    'Hz': Unit(1.0, NUMBER.over(TIME)),
    'rad': Unit(1.0, ANGLE),
    'deg': Unit(math.pi / 180.0, ANGLE),
    'm/s': Unit(1.0, SPEED),
    'rad/s': Unit(1.0, RATE),
    'deg/s': Unit(math.pi / 180.0, RATE),
    'm/s^2': Unit(1.0, SPEED.over(TIME)),
}


def dimension_of(type_name: str) -> Dimension | None:
    """Return the dimension that a type of a parameter has, None where it is not a quantity."""
    if type_name == 'num':
        return NUMBER
    unit = UNITS.get(type_name)
    return unit.dimension if unit else None
