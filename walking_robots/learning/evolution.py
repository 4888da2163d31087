"""Search parameters by CMA-ES (Hansen, 2016), generation by generation, and go on where it was."""

import math
import random
import statistics
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.documents.extras import extra_needed
from walking_robots.gaits.biped.parameter_schema import SetPart
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.learning.case_files import LearningDocument
from walking_robots.learning.scoring import Score, WalkPlan, plans_of, score, with_numbers

POPULATION = 12
"""Sets of a generation."""

TRAINING_STEP = 0.002
"""Step of the physics, s, in training: trials take half of it."""

TRAINING_SEEDS = 10_000
"""First seed of training; tests use smaller ones."""

REFUSED = 2.0
"""Cost of a set that no file of parameters may hold, as of a walk that does not begin."""


class Generation(NamedTuple):
    """What a generation cost: how many sets so far, the best and the median mean cost."""

    evaluations: int
    best: float
    median: float


class ParameterSearch:
    """Searches the numbers of a set that cost least over the cases of training.

    ``numbers`` are the middle of where it searches now. All that chance decides follows from the
    seed, so that costs that were written down lead to the same place again.
    """

    def __init__(
        self, document: LearningDocument, start: WalkParameters, *, seed: int, spread: float
    ) -> None:
        """Begin at a set; spread: of the first generation, in first steps of the document."""
        self._document, self._start = document, start
        self.robot = document.robot
        self.names = tuple(document.learn)
        self._scale = np.array([document.learn[name] for name in self.names])
        self._origin = np.array([getattr(start, name) for name in self.names])
        chance = np.random.default_rng(seed)
        with extra_needed('learning'):
            import cma
        self._search: Any = cma.CMAEvolutionStrategy(
            len(self.names) * [0.0],
            spread,
            {
                'popsize': POPULATION,
                'verbose': -9,
                'seed': float('nan'),
                'randn': lambda *shape: chance.standard_normal(shape),
            },
        )
        self._cases = list(document.training.values())
        self._walks = sum(case.walks for case in self._cases)
        self.generations: list[Generation] = []

    @property
    def evaluations(self) -> int:
        """Return how many sets have been scored."""
        return POPULATION * len(self.generations)

    @property
    def numbers(self) -> list[float]:
        """Return the middle of the search, in the order of `names`."""
        return self._values(np.asarray(self._search.mean))

    @property
    def parameters(self) -> WalkParameters:
        """Return the set in the middle of the search."""
        return with_numbers(self._start, self.names, self.numbers)

    def generation(
        self, pool: Executor | None, costs: Sequence[float] | None = None
    ) -> list[float]:
        """Score the next sets, here or in a pool, or take costs that are known; return them."""
        points = [np.asarray(point) for point in self._search.ask()]
        if costs is None:
            costs = self._score([self._values(point) for point in points], pool)
        self._search.tell(points, list(costs))
        median = statistics.median(costs)
        done = self.evaluations + POPULATION
        self.generations.append(Generation(done, min(costs), median))
        return list(costs)

    def _score(self, candidates: list[list[float]], pool: Executor | None) -> list[float]:
        median = self.generations[-1].median if self.generations else math.inf
        number = len(self.generations)
        plans = plans_of(self._cases, TRAINING_SEEDS + self._walks * number)
        # Each generation has another order, since sets are given up by their first walks.
        random.Random(number).shuffle(plans)
        task = partial(
            _score_of, self._document.robot, self._start, self.names,
            plans, median,
        )  # fmt: skip
        found = map(task, candidates) if pool is None else pool.map(task, candidates)
        return [result.cost for result in found]

    def _values(self, point: NDArray[np.float64]) -> list[float]:
        return [float(value) for value in self._origin + self._scale * point]


def _score_of(
    robot: str,
    start: WalkParameters,
    names: Sequence[str],
    plans: Sequence[WalkPlan],
    median: float,
    numbers: Sequence[float],
) -> Score:
    """Score a set; one that no file of parameters may hold costs most."""
    try:
        SetPart.model_validate(dict(zip(names, numbers, strict=True)))
    except ValueError:
        return Score(REFUSED, 0)
    parameters = with_numbers(start, names, numbers)
    return score(robot, parameters, plans, step=TRAINING_STEP, median=median)
