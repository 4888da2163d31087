"""A disc that moves by a script: rays, gaps, and when it moves."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.worlds.moving_disc import Disc, Jump, ScriptedDisc

coordinates = st.floats(-3.0, 3.0)


@given(coordinates, coordinates, st.floats(0.05, 1.0), st.floats(-math.pi, math.pi))
def test_a_ray_ends_on_the_rim_or_passes(x: float, y: float, radius: float, angle: float) -> None:
    disc = Disc(x, y, radius)
    [way], [cosine] = disc.cast(0.0, 0.0, np.array([angle]))
    direction = math.cos(angle), math.sin(angle)
    if math.hypot(x, y) <= radius:
        assert (way, cosine) == (0.0, 1.0)
    elif math.isfinite(way):
        hit = way * direction[0], way * direction[1]
        assert math.dist(hit, (x, y)) == pytest.approx(radius, abs=1e-6)
        normal = (x - hit[0]) / radius, (y - hit[1]) / radius
        inner = normal[0] * direction[0] + normal[1] * direction[1]
        assert cosine == pytest.approx(inner, abs=1e-6) and inner >= -1e-6
    else:
        along = max(x * direction[0] + y * direction[1], 0.0)
        nearest = math.dist((along * direction[0], along * direction[1]), (x, y))
        assert nearest >= radius - 1e-9


def test_the_gap_and_the_bearing() -> None:
    disc = Disc(0.0, 2.0, 0.5)
    assert disc.near(0.0, 0.0) == pytest.approx((1.5, 0.5 * math.pi))
    assert disc.near(0.0, 1.8)[0] == 0.0


def test_jumps_happen_at_their_times() -> None:
    thing = ScriptedDisc(0.3, [Jump(1.0, 1.0, 0.0), Jump(2.0, 2.0, 0.0), Jump(2.0, 3.0, 0.0)])
    assert not thing.step(0.9, False) and thing.disc is None
    assert thing.step(1.0, False) and thing.disc == (1.0, 0.0, 0.3)
    assert not thing.step(1.5, False)
    assert thing.step(9.0, False) and thing.disc == (3.0, 0.0, 0.3)


def test_a_jump_waits_until_a_robot_that_drove_rests() -> None:
    thing = ScriptedDisc(0.3, [Jump('rest', 1.0, 0.0), Jump('rest', 2.0, 0.0)])
    assert not any(thing.step(0.1 * tick, False) for tick in range(50))
    assert not thing.step(5.0, True)
    assert [thing.step(5.1 + 0.1 * tick, False) for tick in range(5)] == [
        False, False, True, False, False,
    ]  # fmt: skip
    # A short standstill is no rest.
    assert not any(thing.step(6.0 + 0.1 * tick, tick % 2 == 0) for tick in range(10))
    assert thing.step(7.2, False)
    assert thing.disc == (2.0, 0.0, 0.3)


def test_a_jump_may_wait_for_a_longer_rest() -> None:
    thing = ScriptedDisc(0.3, [Jump('rest', 1.0, 0.0, wait=3.0), Jump('rest', 2.0, 0.0)])
    thing.step(0.0, True)
    assert not any(thing.step(0.1 + 0.1 * tick, False) for tick in range(29))
    # The robot sets off too early, and has to rest anew.
    thing.step(3.05, True)
    assert not any(thing.step(3.1 + 0.1 * tick, False) for tick in range(30))
    assert thing.step(6.1, False)
    assert not any(thing.step(6.2 + 0.1 * tick, False) for tick in range(30))


def test_a_place_that_is_taken_is_waited_for() -> None:
    thing = ScriptedDisc(0.3, [Jump(1.0, 1.0, 0.0), Jump('rest', 2.0, 0.0)])
    assert not thing.step(2.0, True, lambda disc: False)
    assert thing.step(3.0, True, lambda disc: True)
    assert not thing.step(4.0, True)
    assert not thing.step(5.0, False, lambda disc: False)
    assert not thing.step(5.3, False, lambda disc: False)
    assert thing.step(5.4, True, lambda disc: True)


@pytest.mark.parametrize(
    ('radius', 'script', 'named'),
    [
        (0.0, [], 'radius'),
        (0.2, [Jump(2.0, 0.0, 0.0), Jump('rest', 0.0, 0.0), Jump(1.0, 0.0, 0.0)], 'jump 2'),
        (0.2, [Jump(math.nan, 0.0, 0.0)], 'jump 0'),
        (0.2, [Jump('soon', 0.0, 0.0)], "'rest'"),
        (0.2, [Jump(1.0, math.inf, 0.0)], 'finite'),
        (0.2, [Jump('rest', 1.0, 0.0, wait=0.0)], 'wait'),
    ],
)
def test_a_script_that_cannot_be_is_refused(radius: float, script: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        ScriptedDisc(radius, script)


def test_after_a_jump_that_had_to_wait_the_others_are_later() -> None:
    thing = ScriptedDisc(0.3, [Jump(1.0, 1.0, 0.0), Jump(2.0, 2.0, 0.0), Jump(3.0, 3.0, 0.0)])
    assert not thing.step(1.0, False, lambda disc: False)
    assert not thing.step(5.0, False, lambda disc: False)
    assert thing.step(5.5, False) and thing.disc == (1.0, 0.0, 0.3)
    assert not thing.step(5.9, False)
    assert thing.step(6.0, False) and thing.disc == (2.0, 0.0, 0.3)
