"""Segments: exact lengths, scaling, and the way back."""

import math

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from mdle_stage import HEAD, SECOND, SEG, Told, begin, run, settings

from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.session import RunRequest, Session

PLAN = 'atom go() on body2 {{ control {}; }}\n'
SQUARE = 'plan square { do { (drive(1 m); spin(90 deg)) times 4; } }'


@pytest.mark.parametrize(('seconds', 'ticks'), [(0.1, 1), (0.3, 3), (0.7, 7), (1.0, 10)])
def test_ac11_ticks_of_a_duration(seconds, ticks):
    result, stage = run(
        PLAN.format(f'[0.1 m/s, 0 rad/s] for {seconds} s'),
        robot=Told(),
        settings=settings(tick_period=0.1),
    )
    assert result.ticks == ticks
    assert len(stage.driven()) == ticks


def near(pose, wanted, tolerance=1e-9):
    return all(math.isclose(a, b, abs_tol=tolerance) for a, b in zip(pose, wanted, strict=True))


def test_ac19_scaling_in_amplitude_and_time():
    program = PLAN.format('[0.2 m/s, 0.5 rad/s] for 2 s then [0.1 m/s, -0.3 rad/s] for 3 s')
    poses = []
    for scale in ('[1, 1]', '[2, 2] time 0.5', '[2, 2] time 1'):
        _, stage = run(f'{program} plan p {{ do {{ scale {scale}: go(); }} }}')
        poses.append(stage.robot.true_pose)
    assert near(poses[0], (0.583801, 0.335446, 0.1), 1e-6)
    assert near(poses[1], poses[0])
    assert near(poses[2], (0.600595, 1.031863, 0.2), 1e-6)


def test_ac19_scales_multiply():
    program = PLAN.format('[0.1 m/s, 0 rad/s] for 1 s')
    inner = 'behavior b { do { scale [2, 1] time 0.5: go(); } }'
    result, stage = run(
        f'{program} {inner} plan p {{ do {{ scale [3, 1] time 4: b(); }} }}', robot=Told()
    )
    assert result.duration == pytest.approx(2.0)
    assert all(near(control, (0.6, 0.0)) for control in stage.driven())


@pytest.mark.parametrize('body', ['reverse last;', 'reverse way();'])
def test_ac20_run_then_reverse_is_nothing(body):
    steps = 'drive(0.7 m); spin(1 rad); arc(0.5 m, -0.8 rad); drive(-0.23 m);'
    program = f'behavior way {{ do {{ {steps} }} }} plan p {{ do {{ way(); {body} }} }}'
    _, stage = run(program)
    assert near(stage.robot.true_pose, (0.0, 0.0, 0.0))


def test_ac20_square_and_back():
    _, stage = run(SQUARE.replace('times 4;', 'times 4; reverse last;'))
    assert near(stage.robot.true_pose, (0.0, 0.0, 0.0))


@effort(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.floats(-0.3, 0.3).map(lambda v: round(v, 3)),
            st.floats(-0.6, 0.6).map(lambda w: round(w, 3)),
            st.floats(0.01, 2.0).map(lambda t: round(t, 3)),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_ac20_any_open_loop_program_and_back(segments):
    control = ' then '.join(f'[{v} m/s, {w} rad/s] for {t} s' for v, w, t in segments)
    _, stage = run(f'{PLAN.format(control)} plan p {{ do {{ go(); reverse last; }} }}')
    assert near(stage.robot.true_pose, (0.0, 0.0, 0.0))


def test_ac21_last_tick_rule():
    _, stage = run(SQUARE)
    x, y, heading = stage.robot.true_pose
    assert near((x, y, heading - 2.0 * math.pi), (0.0, 0.0, 0.0))
    _, stage = run(SQUARE, settings=settings(last_tick_rule=False))
    x, y, heading = stage.robot.true_pose
    assert near((x, y, heading - 2.0 * math.pi), (0.008442, -0.008337, 0.016815), 1e-6)


def test_ac22_duration_of_the_square():
    result, _ = run(SQUARE)
    assert abs(result.duration - 32.566) <= 8 * 0.05
    assert result.way == pytest.approx(4.0)


def test_ac36_parking_takes_nine_seconds_and_ends_beside():
    a, b = 0.5, 0.5
    steps = f'spin({a} rad); drive({b} m); spin({-2 * a} rad); drive({-b} m); spin({a} rad);'
    result, stage = run(f'plan park {{ do {{ {steps} }} }}')
    assert result.duration == pytest.approx(9.0)
    assert near(stage.robot.true_pose, (0.0, 2 * b * math.sin(a), 0.0))


def test_uneven_ticks_still_drive_the_whole_way():
    stage = begin('plan p { do { drive(1 m); } }')
    for jitter in (3, -3) * 60:
        stage.tick()
        stage.now += jitter * 1_000_000
    assert stage.robot.true_pose.x == pytest.approx(1.0, abs=0.002)


def test_a_reverse_follows_the_recorded_poses_where_the_robot_was_pushed():
    from walking_robots.simulation.planar.kinematic import KinematicRobot
    from walking_robots.virtual_robots.scout import scout_spec

    class Pushed(KinematicRobot):
        """Odometry that jumps a little to the side half way back."""

        def read(self, now):
            seen = super().read(now)
            if now > 16 * 10**9:
                pose = seen.values['pose']
                values = dict(seen.values) | {'pose': pose._replace(y=pose.y + self.push)}
                return type(seen)(values, seen.stamps)
            return seen

    program = 'plan p { do { drive(2 m); reverse last; } }'
    robot = Pushed(scout_spec())
    robot.push = 0.05
    result, stage = run(program, robot=robot)
    assert result.outcome == 'DONE'
    assert stage.robot.true_pose.y == pytest.approx(-0.05, abs=0.02)
    robot = Pushed(scout_spec())
    robot.push = 0.2
    result, _ = run(program, robot=robot)
    assert (result.outcome, result.message) == ('FAIL', 'left the path')


def test_segments_on_the_wheels():
    text = 'atom go() on wheels2 { control [0.15 m/s, 0.25 m/s] for 1 s; }'
    _, stage = run(text)
    assert near(stage.robot.true_pose, (0.197214, 0.028767, 0.289694), 1e-6)


def test_a_scale_that_does_not_fit_is_no_scale_at_all():
    result, stage = run(f'{SEG} plan p {{ do {{ scale [0.1]: seg(); }} }}', robot=Told())
    assert (result.code, stage.driven()) == ('E401', [])
    session = Session(Told(), standard_library())
    ticket = session.submit(RunRequest(HEAD + SEG, alpha=(0.1,)), SECOND)
    assert (ticket.result.outcome, ticket.result.code) == ('REJECTED', 'E401')
