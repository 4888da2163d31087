"""What programs know of robots: numbers of the Scout and of AC-35 of mdle.md §8."""

import math

import pytest

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.virtual_robots.legged import SWAY, MeanOverSteps, biped_spec
from walking_robots.virtual_robots.scout import front_and_rear, scout_spec
from walking_robots.virtual_robots.twist import twist_spec


def test_ac35_numbers_that_the_scout_tells() -> None:
    spec = scout_spec()
    sonar = spec.outputs['sonar']
    assert (sonar.period, sonar.latency) == pytest.approx((0.96, 0.05))
    for tick, expected in ((0.1, 0.423), (0.05, 0.408)):
        late = sonar.period + sonar.latency + tick
        way = 0.3 * late + 0.3**2 / (2.0 * spec.braking)
        assert way == pytest.approx(expected, abs=5e-4)


def test_ac33_the_range_of_the_sonars() -> None:
    sonar = scout_spec().outputs['sonar']
    assert (sonar.low, sonar.high) == pytest.approx((0.152, 6.477), abs=5e-4)
    assert sonar.size == len(sonar.directions) == 16
    assert sonar.directions[4] == pytest.approx(0.5 * math.pi)


def test_a_scout_offers_three_spaces_of_which_two_drive() -> None:
    spec = scout_spec(speed=0.3, turn=1.0, separation=0.35)
    assert list(spec.spaces) == ['body2', 'wheels2', 'none']
    assert spec.spaces['body2'].resources == spec.spaces['wheels2'].resources == {'base'}
    assert not spec.spaces['none'].resources and not spec.spaces['none'].channels
    assert [channel.high for channel in spec.spaces['body2'].channels] == [0.3, 1.0]
    assert spec.spaces['body2'].channels[1].rate == pytest.approx(2.0 * 0.5 / 0.35)
    assert [channel.name for channel in spec.spaces['wheels2'].channels] == ['uL', 'uR']
    assert spec.separation == 0.35
    assert {spec.front_guard, spec.rear_guard, spec.contact} <= spec.outputs.keys()


def test_what_a_motion_hangs_on_is_for_safety_and_an_object_is_not() -> None:
    for name, output in scout_spec().outputs.items():
        assert output.safety != name.startswith('object.')


def test_a_robot_of_which_little_is_known_has_no_contact() -> None:
    spec = twist_spec(speed=0.2)
    assert not {spec.front_guard, spec.rear_guard, spec.contact} & spec.outputs.keys()
    assert spec.outputs.keys() < scout_spec().outputs.keys()
    assert spec.spaces['body2'].symmetric
    assert not twist_spec(can_reverse=False).spaces['body2'].symmetric


def test_switches_look_ahead_or_back() -> None:
    assert front_and_rear(SUPER_SCOUT) == (0b100011, 0b011100)


def test_only_a_biped_that_turns_sways_at_rest() -> None:
    assert biped_spec('kwalkb', 0.4, stop_time=4.0).sway == 0.0
    assert biped_spec('kwalkb3d', 0.4, turn=0.1, stop_time=4.0).sway == SWAY


def test_the_mean_over_two_steps_is_without_their_sway() -> None:
    mean = MeanOverSteps()
    for tick in range(100):
        time = 0.02 * tick
        x, aside = mean.add(time, (0.3 * time, 0.03 * math.sin(math.tau * time / 0.4)))
    assert x == pytest.approx(0.3 * (time - 0.19), abs=1e-9)
    assert aside == pytest.approx(0.0, abs=1e-9)
    assert mean.add(0.0, (5.0, 1.0)) == (5.0, 1.0), 'the time ran back'
