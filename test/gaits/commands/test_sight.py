"""Test how fast a robot walks over ground that it sees in part."""

from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.commands.sight import GAP, TIME, seen_distance, within_sight
from walking_robots.geometry.pose import Pose
from walking_robots.robots.asv import ASV
from walking_robots.terrain import UNSEEN, TernaryTerrain

FULL = (0.5, 0.0, 0.02)
POSE = Pose((5.0, 5.0, 1.6))
FRONT = max(leg.start_foot[0] for leg in ASV.legs)


def seen_to(x: float) -> TernaryTerrain:
    """Return terrain of 20 x 10 m that is seen up to x."""
    cells = np.zeros((80, 40), np.int8)
    cells[round(x / 0.25) :] = UNSEEN
    return TernaryTerrain(cells, np.zeros(81), 0.25)


def test_who_sees_all_walks_as_commanded() -> None:
    terrain = TernaryTerrain(np.ones((80, 40)), np.zeros(81), 0.25)
    assert terrain.all_seen and within_sight(FULL, POSE, terrain, ASV) == FULL


def test_the_speed_falls_with_the_distance_seen() -> None:
    assert within_sight(FULL, POSE, seen_to(12.0), ASV) == FULL
    near = within_sight(FULL, POSE, seen_to(8.0), ASV)
    share = (3.0 - FRONT) / (TIME * FULL[0])
    assert near == pytest.approx([share * part for part in FULL], rel=0.15)
    assert within_sight(FULL, POSE, seen_to(5.5), ASV) == (0.0, 0.0, 0.0)


def test_the_way_of_the_command_counts() -> None:
    terrain = seen_to(5.5)
    assert within_sight((-0.1, 0.0, 0.0), POSE, terrain, ASV) == (-0.1, 0.0, 0.0)
    turned = Pose(POSE.position, (-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0))
    assert within_sight((0.1, 0.0, 0.0), turned, terrain, ASV) == (0.1, 0.0, 0.0)


def test_what_is_out_of_sight_below_the_body_does_not_count() -> None:
    cells = seen_to(12.0).cells.copy()
    cells[16:25, 16:25] = UNSEEN
    assert within_sight(FULL, POSE, replace(seen_to(12.0), cells=cells), ASV) == FULL


def test_a_robot_that_sees_nothing_rests() -> None:
    assert within_sight((0.0, 0.0, 0.1), POSE, seen_to(0.0), ASV) == (0.0, 0.0, 0.0)


def test_ground_beside_the_terrain_is_unseen() -> None:
    assert seen_distance(seen_to(12.0), 5.0 + 5.0j, 1.0 + 0.0j, 1.0) == pytest.approx(7.0)
    assert seen_distance(seen_to(12.0), 5.0 + 5.0j, 1.0j, 1.0) == pytest.approx(5.0)


@pytest.mark.parametrize(('rows', 'far'), [(GAP - 1, 7.0), (GAP, 3.0)])
def test_feet_step_over_a_riser_that_is_not_seen(rows: int, far: float) -> None:
    cells = seen_to(12.0).cells.copy()
    cells[32 : 32 + rows] = UNSEEN
    terrain = TernaryTerrain(cells, np.zeros(81), 0.25)
    assert seen_distance(terrain, 5.0 + 5.0j, 1.0 + 0.0j, 1.0) == pytest.approx(far)
