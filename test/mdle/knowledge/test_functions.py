"""Functions of expressions whose values are more than arithmetic."""

import math

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.functions import FASTEST_TURN, pursue
from walking_robots.virtual_robots.scout import scout_spec


def test_pursue_turns_no_faster_than_its_limit_and_drives_meanwhile():
    assert pursue(Pose2(0, 0, 0), (-1.0, 0.0), 0.2) == pytest.approx((0.0, FASTEST_TURN))
    v, w = pursue(Pose2(0, 0, 0), (math.cos(1.2), -math.sin(1.2)), 0.2)
    assert (v, w) == pytest.approx((0.2 * math.cos(1.2), -FASTEST_TURN))
    assert pursue(Pose2(0, 0, 0), (1.0, 0.1), 0.2)[1] == pytest.approx(1.5 * math.atan(0.1))
    assert scout_spec().spaces['body2'].channels[1].high >= FASTEST_TURN
