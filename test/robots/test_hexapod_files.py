"""Files of hexapods: the shipped ones, the short forms, and what is refused."""

import math
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.articulated import Battery, Servo
from walking_robots.robots.hexapod_files import HexapodFileError, load_hexapod, parse_hexapod

ROBOTS = Path(__file__).resolve().parents[2] / 'config/robots'
TEXT = (ROBOTS / 'insect18.yaml').read_text()


def flat(value):
    """Return all plain values of nested data, in order."""
    if is_dataclass(value):
        return [entry for part in fields(value) for entry in flat(getattr(value, part.name))]
    if isinstance(value, tuple):
        return [entry for part in value for entry in flat(part)]
    return [value]


def test_the_file_of_aquarobot_is_the_robot_of_the_thesis():
    robot = load_hexapod(ROBOTS / 'aquarobot.yaml')
    corners = {(round(x, 9), round(y, 9)) for x, y in AQUAROBOT.outline}
    assert {(round(x, 9), round(y, 9)) for x, y in robot.outline} == corners
    ours, theirs = (
        [entry for entry in flat(item) if not isinstance(entry, str)]
        for item in ((robot.legs, *flat(robot)[-1:]), (AQUAROBOT.legs, *flat(AQUAROBOT)[-1:]))
    )
    assert ours == pytest.approx(theirs, abs=1e-12)
    for name in ('name', 'masses', 'foot_radius', 'joint_speed', 'cell'):
        assert getattr(robot, name) == getattr(AQUAROBOT, name)
    assert flat(robot.neutral_feet) == pytest.approx(flat(AQUAROBOT.neutral_feet), abs=1e-12)


def test_pairs_are_mirrored_to_the_right():
    robot = parse_hexapod(TEXT.replace('range: [-50deg, 50deg]', 'range: [-20deg, 60deg]'))
    left, right = robot.legs[4:]
    assert left.mount == (-0.12, 0.06, 0.0) and right.mount == (-0.12, -0.06, 0.0)
    assert right.heading == -left.heading == pytest.approx(math.radians(-135.0))
    assert right.ranges[0].low == -left.ranges[0].high == pytest.approx(math.radians(-60.0))
    assert right.ranges[1:] == left.ranges[1:]
    assert (left.directions, right.directions) == ((1, 1, 1), (1, -1, -1))
    assert right.offsets == pytest.approx((0.0, 0.0, -math.pi / 2))
    x, y, z = robot.neutral_feet[4]
    assert robot.neutral_feet[5] == pytest.approx((x, -y, z))


def test_every_leg_and_foot_may_have_its_own_place():
    robot = load_hexapod(ROBOTS / 'rectangular.yaml')
    assert robot.legs[1].mount == (0.2, -0.09, 0.01)
    assert robot.neutral_feet[4] == pytest.approx((-0.215, 0.235, -0.1))


@pytest.mark.parametrize(
    ('right', 'wrong', 'sentence'),
    [
        (
            'coxa: 52mm',
            'coxa: 52',
            "line 24: field 'legs.coxa' must be from 0 to 10 m; write a length such as 66mm",
        ),
        ('tibia: 130mm', 'tibia: long', "field 'legs.tibia' is wrong: 'long' is not a length"),
        (
            'femur: 66mm',
            'femur: 66mm\n  thigh: 66mm',
            "field 'legs.thigh' is not a field of a robot file; use",
        ),
        (
            'hexapod_schema: 1',
            'hexapod_schema: 2',
            "line 9: .* must be 1; begin the file with 'hexapod_schema: 1'",
        ),
        ('name: insect18', 'name: My Robot', "field 'name' .* small letters"),
        ('home: 30deg', 'home: 90deg', "field 'legs.lift.home' must lie within the range"),
        ('[-140deg, 0deg]', '[0deg, -140deg]', "'legs.knee.range' must begin with the lower end"),
        ('[1, -1, 1, -1, 1, -1]', '[1, -1]', 'direction.*write 1 or -1, or six of them'),
        ('home: -120deg', 'home: -120grad', 'home.*unknown unit'),
        ('reach: 145mm', 'reach: 145mm, feet: []', 'stance'),
        (', reach: 145mm', '', "field 'stance' must hold either reach or feet"),
        (
            '    pairs:',
            '    ring: {radius: 1cm}\n    pairs:',
            "'legs.mounts' must hold one of ring",
        ),
        ('at: [0mm, 100mm]', 'at: [0mm]', 'pairs.*at.*; write .x, y. or .x, y, z.'),
        ('body: 1.1', 'body: 0.0', "field 'masses.body'.*; write kg such as 1.2"),
        (
            'cell: 20mm',
            'cell: 0mm',
            "field 'cell' must be from 0.1 mm",
        ),
        (
            'cell: 20mm',
            'cell: 20mm\nservo: {no_load_speed: 100deg/s}',
            "'servo.no_load_speed' must be above joint_speed; write an angular speed above",
        ),
        (
            'cell: 20mm',
            'cell: 20mm\nservo: {delay: 3s}',
            "field 'servo.delay' must be from 0 to 0.2 s; write a time such as 20ms",
        ),
        (
            'cell: 20mm',
            'cell: 20mm\nservo: {inertia: -0.1}',
            "field 'servo.inertia' .*; write kg m.2 such as 0.005",
        ),
        (
            'capacity: 5000mAh',
            'capacity: 5000',
            "field 'battery.capacity' must be from 1 mAh to 1000 Ah; write a charge such as",
        ),
        ('voltage: 7.4, ', '', "field 'battery.voltage' is missing.*; write V such as 7.4"),
    ],
)
def test_a_wrong_file_is_refused_with_line_field_and_remedy(right, wrong, sentence):
    assert right in TEXT
    with pytest.raises(HexapodFileError, match=sentence) as caught:
        parse_hexapod(TEXT.replace(right, wrong, 1), 'my_robot.yaml')
    assert str(caught.value).startswith('my_robot.yaml, line ')
    assert '\n' not in str(caught.value)


def test_a_servo_is_ideal_in_what_its_file_does_not_say():
    assert parse_hexapod(TEXT).servo == Servo()
    servo = '\nservo: {torque: 1.5, no_load_speed: 400deg/s, delay: 20ms, backlash: 0.5deg}'
    found = parse_hexapod(TEXT + servo).servo
    assert parse_hexapod(TEXT + '\nservo: {inertia: 0.005}').servo == Servo(inertia=0.005)
    assert found == Servo(1.5, math.radians(400.0), 0.02, math.radians(0.5))
    assert found.compliance == Servo.compliance


def test_a_battery_is_what_its_label_says():
    battery = parse_hexapod(TEXT).battery
    assert battery == Battery(7.4, 5.0, 5.0)
    assert battery.energy == pytest.approx(37.0 * 3600.0)
    assert load_hexapod(ROBOTS / 'rectangular.yaml').battery is None


def test_a_file_that_is_not_there_is_one_sentence():
    with pytest.raises(HexapodFileError, match='cannot be read'):
        load_hexapod('nowhere.yaml')
