"""Draw what a robot believes of the ground: a tile for each cell of its map, in its class."""

import threading
from collections.abc import Mapping

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, UNSEEN, TernaryTerrain
from walking_robots.terrain.elevation_map import CEILING, HEIGHT, VARIANCE, MapWindow
from walking_robots.viewer.common.gltf import SHADE, SUN
from walking_robots.viewer.common.handles import show_nodes
from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.state import Belief

COARSE = 2
"""Cells of the map along a side of a tile, for browsers without a graphics card."""

CHUNK = 16
"""Cells along a side of a piece that is sent at once, if one of its cells has changed."""

STEP = 0.1
"""Changes of a height that are not shown, in sides of a tile."""

TILE = 1.15
"""Side of a tile, in sides of a cell: a little more, so that nothing shines through."""

SUNK = 0.75
"""How far below the ground a tile is, in its sides: it faces the camera, and would hide feet."""

NOTHING = np.iinfo(np.int32).min
CLASSES: Mapping[int, tuple[int, int, int]] = {
    PERMITTED: colours.PERMITTED_CELL,
    FORBIDDEN: colours.FORBIDDEN_CELL,
    UNSEEN: colours.UNSEEN_CELL,
}


class BeliefTiles:
    """The tiles of all pieces; only those that have changed are sent.

    ``lowest``: height of the lowest tile so far, m.
    """

    def __init__(self, scene: viser.SceneApi, root: str) -> None:
        """Begin without tiles; they stand below `root` (odom)."""
        self._scene, self._root = scene, root
        self._wanted = True
        # People switch in another thread, and a piece that is removed cannot be hidden.
        self._drawing = threading.Lock()
        self._shown: Belief | None = None
        self._codes: dict[tuple[int, int], NDArray[np.int32]] = {}
        self._pieces: dict[tuple[int, int], viser.PointCloudHandle] = {}
        self.lowest = 0.0

    def switch(self, wanted: bool) -> None:
        """Show or hide the tiles."""
        with self._drawing:
            self._wanted = wanted
            show_nodes(self._pieces.values(), wanted)

    def show(self, belief: Belief | None) -> None:
        """Show another belief."""
        if belief is self._shown:
            return
        self._shown = belief
        with self._drawing:
            self._replace(belief)

    def _replace(self, belief: Belief | None) -> None:
        """Send what has changed."""
        if belief is not None:
            belief = Belief(_coarse(belief.window), belief.terrain)
        codes = {} if belief is None else _pieces(*belief)
        for place in set(self._pieces) - set(codes):
            self._pieces.pop(place).remove()
            del self._codes[place]
        for place, code in codes.items():
            old = self._codes.get(place)
            if belief is not None and (old is None or not np.array_equal(old, code)):
                self._codes[place] = code
                self._draw(place, code, belief.window.cell)

    def _draw(self, place: tuple[int, int], code: NDArray[np.int32], cell: float) -> None:
        """Send a piece in place of the one that was there."""
        heights = (code >> 2) * (STEP * cell) - SUNK * TILE * cell
        i, j = np.nonzero(code != NOTHING)
        points = np.stack(((i + 0.5) * cell, (j + 0.5) * cell, heights[i, j]), axis=1)
        palette = np.array([CLASSES[kind] for kind in sorted(CLASSES)], np.float64)
        light = _light(np.where(code == NOTHING, np.nan, heights), cell)
        tints = palette[(code & 3)[i, j]] * light[i, j, None]
        self.lowest = min(self.lowest, float(points[:, 2].min(initial=0.0)))
        x, y = (index * CHUNK * cell for index in place)
        # Points and colours go in one message: their number changes.
        self._pieces[place] = self._scene.add_point_cloud(
            f'{self._root}/belief{place[0]}_{place[1]}', points.astype(np.float32),
            tints.astype(np.uint8), point_size=TILE * cell, point_shading='flat',
            position=(x, y, 0.0), visible=self._wanted,
        )  # fmt: skip


def _pieces(
    window: MapWindow, terrain: TernaryTerrain
) -> dict[tuple[int, int], NDArray[np.int32]]:
    """Return the cells (CHUNK, CHUNK) of all pieces with a cell that is known.

    A cell is four times its height, in steps, plus its class.
    """
    layers = window.layers
    known = np.isfinite(layers[VARIANCE])
    kinds = _classes(window, terrain)
    # Below a forbidden edge no point was met, but rays have passed.
    deep = ~known & (kinds == FORBIDDEN) & np.isfinite(layers[CEILING])
    heights = np.where(deep, layers[CEILING], np.where(known, layers[HEIGHT], 0.0))
    steps = np.round(heights / (STEP * window.cell)).astype(np.int32)
    codes = np.where(known | deep, 4 * steps + (kinds - UNSEEN), NOTHING).astype(np.int32)
    side = len(codes)
    begin = [first // CHUNK for first in window.first]
    count = [
        (first + side - 1) // CHUNK + 1 - b for first, b in zip(window.first, begin, strict=True)
    ]
    whole = np.full((count[0] * CHUNK, count[1] * CHUNK), NOTHING, np.int32)
    i, j = (first - b * CHUNK for first, b in zip(window.first, begin, strict=True))
    whole[i : i + side, j : j + side] = codes
    found = {
        (begin[0] + a, begin[1] + b): whole[
            a * CHUNK : (a + 1) * CHUNK, b * CHUNK : (b + 1) * CHUNK
        ]
        for a in range(count[0])
        for b in range(count[1])
    }
    return {place: code for place, code in found.items() if (code != NOTHING).any()}


def _coarse(window: MapWindow) -> MapWindow:
    """Return the map in cells of `COARSE` times the side, each with the mean of what is known."""
    side = window.layers.shape[1] // COARSE
    parts = window.layers.reshape(-1, side, COARSE, side, COARSE)
    variance = parts[VARIANCE]
    known = np.isfinite(variance)
    count = known.sum(axis=(1, 3))
    layers = np.empty((len(parts), side, side), np.float32)
    layers[:] = parts[:, :, 0, :, 0]
    layers[HEIGHT] = np.where(known, parts[HEIGHT], 0.0).sum(axis=(1, 3)) / np.maximum(count, 1)
    layers[VARIANCE] = variance.min(axis=(1, 3))
    layers[CEILING] = parts[CEILING].min(axis=(1, 3))
    first = (window.first[0] // COARSE, window.first[1] // COARSE)
    return MapWindow(COARSE * window.cell, first, layers)


def _classes(window: MapWindow, terrain: TernaryTerrain) -> NDArray[np.int32]:
    """Return the class of each cell of a map: that of the foothold's cell that it is a part of."""
    rows, columns = (
        np.floor(
            (first + 0.5 + np.arange(window.layers.shape[1])) * window.cell / terrain.cell
        ).astype(np.intp)
        - origin
        for first, origin in zip(
            window.first, (terrain.first_row, terrain.first_column), strict=True
        )
    )
    inside = ((rows >= 0) & (rows < terrain.rows))[:, None] & (
        (columns >= 0) & (columns < terrain.columns)
    )
    kinds = terrain.cells[
        rows.clip(0, terrain.rows - 1)[:, None], columns.clip(0, terrain.columns - 1)
    ]
    return np.where(inside, kinds, UNSEEN).astype(np.int32)


def _light(heights: NDArray[np.float64], cell: float) -> NDArray[np.float64]:
    """Return the brightness of tiles, by the slope of the ground; NaN is no ground."""
    slopes = [np.nan_to_num(np.gradient(heights, cell, axis=axis)) for axis in (0, 1)]
    sun = np.array(SUN) / np.linalg.norm(SUN)
    steep = np.sqrt(slopes[0] ** 2 + slopes[1] ** 2 + 1.0)
    faced = (sun[2] - sun[0] * slopes[0] - sun[1] * slopes[1]) / steep
    light: NDArray[np.float64] = SHADE + (1.0 - SHADE) * np.clip(faced, 0.0, 1.0)
    return light
