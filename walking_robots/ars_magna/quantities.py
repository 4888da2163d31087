"""Read numbers that people and programs give, of whatever type a number can be."""

from numbers import Integral, Real

_LARGEST = 1.0e300


def finite(value: object) -> float | None:
    """Return a finite number as a float, None for anything else; a truth is no number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < _LARGEST else None


def whole(value: object) -> int | None:
    """Return a whole number as an int, None for anything else; a truth is no number."""
    if isinstance(value, bool):
        return None
    return int(value) if isinstance(value, Integral) else None


def shown(value: object) -> str:
    """Return a short form of what somebody gave, for a sentence about it."""
    if isinstance(value, int) and not isinstance(value, bool) and finite(value) is None:
        return 'one of 300 digits or more'
    try:
        return f'{value!r:.40}'
    except ValueError:
        # Python writes no whole number of more than some thousand digits.
        return 'what holds a number of thousands of digits'
