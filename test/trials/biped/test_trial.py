"""Trials of the bipeds: the loop, what disturbs it, the figures and the page of them."""

from dataclasses import replace
from math import radians

import numpy as np
import pytest

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.states import FALLEN, WalkPhase
from walking_robots.robots.impedance import LIMP
from walking_robots.robots.kwalk import KWALKS
from walking_robots.simulation.biped.simulation import BipedSimulation
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import rough, slope
from walking_robots.trials.biped.figure_page import draw
from walking_robots.trials.biped.figures import figures, result, run
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.trial import (
    COMMON_NOISE,
    BipedLoop,
    BipedTrial,
    Push,
    lies,
    senses_of,
    walk,
)

SETS = shipped_sets()


def trial(name='a_header', **settings):
    """Return a trial of a set on level ground, on MuJoCo's contacts, blind, at 250 Hz."""
    return BipedTrial(KWALKS[name[0]], SETS.document.parameters(name), **settings)


def test_a_walk_is_reported_in_figures():
    found = run(trial(time=6.0))
    assert (found.fell, found.fall_time_s) == (False, None)
    assert found.distance_m == pytest.approx(1.6, abs=0.2)
    assert found.min_speed_m_s < found.mean_speed_m_s < found.max_speed_m_s
    assert -3.0 < found.pitch_min_deg < found.pitch_max_deg < 3.0
    assert found.mean_height_m == pytest.approx(0.553, abs=0.003)
    assert found.step_length_m == pytest.approx(0.15, abs=0.02)
    assert 0.1 < found.friction_p99 < 0.5


def test_a_walk_too_short_to_settle_has_no_figures():
    found = run(trial(time=0.5))
    assert found.mean_speed_m_s is found.step_length_m is found.friction_p99 is None


def test_a_fall_ends_the_walk_and_is_reported():
    found = run(trial('b_header', ground=slope(radians(-30.0)), time=12.0))
    assert found.fell
    assert 1.0 < found.fall_time_s < 6.0


def test_a_robot_that_feels_its_fall_is_limp():
    ticks = list(walk(trial('b_header', ground=slope(radians(-30.0)), time=12.0)))
    assert lies(ticks[-1])
    assert ticks[-1].gait.memory.state == FALLEN
    assert ticks[-1].gait.orders == (LIMP,) * 4


def test_speed_follows_the_command():
    slow, fast = (run(trial(time=8.0, speed=speed)).mean_speed_m_s for speed in (0.3, 0.6))
    assert slow < 0.3 < 0.4 < fast


def test_a_robot_commanded_to_stand_stands():
    ticks = list(walk(trial(time=6.0, speed=0.0)))
    assert {tick.gait.memory.state for tick in ticks[-500:]} == {int(WalkPhase.DOUBLE)}
    assert abs(ticks[-1].state.velocity[0]) < 0.02


def test_a_walk_goes_on_from_any_instant():
    loop = BipedLoop(trial('b_h41', ground=rough()))
    for _ in range(400):
        loop.tick()
    memory, state = loop.memory, loop.simulation.state
    first = [loop.tick().state[1:6] for _ in range(100)]
    loop.memory = memory
    loop.simulation.restore(state)
    assert [loop.tick().state[1:6] for _ in range(100)] == first


def test_the_ground_may_change_while_a_robot_walks():
    loop = BipedLoop(trial())
    for _ in range(300):
        loop.tick()
    old = loop.simulation
    loop.simulation = BipedSimulation(
        old.robot, slope(radians(10.0), start=old.state.x + 0.5), old.settings, old.state
    )
    ticks = [loop.tick() for _ in range(1000)]
    assert ticks[-1].state.z > ticks[0].state.z + 0.03


@pytest.mark.parametrize('name', ['a_header', 'b_h41'])
def test_a_robot_commanded_to_stop_stands_and_goes_on_after_its_controller_was_lost(name):
    loop = BipedLoop(trial(name, ground=rough()))
    for _ in range(1100):
        loop.tick()
    loop.trial = replace(loop.trial, speed=0.0)
    standing = [loop.tick() for _ in range(1500)][-1]
    still = [loop.tick() for _ in range(500)][-1]
    assert still.state.x == pytest.approx(standing.state.x, abs=0.005)
    senses = senses_of(still.state, 0.004)
    loop.memory = loop.gait.recovered(senses)
    assert loop.memory.state == still.gait.memory.state
    loop.trial = replace(loop.trial, speed=None)
    walking = [loop.tick() for _ in range(1000)][-1]
    assert walking.state.x > still.state.x + 0.9


@pytest.mark.parametrize('robot', ['a', 'b'])
def test_a_robot_comes_to_rest_from_any_instant(robot):
    _, tuned = SETS.find(robot, 'tuned', 'level')
    loop = BipedLoop(BipedTrial(KWALKS[robot], tuned))
    for tick in range(2700):
        loop.tick()
        # Here a robot of either kind fell that stepped without the energy for it, or too far.
        if tick in (640, 1080, 1160, 1440, 1680, 1880, 2600, 2680):
            stop = BipedLoop(replace(loop.trial, speed=0.0))
            stop.memory = loop.memory
            stop.simulation.restore(loop.simulation.state)
            end = [stop.tick() for _ in range(1200)][-1]
            assert not lies(end)
            assert abs(end.state.velocity[0]) < 0.02
            assert end.state.x - loop.simulation.state.x < 1.3


@pytest.mark.parametrize('name', ['a_header', 'b_header'])
def test_a_controller_that_is_killed_and_starts_again_goes_on_from_standing(name):
    loop = BipedLoop(trial(name))
    for _ in range(140 if name == 'a_header' else 95):
        tick = loop.tick()
    assert tick.gait.memory.state == int(WalkPhase.BALANCE)
    loop.memory = loop.gait.beginning()
    ticks = [loop.tick() for _ in range(1500)]
    assert not lies(ticks[-1])
    assert ticks[-1].state.x > 1.0


def test_a_step_of_the_controller_is_a_number_of_steps_of_the_physics():
    with pytest.raises(ValueError, match=r'so many steps of 0.001 s, found 0.0015 s'):
        trial(control_step=0.0015)


@pytest.mark.parametrize(
    ('wrong', 'sentence'),
    [
        ({'pushes': (Push(1.0, 0.1, 1e6),)}, 'at most 1000 N'),
        ({'pushes': (Push(1.0, 0.1, float('nan')),)}, 'at most 1000 N'),
        ({'noise': COMMON_NOISE._replace(pitch=float('nan'))}, 'noise is from 0'),
    ],
)
def test_what_no_simulation_bears_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        trial(**wrong)


def test_a_fallen_robot_comes_to_lie_on_the_ground():
    loop = BipedLoop(trial('b_header', pushes=(Push(0.5, 0.3, 200.0),)))
    ticks = [loop.tick() for _ in range(1500)]
    assert any(map(lies, ticks))
    assert 0.05 < ticks[-1].height < 0.25
    assert abs(ticks[-1].state.velocity[1]) < 0.5


def test_senses_are_those_of_the_state():
    loop = BipedLoop(trial())
    state = loop.tick().state
    senses = senses_of(state, 0.004)
    assert (senses.joints, senses.pitch, senses.contacts) == (state.joints, 0.0, state.contacts)
    assert senses.body is None


def test_noise_comes_from_its_seed():
    one, again, other = (
        run(trial(noise=COMMON_NOISE, seed=seed, time=1.5)).trace_sha256 for seed in (1, 1, 2)
    )
    assert one == again != other


@pytest.mark.parametrize('name', ['a_smooth', 'b_header'])
def test_a_delay_of_5_ms_does_no_harm(name):
    found = run(trial(name, settings=SimulationSettings('native', delay=0.005), time=8.0))
    assert not found.fell
    assert found.mean_speed_m_s == pytest.approx(run(trial(name)).mean_speed_m_s, rel=0.15)


@pytest.mark.parametrize(
    ('name', 'force'), [('a_header', 60.0), ('a_header', -10.0), ('b_h41', -20.0)]
)
def test_a_push_is_survived(name, force):
    found = run(trial(name, pushes=(Push(4.0, 0.1, force),), time=8.0))
    assert not found.fell
    assert found.distance_m > 1.7


def test_a_hard_push_is_a_fall_and_no_error():
    found = run(trial('b_header', pushes=(Push(4.0, 0.3, 300.0),), time=8.0))
    assert found.fell
    assert 4.0 < found.fall_time_s < 6.0


def test_figures_count_steps_and_shares():
    ticks = list(walk(trial(time=7.0)))
    found = figures([tick for tick in ticks if tick.state.time > 3.0])
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.step / found.period == pytest.approx(found.mean_speed, rel=0.05)
    assert found.early == found.stumbles == 0
    assert result(ticks) == run(trial(time=7.0))


@pytest.mark.parametrize('suffix', ['.png', '.svg'])
def test_the_page_of_figures_is_drawn(tmp_path, suffix):
    walked = trial('b_header', time=1.0)
    target = tmp_path / f'page{suffix}'
    draw(walked, list(walk(walked)), target)
    assert target.stat().st_size > 10_000


def test_a_picture_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r'must end in .png, .svg, .pdf'):
        draw(trial(), [], tmp_path / 'page.doc')


@pytest.mark.parametrize(
    ('words', 'kind'),
    [
        ('level', 'level'),
        ('rough', 'rough'),
        ('very-rough', 'very_rough'),
        ('slope:20deg', 'up'),
        ('slope:-20deg', 'down'),
        ('slope:1deg', 'level'),
        ('mound:20deg', 'down'),
        ('bump:0.08m', 'very_rough'),
        ('step:-2cm', 'rough'),
    ],
)
def test_ground_is_found_by_its_words(words, kind):
    assert find_ground(words).kind == kind


def test_rough_ground_is_that_of_the_thesis_or_of_a_seed():
    assert find_ground('rough').profile == rough()
    assert find_ground('rough', 3).profile == find_ground('rough', 3).profile != rough()


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [
        ('ruff', "there is no ground 'ruff'; write level, rough"),
        ('slope:80deg', 'at most 60 degrees'),
        ('bump:1m', r'at most 0\.5 m high'),
        ('slope:steep', 'is not an? angle'),
        ('nowhere.yaml', r'nowhere\.yaml: cannot be read'),
    ],
)
def test_ground_that_is_not_there_is_one_sentence(words, sentence):
    with pytest.raises(ValueError, match=sentence):
        find_ground(words)


def test_a_trial_may_be_pushed_more_than_once():
    twice = trial(pushes=(Push(1.0, 0.1, 20.0), Push(1.05, 0.1, 20.0)), time=1.5)
    once = replace(twice, pushes=twice.pushes[:1])
    assert np.diff([run(each).distance_m for each in (once, twice)])[0] > 0.005
