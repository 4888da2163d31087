"""Units of motion files, and the numbers in them as moves."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from walking_robots.simulation.aquarobot.moves import Move

_ANGLES: Mapping[str, float] = {'rad': 1.0, 'deg': math.pi / 180.0}
_LENGTHS: Mapping[str, float] = {'cm': 1.0, 'm': 100.0, 'mm': 0.1}
UNITS: Mapping[str, Mapping[str, float]] = {
    'body': _ANGLES,
    'length': _LENGTHS,
    'joints': _ANGLES,
}
"""What may have a unit, and its units in rad or cm: body angles, body way, joint angles."""
LARGEST = 1e6
"""Largest increment in a file, in any unit, so that sums of them keep their digits."""


class MotionFileError(ValueError):
    """Say in one sentence what is wrong in a motion file, where, and the remedy."""


class Units(NamedTuple):
    """Units of the increments; as they come, those of the C++ program (aquarobot.md §7.2)."""

    body: str = 'rad'
    length: str = 'cm'
    joints: str = 'deg'

    def replaced(self, what: str, unit: str) -> 'Units':
        """Return units with one of them replaced; raises ValueError for what there is not."""
        if what not in UNITS:
            raise ValueError(f"'{what[:40]}' has no unit; give units of {', '.join(UNITS)}")
        if unit not in UNITS[what]:
            known = ' or '.join(UNITS[what])
            raise ValueError(f"'{unit[:40]}' is no unit of {what}; use {known}")
        return self._replace(**{what: unit})

    def move(self, body: Sequence[float], joints: Sequence[Sequence[float]]) -> Move:
        """Return a move of six increments of the body and three of each leg in these units."""
        angle, way = _ANGLES[self.body], _LENGTHS[self.length]
        return Move(
            np.array(body, dtype=float) * np.repeat([angle, way], 3),
            np.array(joints, dtype=float) * _ANGLES[self.joints],
        )


def number(text: str) -> float:
    """Read a number of at most `LARGEST`; raises ValueError with what is wrong and the remedy."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"'{text[:40]}' is not a finite number; write one such as -0.25")
    if abs(value) > LARGEST:
        raise ValueError(f"'{text[:40]}' is too large; write at most {LARGEST:g}")
    return value
