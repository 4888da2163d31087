"""The emulated ring of sonars: order, rate, age and what goes for an echo (§5)."""

import math

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.robots.super_scout import INCH, SUPER_SCOUT
from walking_robots.scout import protocol
from walking_robots.scout.framing import PacketReader, frame
from walking_robots.scout.protocol import NO_SENSOR, Op, decode_state, plain
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.world import World

ORDER = SUPER_SCOUT.sonar.order
RING = SUPER_SCOUT.sonar.radius
EXACT = EmulatorSettings(sonar_noise=0.0, rough_probability=0.0)
ROUGH = EmulatorSettings(sonar_noise=0.0, rough_probability=1.0)


def room(width: float, height: float, cell: float = 0.05) -> World:
    """Return an empty room with its middle at the origin; outside everything is filled."""
    cells = np.zeros((round(height / cell), round(width / cell)), bool)
    none = np.full(cells.shape, -1)
    corner = (-0.5 * width, -0.5 * height)
    return World('room', cell, cells, none, np.zeros(cells.shape), (), corner)


ROOM = room(4.0, 6.0)
HALL = room(20.0, 20.0, 0.1)


def tell_sonar(robot: Emulator, rate: int = 15, order: tuple[int, ...] = ORDER) -> None:
    """Switch the sonars on; they count from the end of this request, which is now."""
    wire = frame(protocol.sonar_order(rate, order))
    robot.feed(wire)
    robot.advance(len(wire) * 10 / 38400)


def readings(robot: Emulator) -> tuple[int, ...]:
    robot.take()
    robot.feed(frame(plain(Op.GET_STATE)))
    robot.advance(0.02)
    [reply] = PacketReader().feed(robot.take())
    return decode_state(reply.payload).sonar


def ring(robot: Emulator) -> tuple[int, ...]:
    """Return the readings of a whole round."""
    tell_sonar(robot)
    robot.advance(1.0)
    return readings(robot)


def test_the_ring_is_off_at_power_up() -> None:
    robot = Emulator(ROOM)
    robot.advance(5.0)
    assert readings(robot) == (NO_SENSOR,) * 16


def test_walls_are_reported_in_whole_inches_from_the_ring() -> None:
    reported = ring(Emulator(ROOM, EXACT))
    for sensor, wall in ((0, 2.0), (4, 3.0), (8, 2.0), (12, 3.0)):
        assert reported[sensor] == round((wall - RING) / INCH)


def test_sensors_are_numbered_counter_clockwise_in_the_body() -> None:
    robot = Emulator(ROOM, EXACT, start=Pose2(0.5, 0.0, 0.5 * math.pi))
    reported = ring(robot)
    for sensor, wall in ((0, 3.0), (4, 2.5), (8, 3.0), (12, 1.5)):
        assert reported[sensor] == round((wall - RING) / INCH)


@pytest.mark.parametrize('rate', [5, 15, 30])
def test_one_sensor_fires_at_a_time_in_order_at_the_rate(rate: int) -> None:
    robot = Emulator(ROOM, ROUGH)
    tell_sonar(robot, rate)
    begin = robot.state.time
    order = []
    for _ in range(200):
        fired = [k for k, inches in enumerate(readings(robot)) if inches != NO_SENSOR]
        order += sorted(set(fired) - set(order), key=ORDER.index)
        due = (robot.state.time - begin) / (0.004 * rate)
        # What is reported is a little older than the reply.
        assert due - 0.03 / (0.004 * rate) - 1 <= len(order) <= due or len(order) == 16
    assert order == list(ORDER)


def test_values_stay_until_the_sensor_fires_again() -> None:
    robot = Emulator(ROOM, EXACT)
    before = ring(robot)
    robot.place(Pose2(1.0, 0.0, 0.0))
    tell_sonar(robot)
    robot.advance(0.07)
    after = readings(robot)
    assert after[0] == round((1.0 - RING) / INCH)
    assert after[1:] == before[1:]


def test_sensors_that_are_not_in_the_order_do_not_fire() -> None:
    robot = Emulator(ROOM, ROUGH)
    tell_sonar(robot, 15, (0, 1, 15))
    robot.advance(3.0)
    reported = readings(robot)
    assert {k for k in range(16) if reported[k] != NO_SENSOR} == {0, 1, 15}


def test_an_empty_order_switches_off_and_keeps_what_was_heard() -> None:
    robot = Emulator(ROOM, EXACT)
    reported = ring(robot)
    tell_sonar(robot, 15, ())
    robot.place(Pose2(1.0, 0.0, 0.0))
    robot.advance(2.0)
    assert readings(robot) == reported


def test_rate_0_counts_as_the_fastest() -> None:
    robot = Emulator(ROOM, ROUGH)
    tell_sonar(robot, 0)
    robot.advance(0.08)
    assert NO_SENSOR not in readings(robot)


def test_too_far_is_no_echo() -> None:
    assert ring(Emulator(HALL, ROUGH)) == (NO_SENSOR,) * 16


@pytest.mark.parametrize('angle', [0.0, 15.0, 30.0, 36.0, 39.0])
def test_a_smooth_wall_answers_only_within_the_specular_angle(angle: float) -> None:
    start = Pose2(8.5, 0.0, math.radians(angle))
    wall = Emulator(HALL, EXACT, start=start)
    tell_sonar(wall, 15, (0,))
    wall.advance(0.1)
    heard = readings(wall)[0] != NO_SENSOR
    # The outermost ray of the beam is half of the beam nearer to the normal.
    half = math.degrees(0.5 * SUPER_SCOUT.sonar.field_of_view)
    assert heard == (angle - half <= math.degrees(EXACT.specular_angle))
    rough = Emulator(HALL, ROUGH, start=start)
    tell_sonar(rough, 15, (0,))
    rough.advance(0.1)
    assert readings(rough)[0] != NO_SENSOR


def test_an_oblique_wall_is_reported_by_the_nearest_ray_that_comes_back() -> None:
    robot = Emulator(HALL, EXACT, start=Pose2(8.5, 0.0, math.radians(30.0)))
    tell_sonar(robot, 15, (0,))
    robot.advance(0.1)
    nearest = math.radians(30.0) - 0.5 * SUPER_SCOUT.sonar.field_of_view
    away = 1.5 - RING * math.cos(math.radians(30.0))
    assert readings(robot)[0] == round(away / math.cos(nearest) / INCH)


@pytest.mark.parametrize(
    ('inches', 'reported'), [(1.0, 2), (2.0, 4), (2.9, 6), (3.1, 3), (5.0, 5)]
)
def test_what_is_very_near_is_reported_at_twice_its_distance(inches: float, reported: int) -> None:
    robot = Emulator(ROOM, EXACT, start=Pose2(2.0 - RING - inches * INCH, 0.0, 0.0))
    tell_sonar(robot, 15, (0,))
    robot.advance(0.1)
    assert readings(robot)[0] == reported


def test_noise_is_a_share_of_the_distance_and_follows_the_seed() -> None:
    def series(seed: int, noise: float, start: Pose2 = ORIGIN) -> np.ndarray:
        choice = EmulatorSettings(sonar_noise=noise, rough_probability=0.0)
        robot = Emulator(HALL, choice, seed=seed, start=start)
        tell_sonar(robot, 3, (0,))
        robot.advance(0.05)
        reported = []
        for _ in range(300):
            robot.advance(0.012)
            reported.append(readings(robot)[0])
        return np.array(reported)

    far, near = Pose2(5.0, 0.0, 0.0), Pose2(8.5, 0.0, 0.0)
    assert np.array_equal(series(1, 0.02, far), series(1, 0.02, far))
    assert not np.array_equal(series(1, 0.02, far), series(2, 0.02, far))
    assert np.std(series(1, 0.02, far)) == pytest.approx(0.02 * (5.0 - RING) / INCH, rel=0.2)
    assert np.std(series(1, 0.02, near)) == pytest.approx(0.02 * (1.5 - RING) / INCH, rel=0.2)
    assert np.std(series(1, 0.0, far)) == 0.0
