"""Ramps, moves and contact of the emulated Scout."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import SUPER_SCOUT, TENTH_INCH
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import Op, decode_state, plain
from walking_robots.simulation.scout.body import OVERLAP, TOUCH
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.world import World

RADIUS = SUPER_SCOUT.radius
TOP = 2.0
"""Acceleration, m/s², of which the motors are capable."""


def world(*filled: tuple[int, int], size: int = 80, cell: float = 0.05) -> World:
    """Return a square world with its middle at the origin and these (row, column) filled."""
    cells = np.zeros((size, size), bool)
    for row, column in filled:
        cells[row, column] = True
    none = np.full(cells.shape, -1)
    corner = -0.5 * size * cell
    return World('test', cell, cells, none, np.zeros(cells.shape), (), (corner, corner))


FIELD = world(size=60, cell=1.0)
ROOM = world()
"""A room of 4 m by 4 m, with nothing but what is outside around it."""
WALL = 2.0


def tell(robot: Emulator, *packets: Packet) -> None:
    """Return requests, one after the other, and take no notice of the replies."""
    for packet in packets:
        robot.feed(frame(packet))
        robot.advance(0.02)
    robot.take()


def drive(robot: Emulator, right: int, left: int, seconds: float) -> None:
    tell(robot, protocol.velocities(right, left))
    robot.advance(seconds)


def test_a_velocity_is_reached_along_the_slope_that_is_set() -> None:
    robot = Emulator(FIELD)
    tell(robot, protocol.accelerations(100, 50), protocol.velocities(300, 300))
    robot.advance(1.0 - robot.state.time)
    begin = robot.state.wheels
    robot.advance(0.5)
    slope = [(new - old) / 0.5 for old, new in zip(begin, robot.state.wheels, strict=True)]
    assert slope == pytest.approx([50 * TENTH_INCH, 100 * TENTH_INCH])
    robot.advance(9.0)
    assert robot.state.wheels == pytest.approx((0.762, 0.762))
    tell(robot, protocol.velocities(-300, -300))
    robot.advance(1.0)
    assert robot.state.wheels.right == pytest.approx(0.762 - 0.254, abs=0.01)


def test_st_stops_as_hard_as_the_motors_can_and_vm_0_along_the_slope() -> None:
    robot = Emulator(FIELD)
    tell(robot, protocol.accelerations(100, 100), protocol.velocities(300, 300))
    robot.advance(5.0)
    tell(robot, protocol.velocities(0, 0))
    robot.advance(0.5)
    soft = robot.state.wheels.left
    assert soft == pytest.approx(0.762 - 0.5 * 0.254, abs=0.01)
    tell(robot, plain(Op.STOP))
    robot.advance(0.08)
    assert robot.state.wheels.left == pytest.approx(soft - 0.1 * TOP, abs=2.1 * 0.01 * TOP)
    robot.advance(soft / TOP)
    assert robot.state.wheels == (0.0, 0.0)


def test_motors_do_what_they_can_and_no_more() -> None:
    robot = Emulator(FIELD)
    tell(robot, protocol.accelerations(65535, 65535), protocol.velocities(32767, -32767))
    robot.advance(0.1)
    assert robot.state.wheels.right <= TOP * robot.state.time
    robot.advance(1.0)
    assert robot.state.wheels == (-SUPER_SCOUT.top_speed, SUPER_SCOUT.top_speed)


def test_a_slope_of_nothing_still_stops_some_day() -> None:
    robot = Emulator(FIELD)
    drive(robot, 20, 20, 1.0)
    tell(robot, protocol.accelerations(0, 0), protocol.velocities(0, 0))
    robot.advance(21.0)
    assert robot.state.wheels == (0.0, 0.0)


@given(
    right=st.integers(-300, 300),
    left=st.integers(-300, 300),
    slope=st.integers(20, 800),
    speed=st.integers(40, 450),
)
@settings(max_examples=40, deadline=None)
def test_pr_is_a_trapezoid_that_ends_at_its_place(
    right: int, left: int, slope: int, speed: int
) -> None:
    robot = Emulator(FIELD)
    tell(robot, protocol.accelerations(slope, slope), protocol.speeds(speed, speed))
    robot.feed(frame(protocol.relative_move(right, left)))
    before = np.zeros(2)
    gone = np.zeros(2)
    most = min(slope * TENTH_INCH, TOP) * 0.01 + 1e-9
    for count in itertools.count():
        robot.advance(0.01)
        wheels = np.array(robot.state.wheels)
        assert (abs(wheels - before) <= most).all()
        assert (abs(wheels) <= speed * TENTH_INCH + 1e-12).all()
        gone, before = gone + 0.01 * wheels, wheels
        if count > 3 and not wheels.any():
            break
    assert gone == pytest.approx(np.array((left, right)) * TENTH_INCH, abs=1e-6)
    way, cruise = max(abs(right), abs(left)) * TENTH_INCH, speed * TENTH_INCH
    cruise = min(cruise, SUPER_SCOUT.top_speed)
    ramp = cruise / min(slope * TENTH_INCH, TOP)
    ideal = 2.0 * math.sqrt(way * ramp / cruise) if way < cruise * ramp else way / cruise + ramp
    assert count * 0.01 <= ideal + 0.1


def test_pr_counts_from_where_the_wheels_are_and_turns_back_when_too_fast() -> None:
    robot = Emulator(FIELD)
    drive(robot, 100, 100, 3.0)
    robot.feed(frame(protocol.relative_move(10, 10)))
    robot.advance(0.0032)
    begin = robot.state.pose.x
    robot.advance(0.3)
    assert robot.state.pose.x > begin + 11 * TENTH_INCH
    robot.advance(5.0)
    assert robot.state.pose.x == pytest.approx(begin + 10 * TENTH_INCH, abs=1e-6)


def test_a_turn_on_the_spot_is_exact() -> None:
    robot = Emulator(FIELD)
    quarter = round(0.25 * math.pi * SUPER_SCOUT.wheel_separation / TENTH_INCH)
    tell(robot, protocol.relative_move(quarter, -quarter))
    robot.advance(5.0)
    x, y, heading = robot.state.pose
    assert (x, y) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert heading == pytest.approx(2.0 * quarter * TENTH_INCH / SUPER_SCOUT.wheel_separation)


def test_odometry_is_as_wrong_as_the_wheels_and_the_true_track_make_it() -> None:
    sound, slipping, wide = (
        Emulator(FIELD, choice, seed=5)
        for choice in (
            EmulatorSettings(),
            EmulatorSettings(slip=0.05),
            EmulatorSettings(wheel_separation=0.4),
        )
    )
    for robot in (sound, slipping, wide):
        drive(robot, 150, 100, 4.0)
        tell(robot, plain(Op.STOP))
        robot.advance(1.0)
    reported = [_told(robot) for robot in (sound, slipping, wide)]
    assert reported[0] == reported[1] == reported[2]
    assert reported[0][2] == round(math.degrees(sound.state.pose.heading) * 10) % 3600
    assert sound.state.pose.distance(slipping.state.pose) > 0.005
    share = SUPER_SCOUT.wheel_separation / 0.4
    assert wide.state.pose.heading == pytest.approx(share * sound.state.pose.heading)


def _told(robot: Emulator) -> tuple[int, int, int]:
    robot.feed(frame(plain(Op.GET_STATE)))
    robot.advance(0.05)
    [reply] = PacketReader().feed(robot.take())
    state = decode_state(reply.payload)
    return state.x, state.y, state.heading


@pytest.mark.parametrize('bearing', range(6))
@pytest.mark.parametrize('side', [0.0, 90.0, 180.0, -90.0])
def test_a_wall_stops_the_robot_and_closes_the_switch_that_touches(
    bearing: int, side: float
) -> None:
    sector = math.radians(60.0 * bearing)
    heading = math.radians(side) - sector
    ahead = math.cos(sector)
    # The robot stands where it touches the wall soon, with a bumper that is not ahead.
    gap = 0.02
    to_wall = WALL - RADIUS - gap
    start = Pose2(
        to_wall * math.cos(math.radians(side)), to_wall * math.sin(math.radians(side)), heading
    )
    robot = Emulator(ROOM, start=start)
    assert robot.state.bumper == 0
    speed = math.copysign(100, ahead)
    drive(robot, int(speed), int(speed), 3.0)
    assert robot.state.bumper == 1 << bearing
    assert robot.state.wheels == pytest.approx((0.0, 0.0), abs=1e-9)
    way = robot.state.pose.distance(start)
    assert way == pytest.approx(gap / abs(ahead), abs=1e-9)
    drive(robot, -int(speed), -int(speed), 1.0)
    assert robot.state.bumper == 0
    assert robot.state.wheels.left == pytest.approx(-speed * TENTH_INCH)


def test_nothing_is_passed_through_at_full_speed() -> None:
    robot = Emulator(world(*((row, 500) for row in range(800)), size=800, cell=0.005))
    tell(robot, protocol.accelerations(800, 800))
    drive(robot, 400, 400, 4.0)
    assert robot.state.pose.x == pytest.approx(0.5 - RADIUS, abs=1e-9)
    assert robot.state.bumper == 1


def test_encoders_of_a_blocked_robot_stand_still() -> None:
    robot = Emulator(ROOM)
    drive(robot, 200, 200, 8.0)
    assert robot.state.pose.x == pytest.approx(WALL - RADIUS, abs=1e-9)
    assert _told(robot)[0] == round((WALL - RADIUS) / TENTH_INCH)


def test_a_blocked_robot_may_turn_and_its_switches_turn_with_it() -> None:
    robot = Emulator(ROOM)
    drive(robot, 200, 200, 8.0)
    assert robot.state.bumper == 1
    tell(robot, plain(Op.STOP))
    drive(robot, 50, -50, 0.0)
    seen = []
    for _ in range(1000):
        robot.advance(0.01)
        if robot.state.bumper not in seen[-1:]:
            seen.append(robot.state.bumper)
    assert seen[:6] == [1, 1 << 5, 1 << 4, 1 << 3, 1 << 2, 1 << 1]
    assert robot.state.pose.x == pytest.approx(WALL - RADIUS, abs=1e-9)


def test_a_blocked_robot_turns_as_fast_as_commanded() -> None:
    robot = Emulator(ROOM)
    drive(robot, 200, 200, 8.0)
    drive(robot, 150, 50, 1.5)
    assert robot.state.pose.x == pytest.approx(WALL - RADIUS, abs=1e-9)
    speed = 50 * TENTH_INCH
    assert robot.state.wheels == pytest.approx((-speed, speed))


def test_a_robot_that_comes_free_gains_speed_as_its_motors_can() -> None:
    robot = Emulator(ROOM)
    drive(robot, 200, 200, 8.0)
    drive(robot, 200, 180, 0.0)
    before = 0.0
    for _ in range(1500):
        robot.advance(0.01)
        speed = 0.5 * sum(robot.state.wheels)
        assert speed - before <= 0.01 * TOP + 1e-9
        before = speed
    assert robot.state.pose.y > 0.5


def test_a_robot_drives_along_a_wall_that_it_touches() -> None:
    robot = Emulator(ROOM, start=Pose2(WALL - RADIUS, 0.0, 0.5 * math.pi))
    drive(robot, 100, 100, 3.0)
    assert robot.state.pose.y == pytest.approx(3.0 * 0.254 - 0.5 * 0.254**2 / 0.5, abs=0.02)
    assert robot.state.bumper == 1 << 4 | 1 << 5


def test_in_a_corner_two_switches_close() -> None:
    robot = Emulator(ROOM, start=Pose2(1.5, 1.5, 0.25 * math.pi))
    drive(robot, 100, 100, 3.0)
    assert robot.state.bumper == 0b100011 & ~1
    drive(robot, -100, -100, 1.0)
    assert robot.state.bumper == 0


def test_a_switch_opens_beyond_its_gap() -> None:
    edge = WALL - RADIUS - TOUCH
    assert Emulator(ROOM, start=Pose2(edge + 1e-6, 0.0, 0.0)).state.bumper == 1
    assert Emulator(ROOM, start=Pose2(edge - 1e-6, 0.0, 0.0)).state.bumper == 0


def test_a_robot_can_be_put_elsewhere_but_not_into_a_wall() -> None:
    robot = Emulator(ROOM)
    robot.place(Pose2(1.0, 1.0, 2.0))
    assert robot.state.pose == (1.0, 1.0, 2.0)
    for pose in (Pose2(WALL - 0.1, 0.0, 0.0), Pose2(9.0, 0.0, 0.0)):
        with pytest.raises(ValueError, match='does not fit'):
            robot.place(pose)
    with pytest.raises(ValueError, match='finite'):
        robot.place(Pose2(math.nan, 0.0, 0.0))
    with pytest.raises(ValueError, match='does not fit'):
        Emulator(ROOM, start=Pose2(1.9, 0.0, 0.0))
    assert robot.state.pose == (1.0, 1.0, 2.0)


@given(st.lists(st.tuples(st.integers(-394, 394), st.integers(-394, 394)), max_size=12))
@settings(max_examples=30, deadline=None)
def test_no_way_of_driving_leads_into_a_wall(speeds: list[tuple[int, int]]) -> None:
    pillars = world((40, 52), (41, 52), (30, 30), (52, 40), (40, 24))
    robot = Emulator(pillars, EmulatorSettings(slip=0.1))
    tell(robot, protocol.accelerations(800, 800))
    for right, left in speeds:
        drive(robot, right, left, 0.7)
        x, y, _ = robot.state.pose
        assert max(abs(x), abs(y)) <= WALL - RADIUS + OVERLAP
        for row, column in np.argwhere(pillars.filled).tolist():
            low = (pillars.origin[0] + 0.05 * column, pillars.origin[1] + 0.05 * row)
            near = [max(a, min(b, a + 0.05)) for a, b in zip(low, (x, y), strict=True)]
            assert math.dist(near, (x, y)) >= RADIUS - OVERLAP


def test_a_robot_that_is_carried_comes_to_rest() -> None:
    robot = Emulator(ROOM, seed=1)
    robot.feed(frame(protocol.velocities(100, 100)))
    robot.advance(1.0)
    assert robot.state.wheels.left > 0.0
    place = robot.state.pose
    robot.place(place)
    assert robot.state.wheels == (0.0, 0.0)
    robot.advance(1.0)
    assert robot.state.pose == place
