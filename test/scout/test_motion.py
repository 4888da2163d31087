"""From velocities to wheels: AC-08 of mdle.md §8, limits that keep curvature, and endings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.se2 import Twist2
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet
from walking_robots.scout.motion import Motion, motion_request
from walking_robots.scout.protocol import Op, State, plain
from walking_robots.scout.readings import read
from walking_robots.scout.settings import DriverSettings

SETTINGS = DriverSettings()
FREE = DriverSettings(max_linear_speed=1.0, max_angular_speed=10.0)


@pytest.mark.parametrize(
    ('twist', 'right', 'left'),
    [
        (Twist2(0.2, 0.0), 79, 79),
        (Twist2(0.0, 0.5), 34, -34),
        (Twist2(0.2, 0.5), 113, 45),
        (Twist2(0.0, -1.0), -68, 68),
    ],
)
def test_ac_08_commands(twist: Twist2, right: int, left: int) -> None:
    assert motion_request(twist, SETTINGS) == protocol.velocities(right, left)


def test_wheels_that_go_farther_than_commanded_are_commanded_less() -> None:
    scaled = DriverSettings(odometry_scale=1.1)
    assert motion_request(Twist2(0.2, 0.0), scaled) == protocol.velocities(72, 72)


def speeds(packet: Packet) -> tuple[int, int]:
    from walking_robots.scout.framing import from_sign_magnitude

    words = [int.from_bytes(packet.payload[at : at + 2], 'little') for at in (0, 2)]
    return from_sign_magnitude(words[0]), from_sign_magnitude(words[1])


@given(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0))
def test_limits_keep_the_curvature(v: float, w: float) -> None:
    right, left = speeds(motion_request(Twist2(v, w), FREE))
    assert max(abs(right), abs(left)) <= 394
    if max(abs(v), 0.173 * abs(w)) > 0.01:
        wheels = v + w * 0.1725957, v - w * 0.1725957
        assert right * wheels[1] == pytest.approx(
            left * wheels[0], abs=0.75 * (abs(wheels[0]) + abs(wheels[1]))
        )


def test_limits_of_the_body_come_before_those_of_the_wheels() -> None:
    right, left = speeds(motion_request(Twist2(2.0, 0.0), SETTINGS))
    assert right == left == 197
    assert speeds(motion_request(Twist2(0.0, 9.0), SETTINGS))[0] == 136
    swapped = DriverSettings(swap_wheels=True)
    assert speeds(motion_request(Twist2(0.2, 0.5), swapped)) == (45, 113)


def test_a_motion_ends_by_slowing_down_and_holding() -> None:
    motion = Motion(SETTINGS)
    motion.ask(Twist2(0.2, 0.0), now=0.0)
    assert motion.request(0.4, None) == protocol.velocities(79, 79)
    assert motion.request(0.5, None) == protocol.velocities(0, 0)
    assert motion.request(0.6, None) == plain(Op.STOP)
    assert motion.request(0.7, None) is None


def test_stop_is_said_even_to_a_robot_that_seems_to_rest() -> None:
    motion = Motion(SETTINGS)
    motion.stop()
    assert motion.request(0.0, None) == plain(Op.STOP)


@pytest.mark.parametrize('number', [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_never_reach_a_motor(number: float) -> None:
    motion = Motion(SETTINGS)
    for twist in (Twist2(number, 0.0), Twist2(0.0, number)):
        with pytest.raises(ValueError, match='finite'):
            motion.ask(twist, 0.0)
    assert motion.command is None


def test_a_front_bumper_blocks_ahead_alone() -> None:
    settings = DriverSettings(stop_on_bumper=True)
    front, rear = (read(State(bumper=bits), settings) for bits in (1, 8))
    motion = Motion(settings)
    for state, v, expected in (
        (front, 0.2, (34, -34)),
        (front, -0.2, (-45, -113)),
        (rear, 0.2, (113, 45)),
    ):
        motion.ask(Twist2(v, 0.5), 0.0)
        assert speeds(motion.request(0.0, state)) == expected
