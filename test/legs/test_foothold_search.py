"""Foothold search: A14, A15 of asv.md §19.1."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.plane import LEVEL, Plane
from walking_robots.geometry.pose import Pose, Rates
from walking_robots.legs.foothold_search import FootholdSearch
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.cells import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.generator import build

SEARCH = FootholdSearch(ASV)
POSE = Pose(ASV.start_position)
FLAT = build()
ACCEPT = ASV.kinematic_margin.accept


def feet(point):
    return tuple(value / ft(1) for value in point)


def test_a14_at_rest_the_best_cell_is_the_frontmost_and_outermost():
    found = SEARCH.search([3], LEVEL, POSE, Rates(), FLAT, {})[3]
    assert feet(found.best(ACCEPT).point) == pytest.approx((9.5, 23.5, 0.0))
    assert found.best(ACCEPT).margin == 1000.0
    assert feet(found.foothold(-1).point) == pytest.approx((3.5, 20.5, 0.0)), 'place_back'


def test_a14_walking_forward_the_frontmost_cell_lasts_longest():
    found = SEARCH.search([1, 3, 6], LEVEL, POSE, Rates(vx=ft(0.4)), FLAT, {})
    for leg, front in ((1, 15.5), (3, 9.5), (6, 3.5)):
        assert feet(found[leg].best(ACCEPT).point)[0] == pytest.approx(front)


def test_every_candidate_is_a_permitted_centre_inside_the_volume():
    terrain = build(share=0.4, seed=9)
    for leg, candidates in SEARCH.search(
        [1, 2, 3, 4, 5, 6], LEVEL, POSE, Rates(vx=ft(1)), terrain, {}
    ).items():
        volume = WorkingVolume(ASV.legs[leg - 1])
        for (x, y, z), margin in candidates.footholds():
            assert terrain.permitted(x, y)
            assert volume.contains(POSE.to_body((x, y, z)))
            assert margin == pytest.approx(
                volume.kinematic_margin(
                    POSE.to_body((x, y, z)), Rates(vx=ft(1)), ASV.kinematic_margin
                )
            )


def test_nothing_is_found_where_nothing_is_permitted():
    terrain = TernaryTerrain(np.full((49, 49), FORBIDDEN), np.zeros(50), ft(1))
    found = SEARCH.search([1, 3], LEVEL, POSE, Rates(), terrain, {})
    assert [candidates.best(ACCEPT) for candidates in found.values()] == [None, None]


def test_outside_the_terrain_nothing_is_found():
    found = SEARCH.search([1, 5], LEVEL, Pose((ft(-30), 0.0, ft(5.4))), Rates(), FLAT, {})
    assert len(found[1]) == len(found[5]) == 0


@settings(max_examples=50)
@given(st.integers(0, 2000), st.sampled_from([1, 5]))
def test_a15_a_leg_is_never_offered_the_cell_of_a_standing_neighbour(seed, neighbour):
    rng = np.random.default_rng(seed)
    i, j = int(rng.integers(3, 11)), int(rng.integers(19, 25))
    found = SEARCH.search([3], LEVEL, POSE, Rates(vx=0.1), FLAT, {neighbour: (i, j)})[3]
    free = SEARCH.search([3], LEVEL, POSE, Rates(vx=0.1), FLAT, {})[3]
    cells = {FLAT.cell_of(*foothold.point[:2]) for foothold in found.footholds()}
    everywhere = {FLAT.cell_of(*foothold.point[:2]) for foothold in free.footholds()}
    assert cells == everywhere - {(i, j)}


def test_a15_a_leg_of_the_other_side_does_not_count():
    foothold = SEARCH.search([3], LEVEL, POSE, Rates(), FLAT, {2: (9, 23)})[3].best(ACCEPT)
    assert feet(foothold.point) == pytest.approx((9.5, 23.5, 0.0))


def test_a_tilted_plane_moves_the_reachable_points():
    tilted = Plane((-0.2425, 0.0, 0.9701), -0.2425 * -POSE.position[0])
    found = SEARCH.search([1], tilted, POSE, Rates(), FLAT, {})[1]
    assert len(found)
