"""Odometry on the host: sums, wraps, jumps, restarts, and the origin that is moved in time."""

import math

import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.scout.odometry import HostOdometry, News
from walking_robots.scout.protocol import State
from walking_robots.scout.readings import Readings, read
from walking_robots.scout.settings import DriverSettings

SETTINGS = DriverSettings()


def told(x: int = 0, y: int = 0, heading: int = 0, clock: int = 0, **more: int) -> Readings:
    return read(State(x=x, y=y, heading=heading, clock=clock, **more), SETTINGS)


def test_differences_are_added_from_wherever_the_controller_is() -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told(1000, 0, 900, clock=100))
    assert odometry.pose == ORIGIN
    odometry.update(told(1000, 20, 900, clock=200))
    assert odometry.pose == pytest.approx((0.0508, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize(('before', 'after'), [(3590, 5), (5, 3590)])
def test_headings_go_through_zero(before: int, after: int) -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told(heading=before))
    odometry.update(told(heading=after, clock=100))
    turned = math.radians(1.5) if after < before else -math.radians(1.5)
    assert odometry.pose.heading == pytest.approx(turned)


def test_a_jump_is_counted_and_not_believed() -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told())
    assert odometry.update(told(x=2000, clock=100)) is News.JUMPED
    assert odometry.update(told(heading=1800, clock=110)) is News.JUMPED
    assert (odometry.pose, odometry.jumps) == (ORIGIN, 2)
    assert odometry.update(told(x=10, heading=1800, clock=5110)) is News.MOVED
    assert odometry.pose == pytest.approx((-0.0254, 0.0, 0.0), abs=1e-9)


def test_a_robot_that_was_switched_off_goes_on_from_where_it_was() -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told(x=0, clock=1000))
    odometry.update(told(x=100, clock=2000))
    assert odometry.update(told(x=0, clock=10)) is News.RESTARTED
    odometry.update(told(x=100, clock=1010))
    assert odometry.pose.x == pytest.approx(0.508)


def test_a_new_origin_of_the_controller_moves_nothing() -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told(x=30100, right=100, left=100))
    assert not odometry.strays(told(x=30100, right=100, left=100))
    assert odometry.strays(told(x=-30100))
    assert odometry.strays(told(y=32400, right=100, left=100))
    odometry.redefined(told(x=0, right=100, left=100, clock=100))
    assert odometry.pose.x == pytest.approx(0.0254)
    odometry.update(told(x=10, right=100, left=100, clock=200))
    assert odometry.pose.x == pytest.approx(0.0508)


def test_calibration_scales_ways_and_turns() -> None:
    wide = DriverSettings(wheel_separation=SETTINGS.wheel_separation * 1.02, odometry_scale=1.01)
    odometry = HostOdometry(wide)
    true = Pose2()
    odometry.update(told())
    x = y = 0.0
    for count in range(1, 101):
        twist = Twist2(0.2, 0.3)
        true = true.advance(twist, 0.1)
        x, y = true.x / 2.54e-3, true.y / 2.54e-3
        heading = round(math.degrees(true.heading) * 10)
        odometry.update(told(round(x), round(y), heading, clock=100 * count))
    expected = ORIGIN.advance(Twist2(0.2 * 1.01, 0.3 / 1.02), 10.0)
    assert odometry.pose.distance(expected) < 0.02
    assert odometry.pose.heading == pytest.approx(expected.heading, abs=0.005)


def test_wheels_travel_and_the_pose_can_be_called_the_origin() -> None:
    odometry = HostOdometry(SETTINGS)
    odometry.update(told(right=100, left=50))
    odometry.update(told(x=38, right=100, left=50, clock=500))
    assert odometry.travel == pytest.approx((0.0635, 0.127))
    odometry.reset()
    assert odometry.pose == ORIGIN
