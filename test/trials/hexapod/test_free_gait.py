"""Walks of all hexapods by the free gait over forbidden cells."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.files import load_terrain
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.free import FreeGaitResult, FreeGaitTrial, run
from walking_robots.trials.hexapod.invariants import InvariantMonitor

TERRAIN = Path(__file__).resolve().parents[3] / 'config' / 'terrain'
ROBOTS = ('aquarobot', 'insect18', 'rectangular', 'asv')
MODELS = {name: find_free_gait_model(name) for name in ROBOTS}
each = pytest.mark.parametrize('name', ROBOTS)


def steady(name: str, **settings) -> FreeGaitTrial:
    """Describe a walk at the fastest speed at which margins are always positive."""
    model = MODELS[name]
    return FreeGaitTrial(model, min(model.command.forward, model.stability.push_speed), **settings)


def walk(trial: FreeGaitTrial) -> FreeGaitResult:
    """Walk, and require what holds in every step of every walk on level ground."""
    monitors = []

    def watched(model, terrain):
        monitors.append(InvariantMonitor(model, terrain, abs(trial.speed)))
        return monitors[0]

    result = run(trial, monitor=watched)
    assert monitors[0].violations == []
    assert result.min_stability_margin_m > 0.0
    if result.min_limit_room_rad is not None:
        assert result.min_limit_room_rad >= 0.0
        assert result.max_joint_effort is not None and result.max_joint_effort <= 1.0
        assert result.min_static_margin_m is not None
    return result


@each
@pytest.mark.parametrize('share', [0.0, 0.3])
def test_forty_cells_of_ternary_terrain(name, share):
    result = walk(steady(name, forbidden=share, seed=77))
    assert result.completed and result.max_drift_m < 1e-6
    assert result.mean_speed_m_s > 0.7 * result.speed_m_s


@pytest.mark.slow
@pytest.mark.parametrize('name', ['aquarobot'])
def test_any_seed_is_crossed(name, acceptance):
    for k in range(24 if acceptance else 3):
        assert walk(steady(name, forbidden=0.2, seed=123 + k)).reason == 'reached'


def test_a_body_rests_on_the_feet_below_it_and_tips_on_none_that_is_lifted():
    # In this walk a foot that lifts and one nearly on a line with two others once bore the body.
    result = walk(FreeGaitTrial(MODELS['rectangular'], 1.0, forbidden=0.2, seed=139))
    assert result.completed and result.max_drift_m < 1e-6


@pytest.mark.slow
@each
def test_ten_minutes_of_every_robot(name, acceptance):
    time = 600.0 if acceptance else 200.0
    trial = steady(name, time=time, forbidden=0.2)
    result = walk(replace(trial, distance=1.1 * time * trial.speed))
    assert (result.reason, result.steps) == ('timeout', 10 * time)
    assert result.max_drift_m < 1e-6
    assert result.distance_m > 0.7 * time * trial.speed


@pytest.mark.slow
@each
def test_aside_and_round_about(name):
    most = MODELS[name].command
    for settings in ({'lateral': 0.5 * most.lateral}, {'turn': 0.5 * most.turn}):
        result = walk(FreeGaitTrial(MODELS[name], 0.0, **settings, time=60.0))
        assert result.reason == 'timeout'


def test_backwards_over_forbidden_cells():
    result = walk(FreeGaitTrial(MODELS['aquarobot'], -0.03, forbidden=0.2, time=60.0))
    assert result.distance_m > 1.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ('name', 'cells'), [('aquarobot', 4), ('insect18', 1), ('rectangular', 2)]
)
def test_narrow_ditches_are_stepped_over(name, cells):
    result = walk(steady(name, ditch=cells * MODELS[name].cell))
    assert result.completed


@pytest.mark.slow
def test_before_a_ditch_wider_than_legs_span_it_stays():
    result = walk(steady('aquarobot', ditch=1.5, time=120.0))
    assert not result.completed and result.distance_m < 2.0


def test_the_speed_is_lowered_to_what_legs_allow():
    result = run(FreeGaitTrial(MODELS['insect18'], 1.0, time=1.0))
    assert result.speed_m_s == result.limit_m_s == MODELS['insect18'].command.forward


def test_the_same_walk_leaves_the_same_trace():
    traces = [run(steady('rectangular', forbidden=0.2, time=10.0)).trace_sha256 for _ in '12']
    assert traces[0] == traces[1]


def test_a_file_of_terrain_in_larger_cells_with_slopes():
    terrain = load_terrain(TERRAIN / 'default_profile.yaml')
    trial = steady('aquarobot', terrain=terrain, start=4.0, distance=3.0)
    result = run(trial)
    assert result.completed and result.max_drift_m < 1e-5
    assert result.min_limit_room_rad is not None and result.min_limit_room_rad >= 0.0
    assert result.min_static_margin_m is not None


@pytest.mark.parametrize('physics', [None, PhysicsSettings()])
@pytest.mark.parametrize('name', MODELS)
def test_first_feet_stand_on_permitted_cells_of_a_terrain_that_is_made(name, physics):
    terrain, model = FreeGaitTrial(MODELS[name], forbidden=0.9, physics=physics).ground()
    x, y, _ = model.start_position
    for leg in model.legs:
        if leg.starts_supporting:
            assert terrain.permitted(x + leg.start_foot[0], y + leg.start_foot[1])
    assert 0.85 < np.mean(terrain.cells) < 0.91


@pytest.mark.parametrize(
    ('settings', 'words'),
    [
        ({'terrain': build(cell=0.05)}, 'cells of that size or larger'),
        ({'terrain': build(30, 30, 0.1), 'start': 0.2}, 'larger terrain or another start'),
        ({'distance': 1000.0}, 'is too far for cells of 0.1 m'),
    ],
)
def test_a_terrain_that_does_not_suit_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        run(FreeGaitTrial(MODELS['aquarobot'], **settings))


def test_a_walk_backwards_is_complete_behind_its_start():
    model = find_free_gait_model('rectangular')
    result = run(FreeGaitTrial(model, speed=-0.02, distance=0.2))
    assert result.reason == 'reached'
    assert result.distance_m == pytest.approx(0.2, abs=0.005)
