"""Errands as a problem of planning: what is believed, the plan, and how it ends."""

import os
import subprocess
import sys

import pytest

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.interfaces.belief import ErrandBelief
from walking_robots.ars_magna.interfaces.planned import (
    PlannedStep,
    deliver_by_plan,
    plan_of,
    unified_problem,
)
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.plans.errands import Errand
from walking_robots.ars_magna.plans.failing import PlanFailedError
from walking_robots.ars_magna.sensing.attributes import STANDARD
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.trials.ars_magna.trial import ArsTrial, run

OPTIMAL = 'pyperplan-opt'
LAMP = Errand((('color', 'red'),), Point(3.0, 0.0))
CUP = Errand((('size', 2.0),), Point(0.0, 0.0))


def belief(**given):
    return ErrandBelief((LAMP, CUP), SensorModel(STANDARD, Parameters()), **given)


def test_a_plan_finds_carries_and_puts_down():
    steps = plan_of(belief(done={1}))
    assert [step.action for step in steps] == ['find', 'go', 'put']
    assert steps[-1] == PlannedStep('put', (0, 1))


def test_what_was_left_somewhere_is_taken_there():
    left = belief(done={1}, lies={0: Point(7.0, 7.0)}, at=None)
    assert [step.action for step in plan_of(left)] == ['go', 'take', 'go', 'put']


def test_what_failed_comes_after_the_rest():
    failed = belief()
    failed.misses[0] += 1
    assert failed.wanted == [1]
    failed.done.add(1)
    assert failed.wanted == [0]


def test_success_is_that_of_the_noise():
    # 0.95 not overlooked, of a color 0.4 read; at the default noise of ars_magna.md §3 and §7.1.
    assert belief().success('find', 0) == pytest.approx(0.95 * 0.4)
    assert belief().success('take', 0) == pytest.approx(0.96)
    assert (1 - 0.95 * 0.4) ** belief().tries('find', 0) <= 0.001
    assert (1 - 0.95 * 0.4) ** (belief().tries('find', 0) - 1) > 0.001
    assert '(probabilistic 0.9600' in belief().domain(probabilistic=True)


def test_errands_in_the_office_are_planned_and_done():
    what = 'kind=key color=lightred to 2,0; kind=letter to 4,0'
    office = str(find_world('office'))
    results = [
        run(ArsTrial((office,), plan='planned', what=what, seed=seed)) for seed in range(70, 75)
    ]
    assert sum(result.goal_reached for result in results) >= 4


def test_what_is_not_there_is_given_up_after_the_rest_is_done():
    simulator = Simulator(load_design(find_world('office')), 4)
    robot = connect(simulator, 'robbie')
    letter = Errand((('kind', 'letter'),), Point(2.0, 0.0))
    nothing = Errand((('size', 900.0, 1.0),), Point(2.0, 0.0))
    task = Task(deliver_by_plan(robot, (nothing, letter)))
    while not task.done and simulator.now < 50_000:
        simulator.skip(1000)
    with pytest.raises(PlanFailedError, match=r'errands \[0\]: NO-OBJECT-FOUND'):
        task.result()
    (thing,) = simulator.world.scene.find('lost_letter')
    truth = simulator.world.scene.position(thing)
    start = load_design(find_world('office')).robots[0].at
    assert abs(truth[0] - start[0] - 2.0) < 1.0 and abs(truth[1] - start[1]) < 1.0


@pytest.mark.usefixtures('optional_libraries')
def test_an_engine_of_unified_planning_plans_the_errands():
    problem = unified_problem(belief())
    assert {action.name for action in problem.actions} == {'find', 'take', 'go', 'put'}
    steps = plan_of(belief(), OPTIMAL)
    assert sorted(step.objects for step in steps if step.action == 'put') == [(0, 1), (1, 0)]
    assert [step.action for step in steps] == ['find', 'go', 'put'] * 2


@pytest.mark.usefixtures('optional_libraries')
def test_errands_planned_by_an_engine_of_unified_planning_are_done():
    what = 'kind=key color=lightred to 2,0; kind=letter to 4,0'
    trial = ArsTrial((str(find_world('office')),), f'{__name__}:by_an_engine', what=what, seed=71)
    assert run(trial).outcome == 'succeeded'


async def by_an_engine(robot, request):
    """Plan by the engine that finds shortest plans."""
    return await deliver_by_plan(robot, request, OPTIMAL)


def test_a_seed_gives_the_same_plan_in_each_process():
    # Words have another hash in each, by which sets are ordered.
    code = (
        'from walking_robots.documents.shipped_worlds import find_world as world\n'
        'from walking_robots.trials.ars_magna.trial import ArsTrial, run\n'
        f'what = {"; ".join(f"kind=key to {n},0" for n in range(4))!r}\n'
        "trial = ArsTrial((str(world('office')),), 'planned', what=what, ticks=800)\n"
        'print(run(trial).trace_sha256)'
    )
    traces = {
        subprocess.run(
            [sys.executable, '-c', code],
            env={**os.environ, 'PYTHONHASHSEED': str(seed)},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed in range(3)
    }
    assert len(traces) == 1


def test_an_engine_that_is_not_installed_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, 'unified_planning', None)
    monkeypatch.delitem(sys.modules, 'unified_planning.shortcuts', raising=False)
    with pytest.raises(ValueError, match=r'install walking_robots\[unified-planning\]'):
        plan_of(belief(), 'fast-downward')
