"""The ASV's numbers: A19 of asv.md §19.1, and the equations behind them."""

import pytest

from walking_robots.robots.asv import ASV, ft, initiation_range, max_ditch_width


def test_a19_initiation_range_and_widest_ditch():
    assert [x / ft(1) for x in initiation_range(ft(6))] == pytest.approx([3.5, 9.5])
    assert max_ditch_width() / ft(1) == pytest.approx(8.5)


def test_templates_lie_front_to_rear_and_outer_to_inner():
    for leg in ASV.legs:
        assert len(leg.template) == 28
        x = [point[0] for point in leg.template]
        assert x == sorted(x, reverse=True)
        assert abs(leg.template[0][1]) == pytest.approx(ft(4.3))
        assert leg.template[0][1] * leg.side > 0


def test_right_legs_mirror_left_legs():
    for left, right in ((0, 1), (2, 3), (4, 5)):
        a, b = ASV.legs[left], ASV.legs[right]
        assert a.start_foot == (b.start_foot[0], -b.start_foot[1], b.start_foot[2])
        assert [(x, -y) for x, y in a.template] == list(b.template)


def test_joint_names():
    assert ASV.joint_names()[:4] == ('leg1_abduction', 'leg1_lift', 'leg1_drive', 'leg2_abduction')
    assert len(set(ASV.joint_names() + ASV.passive_joint_names())) == 30
