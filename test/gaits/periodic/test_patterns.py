"""Periodic gaits as phase offsets, and the paths of feet."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from walking_robots.gaits.periodic.paths import PATHS, RAMP
from walking_robots.gaits.periodic.patterns import PATTERNS, Pattern, find_pattern, offsets
from walking_robots.robots.aquarobot import AQUAROBOT


@pytest.mark.parametrize(
    ('name', 'duty', 'air'), [('tripod', 1 / 2, 3), ('ripple', 2 / 3, 2), ('wave', 5 / 6, 1)]
)
def test_as_many_feet_swing_at_any_time(name, duty, air):
    pattern = find_pattern(name)
    assert pattern.duty == pytest.approx(duty)
    for phase in (0.01 + k / 24 for k in range(24)):
        assert sum((phase - offset) % 1.0 >= duty for offset in pattern.offsets) == air


@pytest.mark.parametrize('pattern', PATTERNS.values(), ids=PATTERNS)
def test_no_two_neighbours_of_the_ring_swing_together(pattern):
    for phase in (0.01 + k / 24 for k in range(24)):
        swings = [(phase - offset) % 1.0 >= pattern.duty for offset in pattern.offsets]
        assert not any(a and b for a, b in pairwise([*swings, swings[0]]))


def test_tripods_of_aquarobot_are_its_odd_and_even_legs():
    of_leg = offsets(find_pattern('tripod'), AQUAROBOT)
    assert of_leg[0::2] == (of_leg[0],) * 3
    assert of_leg[1::2] == ((of_leg[0] + 0.5) % 1.0,) * 3


def test_what_is_no_gait_is_refused():
    with pytest.raises(ValueError, match="no gait 'gallop'; use tripod or ripple or wave"):
        find_pattern('gallop')
    with pytest.raises(ValueError, match=r'duty factor .* is 0\.4; give 0\.5 or more'):
        replace(find_pattern('tripod'), duty=0.4)
    with pytest.raises(ValueError, match='6 phase offsets'):
        Pattern('short', 0.5, (0.0, 0.5))


@pytest.mark.parametrize('path', PATHS.values(), ids=PATHS)
def test_a_path_goes_all_the_way_and_comes_down_again(path):
    assert (path.way(0.0), path.way(0.5), path.way(1.0)) == pytest.approx((0.0, 0.5, 1.0))
    assert (path.rise(0.0), path.rise(0.5), path.rise(1.0)) == pytest.approx((0.0, 1.0, 0.0))
    place = 0.0
    for k in range(20):
        place += (1.0 - place) * path.share_left(k / 20, (k + 1) / 20)
        assert place == pytest.approx(path.way((k + 1) / 20))


def test_an_ellipse_is_one_and_a_trapezoid_touches_without_speed():
    ellipse, trapezoid = PATHS['ellipse'], PATHS['trapezoid']
    for s in (0.1, 0.3, 0.8):
        assert (2 * ellipse.way(s) - 1) ** 2 + ellipse.rise(s) ** 2 == pytest.approx(1.0)
    for s in (1e-3, 1.0 - 1e-3):
        assert trapezoid.rise(s) < 1e-4
        assert min(trapezoid.way(s), 1.0 - trapezoid.way(s)) < 1e-5


def test_a_trapezoid_crosses_at_an_even_speed_with_its_foot_up():
    trapezoid = PATHS['trapezoid']
    for s in np.linspace(RAMP, 1.0 - RAMP, 7):
        assert trapezoid.rise(s) == 1.0
        assert trapezoid.way(s) == pytest.approx(0.5 + (s - 0.5) / (1.0 - RAMP))
