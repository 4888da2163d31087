"""Describe where the legs of a hexapod hang, in a file: in a ring, in pairs, or one by one."""

import math
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.geometry.pose import Vector
from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.robots.articulated import LEGS

LARGEST = 10.0
"""Longest length in a file, m; catches millimetres without their unit."""

Length = Annotated[float, BeforeValidator(parse_length), within(-LARGEST, LARGEST, 'within 10 m')]
Size = Annotated[
    float, BeforeValidator(parse_length), within(1e-4, LARGEST, 'from 0.1 mm to 10 m')
]
Angle = Annotated[
    float, BeforeValidator(parse_angle), within(-math.tau, math.tau, 'from -360 to 360 degrees')
]
Six = Field(min_length=LEGS, max_length=LEGS)
Mount = tuple[Vector, float]


class MountEntry(DocumentPart):
    """Say where a leg hangs and how it is turned."""

    at: tuple[Length, Length] | tuple[Length, Length, Length]
    heading: Angle

    def placed(self, side: int = 1) -> Mount:
        """Return mount and heading; side -1 mirrors them to the right."""
        x, y, z = (*self.at, 0.0)[:3]
        return (x, side * y, z), side * self.heading


class RingPart(DocumentPart):
    """Say how six legs hang at equal angles round the middle, each turned outwards."""

    radius: Size
    first: Angle = 0.0
    order: Literal['clockwise', 'counter-clockwise'] = 'clockwise'

    def mounts(self) -> list[Mount]:
        """Return mounts and headings of legs 1 to 6."""
        step = math.tau / LEGS * (1 if self.order == 'counter-clockwise' else -1)
        headings = [math.remainder(self.first + number * step, math.tau) for number in range(LEGS)]
        return [
            ((self.radius * math.cos(angle), self.radius * math.sin(angle), 0.0), angle)
            for angle in headings
        ]


class MountsPart(DocumentPart):
    """Say where legs hang: in a ring, in three pairs, or one by one."""

    ring: RingPart | None = None
    pairs: Annotated[list[MountEntry], Field(min_length=3, max_length=3)] | None = None
    legs: Annotated[list[MountEntry], Six] | None = Field(default=None, alias='list')

    def sides(self) -> list[int]:
        """Return 1 for each leg that is as the file says, -1 for one that is mirrored."""
        return [1, -1] * 3 if self.pairs is not None else [1] * LEGS

    def mounts(self) -> list[Mount]:
        """Return mounts and headings of legs 1 to 6; of pairs, odd numbers are left."""
        if self.ring is not None:
            return self.ring.mounts()
        if self.pairs is not None:
            return [entry.placed(side) for entry in self.pairs for side in (1, -1)]
        return [entry.placed() for entry in self.legs or ()]
