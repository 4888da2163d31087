"""Test where a robot is looked at from."""

import math

import pytest

from walking_robots.viewer.hexapod.scene import VIEWS


def test_names_hold_whichever_way_the_robot_heads() -> None:
    ahead = (math.cos(0.7), math.sin(0.7))
    left = (-ahead[1], ahead[0])
    wanted = {
        'Behind': (-ahead[0], -ahead[1]),
        'Left': left,
        'Right': (-left[0], -left[1]),
    }
    for name, way in wanted.items():
        eye, look_at = VIEWS[name].over((3.0, -2.0, 0.5), 0.7, 0.775)
        assert look_at[:2] == pytest.approx((3.0, -2.0))
        assert math.dist(eye[:2], look_at[:2]) == pytest.approx(2.5 * 1.25)
        assert (eye[0] - 3.0, eye[1] + 2.0) == pytest.approx((3.125 * way[0], 3.125 * way[1]))
        assert 0.7 < eye[2] < 1.1, 'about as high as the body'


def test_above_looks_straight_down_with_ahead_upwards() -> None:
    eye, look_at = VIEWS['Above'].over((0.0, 0.0, 0.0), 0.0, 1.55)
    assert look_at == pytest.approx((0.0, 0.0, 0.0))
    assert eye[2] == pytest.approx(2 * 3.75)
    assert -0.01 < eye[0] < 0.0


def test_views_grow_with_the_robot() -> None:
    near, far = (VIEWS['Behind'].over((0.0, 0.0, 0.0), 0.0, reach) for reach in (0.2, 2.0))
    assert far.eye == pytest.approx([10.0 * part for part in near.eye])
