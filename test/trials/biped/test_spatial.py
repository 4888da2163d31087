"""Walks in space: figures on seeds that were not trained on, 10000 and up, and determinism."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.robots.kwalk_spatial import KWALKB3D
from walking_robots.terrain.profile import slope
from walking_robots.trials.biped.pushes import PUSH_TIME, push_time
from walking_robots.trials.biped.spatial_figures import SlipMeter, run_in_space
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.spatial_trial import (
    SpatialLoop,
    SpatialPush,
    SpatialTrial,
    tumbled,
)
from walking_robots.trials.biped.trial import COMMON_NOISE, Noise

_, TUNED = shipped_sets().find('b3d', 'tuned', 'level')
assert isinstance(TUNED, SpatialParameters)
LEFT_PUSH, RIGHT_PUSH = -math.pi / 2.0, math.pi / 2.0
TEN = math.radians(10.0)


def trial(seed: int, **settings) -> SpatialTrial:
    return SpatialTrial(KWALKB3D, TUNED, seed=seed, **settings)


def pushed(seed: int, force: float) -> SpatialTrial:
    side = RIGHT_PUSH if seed % 2 else LEFT_PUSH
    push = SpatialPush(push_time(seed), PUSH_TIME, force, side)
    return trial(seed, time=12.0, pushes=(push,))


def sloped(seed: int) -> SpatialTrial:
    heading = np.random.default_rng(seed).uniform(0.0, math.tau)
    return trial(seed, ground=slope(TEN), heading=float(heading))


CASES = {
    'level': (lambda seed: trial(seed), 20),
    'push 20 N': (lambda seed: pushed(seed, 20.0), 19),
    'push 30 N': (lambda seed: pushed(seed, 30.0), 15),
    'slope': (sloped, 18),
    'cells': (lambda seed: trial(seed, ground=find_spatial_ground('cells:2cm', seed).ground), 18),
    'noise': (lambda seed: trial(seed, noise=Noise(*COMMON_NOISE)), 19),
    'stop': (lambda seed: trial(seed, stop=push_time(seed) + 2.0), 20),
}


@pytest.mark.slow
@pytest.mark.parametrize('name', CASES)
def test_so_many_of_twenty_walks_stand(name: str) -> None:
    make, least = CASES[name]
    assert sum(not run_in_space(make(seed)).fell for seed in range(201, 221)) >= least


@pytest.mark.slow
@pytest.mark.parametrize('side', [1.0, -1.0])
def test_turns_of_ten_degrees_a_second_keep_the_heading(side: float) -> None:
    found = [run_in_space(trial(seed, turn=side * TEN)) for seed in range(201, 221)]
    good = [one for one in found if not one.fell]
    assert len(good) >= 19
    assert max(abs(one.heading_error_rad) for one in good) < math.radians(2.0)


def test_a_walk_is_the_same_again_and_another_one_with_another_seed() -> None:
    one, again, other = (run_in_space(trial(seed, time=3.0)) for seed in (301, 301, 302))
    assert one == again
    assert one.trace_sha256 != other.trace_sha256
    assert not one.fell and one.steps > 10
    assert 0.5 < one.distance_m < 1.5
    assert one.max_slip_m < 0.02


def test_a_walk_turns_and_is_measured_along_its_heading() -> None:
    found = run_in_space(trial(303, time=12.0, turn=TEN))
    assert not found.fell
    assert abs(found.heading_error_rad) < math.radians(2.0)
    assert found.distance_m == pytest.approx(run_in_space(trial(303, time=12.0)).distance_m, 0.2)


def test_a_robot_that_is_to_stop_steps_on_the_spot() -> None:
    loop = SpatialLoop(trial(304, stop=4.0))
    places = [loop.tick() for _ in range(round(14.0 / 0.004))]
    assert not any(map(tumbled, places))
    x = [tick.state.place[0] for tick in places]
    assert x[round(4.0 / 0.004)] > 0.7
    assert abs(x[-1] - x[round(8.0 / 0.004)]) < 0.1
    assert len({tick.gait.memory.walk.state for tick in places[-200:]}) > 4


@pytest.mark.parametrize('speed', [0.1, 0.2])
def test_it_stops_where_its_spot_stops(speed: float) -> None:
    loop = SpatialLoop(trial(305))
    x = [loop.tick(speed if k < 2000 else 0.0).state.place[0] for k in range(3500)]
    assert x[2000] - x[1000] == pytest.approx(4.0 * speed, rel=0.2)
    assert abs(x[-1] - x[2000]) < 0.08


@pytest.mark.parametrize('speed', [-0.1, 0.05, 0.3])
def test_it_walks_backward_slowly_and_ahead(speed: float) -> None:
    found = run_in_space(trial(305, time=10.0, speed=speed))
    assert not found.fell
    # It walks ahead for its first second.
    assert found.distance_m * speed > 0.0


def test_pushes_and_slopes_turn_with_the_heading() -> None:
    """A push from the left moves the robot to its right, whatever its heading."""
    for heading in (0.0, 2.0):
        moved = []
        for force in (0.0, 15.0):
            push = SpatialPush(1.0, 0.1, force, -math.pi / 2.0)
            loop = SpatialLoop(trial(306, heading=heading, pushes=(push,)))
            for _ in range(round(1.2 / 0.004)):
                tick = loop.tick()
            x, y, _ = tick.state.moving
            moved.append(y * math.cos(heading) - x * math.sin(heading))
        assert moved[1] < moved[0] - 0.05


def test_a_slip_is_measured_from_where_a_foot_touched_down() -> None:
    meter = SlipMeter()
    meter.add((True, False), ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0)))
    meter.add((True, False), ((0.03, 0.04, 0.0), (5.0, 0.0, 0.0)))
    meter.add((False, True), ((1.0, 0.0, 0.0), (5.0, 0.0, 0.0)))
    meter.add((True, True), ((1.0, 0.0, 0.0), (5.01, 0.0, 0.0)))
    assert meter.most == pytest.approx(0.05)


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [('cells:1m', 'at most 0.5 m'), ('cells:-1cm', 'at least 0 m'), ('swamp', 'no ground')],
)
def test_wrong_ground_is_one_sentence(words: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        find_spatial_ground(words)


def test_ground_of_cells_follows_from_the_seed() -> None:
    one, same, other = (find_spatial_ground('cells:2cm', seed).ground for seed in (1, 1, 2))
    assert one == same != other


def test_noise_changes_a_walk() -> None:
    quiet = trial(307, time=2.0)
    noisy = replace(quiet, noise=Noise(*COMMON_NOISE))
    assert run_in_space(noisy).trace_sha256 != run_in_space(quiet).trace_sha256
