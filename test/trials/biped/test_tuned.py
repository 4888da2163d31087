"""What the tuned parameters promise, blind, at 250 Hz and on MuJoCo's contacts."""

import pytest

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.robots.kwalk import KWALKS
from walking_robots.trials.biped.figures import figures
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.trial import COMMON_NOISE, BipedTrial, lies, walk

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
    ('robot', 'words'), [('a', 'slope:35deg'), ('a', 'slope:-35deg'), ('b', 'slope:-20deg')]
)
def test_steep_slopes_are_walked(robot, words):
    ticks = list(walk(trial(robot, words, time=15.0)))
    assert not lies(ticks[-1])
    assert ticks[-1].state.x > 3.0
    there = figures([tick for tick in ticks if tick.state.x > 1.3])
    assert there.friction_at(99.0) < 1.0
    assert there.mean_speed == pytest.approx(0.33, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize('robot', ['a', 'b'])
def test_noise_of_common_sensors_does_no_harm(robot):
    for seed in range(3):
        for words in ('level', 'rough'):
            *_, last = walk(trial(robot, words, seed, noise=COMMON_NOISE, time=10.0))
            assert not lies(last)
            assert last.state.x > 2.2


def test_the_additions_are_named_as_such():
    sets = shipped_sets()
    parameters = {name: sets.document.parameters(name) for name in sets.document.sets}
    holding = [name for name, found in parameters.items() if found.ways.lowering == 'hold']
    assert holding == ['b_h41', 'b_h41_mirrored', 'b_h72', 'b3d_walk']
    assert sets.find('b', 'literal', 'very_rough')[0] == 'b_header'
