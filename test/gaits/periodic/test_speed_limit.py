"""What limits the speed of a gait is what raises it once it is changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from walking_robots.gaits.periodic.patterns import PATTERNS
from walking_robots.gaits.periodic.plan import plan_gait
from walking_robots.gaits.periodic.speed_limit import fastest_stance, speed_limit
from walking_robots.robots.articulated import Stance
from walking_robots.robots.hexapod_files import load_hexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.trials.hexapod.periodic import HexapodTrial, run

FOLDER = Path(__file__).resolve().parents[3] / 'config/robots'
ROBOTS = {path.stem: load_hexapod(path) for path in sorted(FOLDER.glob('*.yaml'))}
PHANTOM = ROBOTS['phantomx']
TRIPOD = PATTERNS['tripod']


def named(sentences):
    """Return what sentences are about."""
    return [sentence.partition(':')[0] for sentence in sentences]


@pytest.mark.parametrize('physics', [None, PhysicsSettings()], ids=['kinematic', 'mujoco'])
def test_a_phantomx_of_its_data_sheet_walks_18_centimetres_a_second(physics):
    found = run(HexapodTrial(PHANTOM, 'tripod', speed=1.0, time=20.0, physics=physics))
    assert found.distance_m > 0.18 * 20.0 and not found.reason
    assert found.max_joint_effort < 1.0


@pytest.mark.parametrize('gait', PATTERNS)
@pytest.mark.parametrize('robot', ROBOTS)
def test_a_walk_at_its_own_period_is_limited_by_its_joints(robot, gait):
    limit = speed_limit(ROBOTS[robot], PATTERNS[gait])
    assert limit.plan == plan_gait(ROBOTS[robot], PATTERNS[gait])
    assert named(limit.limits)[0] == 'joint speed'
    assert 'joints that are 10 % faster' in named(limit.remedies)


def test_a_long_period_is_limited_by_the_stride_and_faster_joints_do_not_help():
    limit = speed_limit(PHANTOM, TRIPOD, 2.0)
    assert named(limit.limits) == ['period', 'stride']
    best = plan_gait(PHANTOM, TRIPOD)
    assert limit.remedies[0] == f'a period of {best.period:.2f} s: {best.speed:.3g} m/s'
    assert 'joints that are 10 % faster' not in named(limit.remedies)


def test_a_short_period_is_limited_by_the_joints():
    limit = speed_limit(PHANTOM, TRIPOD, 0.65)
    assert named(limit.limits) == ['joint speed']
    assert limit.plan.radius < plan_gait(PHANTOM, TRIPOD).radius


def test_feet_that_meet_and_a_body_that_would_tip_are_told_apart():
    aquarobot = ROBOTS['aquarobot']
    assert (
        'stride: feet would meet in longer strides' in speed_limit(aquarobot, TRIPOD, 60.0).limits
    )
    # Its legs are so far ahead that its weight is close to the edge of its feet.
    legs = tuple(
        replace(leg, mount=(leg.mount[0] + 0.4, *leg.mount[1:])) for leg in aquarobot.legs
    )
    uneven = speed_limit(replace(aquarobot, legs=legs), TRIPOD, 60.0)
    assert 'margin: the body would tip in longer strides' in uneven.limits


def test_a_stance_that_is_named_is_as_fast_as_it_says():
    [words] = [line for line in speed_limit(PHANTOM, TRIPOD).remedies if 'stance' in line]
    assert words.startswith('stance {height: 110mm, reach: 122mm}: ')
    faster = plan_gait(replace(PHANTOM, stance=Stance(0.11, 0.122)), TRIPOD)
    assert words.endswith(f': {faster.speed:.3g} m/s')


def test_the_fastest_stance_is_the_fastest_that_the_robot_can_take():
    heights, reaches = (0.03, 0.1, 0.11), (0.115, 0.135)
    best = fastest_stance(PHANTOM, TRIPOD, heights, reaches)
    speeds = {
        reach: plan_gait(replace(PHANTOM, stance=Stance(0.1, reach)), TRIPOD).speed
        for reach in reaches
    }
    assert best in {Stance(height, reach) for height in heights[1:] for reach in reaches}
    assert plan_gait(replace(PHANTOM, stance=best), TRIPOD).speed >= max(speeds.values())
    assert fastest_stance(PHANTOM, TRIPOD, heights[:1], reaches) is None


def test_a_robot_that_cannot_walk_says_why():
    limit = speed_limit(PHANTOM, TRIPOD, 0.2)
    assert limit.plan is None and limit.remedies == ()
    assert 'take a longer period' in limit.limits[0]
