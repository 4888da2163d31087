"""Errands by a planner: plan in PDDL, carry out, watch what comes of it, and plan anew."""

import time
from operator import attrgetter
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.point import Point, distance
from walking_robots.ars_magna.interfaces.belief import ErrandBelief
from walking_robots.ars_magna.plans.errands import HOME, errands_of
from walking_robots.ars_magna.plans.failing import NO_OBJECT_FOUND, PlanFailedError
from walking_robots.ars_magna.plans.robust import Worker
from walking_robots.documents.extras import extra_needed

PYPERPLAN = 'pyperplan'
MOST_MISSES = 3
"""Failures of an errand after which it is given up."""
_NEAR = 1.0


class PlannedStep(NamedTuple):
    """A step of a plan: an action, and the numbers of what it is done to; -1 for somewhere."""

    action: str
    objects: tuple[int, ...]


class PlanLog(NamedTuple):
    """How errands went: plans made, CPU time for them, s, and errands that were given up."""

    plans: int
    planning_s: float
    given_up: tuple[int, ...]


def plan_of(belief: ErrandBelief, engine: str = PYPERPLAN) -> list[PlannedStep]:
    """Return a plan, with as few steps as the engine finds.

    engine: pyperplan, or one of unified-planning such as fast-downward. Raises ValueError where
    it is not installed, or finds no plan.
    """
    if engine == PYPERPLAN:
        names = _by_pyperplan(belief)
    else:
        with extra_needed('unified-planning'):
            from unified_planning.shortcuts import OneshotPlanner, get_environment

            get_environment().credits_stream = None
            with OneshotPlanner(name=engine) as planner:
                found = planner.solve(unified_problem(belief)).plan
        names = (
            None
            if found is None
            else [[step.action.name, *map(str, step.actual_parameters)] for step in found.actions]
        )
    if names is None:
        raise ValueError(f'{engine} finds no plan for the errands that are left')
    return [
        PlannedStep(action, tuple(int(''.join(filter(str.isdigit, one)) or -1) for one in objects))
        for action, *objects in names
    ]


def unified_problem(belief: ErrandBelief) -> Any:
    """Return the problem for unified-planning, for any of its engines."""
    with extra_needed('unified-planning'):
        from unified_planning.io import PDDLReader
    return PDDLReader().parse_problem_string(belief.domain(), belief.problem())


def _by_pyperplan(belief: ErrandBelief) -> list[list[str]] | None:
    """Return the plan that a greedy search finds, the same in each process.

    The operators come from sets, so they are sorted; hAdd, unlike hFF, has one value for a state.
    """
    with extra_needed('planning'):
        from pyperplan.grounding import ground
        from pyperplan.heuristics.relaxation import hAddHeuristic
        from pyperplan.pddl.parser import Parser
        from pyperplan.search import greedy_best_first_search
    parser = Parser('', '')
    parser.domInput, parser.probInput = belief.domain(), belief.problem()
    task = ground(parser.parse_problem(parser.parse_domain(False), False))
    task.operators.sort(key=attrgetter('name'))
    found = greedy_best_first_search(task, hAddHeuristic(task))
    return None if found is None else [step.name.strip('()').split() for step in found]


async def deliver_by_plan(robot: Robot, request: Any, engine: str = PYPERPLAN) -> PlanLog:
    """Bring things to their places, in an order and by steps that a planner finds.

    request: as for `plans.missions.deliver`. Raises PlanFailedError at the end where an errand
    has been given up.
    """
    worker = Worker(robot)
    belief = ErrandBelief(errands_of(request), robot.sensor_model())
    plans, spent = 0, 0.0
    given_up: set[int] = set()
    while belief.wanted:
        began = time.process_time()
        plan = plan_of(belief, engine)
        plans, spent = plans + 1, spent + time.process_time() - began
        places = belief.places
        for step in plan:
            if not await _carry_out(worker, belief, step, places):
                break
        given_up |= {n for n in belief.misses if belief.misses[n] >= MOST_MISSES}
        belief.done |= given_up
    await worker.carry_to(HOME)
    if given_up:
        raise PlanFailedError(NO_OBJECT_FOUND, f'errands {sorted(given_up)}')
    return PlanLog(plans, spent, tuple(sorted(given_up)))


async def _carry_out(
    worker: Worker, belief: ErrandBelief, step: PlannedStep, places: list[Point]
) -> bool:
    """Carry out a step and believe what came of it; return whether the plan still holds."""
    first = step.objects[0]
    try:
        if step.action == 'go':
            goal = places[step.objects[1]]
            belief.at = None
            await worker.carry_to(goal)
            belief.at = goal
            if distance(worker.navigator.at, goal) > _NEAR:
                belief.at = None
                return False
            return belief.held is None or await _still_holds(worker, belief)
        if step.action == 'put':
            if not await _still_holds(worker, belief):
                return False
            await worker.put_down()
            worker.leave_alone(worker.navigator.at)
            belief.held = None
            belief.done.add(first)
            return True
        belief.lies.pop(first, None)
        belief.at = None if step.action == 'find' else belief.at
        # It may not be in view; who looks for it again looks for longer.
        looks = belief.tries('find', first) * (1 + belief.misses[first])
        await worker.take(belief.errands[first].what, looks)
        belief.held = first
        return await _still_holds(worker, belief)
    except PlanFailedError:
        # What could not be found, or carried any farther, comes after all others.
        number = first if belief.held is None else belief.held
        belief.misses[number] += 1
        belief.at = None
        if belief.held is not None and await worker.holds():
            await worker.put_down()
            belief.lies[number] = worker.navigator.at
        belief.held = None
        return False


async def _still_holds(worker: Worker, belief: ErrandBelief) -> bool:
    """Return whether the hand holds something; what it has lost may be anywhere."""
    if await worker.holds():
        return True
    if belief.held is not None:
        belief.misses[belief.held] += 1
    belief.held = None
    return False
