"""Test names of files that no file can have."""

from collections.abc import Callable

import pytest

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.sensor_files import find_sensor
from walking_robots.worlds.files import load_world


@pytest.mark.parametrize(
    'find', [lambda name: load_world(find_world(name)), find_hexapod, find_sensor]
)
@pytest.mark.parametrize('name', ['x' * 5000, f'{"x" * 5000}.yaml', 'y/' * 3000, 'a\0b'])
def test_a_name_that_no_file_can_have_is_one_sentence(
    find: Callable[[str], object], name: str
) -> None:
    with pytest.raises(ValueError, match='give the path of'):
        find(name)
