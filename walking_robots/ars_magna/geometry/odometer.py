"""Odometers: where a robot may be and how far it may have turned, as intervals."""

import math
from random import Random
from typing import Literal

from walking_robots.ars_magna.geometry.interval import Box, Interval

_QUARTER = 0.5 * math.pi


def motion_interval(
    true: float, nominal: float, noise: float, mode: Literal['random', 'sound'], random: Random
) -> tuple[float, float]:
    """Return an interval of one tick's distance or rotation that has the true one in it.

    true, nominal: what was done and what was commanded, cells or rad, negative for the left;
    noise: its largest relative error. A robot that was blocked did less than it was commanded; in
    mode 'sound' the interval then reaches to 0. Source: ars_magna.md §7.5, §13.3.
    """
    reach = abs(nominal)
    if mode == 'random':
        slack = noise * reach
        return true - random.random() * slack, true + random.random() * slack
    least, most = reach * (1.0 - noise), reach * (1.0 + noise)
    if abs(true) < least:
        least = 0.0
    low, high = (least, most) if nominal >= 0.0 else (-most, -least)
    return min(low, true), max(high, true)


class IntervalOdometer:
    """Tracks the motion of a robot since the last reset.

    The position is in axes whose x is the heading at the last reset of the position. A heading of
    its own is kept for it, so that a reset of the angle alone does not bend the track
    (ars_magna.md §2.2). Intervals hold the truth but for rounding.
    """

    __slots__ = (
        '_angle_max',
        '_angle_min',
        '_cos_max',
        '_cos_min',
        '_heading_max',
        '_heading_min',
        '_sin_max',
        '_sin_min',
        '_turned',
        '_x_max',
        '_x_min',
        '_y_max',
        '_y_min',
        'name',
    )

    def __init__(self, name: str) -> None:
        """Start at zero."""
        self.name = name
        self.reset()

    def reset(self, position: bool = True, angle: bool = True) -> None:
        """Set the position to zero, in axes along the heading of this moment, and the angle."""
        if position:
            self._x_min = self._x_max = self._y_min = self._y_max = 0.0
            self._heading_min = self._heading_max = 0.0
            self._cos_min = self._cos_max = 1.0
            self._sin_min = self._sin_max = 0.0
            self._turned = False
        if angle:
            self._angle_min = self._angle_max = 0.0

    def position(self) -> Box:
        """Return the box that holds the displacement since the last reset, cells."""
        return Box(Interval(self._x_min, self._x_max), Interval(self._y_min, self._y_max))

    def angle(self) -> Interval:
        """Return the interval that holds the rotation since the last reset, rad, clockwise."""
        return Interval(self._angle_min, self._angle_max)

    def turned(self, low: float, high: float) -> None:
        """Take the rotation of a tick, between two angles, rad."""
        self._angle_min += low
        self._angle_max += high
        self._heading_min += low
        self._heading_max += high
        self._turned = True

    def moved(self, low: float, high: float) -> None:
        """Take the distance of a tick, between two, cells; below 0 it went backwards."""
        if self._turned:
            self._aim()
        cos_min, cos_max, sin_min, sin_max = (
            self._cos_min,
            self._cos_max,
            self._sin_min,
            self._sin_max,
        )
        if low >= 0.0:
            self._x_min += (low if cos_min >= 0.0 else high) * cos_min
            self._x_max += (high if cos_max >= 0.0 else low) * cos_max
            self._y_min += (low if sin_min >= 0.0 else high) * sin_min
            self._y_max += (high if sin_max >= 0.0 else low) * sin_max
            return
        self._x_min += min(low * cos_max, high * cos_min, low * cos_min, high * cos_max)
        self._x_max += max(low * cos_max, high * cos_min, low * cos_min, high * cos_max)
        self._y_min += min(low * sin_max, high * sin_min, low * sin_min, high * sin_max)
        self._y_max += max(low * sin_max, high * sin_min, low * sin_min, high * sin_max)

    def _aim(self) -> None:
        """Find the extrema of cosine and sine over the interval of headings."""
        low, high = self._heading_min, self._heading_max
        self._turned = False
        cos_low, sin_low = math.cos(low), math.sin(low)
        if low == high:
            self._cos_min = self._cos_max = cos_low
            self._sin_min = self._sin_max = sin_low
            return
        cos_high, sin_high = math.cos(high), math.sin(high)
        self._cos_min, self._cos_max = (
            (cos_low, cos_high) if cos_low < cos_high else (cos_high, cos_low)
        )
        self._sin_min, self._sin_max = (
            (sin_low, sin_high) if sin_low < sin_high else (sin_high, sin_low)
        )
        first = math.ceil(low / _QUARTER)
        for quarter in range(first, min(math.floor(high / _QUARTER), first + 3) + 1):
            match quarter % 4:
                case 0:
                    self._cos_max = 1.0
                case 1:
                    self._sin_max = 1.0
                case 2:
                    self._cos_min = -1.0
                case _:
                    self._sin_min = -1.0
