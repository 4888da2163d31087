"""Failures of servos: how they are written, and how robots walk on without a leg."""

import math
from dataclasses import replace

import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.periodic.plan import without_legs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.servo_failures import parse_failure
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.free import run as run_free
from walking_robots.trials.hexapod.periodic import HexapodTrial, run

ROBOT = find_hexapod('insect18')


def failing(fail: str, at: float = 3.0) -> PhysicsSettings:
    """Return a simulation in which a leg or servo fails."""
    return PhysicsSettings(fail=fail, fail_at=at)


def walk(
    fail: str, robot: ArticulatedHexapod = ROBOT, gait: str = 'tripod', time: float = 14.0
) -> HexapodTrial:
    """Return the fastest walk in which a leg fails after 3 s."""
    return HexapodTrial(robot, gait=gait, speed=1.0, time=time, physics=failing(fail))


def test_a_leg_or_one_of_its_joints_fails() -> None:
    names = ROBOT.joint_names()
    assert parse_failure('2:dead', names) == ((3, 4, 5), 'dead')
    assert parse_failure('6.knee:stuck', names) == ((17,), 'stuck')


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('left', "'left' is no failure; write a leg and how it fails, such as 3:dead"),
        ('7:dead', 'is no failure'),
        ('3.hip:dead', "leg 3 has no joint 'hip'; use yaw, lift, knee"),
        ('3:tired', "a servo cannot be 'tired'; use dead, stuck, weak"),
    ],
)
def test_other_words_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse_failure(text, ROBOT.joint_names())


@pytest.mark.slow
@pytest.mark.parametrize('fail', ['1:dead', '4:dead', '5:dead', '2.lift:stuck', '3:weak'])
def test_a_periodic_gait_goes_on_with_five_legs(fail: str) -> None:
    result = run(walk(fail))
    assert result.completed and not result.forces.fell
    assert result.reason == f'leg {fail[0]} has failed'
    assert result.distance_m > run(walk(fail, time=3.0)).distance_m + 0.04
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(3.0))


@pytest.mark.slow
@pytest.mark.parametrize('gait', ['ripple', 'wave'])
@pytest.mark.parametrize('name', ['aquarobot', 'rectangular'])
def test_other_robots_and_gaits_do_not_fall(name: str, gait: str) -> None:
    result = run(walk('4:dead', find_hexapod(name), gait, 20.0))
    assert result.completed and result.reason == 'leg 4 has failed'


def test_legs_that_do_not_carry_the_body_say_so() -> None:
    plan = walk('').plan()
    assert without_legs(plan, (2,)).stepping.failed == (2,)
    with pytest.raises(ValueError, match='insect18 cannot walk without legs 1 and 3; repair'):
        without_legs(plan, (0, 2))


@pytest.mark.slow
@pytest.mark.parametrize('gait', ['rules', 'planned'])
@pytest.mark.parametrize('fail', ['1:dead', '4.lift:stuck'])
def test_a_free_gait_goes_on_or_halts(fail: str, gait: str) -> None:
    model = find_free_gait_model('insect18')
    result = run_free(
        FreeGaitTrial(model, speed=0.008, distance=0.3, gait=gait, physics=failing(fail))
    )
    assert result.reason.endswith(f'; leg {fail[0]} has failed')
    assert not result.forces.fell
    assert result.distance_m > 0.05


@pytest.mark.slow
def test_a_sound_robot_loses_no_leg() -> None:
    later = failing('3:dead', at=1000.0)
    trial = walk('')
    assert run(replace(trial, physics=later)) == run(replace(trial, physics=PhysicsSettings()))
