"""Controls within limits, and the motion of the body that they are (mdle.md §2.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.virtual_robots.control_spaces import saturate, twist_of
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

SCOUT = scout_spec()
numbers = st.floats(-5.0, 5.0)


def test_a_spin_drives_the_right_wheel_ahead() -> None:
    rim = 0.5 * SCOUT.separation
    assert twist_of(SCOUT, 'wheels2', (-rim, rim)) == pytest.approx((0.0, 0.0, 1.0))


@pytest.mark.parametrize('space', ['body2', 'wheels2'])
@given(numbers, numbers)
def test_the_path_keeps_its_curvature(space: str, first: float, second: float) -> None:
    channels = SCOUT.spaces[space].channels
    control = saturate(SCOUT.spaces[space], (first, second))
    assert control[0] * second == pytest.approx(control[1] * first, abs=1e-9)
    shares = [abs(value) / channel.high for value, channel in zip(control, channels, strict=True)]
    assert max(shares) <= 1.0 + 1e-9
    # As much as the narrowest limit leaves, and no less.
    assert control == (first, second) or max(shares) > 0.999


def test_what_must_not_move_at_all_stops_everything() -> None:
    ahead_only = twist_spec(can_reverse=False).spaces['body2']
    assert saturate(ahead_only, (0.2, 0.3)) == (0.2, 0.3)
    assert list(map(abs, saturate(ahead_only, (-0.2, 0.3)))) == [0.0, 0.0]


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(ValueError, match='takes 2 values'):
        saturate(SCOUT.spaces['body2'], (0.1, 0.0, 0.0))
    with pytest.raises(ValueError, match="cannot be driven in the space 'wheels2'"):
        twist_of(twist_spec(), 'wheels2', (0.1, 0.0))
