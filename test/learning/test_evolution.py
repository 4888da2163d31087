"""The search for parameters: it gets better, and goes on where it was stopped."""

import math
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from walking_robots.documents.shared import shared_path
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.learning.case_files import CaseFileError, WalkCase, load_cases, parse_cases
from walking_robots.learning.evolution import POPULATION, ParameterSearch
from walking_robots.learning.scoring import WalkPlan, passed, plans_of, score
from walking_robots.trials.biped.pushes import PUSHED_FROM
from walking_robots.trials.biped.spatial_trial import SpatialTrial

CASES = """
biped_learning: 1
robot: b
start: b_h41_mirrored
learn: {lowering_damping: 0.7, least_speed: 0.05, reach: 0.03}
training:
  down: {terrain: 'slope:-30deg', distance: 3m}
  pushed: {push: 30, time: 5s}
tests:
  level: {time: 2s, walks: 2}
  steep: {terrain: 'slope:45deg', distance: 4m}
"""
DOCUMENT = parse_cases(CASES)
_, START = shipped_sets().find('b', DOCUMENT.start, 'level')


def search(seed: int = 3) -> ParameterSearch:
    return ParameterSearch(DOCUMENT, START, seed=seed, spread=0.5)


@pytest.mark.slow
def test_a_few_generations_find_a_better_set() -> None:
    found = search(4)
    for _ in range(4):
        found.generation(None)
    assert found.evaluations == 4 * POPULATION
    plans = plans_of(list(DOCUMENT.training.values()), 1)
    before, after = (
        score('b', parameters, plans, step=0.002).cost for parameters in (START, found.parameters)
    )
    assert after < 0.5 * before


@pytest.mark.slow
def test_costs_that_were_written_down_lead_to_the_same_place() -> None:
    whole, resumed = search(), search()
    first = whole.generation(None)
    resumed.generation(None, first)
    with ProcessPoolExecutor(2, get_context('spawn')) as pool:
        assert whole.generation(None) == resumed.generation(pool)
    assert whole.numbers == resumed.numbers
    assert whole.numbers != search(4).numbers


def test_a_set_outside_of_what_files_may_hold_costs_most() -> None:
    found = ParameterSearch(
        parse_cases(CASES.replace('reach: 0.03', 'reach: 1000')), START, seed=3, spread=0.5
    )
    costs = found.generation(None)
    assert costs.count(2.0) >= POPULATION - 1
    assert statistics.median(costs) == 2.0


def test_a_set_is_given_up_by_its_second_fall_and_not_by_its_first() -> None:
    steep, level = WalkPlan(DOCUMENT.tests['steep'], 1), WalkPlan(DOCUMENT.tests['level'], 1)
    found = score('b', START, 10 * [steep], step=0.002, median=0.25)
    assert found.walks == 2 and found.cost > 1.0
    once = score('b', START, [steep, level, level], step=0.002, median=0.0)
    assert once.walks == 3 and 0.5 < once.cost < 0.7


def test_walks_pass_or_not_at_each_case() -> None:
    assert passed(DOCUMENT, START, None) == {'level': 2, 'steep': 0}


def test_pushes_come_at_times_that_follow_from_the_seed() -> None:
    trials = [
        WalkPlan(DOCUMENT.training['pushed'], seed).trial('b', START, 0.002) for seed in (1, 1, 2)
    ]
    one, same, other = (trial.pushes[0].begin for trial in trials)
    assert one == same != other and PUSHED_FROM <= one < PUSHED_FROM + 1.0


def test_a_case_in_space_is_a_walk_in_space() -> None:
    document = load_cases(shared_path('config/learning/biped_in_space.yaml'))
    _, parameters = shipped_sets().find(document.robot, document.start, 'level')
    assert all(math.isfinite(getattr(parameters, name)) for name in document.learn)
    plan = WalkPlan(document.training['pushed_left'], 20000)
    trial = plan.trial('b3d', parameters, 0.002)
    assert isinstance(trial, SpatialTrial)
    assert math.remainder(trial.pushes[0].direction + math.pi / 2.0, math.tau) < 1e-9
    plans = [WalkPlan(WalkCase(time=2.0), seed) for seed in (20001, 20002)]
    assert score('b3d', parameters, plans, step=0.002).cost == 0.0
    far = [WalkPlan(WalkCase(time=2.0, distance=5.0), 20001)]
    assert 1.5 < score('b3d', parameters, far, step=0.002).cost < 2.0


def test_planar_cases_have_nothing_of_space() -> None:
    with pytest.raises(CaseFileError, match='only a robot in space, b3d, has turn'):
        parse_cases(CASES.replace('time: 5s', 'turn: 5deg/s'))


def test_every_case_is_walked_once_before_any_again() -> None:
    cases = list(DOCUMENT.tests.values())
    plans = plans_of(cases, 7)
    assert [plan.case for plan in plans] == [*cases, cases[0]]
    assert [plan.seed for plan in plans] == [7, 8, 9]


def test_the_installed_cases_are_of_a_set_that_is_installed() -> None:
    document = load_cases()
    assert document.start in shipped_sets().names(document.robot)
    assert all(math.isfinite(getattr(START, name)) for name in document.learn)
    assert replace(START, **dict.fromkeys(document.learn, 1.0)) != START


@pytest.mark.parametrize(
    ('right', 'wrong', 'sentence'),
    [
        ('slope:-30deg', 'swamp', "there is no ground 'swamp'"),
        ('push: 30', 'push: 3000', "field 'training.pushed.push'.*; write N such as 40"),
        ('reach: 0.03}', 'arms: 0.03}', "field 'learn' must name numbers of a set, found 'arms'"),
        ('robot: b', 'robot: c', "field 'robot'"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(right: str, wrong: str, sentence: str) -> None:
    with pytest.raises(CaseFileError, match=sentence) as caught:
        parse_cases(CASES.replace(right, wrong), 'my_cases.yaml')
    assert str(caught.value).startswith('my_cases.yaml, line ')
