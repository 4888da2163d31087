"""Describe what the file of a profile of heights may say, with units, ranges and remedies."""

from itertools import pairwise
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.geometry.units import parse_length
from walking_robots.terrain.profile import HeightProfile, grid, grows, random_rough

MOST_POINTS = 10_000

REMEDIES = {
    'points': 'write points by growing x such as [[0m, 0m], [1m, 4cm]]',
    'grid': 'write {unit: 1cm, spacing: 10cm, start: -30cm, heights: [0, 0, 1, 3]}',
    'random': 'write {unit: 1cm, seed: 3}',
    'heights': 'write whole numbers such as [0, 0, 1, 3]',
    'unit': 'write a length such as 1cm',
    'spacing': 'write a length such as 10cm',
    'start': 'write a length such as -30cm',
    'seed': 'write a whole number such as 3',
    'outside': 'write zero, level or wrap',
}

FARTHEST = 1000.0
"""m; bound of the places and heights of all points."""
Length = Annotated[
    float, BeforeValidator(parse_length), within(-FARTHEST, FARTHEST, 'within 1 km')
]
Unit = Annotated[float, BeforeValidator(parse_length), within(0.0, 1.0, 'from 0 to 1 m')]
Spacing = Annotated[float, BeforeValidator(parse_length), within(0.001, 10.0, '1 mm to 10 m')]
Height = Annotated[int, Field(strict=True, ge=-10_000, le=10_000)]


class GridPart(DocumentPart):
    """Whole heights at equal distances (biped.md §4.1)."""

    unit: Unit
    spacing: Spacing = 0.1
    start: Length = 0.0
    heights: Annotated[list[Height], Field(min_length=2, max_length=MOST_POINTS)]


class RandomPart(DocumentPart):
    """Equally likely heights of 0 to 4 units every 10 cm, from x = -0.3 m (§4.2)."""

    unit: Unit = 0.01
    seed: Annotated[int, Field(strict=True, ge=0, le=2**53)]
    points: Annotated[int, Field(strict=True, ge=2, le=MOST_POINTS)] = 56


class ProfileDocument(DocumentPart):
    """Hold the file of a profile; lengths are in m once read."""

    points: Annotated[list[tuple[Length, Length]], Field(min_length=2)] | None = None
    grid: GridPart | None = None
    random: RandomPart | None = None
    outside: Literal['zero', 'level', 'wrap'] = 'level'

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Refuse what is no ground, or two of them."""
        named = [name for name in ('points', 'grid', 'random') if getattr(self, name) is not None]
        if not named:
            raise ValueError('points: is missing, and so are grid and random')
        if len(named) > 1:
            raise ValueError(f'{named[1]}: cannot stand beside {named[0]}, keep one of them')
        if self.points is not None:
            if len(self.points) > MOST_POINTS:
                raise ValueError(f'points: must have at most {MOST_POINTS} entries')
            for index, (a, b) in enumerate(pairwise(self.points)):
                if not grows(a[0], b[0]):
                    raise ValueError(
                        f'points.{index + 1}: must lie at a greater x than the last, '
                        'by 0.1 mm or more'
                    )
        if self.outside == 'wrap':
            self._check_wrap()
        return self

    def _check_wrap(self) -> None:
        """Refuse ground that cannot repeat."""
        try:
            self.profile()
        except ValueError as error:
            raise ValueError(f'outside: must not be wrap here, {error}') from None

    def profile(self) -> HeightProfile:
        """Build the profile."""
        beyond = self.outside
        if self.points is not None:
            x, z = zip(*self.points, strict=True)
            return HeightProfile(x, z, beyond)
        if self.grid is not None:
            part = self.grid
            return grid(
                part.heights, part.unit, start=part.start, spacing=part.spacing, outside=beyond
            )
        assert self.random is not None
        generator = np.random.default_rng(self.random.seed)
        made = random_rough(generator, self.random.unit, self.random.points)
        return HeightProfile(made.x, made.z, beyond)
