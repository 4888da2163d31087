"""A walker keeps within what joints can do: their speed, their reach, and what they were told."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from walking_robots.gaits.periodic.paths import PATHS
from walking_robots.gaits.periodic.patterns import PATTERNS
from walking_robots.gaits.periodic.plan import plan_gait
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.walker import StrayFootError
from walking_robots.geometry.se2 import Screw2
from walking_robots.robots.hexapod_files import load_hexapod
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.hexapod.periodic import HexapodLoop

FOLDER = Path(__file__).resolve().parents[3] / 'config' / 'robots'
ROBOTS = {path.stem: load_hexapod(path) for path in sorted(FOLDER.glob('*.yaml'))}
INSECT = ROBOTS['insect18']
DT = 0.02


def effort(loop, twist, **options):
    """Walk a step and give the greatest joint speed as a share of what the robot can do."""
    before = loop.backend.state.joints
    loop.step(twist, **options)
    moved = np.abs(loop.backend.state.joints - before).max()
    return moved / DT / loop.plan.robot.joint_speed


@pytest.mark.slow
@pytest.mark.parametrize(('first', 'then'), itertools.permutations(PATTERNS, 2))
@pytest.mark.parametrize('path', PATHS)
@pytest.mark.parametrize('robot', ROBOTS)
def test_no_change_of_gait_requires_more_of_a_joint_than_it_can(
    robot, path, first, then, acceptance
):
    plans = [plan_gait(ROBOTS[robot], PATTERNS[name], path=PATHS[path]) for name in (first, then)]
    cycle, after = (round(plan.period / DT) for plan in plans)
    twist = Screw2(plans[0].speed, 0.0, 0.0)
    for phase in (0.0, 0.4, 0.8) if acceptance else (0.4,):
        loop = HexapodLoop(plans[0], LevelGround(), DT)
        for _ in range(cycle + round(phase * cycle)):
            loop.step(twist)
        loop.walker.plan = plans[1]
        assert max(effort(loop, twist) for _ in range(after)) <= 1.0 + 1e-6


@pytest.mark.slow
def test_a_change_in_mid_swing_slows_time_where_a_joint_is_the_limit():
    robot = ROBOTS['aquarobot']
    plans = [
        plan_gait(robot, PATTERNS[name], path=PATHS['ellipse']) for name in ('ripple', 'tripod')
    ]
    loop = HexapodLoop(plans[0], LevelGround(), 0.1)
    twist, cycle = Screw2(plans[0].speed, 0.0, 0.0), round(plans[0].period / 0.1)
    most = 0.0
    for phase in range(0, cycle, 6):
        loop = HexapodLoop(plans[0], LevelGround(), 0.1)
        for _ in range(cycle + phase):
            loop.step(twist)
        loop.walker.plan = plans[1]
        for _ in range(20):
            before = loop.backend.state.joints
            loop.step(twist)
            moved = np.abs(loop.backend.state.joints - before).max()
            most = max(most, moved / 0.1 / robot.joint_speed)
    assert 0.9 < most <= 1.0 + 1e-6


def test_lost_steps_are_made_up_for_no_faster_than_joints_turn():
    plan = plan_gait(INSECT, PATTERNS['tripod'])
    twist = Screw2(plan.speed, 0.0, 0.0)
    loop = HexapodLoop(plan, LevelGround(), DT)
    for count in range(120):
        before = loop.backend.state
        late = count > 60 and not count % 7
        walked = loop.walker.step(
            before.joints, before.contacts, twist, 5.0 * DT if late else DT, within=DT
        )
        joints = loop.legs.reach(np.array(walked.feet), before.joints).joints
        requested = np.abs(joints - before.joints).max() / DT / INSECT.joint_speed
        assert requested <= 1.0 + 1e-6
        after = loop.backend.step(joints)
        if late:
            gone = math.dist(after.position[:2], before.position[:2])
            assert gone == pytest.approx(math.hypot(*walked.twist[:2]) * 5.0 * DT, rel=1e-6)


def test_a_steady_walk_goes_by_its_own_time():
    plan = plan_gait(INSECT, PATTERNS['ripple'])
    loop = HexapodLoop(plan, LevelGround(), DT)
    phases = [loop.step(Screw2(plan.speed, 0.0, 0.0)).walked.gait.state.phase for _ in range(100)]
    gone = [(b - a) % 1.0 for a, b in itertools.pairwise(phases)]
    # It stands still where it waits for the margin; no step is a slow one.
    assert {round(part * plan.period / DT, 6) for part in gone} == {0.0, 1.0}


def test_servos_that_give_way_under_the_weight_slow_nothing_down():
    plan = plan_gait(INSECT, PATTERNS['tripod'])
    twist, sag = Screw2(plan.speed, 0.0, 0.0), np.array([0.0, 0.03, 0.0])
    loop, soft = (HexapodLoop(plan, LevelGround(), DT) for _ in range(2))
    for _ in range(100):
        loop.step(twist)
        state = soft.backend.state
        measured = soft.legs.canonical.values(soft.legs.canonical.canonical(state.joints) - sag)
        walked = soft.walker.step(measured, state.contacts, twist, DT)
        soft.backend.step(soft.legs.reach(np.array(walked.feet), state.joints).joints)
    assert soft.walker.state.phase == pytest.approx(loop.walker.state.phase, abs=1e-9)
    assert soft.backend.state.position[0] == pytest.approx(
        loop.backend.state.position[0], abs=0.01
    )


def test_what_the_ground_is_believed_to_be_does_not_drift_from_the_measured_tilt():
    """Feet come down a little too early in front, and each would raise the ground ahead."""
    plan = plan_gait(ROBOTS['phantomx'], PATTERNS['tripod'])
    loop = HexapodLoop(plan, LevelGround(), DT, physics=PhysicsSettings())
    for _ in range(500):
        done = loop.step(Screw2(plan.speed, 0.0, 0.0))
    # Without the measured tilt it is 8 degrees.
    assert abs(done.walked.gait.state.posture.pitch) < math.radians(2.5)


def test_a_posture_that_a_standing_foot_does_not_reach_is_not_taken():
    heights = INSECT.height
    loop = HexapodLoop(plan_gait(INSECT, PATTERNS['tripod']), LevelGround(), DT)
    twist = Screw2(loop.plan.speed, 0.0, 0.0)
    for _ in range(150):
        loop.step(twist)
    # Far from the places where its feet stand, however well it could walk there.
    far = Posture(heights, x=0.8 * heights, yaw=0.9)
    stepping = loop.plan.stepping._replace(posture=far)
    loop.walker.plan = type(loop.plan)(INSECT, stepping, loop.plan.period, loop.plan.radius)
    done = [loop.step(Screw2(0.0, 0.0, 0.0)).walked for _ in range(200)]
    assert 'does not reach' in done[-1].held and not done[0].held
    assert done[-1].gait.state.posture == done[-2].gait.state.posture != far


@pytest.mark.parametrize('robot', ROBOTS)
def test_legs_that_stood_still_move_the_body_by_no_command_of_that_time(robot):
    """A velocity counts for half a second; then the gait brings the feet down and rests.

    In gaits that swing two legs or fewer at a time these may have failed: only others that move
    or stand still show which it is.
    """
    plan = plan_gait(ROBOTS[robot], PATTERNS['tripod'])
    cycle, rest = round(plan.period / DT), Screw2(0.0, 0.0, 0.0)
    for phase in range(0, cycle, cycle // 12):
        loop = HexapodLoop(plan, LevelGround(), DT)
        forward = Screw2(plan.speed, 0.0, 0.0)
        for _ in range(cycle + phase):
            loop.step(forward)
        state, walker = loop.backend.state, loop.walker
        for step in range(25 + cycle):
            twist = forward if step < 25 else rest
            try:
                walker.step(state.joints, state.contacts, twist, DT, tilt=state.pose)
            except StrayFootError:
                break
        else:
            way = math.dist(loop.backend.step(walker.ordered).position, state.position)
            assert way <= plan.stepping.clearance, phase
