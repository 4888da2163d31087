"""From body to wheels and back, within limits (mdle.md §2.3)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.virtual_robots.control_spaces import lower, saturate, twist_of
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

SCOUT = scout_spec()
numbers = st.floats(-5.0, 5.0)


def test_a_spin_drives_the_right_wheel_ahead() -> None:
    space, (left, right), factor = lower(SCOUT, 'body2', (0.0, 1.0), 'wheels2')
    assert (space, factor) == ('wheels2', 1.0)
    assert right == -left == pytest.approx(0.5 * SCOUT.separation)


@given(numbers, numbers)
def test_the_path_keeps_its_curvature_and_the_factor_is_told(v: float, w: float) -> None:
    lowered = lower(SCOUT, 'body2', (v, w), 'wheels2')
    came = twist_of(SCOUT, 'wheels2', lowered.control)
    assert came == pytest.approx((lowered.factor * v, lowered.factor * w), abs=1e-9)
    assert 0.0 < lowered.factor <= 1.0
    channels = (*SCOUT.spaces['body2'].channels, *SCOUT.spaces['wheels2'].channels)
    for value, channel in zip((*came, *lowered.control), channels, strict=True):
        assert channel.low - 1e-9 <= value <= channel.high + 1e-9
    # As much as the narrowest limit leaves, and no less.
    tight = [
        abs(value) > 0.999 * channel.high
        for value, channel in zip((*came, *lowered.control), channels, strict=True)
    ]
    assert lowered.factor == 1.0 or any(tight)


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_wheels_and_body_are_each_others_inverse(left: float, right: float) -> None:
    body = lower(SCOUT, 'wheels2', (left, right), 'body2')
    back = lower(SCOUT, 'body2', body.control, 'wheels2')
    assert back.control == pytest.approx((left, right), abs=1e-12)
    assert body.factor == back.factor == 1.0


def test_what_must_not_move_at_all_stops_everything() -> None:
    ahead_only = twist_spec(can_reverse=False).spaces['body2']
    assert saturate(ahead_only, (0.2, 0.3)) == ('body2', (0.2, 0.3), 1.0)
    space, control, factor = saturate(ahead_only, (-0.2, 0.3))
    assert (space, factor) == ('body2', 0.0)
    assert list(map(abs, control)) == [0.0, 0.0]


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(ValueError, match='it has body2, none'):
        lower(twist_spec(), 'body2', (0.1, 0.0), 'wheels2')
    with pytest.raises(ValueError, match='takes 2 values'):
        lower(SCOUT, 'body2', (0.1, 0.0, 0.0), 'wheels2')
    with pytest.raises(ValueError, match='no way'):
        lower(SCOUT, 'body2', (0.1, 0.0), 'none')
    assert math.isclose(lower(SCOUT, 'body2', (9.0, 0.0), 'body2').factor, 0.5 / 9.0)
