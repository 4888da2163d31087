"""Classify the cells of a map: permitted, forbidden, or not seen well enough."""

import math
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, UNSEEN, TernaryTerrain
from walking_robots.terrain.elevation_map import (
    CEILING,
    HEIGHT,
    LOWER,
    UPPER,
    VARIANCE,
    WAY,
    Array,
    Layer,
    MapWindow,
)

PASSES = 3
"""How often the plane of the ground is fitted anew without what is far from it."""

NEAR = 6
"""Cells around the robot whose heights say where the ground is at first."""

FAR = 16
"""Cells from the robot beyond which few seen cells do not count."""

LOWER_BY = 0.1
"""How much lower level ground is reported, as a share of what counts as level: a foot goes down to
its foothold, and has to touch the ground there."""

FOOT = 0.1
"""How far from its place the ground below a foot has to bear, in cells of footholds."""

EDGE = 0.3
"""How far from its place the ground around a foot may not be a hole, in cells of footholds: feet
come down beside their places."""

SURE = 2.0
"""Standard deviations below level ground from which on a height is that of a hole."""

KEPT = 2.0
"""Standard deviation up to which the height of a permitted cell is known, in that of a cell which
is to be permitted: near edges noise would permit and forbid cells in turn, and drop plans."""

MOST = 0.6
"""Share of a row of cells ahead that has to be seen; what lies beyond does not count."""


class ClassifierSettings(NamedTuple):
    """Limits of a foothold, m and rad.

    ``foot``: how far from the centre of its cell the ground has to bear it; ``edge``: how far
    there may be no hole; ``step``: greatest difference of heights below it; ``calm``: greatest
    one without a doubt; ``drop``: how far below the plane of the ground around the robot it may
    stand; ``level``: how far ground that counts as level may be from a plane; ``roughness``:
    standard deviation of the heights below a foot; ``deviation``: that of a height in the map;
    ``slope``: steepest ground; ``parts``: cells of the map along a side of a cell that is
    classified.
    """

    foot: float
    edge: float
    step: float
    calm: float
    drop: float
    level: float
    roughness: float
    deviation: float
    slope: float = math.radians(40.0)
    parts: int = 4

    @classmethod
    def of(cls, foothold: float, lift: float) -> 'ClassifierSettings':
        """Return the limits of a robot with cells of ``foothold`` m, feet lifted ``lift`` m."""
        return cls(
            FOOT * foothold, EDGE * foothold, step=0.5 * lift, calm=0.18 * lift, drop=0.35 * lift,
            level=0.2 * lift, roughness=0.25 * lift, deviation=0.06 * lift,
        )  # fmt: skip


class TerrainClassifier:
    """Turns maps into ternary terrain; it remembers its last answer, so that noise changes none.

    A cell is permitted if the map knows what is below the foot and nothing speaks against it,
    forbidden if something does, and unseen otherwise.
    """

    def __init__(self, settings: ClassifierSettings) -> None:
        """Begin without an answer."""
        self.settings = settings
        self._last: TernaryTerrain | None = None
        self._ground: tuple[float, float, float] | None = None

    def classify(self, window: MapWindow) -> TernaryTerrain:
        """Return the terrain of a map; the same one if nothing has changed."""
        settings, parts = self.settings, self.settings.parts
        cell = parts * window.cell
        parts_below = self._parts(window.layers[:WAY], window.cell, 0.0, settings.foot)
        below = np.stack(parts_below, axis=1, dtype=np.float64)
        variance = below[VARIANCE]
        seen = np.isfinite(variance)
        count = seen.sum(axis=0, dtype=np.int8)
        height = np.where(seen, below[HEIGHT], 0.0).sum(axis=0) / np.maximum(count, 1)
        known = count > 0
        first = tuple(index // parts for index in window.first)
        plane = self._plane(height, known, cell, first)
        beside = np.where(seen, below[HEIGHT] - height, 0.0)
        above = beside.max(axis=0)
        span = above - beside.min(axis=0)
        # Where nothing was seen, the highest point is infinitely far below the lowest one.
        spread = (below[UPPER] - below[LOWER]).max(axis=0, initial=0.0)
        beside *= beside
        roughness = np.sqrt(beside.sum(axis=0) / np.maximum(count, 1))
        deepest, ceiling = below[LOWER].min(axis=0), below[CEILING].min(axis=0)
        low = np.minimum(deepest, ceiling) < plane - settings.drop
        bad = low | (
            known
            & (
                (np.maximum(spread, span) > settings.step)
                | (roughness > settings.roughness)
                | _steep(height, known, math.tan(settings.slope) * cell)
            )
        )
        kept = self._permitted(len(known), first)
        deviation = np.where(kept, KEPT * settings.deviation, settings.deviation)
        sure = ((variance < deviation**2) | ~seen).all(axis=0)
        # What may be the edge of something deeper is left open.
        level = _mostly(np.abs(height - plane)[known & ~bad] < settings.level, 0.9)
        layers = window.layers
        with np.errstate(invalid='ignore'):
            # Of what was not seen the variance is infinite: NaN here, which fmin passes over.
            most = np.fmin(layers[HEIGHT] + 0.0 * layers[VARIANCE], layers[CEILING])
        parts_around = self._parts(most[None], window.cell, settings.foot, settings.edge)
        around = reduce(np.minimum, (part[0] for part in parts_around), np.float32(np.inf))
        lowest = plane - np.where(kept | (not level), settings.drop, SURE * settings.deviation)
        # The top of a ridge is far above what is beside it.
        bad |= around < np.maximum(lowest, np.where(known, height, -np.inf) - settings.drop)
        ground = plane if level else height + above
        calm = (
            (span < settings.calm)
            & (ground - height < 0.5 * settings.calm)
            & (ground - ceiling < 0.5 * settings.calm)
            & (ground - deepest < 1.5 * settings.calm)
        )
        enough = (4 * count >= 3 * len(seen)) & sure & (calm | kept)
        cells = np.where(bad, FORBIDDEN, np.where(enough, PERMITTED, UNSEEN)).astype(np.int8)
        _cut_off(cells)
        permitted = cells == PERMITTED
        heights = self._heights(height, permitted, plane)
        return self._answer(cells, heights, cell, first)

    def _permitted(self, side: int, first: tuple[int, ...]) -> NDArray[np.bool_]:
        """Return which cells of a window were permitted in the last answer, (side, side)."""
        found = np.zeros((side, side), np.bool_)
        if self._last is not None:
            i, j = first[0] - self._last.first_row, first[1] - self._last.first_column
            before = self._last.cells[max(i, 0) :, max(j, 0) :] == PERMITTED
            here = found[max(-i, 0) :, max(-j, 0) :]
            rows, columns = (min(pair) for pair in zip(here.shape, before.shape, strict=True))
            here[:rows, :columns] = before[:rows, :columns]
        return found

    def _parts(self, layers: Layer, side: float, near: float, far: float) -> list[Layer]:
        """Return what layers hold from ``near`` to ``far``, m, around the centre of each cell.

        Each place around a centre is an array of shape (layers, rows, columns); side: that of a
        cell of the map, m.
        """
        parts, blocks = self.settings.parts, layers.shape[1] // self.settings.parts
        middle = (np.arange(parts) + 0.5 - 0.5 * parts) * side
        # A part counts if the distance reaches into it, and those around the centre always do.
        reach = np.maximum(np.abs(middle) - 0.5 * side, 0.0)
        reach = np.hypot(reach[:, None], reach)
        taken = (reach >= near) & (reach < max(far, 1e-6 * side))
        split = layers.reshape(-1, blocks, parts, blocks, parts)
        return [split[:, :, i, :, j] for i, j in np.argwhere(taken)]

    def _plane(
        self, height: Array, known: NDArray[np.bool_], cell: float, first: tuple[int, ...]
    ) -> Array:
        """Return the heights of the plane of the ground around the robot, for every cell.

        It goes on from the last one, so that it does not fall into a ditch below the body.
        """
        side = len(height)
        x = ((np.arange(side) + first[0] + 0.5) * cell)[:, None]
        y = (np.arange(side) + first[1] + 0.5) * cell
        if self._ground is None:
            near = np.s_[max(side // 2 - NEAR, 0) : side // 2 + NEAR + 1]
            around = height[near, near][known[near, near]]
            self._ground = (float(np.median(around)) if len(around) else 0.0, 0.0, 0.0)
        a, b, c = self._ground
        plane: Array = a + b * x + c * y
        before: NDArray[np.bool_] | None = None
        for _ in range(PASSES):
            on = known & (np.abs(height - plane) < self.settings.drop)
            if before is not None and np.array_equal(on, before):
                break
            before = on
            i, j = np.nonzero(on)
            if len(i) < 3:
                break
            terms = np.stack((np.ones(len(i)), x[i, 0], y[j]))
            try:
                a, b, c = np.linalg.solve(terms @ terms.T, terms @ height[i, j]).tolist()
            except np.linalg.LinAlgError:
                break
            self._ground = (a, b, c)
            plane = a + b * x + c * y
        return plane

    def _heights(self, height: Array, permitted: NDArray[np.bool_], plane: Array) -> Array:
        """Return the heights at the corners of the cells: one for all if the ground is level."""
        side, settings = len(height), self.settings
        off = np.abs(height - plane)[permitted]
        if not len(off) or (
            _mostly(off < settings.level, 0.95) and np.ptp(plane[permitted]) < settings.level
        ):
            level = float(np.median(height[permitted])) if len(off) else float(plane.mean())
            level -= LOWER_BY * settings.level
            last = self._last
            if last is not None and last.is_level:
                before = float(last.heights[0, 0])
                if abs(level - before) < LOWER_BY * settings.level:
                    level = before
            return np.full(side + 1, level)
        filled = np.where(permitted, height, plane)
        padded = np.pad(filled, 1, mode='edge')
        corners: Array = padded[1:, 1:] + padded[:-1, 1:] + padded[1:, :-1] + padded[:-1, :-1]
        return 0.25 * corners

    def _answer(
        self, cells: NDArray[np.int8], heights: Array, cell: float, first: tuple[int, ...]
    ) -> TernaryTerrain:
        last = self._last
        if (
            last is not None
            and (last.cell, last.first_row, last.first_column) == (cell, *first)
            and np.array_equal(last.cells, cells)
            # One height for a row of corners is that of all its columns.
            and bool((last.heights == heights.reshape(len(heights), -1)).all())
        ):
            return last
        revision = 0 if last is None else last.revision + 1
        self._last = TernaryTerrain(cells, heights, cell, first[0], first[1], revision)
        return self._last


def _steep(height: Array, known: NDArray[np.bool_], most: float) -> NDArray[np.bool_]:
    """Return the cells that rise by more than ``most`` m from one neighbour and to the other.

    A cell beside an edge does so at one side only.
    """
    found = np.zeros_like(known)
    for heights, seen, steep in ((height, known, found), (height.T, known.T, found.T)):
        rise, both = np.diff(heights, axis=0), seen[1:] & seen[:-1]
        for one_way in (both & (rise > most), both & (rise < -most)):
            steep[1:-1] |= one_way[1:] & one_way[:-1]
    return found


def _mostly(holds: NDArray[np.bool_], share: float) -> bool:
    """Return whether something holds for more than a share of some cells."""
    return int(np.count_nonzero(holds)) > share * len(holds)


def _cut_off(cells: NDArray[np.int8]) -> None:
    """Take away what lies beyond the distance up to which most cells are seen, to each side.

    Unknown rows far away would look like a gap that no leg spans.
    """
    middle = len(cells) // 2
    for turn in range(4):
        ahead = np.rot90(cells, turn)[middle:]
        lane = ahead[FAR:, max(middle - NEAR, 0) : middle + NEAR + 1] != UNSEEN
        poor = np.flatnonzero(lane.sum(axis=1, dtype=np.int8) < MOST * lane.shape[1])
        if len(poor):
            ahead[FAR + int(poor[0]) :] = UNSEEN
