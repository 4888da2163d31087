"""Test how a map is drawn: tiles that stay where they are, sent only where cells changed."""

import numpy as np
import pytest
import viser

from walking_robots.viewer.mdle.map_tiles import (
    FREE_CELL,
    OCCUPIED_CELL,
    PIXELS,
    TILE,
    UNKNOWN_CELL,
    MapTiles,
    picture_of,
    tiles_of,
)
from walking_robots.viewer.mdle.way_state import FREE, OCCUPIED, UNKNOWN, MapCells


def cells(rows: int, columns: int, origin: tuple[float, float] = (0.0, 0.0)) -> MapCells:
    return MapCells(np.full((rows, columns), UNKNOWN, np.int8), 0.05, origin)


@pytest.fixture
def tiles(server: viser.ViserServer) -> MapTiles:
    return MapTiles(server.scene, '/map')


def test_cells_keep_their_tile_when_the_map_grows_to_all_sides() -> None:
    small, large = cells(10, 10, (-0.5, 0.25)), cells(100, 100, (-2.5, -1.75))
    small.classes[3, 4] = OCCUPIED
    large.classes[43, 44] = OCCUPIED
    (place,) = tiles_of(small)
    assert place == (0, -1)
    assert tiles_of(large).keys() == {place}
    assert np.array_equal(tiles_of(small)[place], tiles_of(large)[place])


def test_a_tile_lies_where_its_cells_are(tiles: MapTiles) -> None:
    found = cells(80, 80, (0.02, 0.0))
    found.classes[70, 10] = FREE
    tiles.show(found)
    ((place, image),) = tiles._tiles.items()
    assert place == (1, 0)
    assert tuple(image.position)[:2] == pytest.approx(
        (0.5 * TILE * 0.05 + 0.02, 1.5 * TILE * 0.05)
    )
    assert image.render_width == pytest.approx(TILE * 0.05)


def test_a_picture_has_its_first_row_at_the_lowest_y() -> None:
    picture = picture_of(np.array(((FREE, OCCUPIED), (UNKNOWN, FREE)), np.int8))
    assert picture.shape == (2 * PIXELS, 2 * PIXELS, 3)
    corners = (picture[0, 0], picture[0, -1], picture[-1, 0], picture[-1, -1])
    shown = [tuple(corner.tolist()) for corner in corners]
    assert shown == [FREE_CELL, OCCUPIED_CELL, UNKNOWN_CELL, FREE_CELL]


def test_only_tiles_with_other_cells_are_sent(
    server: viser.ViserServer, tiles: MapTiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cells(2 * TILE, TILE)
    first.classes[0, 0] = first.classes[-1, -1] = FREE
    tiles.show(first)
    assert len(tiles._tiles) == 2
    sent: list[object] = []
    monkeypatch.setattr(server.scene._websock_interface, 'queue_message', sent.append)
    tiles.show(MapCells(first.classes.copy(), first.cell, first.origin))
    assert sent == []
    second = MapCells(first.classes.copy(), first.cell, first.origin)
    second.classes[1, 1] = OCCUPIED
    tiles.show(second)
    assert len(sent) > 0 and all('map0_0' in str(vars(message)) for message in sent)
    tiles.show(cells(TILE, TILE))
    assert tiles._tiles == {}, 'a new map begins with nothing'


def test_the_map_is_a_toggle(tiles: MapTiles) -> None:
    tiles.switch(False)
    found = cells(TILE, TILE)
    found.classes[0, 0] = FREE
    tiles.show(found)
    (image,) = tiles._tiles.values()
    assert not image.visible
    tiles.switch(True)
    assert image.visible
