"""Between two steps body and joints move; what was decided stays until the next step."""

import math
from dataclasses import replace

import pytest

from walking_robots.viewer.hexapod.state import ViewState, between


def test_body_and_joints_move_while_decisions_stay(walking: ViewState) -> None:
    x, y, z = walking.position
    joints = {name: value + 0.2 for name, value in walking.joints.items()}
    turn = (-math.cos(0.1), 0.0, 0.0, -math.sin(0.1))
    after = replace(
        walking,
        time=walking.time + 0.1,
        position=(x + 0.4, y, z),
        quaternion=turn,
        joints=joints,
        support=(2, 3, 6),
        margin=0.1,
    )
    seen = between(walking, after, 0.5)
    assert seen.position == pytest.approx((x + 0.2, y, z))
    assert seen.quaternion == pytest.approx((math.cos(0.05), 0.0, 0.0, math.sin(0.05)))
    assert seen.joints == pytest.approx({n: v + 0.1 for n, v in walking.joints.items()})
    assert (seen.support, seen.margin) == (walking.support, walking.margin)


def test_a_new_run_is_not_reached_by_walking(walking: ViewState) -> None:
    start = replace(walking, time=0.0, position=(0.0, 0.0, 1.6))
    assert between(walking, start, 0.5) is start
