"""Figures of noise and of single rules, each by itself (ars_magna.md §2.7, §3, §7)."""

import math
import statistics

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.simulation.acquiring import acquire_objects, perceive
from walking_robots.ars_magna.simulation.cameras import camera_align_place
from walking_robots.ars_magna.simulation.seeing import view

LAMP = '  objects:\n    - {name: lamp, at: [30, 20], attrs: {size: 2}}\n'
CUP = '  objects:\n    - {name: cup, at: [20, 20], attrs: {size: 1, weight: 9}}\n'


def test_a_distance_is_perceived_with_a_tenth_of_error():
    stage = Stage(LAMP, clean=False, miss_thing_prob=0, false_object_prob=0)
    found = stage.designate(0, 'non-local')
    truth, camera = stage.truth.designations[found.number], stage.truth.cameras[0]
    reported = []
    for _ in range(2000):
        perceive(stage.world, camera, truth)
        reported.append(truth.distance)
    assert 9.0 <= min(reported) < 9.05 and 10.95 < max(reported) <= 11.0
    assert statistics.mean(reported) == pytest.approx(10, abs=0.06)


def test_of_things_to_see_through_the_nearest_disturbs_last():
    stage = Stage(
        '  walls:\n    - wall: {from: [30, 0], to: [30, 40], type: p, params: [100]}\n'
        '  objects:\n    - {name: near, at: [22, 20], attrs: {substance: 20}}\n'
        '    - {name: far, at: [26, 20], attrs: {substance: 60}}\n'
    )
    middle = view(stage.world, stage.truth.cameras[0])[1]
    assert middle == pytest.approx(0.75 * (0.75 * 100 + 0.25 * 60) + 0.25 * 20)


@pytest.mark.parametrize(('weight', 'code'), [(9, 'NIL'), (11, 'INSUFFICIENT-STRENGTH')])
def test_a_grasp_loses_designators_whether_it_succeeds_or_not(weight, code):
    stage = Stage(CUP.replace('9', str(weight)), prob_grasp_lose_desig=1.0)
    found, track = stage.find_and_follow()
    assert stage.code(stage.hand.grasp(stage.eye, found)) == code
    assert not found.valid
    assert track.result().code == 'LOST-TRACK'


@pytest.mark.parametrize('most', [0, 1, 3])
def test_a_search_for_all_yields_no_more_false_ones_than_it_may(most):
    stage = Stage(clean=False, false_object_prob=1, max_false_per_scan=most)
    camera = stage.truth.cameras[0]
    assert len(acquire_objects(stage.world, camera, 'local', (), every=True)) == most
    assert len(acquire_objects(stage.world, camera, 'local', (), every=False)) == 1


def test_a_camera_that_misreads_a_place_points_anywhere():
    stage = Stage(clean=False, type_false_pos=1.0)
    camera, angles = stage.truth.cameras[0], []
    for _ in range(500):
        camera.angle = 0.0
        camera_align_place(stage.world, camera).then(stage.world, camera)
        angles.append(camera.angle)
    assert min(angles) < -3 and max(angles) > 3
    assert abs(statistics.mean(angles)) < 4 * math.pi / math.sqrt(3 * 500)


def test_the_reading_of_a_turned_camera_errs():
    stage = Stage(clean=False, camera_align_delay=0)
    errors = []
    for _ in range(300):
        before = stage.truth.cameras[0].angle
        reported = stage.wait(stage.eye.turn(0.5)).value
        assert stage.truth.cameras[0].angle - before == pytest.approx(0.5)
        errors.append(reported - 0.5)
    assert -0.02 <= min(errors) < -0.018 and 0.018 < max(errors) <= 0.02


def test_gaussian_pixels_spread_by_half_of_their_range():
    stage = Stage(
        '  walls:\n    - wall: {from: [25, 0], to: [25, 40], type: p, params: [60]}\n',
        clean=False,
        pixel_noise_form='gaussian',
        pixel_outlier_prob=0.0,
    )
    pixels = []
    for _ in range(700):
        pixels += stage.wait(stage.eye.view()).value
    assert statistics.mean(pixels) == pytest.approx(60, abs=0.1)
    assert statistics.pstdev(pixels) == pytest.approx(1.0, abs=0.07)


def test_the_last_step_to_a_thing_is_as_long_as_the_way_seems():
    stage = Stage(LAMP.replace('30', '22.5'))
    stage.find_and_follow(type='non-local')
    assert stage.code(stage.robot.goto_designator(stage.eye)) == 'NIL'
    assert stage.truth.x == pytest.approx(22.5)


def test_an_approach_first_turns_to_what_it_goes_to():
    stage = Stage(LAMP)
    stage.place(20, 20, -0.6)
    stage.find_and_follow(1, 'non-local')
    stage.robot.goto_designator(stage.robot.cameras[1])
    stage.tick(6)
    assert (stage.truth.x, stage.truth.y) == (20, 20)
    assert stage.truth.heading == pytest.approx(-0.6 + math.pi / 8)
    stage.tick()
    assert stage.truth.x > 20.9
