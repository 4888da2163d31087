"""Test how fast a robot goes on what its battery has left."""

import math

import pytest

from walking_robots.gaits.commands.charge import (
    explained,
    reason_to_slow,
    speed_share,
    within_charge,
)
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.robots.asv import ASV
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.loop import ClosedLoop

LIMITS = ASV.command


def test_the_greatest_speed_falls_from_20_to_5_per_cent() -> None:
    shares = [speed_share(0.01 * percent) for percent in range(101)]
    assert shares == sorted(shares)
    assert set(shares[:6]) == {0.0} and set(shares[20:]) == {1.0} and shares[19] < 1.0
    assert 1 / 3 < shares[6] < 0.4 and speed_share(math.nan) == 1.0


def test_a_command_slows_along_its_path_and_only_as_far_as_it_has_to() -> None:
    fast = (0.8 * LIMITS.forward, 0.1 * LIMITS.lateral, -0.5 * LIMITS.turn)
    assert within_charge(fast, 0.5, LIMITS) == within_charge(fast, math.nan, LIMITS) == fast
    slow = within_charge(fast, 0.1, LIMITS)
    assert slow[0] == pytest.approx(speed_share(0.1) * LIMITS.forward)
    assert [part / slow[0] for part in slow] == pytest.approx([part / fast[0] for part in fast])
    assert within_charge(slow, 0.1, LIMITS) == pytest.approx(slow)
    assert (
        within_charge(fast, 0.05, LIMITS) == within_charge((0.0,) * 3, 0.1, LIMITS) == (0.0,) * 3
    )


@pytest.mark.parametrize('name', ['insect18', 'aquarobot', 'rectangular', 'asv'])
def test_what_is_left_moves_a_body_at_rest(name: str) -> None:
    mobility = Mobility.of(find_free_gait_model(name))
    limits, lowest = mobility.limits, mobility.lowest
    crawl = speed_share(0.06)
    assert crawl * limits.forward > lowest[0] and crawl * limits.turn > lowest[1]


def test_a_step_says_why_it_is_slow() -> None:
    step = ClosedLoop(ASV, build(), REPAIRED).step((0.1, 0.0, 0.0)).gait
    assert explained(step, 0.5) == step and not reason_to_slow(0.2)
    slow, resting = explained(step, 0.14), explained(step, 0.05)
    assert slow.slowed == 'the battery is at 14%: at most 73% of the greatest speed'
    assert not slow.stop_reason
    assert resting.slowed == resting.stop_reason == 'the battery is at 5%: the robot rests'
