"""What looks around have covered by the walls known, and the way to the nearest frontier."""

from itertools import pairwise
from math import dist

from walking_robots.ars_magna.plans.coverage import REACH, covered_by, way_to_frontier

HOME = (0, 0)
WALL = {(2, row) for row in range(-20, 21)}
RING = {(x, y) for x in range(-3, 4) for y in range(-3, 4) if 3 in (abs(x), abs(y))}


def test_a_look_covers_what_is_in_reach_and_not_behind_a_wall():
    covered = covered_by([HOME], ())
    assert {(6, 0), (0, -6), (9, 9)} <= covered
    assert max(dist(HOME, cell) for cell in covered) <= REACH + 1.0
    assert max(column for column, _ in covered_by([HOME], WALL)) == 1


def test_the_way_to_a_frontier_leads_through_covered_cells_around_walls():
    walls = {(x, y) for x in range(-2, 3) for y in (-2, 2)} | {(2, y) for y in range(-2, 3)}
    covered = covered_by([HOME], walls)
    way = way_to_frontier(HOME, covered, walls, ())
    assert way[0] == HOME
    assert set(way[:-1]) <= covered
    assert way[-1] not in covered
    assert walls.isdisjoint(way)
    assert all(dist(one, other) == 1.0 for one, other in pairwise(way))


def test_a_frontier_that_was_not_reached_is_left_alone():
    covered = covered_by([HOME], ())
    goal = way_to_frontier(HOME, covered, (), ())[-1]
    assert dist(goal, way_to_frontier(HOME, covered, (), [goal])[-1]) >= 2.5


def test_a_closed_room_that_is_covered_has_no_frontier():
    assert way_to_frontier(HOME, covered_by([HOME], RING), RING, ()) is None
    door = RING - {(3, 0)}
    assert way_to_frontier(HOME, covered_by([HOME], door), door, ())[-1][0] >= 3
