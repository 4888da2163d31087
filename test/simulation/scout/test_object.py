"""A thing that moves about in the emulated Scout's world: heard, touched, and scripted."""

import math

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import INCH, SUPER_SCOUT
from walking_robots.scout import protocol
from walking_robots.scout.framing import PacketReader, frame
from walking_robots.scout.protocol import NO_SENSOR, Op, decode_state, plain
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.files import parse_world
from walking_robots.worlds.moving_disc import Jump

RING, RADIUS = SUPER_SCOUT.sonar.radius, SUPER_SCOUT.radius
FIELD = parse_world('ars_schema: 1\nworld: {name: field, size: [60, 60], y_axis: up}', 'field')
MIDDLE = Pose2(30.0, 30.0, 0.0)


def emulated(*script: Jump, start: Pose2 = MIDDLE, **more: float) -> Emulator:
    """Return a robot in the middle of nowhere, with places of the object told from there."""
    jumps = tuple(jump._replace(x=30.0 + jump.x, y=30.0 + jump.y) for jump in script)
    choice = EmulatorSettings(sonar_noise=0.0, rough_probability=0.0, object_script=jumps, **more)  # type: ignore[arg-type]
    return Emulator(FIELD, choice, start=start)


def tell(robot: Emulator, packet: protocol.Packet) -> None:
    robot.feed(frame(packet))
    robot.advance(0.02)
    robot.take()


def ring(robot: Emulator) -> tuple[int, ...]:
    """Return the readings of a whole round."""
    tell(robot, protocol.sonar_order(15, SUPER_SCOUT.sonar.order))
    robot.advance(1.0)
    robot.feed(frame(plain(Op.GET_STATE)))
    robot.advance(0.02)
    [reply] = PacketReader().feed(robot.take())
    return decode_state(reply.payload).sonar


@pytest.mark.parametrize('away', [0.8, 1.5, 3.0, 5.0])
@pytest.mark.parametrize('degrees', [0.0, 7.3, 67.5, -100.0])
def test_every_sensor_that_looks_at_it_hears_it(away: float, degrees: float) -> None:
    angle = math.radians(degrees)
    thing = (away * math.cos(angle), away * math.sin(angle))
    reported = ring(emulated(Jump(0.0, *thing)))
    for sensor in range(16):
        axis = SUPER_SCOUT.sonar.bearing(sensor)
        at = (RING * math.cos(axis), RING * math.sin(axis))
        gap = math.dist(at, thing) - 0.25
        centre = math.atan2(thing[1] - at[1], thing[0] - at[0])
        if abs(math.remainder(centre - axis, 2.0 * math.pi)) < math.radians(12.4):
            assert reported[sensor] == round(gap / INCH)
        elif abs(math.remainder(centre - axis, 2.0 * math.pi)) > math.radians(40.0):
            assert reported[sensor] == NO_SENSOR
    assert any(inches != NO_SENSOR for inches in reported)


def test_it_hides_what_is_behind_it_also_where_it_gives_no_echo() -> None:
    start = Pose2(58.0, 30.0, 0.0)
    seen = ring(emulated(start=start))
    hidden = ring(emulated(Jump(0.0, 28.9, 0.0), start=start, object_radius=0.3))
    assert seen[0] == round((2.0 - RING) / INCH)
    assert hidden[0] == round((0.9 - 0.3 - RING) / INCH)


def test_it_comes_and_goes_by_its_script() -> None:
    robot = emulated(Jump(2.0, 2.0, 0.0), Jump(4.0, 2.0, 2.0))
    assert robot.state.object is None
    assert ring(robot)[0] == NO_SENSOR
    robot.advance(2.0 - robot.state.time)
    assert robot.state.object == (32.0, 30.0, 0.25)
    assert ring(robot)[0] != NO_SENSOR
    robot.advance(4.0 - robot.state.time)
    reported = ring(robot)
    assert reported[0] == NO_SENSOR and reported[2] != NO_SENSOR


def test_the_body_bumps_into_it_and_goes_on_when_it_leaves() -> None:
    robot = emulated(Jump(0.0, 1.0, 0.0))
    tell(robot, protocol.velocities(100, 100))
    robot.advance(6.0)
    assert robot.state.bumper == 1
    assert robot.state.pose.x - 30.0 == pytest.approx(1.0 - 0.25 - RADIUS, abs=1e-6)
    robot.move_object(31.0, 35.0)
    assert robot.state.bumper == 0
    robot.advance(2.0)
    assert robot.state.pose.x > 30.7


def test_it_may_come_and_touch_but_not_stand_where_the_robot_stands() -> None:
    robot = emulated()
    with pytest.raises(ValueError, match='the robot'):
        robot.move_object(30.2, 30.0)
    with pytest.raises(ValueError, match='finite'):
        robot.move_object(math.nan, 30.0)
    assert robot.state.object is None
    robot.move_object(30.0 - 0.25 - RADIUS - 0.001, 30.0)
    assert robot.state.bumper == 1 << 3
    with pytest.raises(ValueError, match='object'):
        robot.place(Pose2(29.7, 30.0, 0.0))


def test_it_waits_for_the_robot_to_rest_and_for_room() -> None:
    robot = emulated(Jump(0.0, 2.0, 0.0), Jump('rest', 0.6, 0.0), Jump('rest', 1.0, 1.0))
    first, second, third = (32.0, 30.0, 0.25), (30.6, 30.0, 0.25), (31.0, 31.0, 0.25)
    robot.advance(1.0)
    assert robot.state.object == first
    tell(robot, protocol.velocities(100, 100))
    robot.advance(1.5)
    assert robot.state.object == first
    tell(robot, plain(Op.STOP))
    robot.advance(2.0)
    assert robot.state.pose.x > 30.2
    assert robot.state.object == first
    robot.place(MIDDLE)
    robot.advance(0.02)
    assert robot.state.object == second
    tell(robot, protocol.velocities(-100, -100))
    robot.advance(2.0)
    tell(robot, plain(Op.STOP))
    robot.advance(0.15)
    assert robot.state.object == second
    robot.advance(0.5)
    assert robot.state.object == third


def test_it_is_still_there_after_the_robot_was_switched_off() -> None:
    robot = emulated(Jump(0.0, 2.0, 0.0))
    robot.advance(0.5)
    robot.inject('power_off', 0.5)
    robot.advance(1.0)
    assert ring(robot)[0] == round((2.0 - 0.25 - RING) / INCH)


def test_a_wrong_script_is_refused() -> None:
    with pytest.raises(ValueError, match='jump 1'):
        EmulatorSettings(object_script=(Jump(2.0, 0.0, 0.0), Jump(1.0, 0.0, 0.0)))
    with pytest.raises(ValueError, match='radius'):
        EmulatorSettings(object_radius=0.0)
