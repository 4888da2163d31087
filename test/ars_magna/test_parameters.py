"""Parameters of ars_magna.md §3: T98 of §11.6, ranges, names and the effect of cleaning."""

import math
from dataclasses import fields
from typing import Any

import pytest

from walking_robots.ars_magna.parameters import PARAMETERS, Parameters

DEFAULTS = Parameters()
ZERO_WHEN_CLEAN = {
    *('motion_noise', 'robot_turn_max_error', 'robot_align_error_prob', 'camera_angle_max_error'),
    *('prob_lose_track', 'false_desig_drift_dist', 'false_desig_drift_ang'),
    *('camera_insert_miss_prob', 'camera_insert_lose_desig_prob'),
    *('type_false_pos', 'type_false_neg', 'miss_thing_prob', 'miss_place_prob'),
    *('pixel_error_range', 'pixel_outlier_prob', 'prob_miss_grasp', 'prob_grasp_lose_desig'),
    *('hand_insert_miss_prob', 'hand_insert_lose_desig_prob', 'bin_close_jam_prob'),
    *('camera_distance_rel_error', 'false_object_prob'),
}


def test_every_parameter_has_its_row_and_a_default_in_range() -> None:
    assert [*PARAMETERS, 'clean'] == [field.name for field in fields(Parameters)]
    ids = [info.id for info in PARAMETERS.values() if info.id]
    assert ids == [f'P{number:02}' for number in range(1, 43)]
    assert math.isclose(DEFAULTS.max_turn_angle, 0.392699, abs_tol=1e-6)


def test_t98_clean_then_dirty() -> None:
    before = DEFAULTS.with_values(motion_noise=0.3, scan_density=7)
    clean = before.cleaned()
    assert clean.clean and clean.no_sensor_error and clean.senses_exactly
    changed = {name for name in PARAMETERS if getattr(clean, name) != getattr(before, name)}
    assert changed == ZERO_WHEN_CLEAN | {'no_sensor_error'}
    assert all(getattr(clean, name) == 0.0 for name in ZERO_WHEN_CLEAN)
    assert clean.cleaned() == clean
    assert before == DEFAULTS.with_values(motion_noise=0.3, scan_density=7)


def test_a_clean_simulation_senses_exactly_whatever_is_set_in_it() -> None:
    assert DEFAULTS.cleaned().with_values(no_sensor_error=False).senses_exactly
    assert not DEFAULTS.senses_exactly
    assert DEFAULTS.with_values(no_sensor_error=True).senses_exactly


def test_noise_is_scaled_within_its_range() -> None:
    noisy = DEFAULTS.with_noise(30.0)
    assert noisy.motion_noise == 1.0
    assert noisy.robot_turn_max_error == pytest.approx(0.3)
    assert noisy.prob_stop == DEFAULTS.prob_stop
    assert DEFAULTS.with_noise(1.0) == DEFAULTS
    assert {name for name, info in PARAMETERS.items() if info.is_noise} == ZERO_WHEN_CLEAN
    quiet = DEFAULTS.with_noise(0.0)
    assert all(getattr(quiet, name) == 0.0 for name in ZERO_WHEN_CLEAN)
    assert not quiet.senses_exactly
    for factor in (-0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match='factor of noise must be 0 or more'):
            DEFAULTS.with_noise(factor)


@pytest.mark.parametrize(
    ('name', 'value', 'held'),
    [
        ('Max-Speed*', 2, 2.0),
        (':scan-density', 3.0, 3),
        ('graphics-scale*', 12, 12),
        ('PICK', 'Nearest', 'nearest'),
        ('pixel_range', [0, 200], (0.0, 200.0)),
        ('pixel_range', None, None),
        ('initial_speed', 0, 0.0),
        ('no_sensor_error', True, True),
    ],
)
def test_values_are_set_by_either_name(name: str, value: object, held: object) -> None:
    found = getattr(
        DEFAULTS.with_values(**{name: value}),
        name.strip(':*').lower().replace('-', '_'),
    )
    assert found == held and type(found) is type(held)


@pytest.mark.parametrize(
    ('values', 'sentence'),
    [
        ({'max_speed': 0}, r'max_speed must be a number above 0 and at most 1000 \(cells/tick\)'),
        ({'max_speed': '1'}, r"max_speed must be .*, not '1' \(default 1\.0\)"),
        ({'max_speed': True}, 'max_speed must be a number'),
        ({'max_speed': math.nan}, 'max_speed must be a number'),
        ({'max_speed': 10**400}, 'max_speed must be a number'),
        ({'max_speed': None}, 'max_speed must be a number'),
        ({'max_turn_angle': 4.0}, r'from 0 to 3\.14159 \(rad/tick\)'),
        ({'min_turn_angle': 0.5}, 'must not be above max_turn_angle'),
        ({'motion_noise': -0.1}, r'from 0 to 1 \(fraction\)'),
        ({'braking': 1.5}, 'braking must be a whole number from 0'),
        ({'scan_density': 0}, 'a whole number from 1 to 10000'),
        ({'no_sensor_error': 1}, r'true or false, not .* \(default false\)'),
        ({'collision': 'swept_'}, r'one of swept, endpoint, not .* \(default swept\)'),
        ({'collision': []}, 'one of swept, endpoint'),
        ({'pixel_range': [3, 2]}, 'two numbers .*, the lower one first, or nothing'),
        ({'pixel_range': 'wide'}, 'two numbers'),
        ({'max_sped': 1}, "no parameter 'max_sped'; did you mean 'max_speed'"),
        ({'clean': True}, "no parameter 'clean'"),
        ({'rng_seed': 5}, "'rng_seed' is no parameter here; give the seed to Simulator, or by"),
    ],
)
def test_wrong_values_get_one_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        DEFAULTS.with_values(**values)
    assert '\n' not in str(caught.value) and len(str(caught.value)) < 300


def test_limits_that_depend_on_each_other_change_together() -> None:
    changed = DEFAULTS.with_values(min_turn_angle=0.5, max_turn_angle=0.6)
    assert (changed.min_turn_angle, changed.max_turn_angle) == (0.5, 0.6)


def test_a_robot_starts_at_its_limits_by_default() -> None:
    assert (DEFAULTS.starting_speed, DEFAULTS.starting_turn_angle) == (1.0, math.pi / 8.0)
    slow = DEFAULTS.with_values(initial_speed=0.0, initial_turn_angle=0.01)
    assert (slow.starting_speed, slow.starting_turn_angle) == (0.0, 0.05)
    fast = DEFAULTS.with_values(initial_speed=8, initial_turn_angle=3)
    assert (fast.starting_speed, fast.starting_turn_angle) == (1.0, math.pi / 8.0)
