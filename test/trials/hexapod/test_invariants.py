"""The monitor sees what it watches for: each invariant, broken on purpose."""

from collections.abc import Callable

import pytest

from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Rates
from walking_robots.legs.states import ControlState, Decision, DecisionKind
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.asv import AsvTrial, run
from walking_robots.trials.hexapod.invariants import InvariantMonitor, brute_margin
from walking_robots.trials.hexapod.loop import LoopStep

TRIAL = AsvTrial(ft(0.4), rules='faithful', max_time=6.0)


@pytest.fixture(scope='module')
def steps() -> list[LoopStep]:
    found: list[LoopStep] = []
    run(TRIAL, watch=lambda step, count: found.append(step))
    return found


def faults(*walk: LoopStep) -> str:
    monitor = InvariantMonitor(ASV, TRIAL.build_terrain(), TRIAL.speed)
    for count, step in enumerate(walk, 1):
        monitor.check(step, count)
    return ' '.join(monitor.violations)


def gait(step: LoopStep, **changes: object) -> LoopStep:
    changed: GaitStep = step.gait._replace(**changes)
    return step._replace(gait=changed)


def legs(step: LoopStep, change: Callable) -> LoopStep:
    servo = step.servo._replace(legs=tuple(change(leg) for leg in step.servo.legs))
    return step._replace(servo=servo)


def moved(step: LoopStep, metres: float) -> LoopStep:
    pose = step.gait.motion.pose
    x, y, z = pose.position
    motion = step.gait.motion._replace(pose=pose._replace(position=(x + metres, y, z)))
    return gait(step, motion=motion)


def test_an_honest_walk_has_no_faults(steps):
    assert faults(*steps) == ''


def test_i1_a_foothold_off_centre(steps):
    bad = Decision(DecisionKind.PLACE, 3, 0, (ft(9.3), ft(22.5), 0.0))
    assert 'I1' in faults(gait(steps[5], decisions=(bad,)))


def test_i2_a_drifting_foot(steps):
    def drift(leg):
        x, y, z = leg.path.foot
        return leg._replace(path=leg.path._replace(foot=(x + 0.01, y, z)))

    assert 'I2' in faults(legs(steps[5], drift))


def test_i3_i5_lifts_together(steps):
    found = faults(legs(steps[5], lambda leg: leg._replace(control=ControlState.LIFT)))
    assert 'I3' in found and 'I5' in found


def test_i4_a_lift_without_margin(steps):
    def lift_leg_1(leg):
        return leg._replace(control=ControlState.LIFT) if leg.number == 1 else leg

    assert 'I4' in faults(legs(steps[0], lift_leg_1))


def test_i6_a_shared_cell(steps):
    def gather(leg):
        return leg._replace(path=leg.path._replace(foothold=(ft(6.5), ft(19.5), 0.0)))

    assert 'I6' in faults(legs(steps[5], gather))


def test_i7_a_fast_body(steps):
    motion = steps[5].gait.motion._replace(rates=Rates(vx=ft(4)))
    assert 'I7' in faults(gait(steps[5], motion=motion))


def test_i7_a_jerk(steps):
    faster = steps[6].gait.motion.rates._replace(vx=ft(1))
    motion = steps[6].gait.motion._replace(rates=faster)
    assert 'I7' in faults(steps[5], gait(steps[6], motion=motion))


def test_i8_an_unstable_body(steps):
    assert 'I8' in faults(gait(steps[5], margin=-3.0))


def test_i9_a_second_update(steps):
    assert 'I9' in faults(moved(steps[5], 0.01))


def test_i10_a_state_out_of_order(steps):
    assert 'I10' in faults(gait(steps[5], cycle=3, state='move_back_middle_legs'))


def test_i11_a_body_on_its_way_in_cycle_two(steps):
    first = gait(steps[5], cycle=2, state='forward_rear_legs', stop_reason='')
    assert 'I11' in faults(first)


def test_brute_margin():
    square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    assert brute_margin(square, (0.25, 0.0)) == pytest.approx(0.75)
    assert brute_margin(square, (1.5, 0.0)) == -1.0
    assert brute_margin(square[:2], (0.0, 0.0)) == -1.0


def test_i13_a_foot_that_touches_the_ground_on_its_way(steps):
    high = build(profile=((ft(1.0), 0.0), (ft(2.0), ft(1.5))))
    monitor = InvariantMonitor(ASV, high, TRIAL.speed)
    monitor.check(steps[0], 1)
    assert 'I13 in step 1: the foot of leg 2 touches' in ' '.join(monitor.violations)
