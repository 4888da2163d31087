"""Test what the planner takes for frontiers."""

import numpy as np

from walking_robots.mdle.planner.frontiers import LARGEST, WIDTH, find_frontiers
from walking_robots.mdle.planner.ground import FREE, UNKNOWN, KnownGround

CELL = 0.05


def test_a_long_frontier_is_looked_at_in_parts() -> None:
    """The edge of all that is known may be one cluster, of which a part may be given up."""
    classes = np.full((160, 200), UNKNOWN, np.int8)
    classes[20:140, 20:180] = FREE
    ground = KnownGround(classes, CELL)
    seconds = np.where(classes == FREE, 1.0, np.inf)
    found = find_frontiers(ground, seconds, 0.8)
    assert all(WIDTH <= frontier.width <= LARGEST for frontier in found)
    middles = np.array([frontier.middle for frontier in found])
    rows, columns = np.nonzero(classes == FREE)
    rim = (rows == 20) | (rows == 139) | (columns == 20) | (columns == 179)
    for row, column in zip(rows[rim], columns[rim], strict=True):
        away = np.hypot(*(middles - ground.centre_of(int(row), int(column))).T)
        assert away.min() <= LARGEST


def test_a_frontier_narrower_than_the_robot_is_noise() -> None:
    classes = np.full((40, 40), FREE, np.int8)
    classes[20:23, 20] = UNKNOWN
    seconds = np.ones(classes.shape)
    assert not find_frontiers(KnownGround(classes, CELL), seconds, 0.8)
    classes[20:35, 20] = UNKNOWN
    assert find_frontiers(KnownGround(classes, CELL), seconds, 0.8)
