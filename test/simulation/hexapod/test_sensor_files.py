"""Test files of depth sensors: what they say, and what is wrong with one."""

from pathlib import Path

import numpy as np
import pytest

from walking_robots.simulation.hexapod.sensor_files import (
    SensorFileError,
    find_sensor,
    parse_sensor,
)

SHIPPED = sorted((Path(__file__).parents[3] / 'config' / 'sensors').glob('*.yaml'))
CAMERA = (
    'mounts: [{position: [0.1m, 0, 50mm], pitch: 30deg}]\nrange: [10cm, 4m]\n'
    'camera: {columns: 4, rows: 3, width: 90deg, height: 60deg}\n'
)


@pytest.mark.parametrize('path', SHIPPED, ids=lambda path: path.stem)
def test_shipped_sensors_cast_3072_rays_ten_times_a_second(path: Path) -> None:
    pattern = find_sensor(path.stem)
    directions = pattern.rays.directions()
    assert directions.shape == (3072, 3) and pattern.rate == 10.0
    assert np.linalg.norm(directions, axis=1) == pytest.approx(1.0)


def test_a_camera_sees_within_its_fields_of_view() -> None:
    pattern = parse_sensor(CAMERA)
    x, y, z = pattern.rays.directions().T
    assert np.degrees(np.arctan2(y, x)[:4]) == pytest.approx(
        (45.0, 18.43, -18.43, -45.0), abs=0.01
    )
    assert np.degrees(np.arctan2(z, x)[[0, 4, 8]]) == pytest.approx((30.0, 0.0, -30.0))
    assert pattern.mounts[0].pose().apply((1.0, 0.0, 0.0)) == pytest.approx(
        (0.96603, 0.0, -0.45), abs=1e-5
    )
    moved = pattern.rays.directions(0.5, 0.5)
    y, z = moved[:, 1] / moved[:, 0], moved[:, 2] / moved[:, 0]
    assert y[:4] == pytest.approx((2 / 3, 0.0, -2 / 3, -4 / 3))
    assert np.degrees(np.arctan(z[[0, 4]])) == pytest.approx((16.1, -16.1), abs=0.01)


def test_lengths_in_body_heights_suit_robots_of_any_size() -> None:
    small = find_sensor('mast_lidar').scaled(0.1)
    assert small.mounts[0].position == pytest.approx((0.0, 0.0, 0.09))
    assert small.range == pytest.approx((0.02, 0.8))
    assert parse_sensor(CAMERA).scaled(0.1).range == (0.1, 4.0)


@pytest.mark.parametrize(
    ('old', 'new', 'message'),
    [
        ('range: [10cm, 4m]', 'range: [4m, 10cm]', "'range' must begin with the nearest"),
        ('camera: {', 'camera: {zoom: 2, ', "'camera.zoom' is not a field of a sensor file"),
        ('camera: {', 'scan: {', "'scan.azimuth' is missing; write two angles"),
        ('camera:', 'lidar:', "'lidar' is not a field of a sensor file; use one of scale, mounts"),
        ('columns: 4', 'columns: 0', "'camera.columns' must be greater"),
        ('columns: 4, rows: 3', 'columns: 4000, rows: 400', 'must have 100000 rays at most'),
        ('range: [10cm, 4m]\n', '', "'range' is missing; write the nearest"),
        ('width: 90deg', 'width: 200deg', 'must be from 0.6 to 170 degrees'),
        ('mounts: [{position: [0.1m, 0, 50mm], pitch: 30deg}]', 'mounts: []', "'mounts' "),
        ('range:', 'scale: inches\nrange:', "'scale' must be 'metres' or 'body_heights'"),
    ],
)
def test_what_is_wrong_is_one_sentence(old: str, new: str, message: str) -> None:
    with pytest.raises(SensorFileError) as caught:
        parse_sensor(CAMERA.replace(old, new), 'eye.yaml')
    text = str(caught.value)
    assert text.startswith('eye.yaml, line ') and message in text and '\n' not in text


def test_an_unknown_sensor_names_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no sensor 'owl'.*mast_lidar"):
        find_sensor('owl')
