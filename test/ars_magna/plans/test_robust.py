"""The program that fetches things in all worlds, over a few seeds; the page has more."""

import math

import pytest

from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.wall_grid import WallGrid
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.trials.ars_magna.trial import ArsTrial, run


@pytest.mark.parametrize(
    ('world', 'what', 'seeds'),
    [
        ('big_room', 'color=lightred', range(300, 310)),
        ('big_room', 'size=2 substance=metal', range(300, 303)),
        ('office', 'kind=key', range(300, 305)),
        ('house', 'color=lightgreen', range(300, 303)),
        # Around a chimney, and with a wall that the robot is not yet along when it stops.
        ('house', 'color=lightred', (5021, 5055, 6055)),
        ('maze', 'color=red', range(300, 303)),
    ],
)
def test_the_right_thing_comes_home(world, what, seeds):
    design = load_design(find_world(world))
    results = [run(ArsTrial((), 'robust', seed, what=what), design) for seed in seeds]
    assert [one.message for one in results if not one.goal_reached] == []
    assert all(one.position_error_m < 1.0 for one in results)


def test_what_no_hand_can_lift_does_not_come_home():
    design = load_design(find_world('big_room'))
    result = run(ArsTrial((), 'robust', 1, what='size=20', ticks=3000), design)
    assert (result.outcome, result.goal_reached) == ('timeout', False)


def test_contacts_show_how_the_grid_of_walls_lies():
    grid = WallGrid()
    assert grid.heading_along(0.1) == 0.1
    # Half a turn and an error later the robot follows the other side.
    assert grid.heading_along(0.13 + math.pi) == pytest.approx(0.1 + math.pi)
    axis = Point(math.cos(0.1), math.sin(0.1))
    assert grid.positions_at_border(axis * 2.3, 0.1) == [axis * 2.3]
    assert not grid.is_known
    (corrected,) = grid.positions_at_border(axis * 5.1, 0.1)
    assert corrected.x == pytest.approx((axis * 5.3).x)
    # Nearly half a cell off it may be either border.
    both = [place.x for place in grid.positions_at_border(axis * 5.7, 0.1)]
    assert both == [pytest.approx((axis * 5.3).x), pytest.approx((axis * 6.3).x)]
    assert grid.cell_of(axis * 4.0) != grid.cell_of(axis * 5.0)
    assert grid.middle_of(grid.cell_of(axis * 4.0)).x == pytest.approx((axis * 3.8).x)
