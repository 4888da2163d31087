"""Walk the cases with a set of parameters, and score it."""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.learning.case_files import LearningDocument, WalkCase
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.simulation.biped.state import NATIVE_STEP, SimulationSettings
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.pushes import PUSH_TIME, push_time
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.spatial_trial import (
    SpatialPush,
    SpatialTrial,
    spatial_walk,
    tumbled,
)
from walking_robots.trials.biped.trial import (
    COMMON_NOISE,
    QUIET,
    BipedTrial,
    Noise,
    Push,
    lies,
    walk,
)

FASTEST = 2.0
"""Speed, m/s, from which a robot counts as tumbling."""

DEAR, FORGIVEN = 1.2, 2.0
"""A set is given up when its walks cost so many times the median of the last generation, and more
than that by the most that one fall costs: by its first fall it would be judged by when it fell."""

SET_BACK = 0.2
"""m; walks begin up to so far before the origin, so that they meet ground in any phase."""


@dataclass(frozen=True)
class WalkPlan:
    """One walk of a case; its seed decides where it begins, ground, noise and time of the push."""

    case: WalkCase
    seed: int

    def trial(
        self, robot: str, parameters: WalkParameters, step: float
    ) -> BipedTrial | SpatialTrial:
        """Return the walk; step: of the physics, s."""
        case, seed = self.case, self.seed
        noise = Noise(*(case.noise * size for size in COMMON_NOISE)) if case.noise else QUIET
        if isinstance(parameters, SpatialParameters):
            return SpatialTrial(
                SPATIAL_KWALKS[robot],
                parameters,
                find_spatial_ground(case.terrain, seed).ground,
                SimulationSettings('native', time_step=step, friction=case.friction),
                time=case.time,
                heading=-case.slope_heading,
                speed=case.speed,
                turn=case.turn,
                stop=math.inf if case.stop is None else case.stop,
                pushes=(
                    SpatialPush(push_time(seed), PUSH_TIME, case.push, case.push_from + math.pi),
                ),
                noise=noise,
                seed=seed,
            )
        pushes: tuple[Push, ...] = ()
        # The first number says when a push begins.
        _, back = np.random.default_rng(seed).uniform(size=2)
        if case.push:
            pushes = (Push(push_time(seed), PUSH_TIME, case.push),)
        return BipedTrial(
            KWALKS[robot],
            parameters,
            find_ground(case.terrain, seed).profile,
            SimulationSettings('native', time_step=step, delay=case.delay, friction=case.friction),
            time=case.time,
            speed=case.speed,
            start=-SET_BACK * float(back),
            pushes=pushes,
            noise=noise,
            seed=seed,
        )


class Score(NamedTuple):
    """What a set of parameters costs, and how many walks that took."""

    cost: float
    walks: int


def plans_of(cases: Sequence[WalkCase], first: int) -> list[WalkPlan]:
    """Return the walks of cases with seeds from ``first`` on, each case once before any again."""
    rounds = max(case.walks for case in cases)
    chosen = [case for number in range(rounds) for case in cases if number < case.walks]
    return [WalkPlan(case, first + number) for number, case in enumerate(chosen)]


class WalkProgress(NamedTuple):
    """How far a walk has come: time, s, way, m, speed, m/s, and whether the robot lies."""

    time: float
    way: float
    speed: float
    lies: bool


def _progress(trial: BipedTrial | SpatialTrial) -> Iterator[WalkProgress]:
    """Yield how far a walk has come, tick by tick; in space ahead of where it began to walk."""
    if isinstance(trial, BipedTrial):
        for tick in walk(trial):
            state = tick.state
            way, speed = state.x - trial.start, state.velocity[0]
            yield WalkProgress(state.time, way, speed, lies(tick))
        return
    ahead, aside = math.cos(trial.heading), math.sin(trial.heading)
    for step in spatial_walk(trial):
        (x, y, _), (vx, vy, _) = step.state.place, step.state.moving
        yield WalkProgress(
            step.state.time, ahead * x + aside * y, math.hypot(vx, vy), tumbled(step)
        )


def cost_of(trial: BipedTrial | SpatialTrial, distance: float | None) -> float:
    """Return 0 for a walk that passes, else 2 less the share of the way or time that it came."""
    share = 0.0
    for now in _progress(trial):
        if distance is None:
            share = now.time / trial.time
        else:
            share = min(max(share, now.way / distance), 1.0)
        if now.lies or abs(now.speed) > FASTEST or not math.isfinite(now.speed):
            return 2.0 - share
        if distance is not None and now.way >= distance:
            return 0.0
    return 0.0 if distance is None else 2.0 - share


def score(
    robot: str,
    parameters: WalkParameters,
    plans: Sequence[WalkPlan],
    *,
    step: float,
    median: float = math.inf,
) -> Score:
    """Return the mean cost of walks.

    A set that costs more than `DEAR` times the median, and `FORGIVEN` more, is given up, and the
    rest of its walks taken to be like those before; step: of the physics, s.
    """
    total = 0.0
    for done, plan in enumerate(plans, 1):
        try:
            total += cost_of(plan.trial(robot, parameters, step), plan.case.distance)
        except ValueError:
            total += 2.0
        if total > DEAR * median * done + FORGIVEN:
            return Score(total / done, done)
    return Score(total / len(plans), len(plans))


def passed(
    document: LearningDocument, parameters: WalkParameters, pool: Executor | None
) -> dict[str, int]:
    """Return how many walks of each test pass, here or in a pool; seeds are from 1 on."""
    plans = [(name, plan) for name, case in document.tests.items() for plan in plans_of([case], 1)]
    task = partial(_passes, document.robot, parameters)
    found = (map if pool is None else pool.map)(task, [plan for _, plan in plans])
    passing = dict.fromkeys(document.tests, 0)
    for (name, _), success in zip(plans, found, strict=True):
        passing[name] += success
    return passing


def _passes(robot: str, parameters: WalkParameters, plan: WalkPlan) -> bool:
    return cost_of(plan.trial(robot, parameters, NATIVE_STEP), plan.case.distance) == 0.0


def with_numbers(
    parameters: WalkParameters, names: Sequence[str], numbers: Sequence[float]
) -> WalkParameters:
    """Return parameters with other numbers."""
    changes: dict[str, Any] = dict(zip(names, numbers, strict=True))
    return replace(parameters, **changes)
