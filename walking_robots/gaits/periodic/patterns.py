"""Which leg swings when: phase offsets round the body and a duty factor."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from walking_robots.robots.articulated import ArticulatedHexapod

LEGS = 6

DUTIES: Mapping[str, float] = {'tripod': 1 / 2, 'ripple': 2 / 3, 'wave': 5 / 6}
"""Shares of a cycle for which a foot stands."""


@dataclass(frozen=True)
class Pattern:
    """A periodic gait.

    A foot stands for the share ``duty`` of a cycle and swings for the rest; ``offsets`` say at
    which phase of the cycle it comes down, for the left legs front to rear and the right legs
    rear to front: once round the body.
    """

    name: str
    duty: float
    offsets: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse a gait that is none."""
        if not 0.5 <= self.duty < 1.0:
            raise ValueError(
                f'the duty factor of {self.name} is {self.duty:g}; give 0.5 or more, below 1'
            )
        if len(self.offsets) != LEGS or not all(map(math.isfinite, self.offsets)):
            raise ValueError(f'{self.name} needs {LEGS} phase offsets; give one a leg')


def _wave(name: str) -> Pattern:
    """Return the wave gait of a duty factor: from rear to front, half a cycle between the sides.

    Leg n of a side comes down a duty factor after the one in front of it (S.-M. Song and
    K. J. Waldron, 1987).
    """
    duty = DUTIES[name]
    left = [place * duty % 1.0 for place in range(LEGS // 2)]
    return Pattern(name, duty, (*left, *((offset + 0.5) % 1.0 for offset in reversed(left))))


PATTERNS: Mapping[str, Pattern] = {name: _wave(name) for name in DUTIES}
"""Three, two and one of six legs in the air at a time; all are wave gaits."""


def find_pattern(name: str) -> Pattern:
    """Return the pattern of a name; raises ValueError for an unknown one."""
    if name not in PATTERNS:
        raise ValueError(f"there is no gait '{name}'; use {' or '.join(PATTERNS)}")
    return PATTERNS[name]


def offsets(pattern: Pattern, robot: ArticulatedHexapod) -> tuple[float, ...]:
    """Return the offset of each leg, by the places of the neutral feet round the body."""
    bearings = [math.atan2(y, x) % math.tau for x, y, _ in robot.neutral_feet]
    round_body = sorted(range(LEGS), key=lambda leg: bearings[leg])
    of_leg = dict(zip(round_body, pattern.offsets, strict=True))
    return tuple(of_leg[leg] for leg in range(LEGS))
