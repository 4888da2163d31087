"""Test map files: what Nav2's map server reads, and one sentence for what is wrong."""

from pathlib import Path

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.map_files import MapFileError, load_map, save_map
from walking_robots.mdle.cartographer.occupancy_grid import OccupancyGrid


@pytest.fixture
def drawn() -> OccupancyGrid:
    grid = OccupancyGrid(0.05, (-1.25, 0.5), rows=7, columns=11)
    grid.log_odds[:] = np.random.default_rng(1).choice((-3.0, 0.0, 3.0), grid.log_odds.shape)
    grid.refresh()
    return grid


def test_a_map_comes_back_as_it_was(drawn: OccupancyGrid, tmp_path: Path) -> None:
    save_map(tmp_path / 'house.yaml', drawn, Pose2(1.0, -2.0, 0.5), Pose2(0.1, 0.2, 0.3))
    found, pose, odometry = load_map(tmp_path / 'house.yaml')
    assert np.array_equal(found.classes(), drawn.classes())
    assert (found.resolution, found.origin) == (drawn.resolution, drawn.origin)
    assert (pose, odometry) == (Pose2(1.0, -2.0, 0.5), Pose2(0.1, 0.2, 0.3))
    assert {path.name for path in tmp_path.iterdir()} == {'house.yaml', 'house.pgm'}


def test_the_picture_is_that_of_map_server(drawn: OccupancyGrid, tmp_path: Path) -> None:
    save_map(tmp_path / 'm.yaml', drawn)
    data = (tmp_path / 'm.pgm').read_bytes()
    assert data.startswith(b'P5\n11 7\n255\n')
    # The first row of the picture is the last of the grid.
    grey = {0: 254, 1: 0, -1: 205}
    assert list(data[-11:]) == [grey[c] for c in drawn.classes()[0].tolist()]


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        (('resolution: 0.05', 'resolution: -1'), "line 3: field 'resolution'"),
        (('image: m.pgm', 'image: no.pgm'), 'cannot be read (no such file or directory)'),
        (('0.0]', '0.7]'), "field 'origin' must have heading 0"),
        (('mode: trinary', 'mode: [trinary'), 'line'),
        (('free_thresh: 0.196', 'free_thresh: 0.9'), 'must be less than occupied_thresh'),
        (('image: m.pgm', 'image: !!python/object/apply:os.system [ls]'), 'line 1'),
    ],
)
def test_a_wrong_description_is_one_sentence(
    drawn: OccupancyGrid, tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    path = tmp_path / 'm.yaml'
    save_map(path, drawn)
    text = path.read_text()
    assert change[0] in text
    path.write_text(text.replace(*change))
    with pytest.raises(MapFileError) as error:
        load_map(path)
    assert sentence in str(error.value) and '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('data', 'sentence'),
    [
        (b'', 'is not a binary picture'),
        (b'P2\n2 2\n255\n0 0 0 0\n', 'is not a binary picture'),
        (b'P5\n11 7\n255\n123', 'ends before its 11 x 7 cells'),
        (b'P5\n99999 99999\n255\n', '99999 x 99999 cells'),
    ],
)
def test_a_wrong_picture_is_one_sentence(
    drawn: OccupancyGrid, tmp_path: Path, data: bytes, sentence: str
) -> None:
    save_map(tmp_path / 'm.yaml', drawn)
    (tmp_path / 'm.pgm').write_bytes(data)
    with pytest.raises(MapFileError, match=sentence):
        load_map(tmp_path / 'm.yaml')


def test_a_file_that_cannot_be_written_and_one_of_another_kind(drawn: OccupancyGrid, tmp_path: Path) -> None:
    (tmp_path / 'file').write_text('')
    with pytest.raises(MapFileError, match='cannot be written'):
        save_map(tmp_path / 'file' / 'm.yaml', drawn)
    with pytest.raises(MapFileError, match=r'must end in \.yaml'):
        load_map(tmp_path / 'm.png')
