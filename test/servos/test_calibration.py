"""Calibration of joints, and the robot's file in which it is kept."""

import math

import pytest

from walking_robots.documents.shared import shared_path
from walking_robots.robots.hexapod_files import parse_hexapod
from walking_robots.servos.calibration import JointCalibration, calibrated, calibrated_text

INSECT = shared_path('config/robots/insect18.yaml').read_text()


@pytest.mark.parametrize('direction', [1, -1])
@pytest.mark.parametrize('angle', [0.0, -math.pi / 2.0])
def test_a_joint_is_found_as_it_is(direction: int, angle: float) -> None:
    def servo(joint: float) -> float:
        return direction * joint + 0.3

    found = calibrated(servo(angle), servo(0.9), servo(-2.0), angle)
    assert found == pytest.approx(JointCalibration(direction, 0.3, -2.0, 0.9))


@pytest.mark.parametrize(
    ('positions', 'why'), [((0.1, 0.12, -1.0), 'turned by 1.1'), ((0.0, 0.5, 0.4), 'same side')]
)
def test_what_makes_no_sense_is_asked_again(positions: tuple[float, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        calibrated(*positions)


def test_only_the_calibrated_fields_of_a_file_change() -> None:
    robot = parse_hexapod(INSECT)
    found = {
        'leg2_yaw': JointCalibration(-1, 0.1, -0.8, 0.7),
        'leg3_knee': JointCalibration(1, 1.5, -2.3, -0.1),
    }
    text = calibrated_text(INSECT, robot, found, 'robot')
    new = parse_hexapod(text)
    assert new.legs[1].directions[0] == -1.0
    assert new.legs[1].offsets[0] == pytest.approx(0.1, abs=1e-4)
    # The range of a right leg is mirrored, and all legs have what each of them has.
    assert new.legs[0].ranges[0].low == pytest.approx(-0.7, abs=1e-4)
    assert new.legs[0].ranges[0].high == pytest.approx(0.8, abs=1e-4)
    assert new.legs[1].ranges[0].high == pytest.approx(0.7, abs=1e-4)
    assert new.legs[5].ranges[2].low == pytest.approx(-2.3, abs=1e-4)
    assert new.legs[2].offsets[2] == pytest.approx(1.5, abs=1e-4)
    assert new.legs[3].offsets[2] == robot.legs[3].offsets[2]
    changed = [a for a, b in zip(INSECT.splitlines(), text.splitlines(), strict=True) if a != b]
    assert len(changed) == 3, changed


def test_a_field_that_was_left_out_is_added_in_either_form() -> None:
    text = INSECT.replace('    direction: [1, -1, 1, -1, 1, -1]\n', '')
    robot = parse_hexapod(text)
    found = {'leg3_knee': JointCalibration(-1, 0.2, -2.4, 0.0)}
    assert parse_hexapod(calibrated_text(text, robot, found, 'robot')).legs[2].directions[2] == -1


def test_a_file_that_would_be_no_robot_is_refused() -> None:
    found = {'leg1_knee': JointCalibration(1, 0.0, -0.5, 0.0)}
    with pytest.raises(ValueError, match=r'legs\.knee\.home'):
        calibrated_text(INSECT, parse_hexapod(INSECT), found, 'robot')
