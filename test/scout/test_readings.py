"""What the robot says, in SI: AC-07 of mdle.md §8, REP-117, masks, levels and voltages."""

import math

import pytest

from walking_robots.scout.protocol import State
from walking_robots.scout.readings import BatteryLevel, read, voltage
from walking_robots.scout.settings import DriverSettings

SETTINGS = DriverSettings()


def test_ac_07_state_vector() -> None:
    state = State(x=1000, y=-500, heading=900, sonar=(255, *range(1, 16)), bumper=4)
    found = read(state, SETTINGS)
    assert found.pose == pytest.approx((2.54, -1.27, math.pi / 2))
    assert SETTINGS.sonar_far == pytest.approx(6.477)
    assert found.ranges[0] == math.inf
    assert found.bumper.pressed and found.bumper.switches == (0, 0, 1, 0, 0, 0)
    masked = read(state._replace(bumper=0xC0), SETTINGS).bumper
    assert not masked.pressed and masked.raw == 0xC0


def test_sonars_follow_rep_117() -> None:
    settings = DriverSettings(sonar_order=(0, 1, 2, 3))
    found = read(State(sonar=(255, 5, 6, 254, *[255] * 12)), settings).ranges
    assert found[:4] == (math.inf, -math.inf, pytest.approx(0.1524), pytest.approx(6.4516))
    assert all(math.isnan(distance) for distance in found[4:])


def test_wheels_come_right_first_and_turn_the_body_to_the_left() -> None:
    found = read(State(right=34, left=-34), SETTINGS)
    assert found.wheels.right == pytest.approx(0.08636)
    assert found.twist == pytest.approx((0.0, 0.5003), abs=1e-3)
    swapped = read(State(right=34, left=-34), DriverSettings(swap_wheels=True))
    assert swapped.twist.w == pytest.approx(-found.twist.w)
    mirrored = read(State(x=10, y=20, heading=3500), DriverSettings(mirror_odometry=True)).pose
    assert (mirrored.y, mirrored.heading) == pytest.approx((-0.0508, -math.radians(350.0)))
    longer = read(State(right=100, left=100), DriverSettings(odometry_scale=1.1))
    assert longer.twist.v == pytest.approx(0.2794)


def test_bumpers_of_the_other_polarity() -> None:
    settings = DriverSettings(bumper_invert=True)
    assert not read(State(bumper=0xFF), settings).bumper.pressed
    assert read(State(bumper=0xFE), settings).bumper.switches[0]


@pytest.mark.parametrize('level', BatteryLevel)
def test_status_byte(level: BatteryLevel) -> None:
    found = read(State(status=level.value << 2 | 0b1110010), SETTINGS)
    assert (found.level, found.plugged, found.charging, found.emergency_stop) == (
        level, True, True, True,
    )  # fmt: skip
    assert found.moving
    unread = read(State(status=0xFF), DriverSettings(status_bits='none'))
    assert unread.level is BatteryLevel.UNKNOWN
    assert not (unread.plugged or unread.emergency_stop or unread.moving)
    assert unread.status == 0xFF


def test_voltages() -> None:
    assert math.isnan(voltage(0, 12.0)) and math.isnan(voltage(255, 12.0))
    assert voltage(128, 12.85) == pytest.approx(9.01, abs=0.01)


@pytest.mark.parametrize(
    ('wrong', 'word'),
    [
        ({'rate': 0.0}, 'rate'),
        ({'command_timeout': math.nan}, 'command_timeout'),
        ({'max_linear_speed': 2.0}, 'max_linear_speed'),
        ({'sonar_order': (0, 0)}, 'sonar_order'),
        ({'sonar_order': (16,)}, 'sonar_order'),
        ({'sonar_near': 7.0, 'sonar_far': 6.0}, 'sonar_near'),
        ({'bumper_bearings': (math.inf,)}, 'bumper_bearings'),
        ({'bumper_mask': 1 << 24}, 'bumper_mask'),
        ({'watchdog': 256}, 'watchdog'),
        ({'reply_timeout': 0.6}, 'reply_timeout'),
    ],
)
def test_settings_that_make_no_sense_are_one_sentence(wrong: dict, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        DriverSettings(**wrong)
