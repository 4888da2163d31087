"""Describe what a terrain file may say, with units, ranges and a remedy for each field."""

import math
from itertools import pairwise
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.terrain.cells import (
    FORBIDDEN,
    KINDS,
    PERMITTED,
    SHARP,
    SLIPPERY,
    SOFT,
    UNSEEN,
    TernaryTerrain,
)
from walking_robots.terrain.generator import (
    CELL,
    COLUMNS,
    DEFAULT_PROFILE,
    FLAT,
    LARGEST_SLOPE,
    ROWS,
    Ditch,
    Profile,
    build,
    slope_profile,
)
from walking_robots.terrain.relief import Blocks, Relief, Rubble, Slope, Stairs

LARGEST_SIDE = 1000
_FARTHEST = 1.0e4
_STEEPEST = math.radians(80.0)

LETTERS = {'.': PERMITTED, '#': FORBIDDEN, '?': UNSEEN}
KIND_LETTERS = {'~': SOFT, '*': SLIPPERY, '^': SHARP}
"""Letters of cells that are forbidden and of one kind, whatever `forbidden` says."""

_CELL_VALUES = LETTERS | dict.fromkeys(KIND_LETTERS, FORBIDDEN)

REMEDIES = {
    'size': 'write [rows, columns], for example [49, 49]',
    'cell': 'write a length such as 1ft or 0.3m',
    'cells': "write one text a row, '.' permitted and '#' forbidden ('~' soft, '*' slippery, "
    "'^' sharp)",
    'forbidden': 'write hole, soft, slippery or sharp',
    'random': 'write {share: 0.25, seed: 123}',
    'share': 'write a number from 0 to 0.9',
    'seed': 'write a whole number such as 123',
    'profile': 'write flat, default, or points such as [[15ft, 0], [30ft, 2ft]]',
    'slope': 'write an angle from -30deg to 30deg',
    'heights': 'write one length a row border, which is one more than there are rows',
    'corner_heights': 'write a list of lengths a row border, each with one a column border',
    'slopes': 'write a list such as [{angle: 20deg, direction: 90deg}]',
    'direction': 'write an angle such as 90deg, from x to the left',
    'start': 'write a length such as 3m',
    'length': 'write a length such as 3m',
    'stairs': 'write a list such as [{start: 3m, rise: 10cm, tread: 60cm, steps: 4}]',
    'rise': 'write a length such as 10cm',
    'tread': 'write a length such as 60cm',
    'steps': 'write a whole number such as 4',
    'rubble': 'write {height: 10cm, seed: 7}',
    'blocks': 'write {height: 1m, side: 1m, gap: 3m, seed: 7}',
    'height': 'write a length such as 10cm',
    'side': 'write a length such as 1m',
    'gap': 'write a length such as 3m',
    'ditches': 'write a list such as [{near_edge: 21ft, width: 7ft}]',
    'near_edge': 'write a length such as 21ft or 6.4m',
    'width': 'write a length such as 7ft or 2.1m',
    'angle': 'write an angle such as 20deg',
}


Length = Annotated[
    float,
    BeforeValidator(parse_length),
    within(-_FARTHEST, _FARTHEST, 'within 10 km'),
]
CellLength = Annotated[
    float, BeforeValidator(parse_length), within(0.01, 100.0, 'from 0.01 m to 100 m')
]
Width = Annotated[
    float, BeforeValidator(parse_length), within(1e-3, _FARTHEST, 'positive and within 10 km')
]
SlopeAngle = Annotated[
    float,
    BeforeValidator(parse_angle),
    within(-LARGEST_SLOPE - 1e-12, LARGEST_SLOPE + 1e-12, 'from -30 to 30 degrees'),
]
Turn = Annotated[
    float, BeforeValidator(parse_angle), within(-_STEEPEST, _STEEPEST, 'from -80 to 80 degrees')
]
Heading = Annotated[
    float, BeforeValidator(parse_angle), within(-math.tau, math.tau, 'from -360 to 360 degrees')
]
Height = Annotated[
    float, BeforeValidator(parse_length), within(-100.0, 100.0, 'from -100 m to 100 m')
]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**53)]
Side = Annotated[int, Field(strict=True, ge=1, le=LARGEST_SIDE)]


class RandomCells(DocumentPart):
    """Say how many cells the generator forbids, and from which seed (asv.md §4.4)."""

    share: Annotated[float, Field(strict=True, ge=0.0, le=0.9)]
    seed: Seed = 123


class DitchEntry(DocumentPart):
    """Say where a ditch lies, how wide it is and how it is turned (asv.md §4.5)."""

    near_edge: Length
    width: Width
    angle: Turn = 0.0


class SlopeEntry(DocumentPart):
    """Say how steep a slope is, where it rises to, and where along that it begins and ends."""

    angle: SlopeAngle
    direction: Heading = 0.0
    start: Length = -math.inf
    length: Width = math.inf


class StairsEntry(DocumentPart):
    """Say where stairs begin, and how high, long and many their steps are."""

    start: Length
    rise: Height
    tread: Width
    steps: Annotated[int, Field(strict=True, ge=1, le=LARGEST_SIDE)]


class RubbleEntry(DocumentPart):
    """Say how high rubble is, from which seed, and where it begins."""

    height: Height
    seed: Seed = 123
    start: Length = 0.0


class BlocksEntry(DocumentPart):
    """Say how large blocks are, how far apart, from which seed, and where they begin."""

    height: Height
    side: Width
    gap: Width
    seed: Seed = 123
    start: Length = 0.0


class TerrainDocument(DocumentPart):
    """Hold a whole terrain file; lengths are in m once read."""

    size: tuple[Side, Side] | None = None
    cell: CellLength = CELL
    cells: Annotated[list[str], Field(min_length=1, max_length=LARGEST_SIDE)] | None = None
    random: RandomCells | None = None
    forbidden: Literal['hole', 'soft', 'slippery', 'sharp'] = 'hole'
    profile: Literal['flat', 'default'] | list[tuple[Length, Length]] | None = None
    slope: SlopeAngle | None = None
    heights: list[Length] | None = None
    corner_heights: list[list[Length]] | None = None
    ditches: list[DitchEntry] = Field(default_factory=list)
    slopes: list[SlopeEntry] = Field(default_factory=list)
    stairs: list[StairsEntry] = Field(default_factory=list)
    rubble: RubbleEntry | None = None
    blocks: BlocksEntry | None = None

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Refuse fields that contradict each other."""
        if self.cells is not None:
            _check_rows(self.cells)
            if self.size is not None and self.size != self.extent:
                raise ValueError(
                    f'size: says {list(self.size)} but cells has '
                    f'{len(self.cells)} rows of {len(self.cells[0])}'
                )
        elevations = ('profile', 'slope', 'heights', 'corner_heights')
        named = [name for name in elevations if getattr(self, name) is not None]
        if len(named) > 1:
            raise ValueError(f'{named[1]}: cannot stand beside {named[0]}, keep one of them')
        rows, columns = self.extent
        if self.heights is not None and len(self.heights) != rows + 1:
            raise ValueError(
                f'heights: must have {rows + 1} entries for {rows} rows, found {len(self.heights)}'
            )
        if self.corner_heights is not None:
            lengths = {len(row) for row in self.corner_heights}
            if len(self.corner_heights) != rows + 1 or lengths != {columns + 1}:
                raise ValueError(
                    f'corner_heights: must be {rows + 1} lists of {columns + 1} for {rows} x '
                    f'{columns} cells'
                )
        if isinstance(self.profile, list):
            x = [0.0] + [point[0] for point in self.profile if point[0] != 0.0]
            if any(b <= a for a, b in pairwise(x)):
                raise ValueError('profile: must have x growing from point to point, from 0 on')
        for index, ditch in enumerate(self.ditch_list):
            if not ditch.cells(rows, columns, self.cell).any():
                raise ValueError(
                    f'ditches.{index}: must hold at least one cell centre of the '
                    f'terrain, which is {rows * self.cell:g} m long'
                )
        return self

    @property
    def extent(self) -> tuple[int, int]:
        """Return the number of rows and columns."""
        if self.cells is not None:
            return len(self.cells), len(self.cells[0])
        return self.size or (ROWS, COLUMNS)

    @property
    def ditch_list(self) -> list[Ditch]:
        """Return the ditches as the generator takes them."""
        return [Ditch(d.near_edge, d.width, d.angle) for d in self.ditches]

    @property
    def relief(self) -> list[Relief]:
        """Return what raises the ground."""
        return [
            *(Slope(s.angle, s.direction, s.start, s.length) for s in self.slopes),
            *(Stairs(s.start, s.rise, s.tread, s.steps) for s in self.stairs),
            *(Rubble(s.height, s.seed, s.start) for s in [self.rubble] if s),
            *(Blocks(s.height, s.side, s.gap, s.seed, s.start) for s in [self.blocks] if s),
        ]

    def terrain(self) -> TernaryTerrain:
        """Build the terrain that this document describes."""
        rows, columns = self.extent
        share, seed = (self.random.share, self.random.seed) if self.random else (0.0, 123)
        given = self.heights if self.corner_heights is None else self.corner_heights
        return build(
            rows,
            columns,
            self.cell,
            profile=self._points(),
            heights=None if given is None else np.array(given),
            share=share,
            seed=seed,
            marked=None if self.cells is None else _values(self.cells, _CELL_VALUES),
            kinds=self._kinds(),
            ditches=self.ditch_list,
            relief=self.relief,
        )

    def _kinds(self) -> NDArray[np.int8] | int:
        """Return of which kind forbidden cells are, (rows, columns) or one for all."""
        kind = KINDS.index(self.forbidden)
        if self.cells is None:
            return kind
        return _values(self.cells, dict.fromkeys(LETTERS, kind) | KIND_LETTERS)

    def _points(self) -> Profile:
        """Return the break points of the elevation (m)."""
        if self.slope is not None:
            return slope_profile(self.slope)
        if self.profile is None or self.profile == 'flat':
            return FLAT
        return DEFAULT_PROFILE if self.profile == 'default' else self.profile


def _check_rows(rows: list[str]) -> None:
    """Refuse unequal rows, too long rows and unknown letters."""
    for index, row in enumerate(rows):
        odd = next((letter for letter in row if letter not in _CELL_VALUES), None)
        if odd is not None:
            raise ValueError(f'cells.{index}: must not hold the letter {odd!r}')
        if not 1 <= len(row) <= LARGEST_SIDE:
            raise ValueError(f'cells.{index}: must have 1 to {LARGEST_SIDE} letters')
        if len(row) != len(rows[0]):
            raise ValueError(
                f'cells.{index}: must have {len(rows[0])} letters as the first row '
                f'has, found {len(row)}'
            )


def _values(rows: list[str], values: dict[str, int]) -> NDArray[np.int8]:
    """Return what the letters of rows stand for, (rows, columns) int8."""
    return np.array([[values[letter] for letter in row] for row in rows], dtype=np.int8)
