"""Classify the cells of a map: permitted, forbidden, or not seen well enough."""

import math
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
        below = self._parts(window.layers[:WAY], cell, 0.0, settings.foot).astype(np.float64)
        variance = below[VARIANCE]
        seen = np.isfinite(variance)
        count = seen.sum(axis=0)
        height = np.where(seen, below[HEIGHT], 0.0).sum(axis=0) / np.maximum(count, 1)
        known = count > 0
        first = tuple(index // parts for index in window.first)
        plane = self._plane(height, known, cell, first)
        lower = np.where(seen, below[HEIGHT], np.inf).min(axis=0)
        upper = np.where(seen, below[HEIGHT], -np.inf).max(axis=0)
        spread = np.where(seen, below[UPPER] - below[LOWER], 0.0).max(axis=0)
        roughness = np.sqrt(
            (np.where(seen, below[HEIGHT] - height, 0.0) ** 2).sum(axis=0) / np.maximum(count, 1)
        )
        deepest, ceiling = below[LOWER].min(axis=0), below[CEILING].min(axis=0)
        low = np.minimum(deepest, ceiling) < plane - settings.drop
        bad = low | (
            known
            & (
                (np.maximum(spread, upper - lower) > settings.step)
                | (roughness > settings.roughness)
                | _steep(height, known, math.tan(settings.slope) * cell)
            )
        )
        kept = self._permitted(len(known), first)
        deviation = np.where(kept, KEPT * settings.deviation, settings.deviation)
        sure = np.where(seen, variance, 0.0).max(axis=0) < deviation**2
        # What may be the edge of something deeper is left open.
        off = np.abs(height - plane)[known & ~bad]
        level = len(off) > 0 and float(np.quantile(off, 0.9)) < settings.level
        layers = window.layers
        with np.errstate(invalid='ignore'):
            # Of what was not seen the variance is infinite: NaN here, which fmin passes over.
            most = np.fmin(layers[HEIGHT] + 0.0 * layers[VARIANCE], layers[CEILING])[None]
        around = self._parts(most, cell, settings.foot, settings.edge)[0]
        beside = around.min(axis=0, initial=np.float32(np.inf))
        lowest = plane - np.where(kept | (not level), settings.drop, SURE * settings.deviation)
        # The top of a ridge is far above what is beside it.
        bad |= beside < np.maximum(lowest, np.where(known, height, -np.inf) - settings.drop)
        ground = plane if level else upper
        calm = (
            (upper - lower < settings.calm)
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
        last = self._last
        if last is None:
            return np.zeros((side, side), np.bool_)
        i = np.arange(side) + first[0] - last.first_row
        j = np.arange(side) + first[1] - last.first_column
        inside = ((i >= 0) & (i < last.rows))[:, None] & (j >= 0) & (j < last.columns)
        cells = last.cells[np.ix_(i.clip(0, last.rows - 1), j.clip(0, last.columns - 1))]
        found: NDArray[np.bool_] = inside & (cells == PERMITTED)
        return found

    def _parts(self, layers: Layer, cell: float, near: float, far: float) -> Layer:
        """Return what layers hold from ``near`` to ``far``, m, around the centre of each cell.

        Shape (layers, places, rows, columns); cell: side of a cell of footholds, m.
        """
        parts, blocks = self.settings.parts, layers.shape[1] // self.settings.parts
        side = cell / parts
        middle = (np.arange(parts) + 0.5 - 0.5 * parts) * side
        # A part counts if the distance reaches into it, and those around the centre always do.
        reach = np.maximum(np.abs(middle) - 0.5 * side, 0.0)
        reach = np.hypot(reach[:, None], reach)
        taken = (reach >= near) & (reach < max(far, 1e-6 * cell))
        i, j = np.nonzero(taken)
        split = layers.reshape(-1, blocks, parts, blocks, parts)
        return split[:, :, i, :, j].transpose(1, 0, 2, 3)

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
            np.quantile(off, 0.95) < settings.level and np.ptp(plane[permitted]) < settings.level
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
    for axis in (0, 1):
        there = np.diff(known.astype(np.int8), axis=axis) == 0
        rise = np.where(there, np.diff(height, axis=axis), 0.0)
        before, after = np.zeros_like(height), np.zeros_like(height)
        # Views of both, of which the axis goes first.
        rise = np.moveaxis(rise, axis, 0)
        np.moveaxis(before, axis, 0)[1:] = rise
        np.moveaxis(after, axis, 0)[:-1] = rise
        least = np.minimum(np.abs(before), np.abs(after))
        found |= (np.sign(before) == np.sign(after)) & (least > most)
    return found & known


def _cut_off(cells: NDArray[np.int8]) -> None:
    """Take away what lies beyond the distance up to which most cells are seen, to each side.

    Unknown rows far away would look like a gap that no leg spans.
    """
    middle = len(cells) // 2
    for turn in range(4):
        ahead = np.rot90(cells, turn)[middle:]
        lane = ahead[:, max(middle - NEAR, 0) : middle + NEAR + 1] != UNSEEN
        poor = np.flatnonzero(lane[FAR:].mean(axis=1) < MOST)
        if len(poor):
            ahead[FAR + int(poor[0]) :] = UNSEEN
