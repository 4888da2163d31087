"""Legs of the ASV do not cross: they move in planes through one hinge axis on each side."""

import numpy as np
import pytest

from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.hexapod.asv import AsvTrial, run

pytestmark = pytest.mark.slow

NEIGHBOURS = [(0, 2), (2, 4), (1, 3), (3, 5)]
HIPS = np.array([leg.hip for leg in ASV.legs])
SHARES = np.linspace(0.0, 1.0, 41)[:, None]


def least_distance(feet: np.ndarray) -> float:
    """Return the least distance between the lines from hips to feet of neighbours, m."""
    lines = HIPS[:, None] + SHARES * (feet - HIPS)[:, None]
    return min(
        float(np.linalg.norm(lines[one][:, None] - lines[other], axis=2).min())
        for one, other in NEIGHBOURS
    )


@pytest.mark.parametrize(('ditch', 'share'), [(7.0, 0.4), (8.0, 0.4), (0.0, 0.9), (9.0, 0.2)])
def test_planned_legs_keep_apart(ditch, share, acceptance):
    least = []

    def watch(step, _):
        least.append(least_distance(np.array(step.after.feet)))

    for seed in range(50111, 50111 + (10_000 if acceptance else 1000), 1000):
        trial = AsvTrial(ditch=ft(ditch), forbidden=share, seed=seed, gait='planned')
        assert run(trial, watch=watch).completed
    assert min(least) > ft(0.3)
