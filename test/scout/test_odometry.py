"""Odometry on the host: sums, wraps, jumps, restarts, and the origin that is moved in time."""

import math

import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.scout.odometry import HostOdometry, News
from walking_robots.scout.protocol import State
from walking_robots.scout.readings import Readings, read
from walking_robots.scout.settings import DriverSettings

SETTINGS = DriverSettings()


def reported(x: int = 0, y: int = 0, heading: int = 0, clock: int = 0, **more: int) -> Readings:
    return read(State(x=x, y=y, heading=heading, clock=clock, **more), SETTINGS)


def take(odometry: HostOdometry, now: Readings, at: float | None = None) -> News:
    """Take in a reading that comes when the controller's clock says, or at another time."""
    return odometry.update(now, now.clock if at is None else at)


def test_differences_are_added_from_wherever_the_controller_is() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(1000, 0, 900, clock=100))
    assert odometry.pose == ORIGIN
    take(odometry, reported(1000, 20, 900, clock=200))
    assert odometry.pose == pytest.approx((0.0508, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize(('before', 'after'), [(3590, 5), (5, 3590)])
def test_headings_go_through_zero(before: int, after: int) -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(heading=before))
    take(odometry, reported(heading=after, clock=100))
    turned = math.radians(1.5) if after < before else -math.radians(1.5)
    assert odometry.pose.heading == pytest.approx(turned)


def test_a_jump_is_counted_and_not_believed() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported())
    assert take(odometry, reported(x=2000, clock=100)) is News.JUMPED
    assert take(odometry, reported(heading=1800, clock=110)) is News.JUMPED
    assert (odometry.pose, odometry.jumps) == (ORIGIN, 2)
    assert take(odometry, reported(x=10, heading=1800, clock=5110)) is News.MOVED
    assert odometry.pose == pytest.approx((-0.0254, 0.0, 0.0), abs=1e-9)


def test_a_robot_that_was_switched_off_goes_on_from_where_it_was() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(x=0, clock=1000))
    take(odometry, reported(x=100, clock=2000))
    assert take(odometry, reported(x=0, clock=10), at=9.0) is News.RESTARTED
    take(odometry, reported(x=100, clock=1010), at=10.0)
    assert odometry.pose.x == pytest.approx(0.508)


def test_a_restart_is_detected_by_the_clock_also_after_a_long_silence() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(x=0, clock=5000))
    take(odometry, reported(x=500, clock=7340), at=7.34)
    assert take(odometry, reported(x=0, clock=15300), at=40.0) is News.RESTARTED
    assert odometry.pose.x == pytest.approx(1.27)


def test_the_clock_may_begin_anew_by_itself() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(clock=2**32 - 50), at=0.0)
    assert take(odometry, reported(x=10, clock=50), at=0.1) is News.MOVED
    assert odometry.pose.x == pytest.approx(0.0254)


def test_a_silence_does_not_turn_the_wheels() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(right=197, left=197))
    take(odometry, reported(x=40, clock=600_000))
    assert odometry.travel == pytest.approx((0.1016, 0.1016))


def test_a_new_origin_of_the_controller_moves_nothing() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported(x=30100, right=100, left=100))
    assert not odometry.strays(reported(x=30100, right=100, left=100))
    assert odometry.strays(reported(x=-30100))
    assert odometry.strays(reported(y=32400, right=100, left=100))
    odometry.redefined(reported(x=0, right=100, left=100, clock=100), 0.1)
    assert odometry.pose.x == pytest.approx(0.0254)
    take(odometry, reported(x=10, right=100, left=100, clock=200))
    assert odometry.pose.x == pytest.approx(0.0508)


def test_calibration_scales_ways_and_turns() -> None:
    wide = DriverSettings(wheel_separation=SETTINGS.wheel_separation * 1.02, odometry_scale=1.01)
    odometry = HostOdometry(wide)
    true = Pose2()
    take(odometry, reported())
    x = y = 0.0
    for count in range(1, 101):
        twist = Twist2(0.2, 0.3)
        true = true.advance(twist, 0.1)
        x, y = true.x / 2.54e-3, true.y / 2.54e-3
        heading = round(math.degrees(true.heading) * 10)
        take(odometry, reported(round(x), round(y), heading, clock=100 * count))
    expected = ORIGIN.advance(Twist2(0.2 * 1.01, 0.3 * 1.01 / 1.02), 10.0)
    assert odometry.pose.distance(expected) < 0.02
    assert odometry.pose.heading == pytest.approx(expected.heading, abs=0.005)


def test_wheels_travel_and_the_pose_can_be_called_the_origin() -> None:
    odometry = HostOdometry(SETTINGS)
    take(odometry, reported())
    take(odometry, reported(x=38, heading=106, clock=500))
    way, aside = 0.0965, math.radians(10.6) * SETTINGS.wheel_separation / 2
    assert odometry.travel == pytest.approx((way - aside, way + aside), abs=0.001)
    odometry.reset()
    assert odometry.pose == ORIGIN
