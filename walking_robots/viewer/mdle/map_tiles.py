"""Draw a map as flat pictures on the floor, a tile at a time."""

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import show_nodes
from walking_robots.viewer.mdle.way_state import FREE, OCCUPIED, UNKNOWN, MapCells

TILE = 64
"""Cells along a side of a tile, which is sent when one of them has changed."""
PIXELS = 4
"""Of a cell: browsers blur the border between two."""
HEIGHT = 0.004
"""Above the floor, m."""
FREE_CELL: Colour = (255, 255, 255)
OCCUPIED_CELL: Colour = (44, 52, 66)
UNKNOWN_CELL: Colour = (222, 224, 222)
"""As the plain looks between its lines."""

Tile = tuple[int, int]


class MapTiles:
    """The tiles in the scene; those without a known cell are not there."""

    def __init__(self, scene: viser.SceneApi, root: str) -> None:
        """Begin without a map; tiles stand below the scene node `root` (map)."""
        self._scene, self._root = scene, root
        self._wanted = True
        self._shown: MapCells | None = None
        self._cells: dict[Tile, NDArray[np.int8]] = {}
        self._tiles: dict[Tile, viser.ImageHandle] = {}

    def switch(self, wanted: bool) -> None:
        """Show or hide the map."""
        self._wanted = wanted
        show_nodes(list(self._tiles.values()), wanted)

    def show(self, cells: MapCells | None) -> None:
        """Show another map; only tiles that differ are sent."""
        if cells is self._shown or cells is None:
            return
        if self._shown is not None and self._shown.cell != cells.cell:
            self._cells.clear()
        self._shown = cells
        found = tiles_of(cells)
        for place in self._tiles.keys() - found.keys():
            self._tiles.pop(place).remove()
            self._cells.pop(place, None)
        for place, classes in found.items():
            before = self._cells.get(place)
            if before is None or not np.array_equal(before, classes):
                self._cells[place] = classes
                self._draw(place, classes, cells)

    def _draw(self, place: Tile, classes: NDArray[np.int8], cells: MapCells) -> None:
        picture = picture_of(classes)
        if place in self._tiles:
            self._tiles[place].image = picture
            return
        side = TILE * cells.cell
        # What is left of a corner that lies between the borders of cells.
        x, y = (
            (index + 0.5) * side + corner - round(corner / cells.cell) * cells.cell
            for index, corner in zip(place[::-1], cells.origin, strict=True)
        )
        self._tiles[place] = self._scene.add_image(
            f'{self._root}/map{place[0]}_{place[1]}', picture, side, side, format='png',
            cast_shadow=False, receive_shadow=False, position=(x, y, HEIGHT),
            visible=self._wanted,
        )  # fmt: skip


def tiles_of(cells: MapCells) -> dict[Tile, NDArray[np.int8]]:
    """Return the cells, (TILE, TILE), of all tiles with one that is known, by row and column.

    Tiles keep their places when a map grows to any side.
    """
    rows, columns = cells.classes.shape
    left, low = (round(corner / cells.cell) for corner in cells.origin)
    first = (low // TILE, left // TILE)
    count = ((low + rows - 1) // TILE + 1 - first[0], (left + columns - 1) // TILE + 1 - first[1])
    whole = np.full((count[0] * TILE, count[1] * TILE), UNKNOWN, dtype=np.int8)
    row, column = low - first[0] * TILE, left - first[1] * TILE
    whole[row : row + rows, column : column + columns] = cells.classes
    parts = whole.reshape(count[0], TILE, count[1], TILE).swapaxes(1, 2)
    known = (parts != UNKNOWN).any(axis=(2, 3))
    return {
        (first[0] + int(i), first[1] + int(j)): parts[i, j].copy() for i, j in np.argwhere(known)
    }


def picture_of(classes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return a picture of cells, its first row at the lowest y."""
    picture = np.full((*classes.shape, 3), UNKNOWN_CELL, dtype=np.uint8)
    picture[classes == FREE], picture[classes == OCCUPIED] = FREE_CELL, OCCUPIED_CELL
    return picture.repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
