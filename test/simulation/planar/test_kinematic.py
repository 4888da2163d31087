"""The reference simulation: exact motion, dead-man, contact, sonar and the object of AC-41."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, wrap
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec
from walking_robots.worlds.moving_disc import Jump
from walking_robots.worlds.world import World

TICK = 50_000_000
SECOND = 1_000_000_000
SCOUT = scout_spec()
RADIUS = SUPER_SCOUT.radius


def room(width: float = 4.0, height: float = 4.0, cell: float = 0.05) -> World:
    """Return an empty room with its middle at the origin."""
    cells = np.zeros((round(height / cell), round(width / cell)), bool)
    none = np.full(cells.shape, -1)
    corner = (-0.5 * width, -0.5 * height)
    return World('room', cell, cells, none, np.zeros(cells.shape), (), corner)


class Run:
    """Ticks of a program."""

    def __init__(self, robot: KinematicRobot, begin: int = 0) -> None:
        self.robot, self.now = robot, begin
        self.values: Any = robot.read(begin).values

    def tick(self, v: float, w: float) -> Any:
        self.robot.apply('body2', (v, w), 0.1)
        self.now += TICK
        self.values = self.robot.read(self.now).values
        return self.values

    def drive(self, v: float, w: float, seconds: float) -> Any:
        for _ in range(round(seconds * SECOND / TICK)):
            self.tick(v, w)
        return self.values


@given(st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-2.0, 2.0)), min_size=1, max_size=20))
def test_the_motion_is_exact(twists: list[tuple[float, float]]) -> None:
    run, expected, way = (
        Run(KinematicRobot(SCOUT, Pose2(1.0, 2.0, 3.0))),
        Pose2(1.0, 2.0, 3.0),
        0.0,
    )
    for v, w in twists:
        run.tick(v, w)
        expected, way = expected.advance(Twist2(v, w), 0.05), way + abs(v) * 0.05
    assert run.robot.true_pose == pytest.approx(expected, abs=1e-12)
    assert run.values['turn'] == pytest.approx(expected.heading, abs=1e-12)
    pose = run.values['pose']
    assert pose[:2] == pytest.approx(expected[:2], abs=1e-12)
    assert -math.pi < pose.heading <= math.pi
    assert wrap(pose.heading - expected.heading) == pytest.approx(0.0, abs=1e-9)
    assert run.values['odometer'] == pytest.approx(way)
    assert (run.values['twist.v'], run.values['command.w']) == (twists[-1][0], twists[-1][1])


@given(st.lists(st.integers(0, 200_000_000), max_size=10))
def test_how_time_is_cut_makes_no_difference(cuts: list[int]) -> None:
    def ends(times: list[int]) -> Pose2:
        robot = KinematicRobot(SCOUT)
        robot.read(0)
        robot.apply('body2', (0.3, 0.4), 0.13)
        for time in times:
            robot.read(time)
        robot.read(200_000_000)
        return robot.true_pose

    assert ends(sorted(cuts)) == pytest.approx(ends([]), abs=1e-12)
    assert ends([]) == pytest.approx(ORIGIN.advance(Twist2(0.3, 0.4), 0.13), abs=1e-12)


def test_a_command_that_is_not_repeated_ends() -> None:
    robot = KinematicRobot(SCOUT)
    robot.read(7 * SECOND)
    assert robot.stopped()
    robot.apply('body2', (0.2, 0.0), 0.1)
    robot.read(7 * SECOND + TICK)
    assert not robot.stopped()
    values = robot.read(9 * SECOND).values
    assert robot.stopped() and values['twist.v'] == 0.0
    assert values['pose'].x == pytest.approx(0.02)


def test_stop_is_measured_not_assumed() -> None:
    run = Run(KinematicRobot(SCOUT))
    run.drive(0.2, 0.0, 0.5)
    run.robot.stop()
    assert not run.robot.stopped()
    run.robot.read(run.now + TICK)
    assert run.robot.stopped()
    assert run.robot.true_pose.x == pytest.approx(0.1)
    run.now += TICK
    run.tick(0.2, 0.0)
    assert not run.robot.stopped()


def test_wheels_drive_the_body() -> None:
    robot = KinematicRobot(scout_spec(separation=0.34519))
    robot.read(0)
    robot.apply('wheels2', (0.15, 0.25), 1.0)
    robot.read(SECOND)
    assert robot.true_pose == pytest.approx((0.197214, 0.028767, 0.289694), abs=2e-6)


def test_latency_delays_commands_and_stops_and_changes_no_path() -> None:
    robot = KinematicRobot(SCOUT, latency=0.12)
    robot.read(0)
    robot.apply('body2', (0.2, 0.5), 10.0)
    assert robot.read(120_000_000).values['pose'] == ORIGIN
    assert robot.read(SECOND).values['pose'].x > 0.15
    robot.stop()
    robot.read(3 * SECOND)
    assert robot.true_pose == pytest.approx(ORIGIN.advance(Twist2(0.2, 0.5), 1.0), abs=1e-12)


def test_slip_deceives_odometry() -> None:
    robot = KinematicRobot(SCOUT, slip=0.05, rng=Random(1))
    run = Run(robot)
    run.drive(0.2, 0.0, 5.0)
    assert run.values['pose'] == pytest.approx((1.0, 0.0, 0.0))
    assert abs(robot.true_pose.heading) > 0.01
    again = Run(KinematicRobot(SCOUT, slip=0.05, rng=Random(1)))
    again.drive(0.2, 0.0, 5.0)
    assert again.robot.true_pose == robot.true_pose


def test_other_integrators_are_worse() -> None:
    ends = {}
    for name in ('exp', 'midpoint', 'euler_coord'):
        run = Run(KinematicRobot(SCOUT, integrator=name))
        run.drive(0.2, 1.0, 3.0)
        ends[name] = run.robot.true_pose
    assert 0.0 < ends['midpoint'].distance(ends['exp']) < ends['euler_coord'].distance(ends['exp'])


def test_limits_are_kept_with_the_curvature() -> None:
    run = Run(KinematicRobot(SCOUT))
    values = run.tick(1.0, 0.6)
    assert (values['twist.v'], values['twist.w']) == pytest.approx((0.5, 0.3))


def test_a_robot_gives_what_it_says_it_has() -> None:
    for spec in (SCOUT, twist_spec()):
        seen = KinematicRobot(spec).read(5)
        measured = [name for name in spec.outputs if name not in spec.limits()]
        assert list(seen.values) == list(seen.stamps) == measured
        assert set(seen.stamps.values()) == {5}
    assert KinematicRobot(SCOUT).read(0).values['sonar'] == (SCOUT.outputs['sonar'].high,) * 16


@pytest.mark.parametrize(
    ('act', 'named'),
    [
        (lambda: KinematicRobot(SCOUT, integrator='rk4'), 'midpoint'),
        (lambda: KinematicRobot(SCOUT, slip=0.1), 'rng'),
        (lambda: KinematicRobot(twist_spec(), slip=0.1, rng=Random(0)), 'wheels'),
        (lambda: KinematicRobot(SCOUT, Pose2(1.9, 0.0, 0.0), world=room()), 'does not fit'),
        (lambda: KinematicRobot(SCOUT).apply('body3', (0.0, 0.0, 0.0), 0.1), 'body3'),
        (lambda: KinematicRobot(SCOUT).apply('body2', (0.0,), 0.1), '2 values'),
        (lambda: KinematicRobot(SCOUT).apply('body2', (math.nan, 0.0), 0.1), 'finite'),
        (lambda: KinematicRobot(SCOUT, object_script=[Jump(1, 0, 0), Jump(0, 0, 0)]), 'jump 1'),
    ],
)
def test_what_cannot_be_is_refused(act: Callable[[], object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        act()


def test_time_does_not_go_back() -> None:
    robot = KinematicRobot(SCOUT)
    robot.read(10)
    with pytest.raises(ValueError, match='before the last'):
        robot.read(9)


@pytest.mark.parametrize(('speed', 'side'), [(0.4, 'front'), (-0.4, 'rear')])
def test_a_wall_holds_the_robot_and_shows_the_side(speed: float, side: str) -> None:
    run = Run(KinematicRobot(SCOUT, world=room()))
    values = run.drive(speed, 0.0, 6.0)
    assert abs(run.robot.true_pose.x) == pytest.approx(2.0 - RADIUS, abs=1e-9)
    assert values['bumper.any'] and values[f'bumper.{side}'] and values['bumper.bits'] > 0.0
    assert not values['bumper.rear' if side == 'front' else 'bumper.front']
    assert run.robot.stopped()
    assert values['odometer'] == pytest.approx(2.0 - RADIUS, abs=1e-6)
    values = run.drive(-speed, 0.0, 1.0)
    assert not values['bumper.any'] and not run.robot.stopped()


def test_a_smaller_body_comes_nearer() -> None:
    run = Run(KinematicRobot(SCOUT, world=room(), radius=0.1))
    run.drive(0.4, 0.0, 6.0)
    assert run.robot.true_pose.x == pytest.approx(1.9, abs=1e-9)


@pytest.mark.parametrize('rays', [1, 9])
def test_sonars_report_walls_one_after_the_other(rays: int) -> None:
    robot = KinematicRobot(SCOUT, world=room(4.0, 6.0), beam_rays=rays)
    robot.read(0)
    heard: list[int] = []
    for tick in range(1, 21):
        seen = robot.read(tick * TICK)
        heard += robot.fired
        assert seen.stamps['sonar'] == tick * TICK // 60_000_000 * 60_000_000
    assert heard == list(SUPER_SCOUT.sonar.order)
    ranges = seen.values['sonar']
    for sensor, wall in ((0, 2.0), (4, 3.0), (8, 2.0), (12, 3.0)):
        assert ranges[sensor] == pytest.approx(wall - SUPER_SCOUT.sonar.radius, abs=0.0128)


def test_sonars_hear_an_object_and_the_body_bumps_into_it() -> None:
    script = [Jump(0.0, 1.0, 0.0), Jump(8.0, 1.0, 1.5)]
    robot = KinematicRobot(SCOUT, world=room(), object_script=script, object_radius=0.25)
    run = Run(robot)
    values = run.drive(0.0, 0.0, 1.0)
    assert values['sonar'][0] == pytest.approx(0.75 - 0.20, abs=0.0128)
    values = run.drive(0.3, 0.0, 4.0)
    assert robot.true_pose.x == pytest.approx(0.75 - RADIUS, abs=1e-6)
    assert values['bumper.front']
    # The object leaves, and the robot goes on.
    values = run.drive(0.3, 0.0, 8.0)
    assert robot.true_pose.x == pytest.approx(2.0 - RADIUS, abs=1e-6)
    assert robot.object == (1.0, 1.5, 0.25)


def test_an_object_does_not_go_where_the_robot_stands() -> None:
    robot = KinematicRobot(SCOUT, world=room(), object_script=[Jump(0.0, 1.0, 0.0)])
    robot.read(0)
    with pytest.raises(ValueError, match='the robot'):
        robot.move_object(0.1, 0.0)
    robot.move_object(-1.0, 0.0)
    assert robot.object == (-1.0, 0.0, 0.25)


def sat(value: float) -> float:
    return max(-1.0, min(1.0, value))


def bearing(pose: Pose2, point: tuple[float, float]) -> float:
    return wrap(math.atan2(point[1] - pose.y, point[0] - pose.x) - pose.heading)


def dist(pose: Pose2, point: tuple[float, float]) -> float:
    return math.dist(pose[:2], point)


class Follow:
    """The four atoms of program A of mdle.md §4.17, by hand."""

    def __init__(self, robot: KinematicRobot) -> None:
        self.run = Run(robot)

    def wait(self, timeout: float) -> tuple[float, float] | None:
        begin, since = self.run.now, None
        while self.run.now - begin < timeout * SECOND:
            values, now = self.run.values, self.run.now
            if values['object.valid'] and values['object.shift'] > 0.15:
                since = now if since is None else since
                if now - since >= 0.2 * SECOND:
                    return tuple(values['object.previous'])  # type: ignore[return-value]
            else:
                since = None
            self.run.tick(0.0, 0.0)
        return None

    def orient(self, p: tuple[float, float]) -> float:
        begin = self.run.now
        while abs(e := bearing(self.run.values['pose'], p)) >= math.radians(3.0):
            self.run.tick(0.0, 0.5 * sat(e / 0.4))
        return (self.run.now - begin) / SECOND

    def go_to(self, p: tuple[float, float]) -> float:
        begin = self.run.now
        while dist(self.run.values['pose'], p) >= 0.10:
            e = bearing(self.run.values['pose'], p)
            self.run.tick(0.2 * max(0.0, math.cos(e)), 1.5 * e)
        return (self.run.now - begin) / SECOND

    def stop(self) -> None:
        self.run.drive(0.0, 0.0, 0.5)


def test_ac42_orient_from_a_right_angle() -> None:
    follow = Follow(KinematicRobot(SCOUT))
    assert follow.orient((0.0, 2.0)) == pytest.approx(3.97, abs=0.1)


# When the second jump happens: when told to, on the way, and after the robot came to rest.
@pytest.mark.parametrize('second', [5.0, 'rest', 14.0])
def test_ac41_the_object_is_followed_one_step_behind(second: Any) -> None:
    script = [Jump(0.0, 2.0, 0.0), Jump(1.0, 2.0, 1.0), Jump(second, 1.0, 1.0)]
    follow = Follow(KinematicRobot(SCOUT, object_script=script))
    times = []
    for expected in ((2.0, 0.0), (2.0, 1.0)):
        target = follow.wait(10.0)
        assert target == expected
        times += [follow.orient(target), follow.go_to(target)]
        follow.stop()
    assert times == pytest.approx([0.0, 9.5, 3.8, 4.5], abs=0.3)
    assert dist(follow.run.robot.true_pose, (2.0, 1.0)) < 0.10
    # The old move sends nobody off again; a new one does, with a fresh target.
    assert follow.wait(20.0) is None
    follow.run.robot.move_object(0.0, 1.0)
    assert follow.wait(1.0) == (1.0, 1.0)


@given(st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-2.0, 2.0)), max_size=25))
@settings(max_examples=30, deadline=None)
def test_no_way_of_driving_leads_into_walls_or_the_object(
    twists: list[tuple[float, float]],
) -> None:
    script = [Jump(0.0, 0.7, 0.0), Jump(3.0, -0.4, 0.2), Jump(6.0, 0.0, 0.6)]
    robot = KinematicRobot(SCOUT, world=room(2.0, 2.0), object_script=script)
    run = Run(robot)
    for v, w in twists:
        run.drive(v, w, 0.5)
        x, y, _ = robot.true_pose
        assert max(abs(x), abs(y)) <= 1.0 - RADIUS + 1e-5
        assert robot.object is not None
        assert math.dist((x, y), robot.object[:2]) >= RADIUS + 0.25 - 1e-5


def test_the_sonars_were_on_before_the_first_reading() -> None:
    robot = KinematicRobot(SCOUT, world=room(3.0, 2.0))
    ahead, left = (robot.read(0).values['sonar'][number] for number in (0, 4))
    assert (ahead, left) == pytest.approx((1.5 - 0.2, 1.0 - 0.2), abs=0.03)
    assert robot.read(0).stamps['sonar'] == 0
