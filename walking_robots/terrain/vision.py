"""Simulate vision: what part of the terrain is seen, and where a ditch lies in it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.terrain.cells import FORBIDDEN, UNSEEN, TernaryTerrain


@dataclass(frozen=True)
class DitchSighting:
    """A ditch as vision measures it: near edge (m, odom x) and width (m, along x)."""

    near_edge: float
    width: float


def look(terrain: TernaryTerrain, x: float, y: float, range: float = math.inf) -> TernaryTerrain:
    """Return the patch of terrain that is seen from (x, y) (m, odom).

    Cells whose centre is beyond `range` (m) are cut off, or UNSEEN in the patch's corners. By
    default everything is seen: the source assumes the terrain analysed beforehand (asv.md §4.6).
    """
    if math.isinf(range):
        return terrain
    cell = terrain.cell
    dx = (np.arange(terrain.rows) + terrain.first_row + 0.5) * cell - x
    dy = (np.arange(terrain.columns) + terrain.first_column + 0.5) * cell - y
    rows, columns = _span(np.abs(dx) <= range), _span(np.abs(dy) <= range)
    far = np.hypot(dx[rows, None], dy[None, columns]) > range
    return TernaryTerrain(
        cells=np.where(far, UNSEEN, terrain.cells[rows, columns]),
        heights=terrain.heights[rows.start : rows.stop + 1, columns.start : columns.stop + 1],
        cell=cell,
        first_row=terrain.first_row + rows.start,
        first_column=terrain.first_column + columns.start,
        revision=terrain.revision,
        kinds=None if terrain.kinds is None else terrain.kinds[rows, columns],
    )


def _span(near: NDArray[np.bool_]) -> slice:
    """Return the slice from the first to the last true entry."""
    index = np.flatnonzero(near)
    return slice(int(index[0]), int(index[-1]) + 1) if index.size else slice(0, 0)


def find_ditches(
    terrain: TernaryTerrain,
    y_low: float,
    y_high: float,
    min_rows: int = 3,
    share: float = 1.0,
    chance: float = 1e-6,
) -> tuple[DitchSighting, ...]:
    """Return the ditches that lie across the band y_low ... y_high (m, odom), nearest first.

    A ditch is a run of at least min_rows rows, each forbidden to at least `share` of what is seen
    of it in the band. Dense random cells make such runs too, so a run counts only if cells as
    dense as those around it would fill it with a probability below `chance`. Replaces the
    hard-coded place of the source (asv.md §4.6, DEF-7).
    """
    cells = terrain.cells
    first = max(math.floor(y_low / terrain.cell) - terrain.first_column, 0)
    last = min(math.ceil(y_high / terrain.cell) - terrain.first_column, terrain.columns)
    if first >= last:
        return ()
    band = cells[:, first:last]
    seen, taken = np.sum(band != UNSEEN, axis=1), np.sum(band == FORBIDDEN, axis=1)
    blocked = (2 * seen >= band.shape[1]) & (taken >= share * seen)
    # Rows forbidden over all that is seen belong to a ditch even where the rows beside them
    # happen to be forbidden inside the band.
    everywhere = blocked & np.all(cells != 0, axis=1)
    around = cells[~everywhere]
    known = int(np.sum(around != UNSEEN))
    density = float(np.sum(around == FORBIDDEN)) / known if known else 1.0
    sightings = []
    for start, stop in _runs(blocked):
        cores = [run for run in _runs(everywhere[start:stop]) if run[1] - run[0] >= min_rows]
        for low, high in cores or [(0, stop - start)]:
            rows = slice(start + low, start + high)
            amount, hits = int(np.sum(seen[rows])), int(np.sum(taken[rows]))
            if high - low >= min_rows and _log_chance(hits, amount, density) < math.log(chance):
                near = (terrain.first_row + rows.start) * terrain.cell
                sightings.append(DitchSighting(near, (high - low) * terrain.cell))
    return tuple(sightings)


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False]))))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _log_chance(hits: int, cells: int, density: float) -> float:
    """Return the logarithm of Chernoff's bound on finding so many hits by chance."""
    found = hits / cells
    if found <= density:
        return 0.0
    if density == 0.0:
        return -math.inf
    bits = found * math.log(found / density)
    if found < 1.0:
        bits += (1.0 - found) * math.log((1.0 - found) / (1.0 - density))
    return -cells * bits


def ditch_cells(terrain: TernaryTerrain) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of the cells that a person would call a ditch.

    Solid ground of forbidden cells that reaches from side to side, at any angle; for display,
    where `find_ditches` measures for the gait.
    """
    solid = terrain.cells == FORBIDDEN
    straight: NDArray[np.bool_] = np.zeros_like(solid)
    if not solid.size or float(np.mean(solid)) > 0.8:
        # So dense that random cells alone grow together from side to side.
        return straight
    for start, stop in _runs(solid.all(axis=1)):
        straight[start:stop] = stop - start >= 3
    solid = solid & ~straight
    body = np.zeros_like(solid)
    for part in _crossing_parts(_eroded(solid)):
        body |= _grown(part)
    for _ in range(2):
        # Fills the steps of an oblique edge without taking single random cells beside a ditch.
        padded = np.pad(body, 1)
        beside = np.sum(
            [padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]], axis=0
        )
        body = body | (solid & (beside >= 2))
    return np.asarray(straight | body)


def _eroded(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells all of whose eight neighbours are in the mask; edges count as in it."""
    padded = np.pad(mask, 1, constant_values=True)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    return np.asarray(windows.all(axis=(2, 3)))


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask with all eight neighbours of its cells."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(mask, 1), (3, 3))
    return np.asarray(windows.any(axis=(2, 3)))


def _crossing_parts(mask: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
    """Yield the connected parts of a mask that touch both the first and the last column."""
    rest = mask.copy()
    while rest[:, 0].any():
        part = np.zeros_like(mask)
        part[np.flatnonzero(rest[:, 0])[0], 0] = True
        larger = _grown(part) & rest
        while larger.sum() > part.sum():
            part, larger = larger, _grown(larger) & rest
        rest &= ~part
        if part[:, -1].any():
            yield part
