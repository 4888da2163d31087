"""Terrain as it arrives."""

import pytest

pytest.importorskip('rclpy', reason='messages come with ROS')

from walking_robots.nodes.hexapod.conversions import Patches, terrain_to_msg
from walking_robots.terrain.generator import build

pytestmark = pytest.mark.graph


def test_the_same_patch_is_the_same_terrain() -> None:
    patches, terrain = Patches(), build(4, 5, 0.3, share=0.5, seed=3)
    first = patches.read(terrain_to_msg(terrain, 0))
    assert patches.read(terrain_to_msg(terrain, 10**9)) is first
    assert (first.cells == terrain.cells).all()


def test_cells_are_divided_for_small_feet() -> None:
    terrain = build(4, 5, 0.3, share=0.5, seed=3)
    fine = Patches(0.1).read(terrain_to_msg(terrain, 0))
    assert (fine.rows, fine.columns) == (12, 15) and fine.cell == pytest.approx(0.1)
    assert (fine.cells[::3, ::3] == terrain.cells).all()
    with pytest.raises(ValueError, match='give a terrain with cells of that size'):
        Patches(0.5).read(terrain_to_msg(terrain, 0))
