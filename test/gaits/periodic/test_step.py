"""Periodic gaits step by step: transitions, uneven ground, posture, balance."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.periodic.paths import PATHS
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import fastest_foot, plan_gait
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.step import PROBE_DEPTH, standing, step
from walking_robots.geometry.se2 import Screw2
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.hexapod.periodic import HexapodLoop

DT = 0.05
FAST = Screw2(1.0, 0.0, 0.0)
REST = Screw2(0.0, 0.0, 0.0)
ON_GROUND = (True,) * 6
PLANS = {name: plan_gait(AQUAROBOT, pattern) for name, pattern in PATTERNS.items()}


def test_a_robot_without_a_command_stands_still():
    plan = PLANS['tripod']
    done = step(plan, standing(plan), REST, ON_GROUND, DT)
    assert done.feet == pytest.approx(np.array(AQUAROBOT.neutral_feet))
    assert done.state.phase == 0.0 and done.margin == pytest.approx(1.15 * math.sqrt(3) / 2)


def test_a_step_changes_nothing_but_what_it_returns():
    plan, state = PLANS['wave'], standing(PLANS['wave'])
    assert step(plan, state, FAST, ON_GROUND, DT) == step(plan, state, FAST, ON_GROUND, DT)


@pytest.mark.parametrize(
    'twist', [Screw2(3.0, 0.0, 0.0), Screw2(1.0, -2.0, 0.5), Screw2(0.0, 0.0, -4.0)]
)
def test_a_twist_is_limited_to_what_the_strides_allow(twist):
    plan = PLANS['ripple']
    limited = plan.limited(twist)
    fastest = fastest_foot(limited, plan.feet)
    assert fastest * plan.stance_time == pytest.approx(plan.stride)
    assert np.cross(limited, twist) == pytest.approx([0, 0, 0])
    slow = Screw2(*(0.1 * part for part in limited))
    assert plan.limited(slow) == slow


def test_a_longer_period_allows_longer_strides_and_a_short_one_is_refused():
    tripod = find_pattern('tripod')
    radii = [plan_gait(AQUAROBOT, tripod, period=period).radius for period in (8.0, 12.0, 30.0)]
    assert radii == sorted(radii) and radii[0] < 0.7 * radii[2]
    with pytest.raises(ValueError, match=r'period of 2 s; take a longer period'):
        plan_gait(AQUAROBOT, tripod, period=2.0)
    with pytest.raises(ValueError, match=r'body 1\.6 m high.*; take another posture'):
        plan_gait(AQUAROBOT, tripod, posture=Posture(1.6))


def travel(loop, twist, seconds):
    """Walk and give the longest way of a foot in a step."""
    steps = [loop.step(twist) for _ in range(round(seconds / DT))]
    return max(max(map(math.dist, s.before.feet, s.after.feet)) for s in steps), steps


@pytest.mark.slow
@pytest.mark.parametrize(
    ('first', 'then'), [('tripod', 'wave'), ('wave', 'tripod'), ('ripple', 'tripod')]
)
@pytest.mark.parametrize('after', [11.0, 14.3, 18.9])
def test_no_foot_jumps_where_a_gait_follows_another(first, then, after):
    loop = HexapodLoop(PLANS[first], LevelGround(), DT)
    steady, _ = travel(loop, FAST, after)
    loop.walker.plan = PLANS[then]
    change, steps = travel(loop, FAST, 60.0)
    fastest = max(PLANS[name].swing_speed + PLANS[name].speed for name in (first, then))
    assert max(steady, change) < 1.1 * fastest * DT
    assert min(done.walked.gait.margin for done in steps) > 0.05
    moved = [math.hypot(*done.walked.gait.twist[:2]) for done in steps[-200:]]
    assert np.mean(moved) == pytest.approx(PLANS[then].speed, rel=0.02)
    joints = np.array([done.after.joints for done in steps])
    assert np.abs(np.diff(joints, axis=0)).max() <= AQUAROBOT.joint_speed * DT


@pytest.mark.slow
@pytest.mark.parametrize('name', PATTERNS)
def test_any_twist_is_followed_and_a_turn_on_the_spot_stays_there(name):
    loop = HexapodLoop(PLANS[name], LevelGround(), DT)
    _, steps = travel(loop, Screw2(0.0, 0.0, 1.0), 60.0)
    x, y, _ = steps[-1].after.position
    assert math.hypot(x, y) < 1e-9
    assert steps[-1].walked.gait.twist.w == pytest.approx(PLANS[name].turn_rate)
    _, steps = travel(loop, Screw2(0.01, -0.01, 0.01), 40.0)
    assert steps[-1].walked.twist == pytest.approx(PLANS[name].limited(Screw2(0.01, -0.01, 0.01)))


def test_feet_come_to_rest_where_the_command_ends():
    loop = HexapodLoop(PLANS['tripod'], LevelGround(), DT)
    travel(loop, FAST, 20.0)
    _, steps = travel(loop, REST, 15.0)
    assert steps[-1].after.contacts == ON_GROUND
    assert steps[-1].walked.gait.state.legs == steps[-2].walked.gait.state.legs


@pytest.mark.slow
@pytest.mark.parametrize('path', PATHS.values(), ids=PATHS)
def test_feet_find_ground_that_is_higher_and_lower_than_expected(path):
    heights = np.interp(
        np.arange(50) * 0.3, [0.0, 4.0, 5.0, 7.0, 9.0, 15.0], [0, 0, 0.08, 0.08, -0.06, -0.06]
    )
    terrain = build(cell=0.3, heights=heights)
    loop = HexapodLoop(plan_gait(AQUAROBOT, find_pattern('ripple'), path=path), terrain, DT, x=2.0)
    _, steps = travel(loop, FAST, 240.0)
    assert steps[-1].after.position[0] > 9.5
    for done in steps[400::40]:
        for leg, foot in zip(done.walked.gait.state.legs, done.after.feet, strict=True):
            if leg.stands:
                x, _, z = done.after.pose.apply(foot)
                assert z == pytest.approx(terrain.height(x, 0.0), abs=0.01)
    assert min(done.walked.gait.margin for done in steps) > 0.2
    high = max(done.after.position[2] for done in steps)
    assert high == pytest.approx(0.75 + 0.08, abs=0.01)
    assert steps[-1].after.position[2] == pytest.approx(0.75 - 0.06, abs=0.01)


def test_the_body_takes_a_posture_while_it_walks():
    loop = HexapodLoop(PLANS['wave'], LevelGround(), DT)
    travel(loop, FAST, 10.0)
    posture = Posture(0.85, math.radians(4.0), math.radians(-5.0))
    loop.walker.plan = plan_gait(AQUAROBOT, find_pattern('wave'), posture=posture)
    _, steps = travel(loop, FAST, 40.0)
    pose = steps[-1].after.pose
    assert pose.position[2] == pytest.approx(0.85, abs=1e-3)
    assert pose.pitch() == pytest.approx(math.radians(-5.0), abs=1e-6)
    assert pose.rotation[7] == pytest.approx(
        math.sin(math.radians(4.0)) * math.cos(pose.pitch()), abs=1e-6
    )
    assert min(done.walked.gait.margin for done in steps) > 0.3


def test_a_leg_does_not_lift_where_the_margin_would_be_lost():
    plan = PLANS['tripod']
    state = standing(plan)
    for _ in range(3000):
        done = step(plan, state, FAST, ON_GROUND, DT, centre=(0.62, 0.3, 0.0))
        state = done.state
        assert done.margin >= plan.least_margin
    assert done.waits == 'margin'
    assert done.twist.v < 0.01 * plan.speed


def test_a_foot_that_finds_no_ground_holds_the_gait():
    plan = PLANS['wave']
    state = standing(plan)
    for _ in range(4000):
        contacts = [leg.stands for leg in state.legs]
        done = step(plan, state, FAST, contacts, DT)
        state = done.state
    assert done.waits == 'ground' and sum(leg.stands for leg in state.legs) == 5
    lowest = min(leg.foot[2] for leg in state.legs)
    assert lowest == pytest.approx(-PROBE_DEPTH * plan.stepping.clearance)
    assert done.twist.v < 0.01 * plan.speed


@pytest.mark.slow
def test_strides_hold_in_every_direction():
    plan = PLANS['tripod']
    legs = ArticulatedLegs(AQUAROBOT)
    for angle in np.linspace(0.1, 6.2, 9):
        loop = HexapodLoop(replace(plan), LevelGround(), 0.1)
        twist = Screw2(math.cos(angle), math.sin(angle), 0.0)
        for _ in range(300):
            after = loop.step(twist).after
            assert legs.within(after.joints).all()


def test_the_body_stops_before_it_goes_past_the_margin():
    plan = PLANS['tripod']
    state = standing(plan)
    for _ in range(200):
        contacts = [True, False] * 3
        done = step(plan, state, Screw2(-1.0, 0.0, 0.0), contacts, DT, centre=(-0.5, 0.0, 0.0))
        state = done.state
    assert (done.waits, done.twist) == ('margin', REST)
    assert plan.least_margin <= done.margin < plan.least_margin + plan.speed * DT


@pytest.mark.parametrize('closed', [(), (0, 3)], ids=['none', 'two'])
def test_a_body_without_support_does_not_go_on(closed):
    plan = PLANS['tripod']
    loop = HexapodLoop(plan, LevelGround(), DT)
    travel(loop, FAST, 5.0)
    state = loop.walker.state
    switches = [place in closed for place in range(6)]
    for _ in range(60):
        done = step(plan, state, FAST, switches, DT)
        assert done.margin == -math.inf and done.twist == REST
        state = done.state
    assert done.waits


def test_a_longer_period_is_advised_only_where_it_helps():
    tripod, low = find_pattern('tripod'), Posture(1.6)
    with pytest.raises(ValueError, match=r'1\.6 m high; take another posture'):
        plan_gait(AQUAROBOT, tripod, posture=low, period=100.0)
