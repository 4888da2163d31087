"""Strokes of bodies on articulated legs (aquarobot.md §5.6, A18)."""

import numpy as np

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.strokes import stroke_table, walking
from walking_robots.robots.aquarobot import AQUAROBOT, BODY_RADIUS
from walking_robots.robots.articulated import Stance

# cm: rows are heights of the body, columns distances of the feet from its middle, 80 to 170.
TABLE = """
  30   -    -     -     -     -     -    11.1  31.1  51.1  68.9
  40   -    -     -     -    1.1   21.1  41.1  61.1  81.1  64.1
 54.18 5.0 25.0  45.0  65.0  85.0 105.0 114.7  94.7  74.7  54.7
  70 73.6  90.9 108.3 125.6 140.3 120.3 100.3  80.3  60.3  40.3
  80 73.6  90.9 108.3 125.6 128.8 108.8  88.8  68.8  48.8  28.8
  90 73.6  90.9 108.3 125.6 115.0  95.0  75.0  55.0  35.0  15.0
 100 73.6  90.9 108.3 118.6  98.6  78.6  58.6  38.6  18.6   -
 110 73.6  90.9 108.3  99.0  79.0  59.0  39.0  19.0   -     -
 120 73.6  90.9  95.0  75.0  55.0  35.0  15.0   -     -     -
"""


def table(text: str) -> np.ndarray:
    rows = [line.replace(' -', ' nan').split() for line in text.strip().splitlines()]
    return np.array(rows, dtype=float)


def test_strokes_are_those_of_the_specification():
    expected = table(TABLE)
    # 54.18 stands for the height after a reset.
    heights = np.where(expected[:, 0] == 54.18, 54.181866, expected[:, 0]) / 100
    reaches = (np.arange(80, 171, 10) - BODY_RADIUS) / 100
    strokes = stroke_table(AQUAROBOT, heights.tolist(), reaches.tolist()) * 100
    np.testing.assert_allclose(strokes, expected[:, 1:], atol=0.051)


def test_a18_from_reset_the_body_cannot_move_but_from_a_wide_stance_it_can():
    legs = ArticulatedLegs(AQUAROBOT)
    directions = np.radians(np.arange(0, 360, 10))
    reset = legs.forward(legs.home)
    wide = np.array([Stance(0.7, 1.2 - 0.375).foot(leg) for leg in AQUAROBOT.legs])
    for direction in directions.tolist():
        assert not legs.solve(walking(reset, direction)(np.array(0.001))).reached.all()
        path = walking(wide, direction)(np.linspace(-0.3, 0.3, 61))
        assert legs.solve(path).reached.all()
