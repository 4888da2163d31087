"""What the tuned parameters promise, blind, at 250 Hz and on MuJoCo's contacts."""

from dataclasses import replace

import pytest

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.robots.kwalk import KWALKS
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import bump
from walking_robots.trials.biped.figures import figures
from walking_robots.trials.biped.ground import find_ground, ground_class
from walking_robots.trials.biped.trial import COMMON_NOISE, BipedTrial, Push, lies, walk

PATCH = 5.2
"""Length of the rough ground, m."""


def trial(robot, words, seed=0, **settings):
    """Return a trial of a robot with the parameters tuned for a ground."""
    ground = find_ground(words, seed)
    _, parameters = shipped_sets().find(robot, 'tuned', ground.kind)
    return BipedTrial(KWALKS[robot], parameters, ground.profile, **settings)


@pytest.mark.slow
@pytest.mark.parametrize('seed', range(11))
@pytest.mark.parametrize('words', ['rough', 'very-rough'])
@pytest.mark.parametrize('robot', ['a', 'b'])
def test_rough_ground_of_every_seed_is_passed(robot, words, seed):
    for tick in walk(trial(robot, words, seed, time=25.0)):
        if tick.state.x > PATCH:
            return
    pytest.fail(f'came to {tick.state.x:.2f} m in {tick.state.time:.1f} s')


@pytest.mark.slow
@pytest.mark.parametrize(
    ('robot', 'words', 'speed'),
    [
        ('a', 'slope:35deg', 0.33),
        ('a', 'slope:-35deg', 0.33),
        ('b', 'slope:34deg', 0.22),
        ('b', 'slope:-34deg', 0.33),
    ],
)
def test_steep_slopes_are_walked(robot, words, speed):
    ticks = list(walk(trial(robot, words, time=15.0)))
    assert not lies(ticks[-1])
    assert ticks[-1].state.x > 3.0
    there = figures([tick for tick in ticks if tick.state.x > 1.3])
    assert there.friction_at(99.0) < 1.0
    assert there.mean_speed == pytest.approx(speed, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize('robot', ['a', 'b'])
def test_noise_of_common_sensors_does_no_harm(robot):
    for seed in range(3):
        for words in ('level', 'rough'):
            *_, last = walk(trial(robot, words, seed, noise=COMMON_NOISE, time=10.0))
            assert not lies(last)
            assert last.state.x > 2.2


def crosses(robot, profile, distance, **settings):
    """Return whether a robot with the set for very rough ground covers a distance, m."""
    _, parameters = shipped_sets().find(robot, 'tuned', 'very_rough')
    for tick in walk(BipedTrial(KWALKS[robot], parameters, profile, time=30.0, **settings)):
        if tick.state.x > distance:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(('robot', 'least'), [('a', 9), ('b', 8)])
def test_bumps_of_12_cm_are_stumbled_over(robot, least):
    places = [1.0 + 0.02 * place for place in range(10)]
    assert sum(crosses(robot, bump(0.12, apex=apex), 2.0) for apex in places) >= least


@pytest.mark.slow
@pytest.mark.parametrize('robot', ['a', 'b'])
def test_38_of_40_walks_cross_very_rough_ground(robot):
    grounds = (find_ground('very-rough', seed).profile for seed in range(601, 641))
    assert sum(crosses(robot, ground, PATCH) for ground in grounds) >= 38


@pytest.mark.slow
def test_a_foot_that_steps_back_is_lifted_over_rough_ground():
    """Where it dragged over the ground, the robot fell back over the other foot."""
    for seed in (507, 522, 528, 550):
        assert crosses('b', find_ground('very-rough', seed).profile, PATCH), seed


@pytest.mark.slow
@pytest.mark.parametrize(('robot', 'force'), [('a', -40.0), ('b', -40.0), ('b', 40.0)])
def test_pushes_are_answered_by_a_step(robot, force):
    for phase in range(8):
        push = Push(4.0 + phase / 8.0, 0.1, force)
        ticks = list(walk(trial(robot, 'level', pushes=(push,), time=9.0)))
        assert not lies(ticks[-1]), phase
        assert ticks[-1].state.x > 1.0


def walks_on(words, seed, friction):
    """Return whether KWALKB stands for 12 s on slippery ground, and walks on."""
    ground = find_ground(words, seed)
    kind = ground_class(ground.kind, friction)
    _, parameters = shipped_sets().find('b', 'tuned', kind)
    settings = SimulationSettings('native', friction=friction)
    *_, last = walk(BipedTrial(KWALKS['b'], parameters, ground.profile, settings))
    return not lies(last) and last.state.x > 2.5


@pytest.mark.slow
def test_slippery_ground_is_crossed():
    assert sum(walks_on('cells:2cm', seed, 0.2) for seed in range(1, 25)) >= 21
    assert all(walks_on('cells:2cm', seed, 0.25) for seed in range(1, 9))
    assert all(walks_on(f'slope:{angle}deg', 0, 0.25) for angle in (-8, -4, 4, 8))
    assert walks_on('level', 0, 0.15)


@pytest.mark.slow
@pytest.mark.parametrize('speed', [0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.6, 0.8])
@pytest.mark.parametrize('name', ['a_steady', 'b_all'])
def test_no_speed_fells_it(name, speed):
    parameters = shipped_sets().document.parameters(name)
    *_, last = walk(BipedTrial(KWALKS[name[0]], parameters, speed=speed, time=15.0))
    assert not lies(last)


@pytest.mark.slow
@pytest.mark.parametrize('words', ['level', 'slope:-25deg', 'slope:-10deg', 'slope:30deg'])
def test_one_set_bears_noise_and_delay(words):
    late = SimulationSettings('native', delay=0.005)
    for seed in range(1, 4):
        walked = trial('b', words, noise=COMMON_NOISE, settings=late, time=15.0)
        *_, last = walk(replace(walked, seed=seed))
        assert not lies(last)
        assert last.state.x > 2.5


def test_the_additions_are_named_as_such():
    sets = shipped_sets()
    parameters = {name: sets.document.parameters(name) for name in sets.document.sets}
    holding = [name for name, found in parameters.items() if found.ways.lowering == 'hold']
    assert holding == [
        'b_h41', 'b_h41_mirrored', 'b_steady', 'b_all', 'b_slip', 'b_h72', 'b3d_walk',
    ]  # fmt: skip
    assert sets.find('b', 'literal', 'very_rough')[0] == 'b_header'
