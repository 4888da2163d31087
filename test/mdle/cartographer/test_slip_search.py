"""Test how both slips are found from the scores of some."""

import math

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.cartographer.slip_search import PLACES, SlipSearch, fit_parabola


def test_a_parabola_is_found_though_its_axes_are_not_those_of_the_slips() -> None:
    bend = np.array(((1.0, 0.6), (0.6, 0.8)))
    best = np.array((0.5, -0.4))
    away = PLACES - best
    scores = -0.5 * np.einsum('ni,ij,nj->n', away, bend, away) - 1234.0
    slope, found, spread = fit_parabola(PLACES, scores)
    assert np.abs(np.linalg.solve(found, slope) - best).max() < 0.1
    assert np.abs(found - bend).max() < 0.2
    assert 0.05 < math.sqrt(spread[0, 0]) < 0.3


def test_what_cells_do_to_scores_says_little() -> None:
    """Without any slope, the middle and what was known before stay, whatever the noise."""
    rng = np.random.default_rng(5)
    slopes, bends = [], []
    for _ in range(400):
        slope, bend, spread = fit_parabola(PLACES, rng.normal(0.0, 1.0, len(PLACES)))
        slopes.append(slope @ np.linalg.solve(spread, slope))
        bends.append(np.linalg.eigvalsh(bend))
    assert 1.0 < np.mean(slopes) <= 2.0
    assert np.abs(np.mean(bends, axis=0)).max() < 0.5


def test_scores_far_below_the_best_one_do_not_spoil_the_parabola() -> None:
    """Far from the best slip, nothing fits any more, and scores fall no further."""
    scores = np.maximum(-8.0 * ((PLACES - (0.6, 0.0)) ** 2).sum(axis=1), -20.0)
    slope, bend, _ = fit_parabola(PLACES, scores)
    assert np.linalg.solve(bend, slope) == pytest.approx((0.6, 0.0), abs=0.3)


def test_what_is_too_near_to_be_measured_says_nothing_of_the_slip() -> None:
    slips = []
    for too_near in (0.05, 0.2):
        search = SlipSearch(ORIGIN, 0.01, 0.345)
        for number in range(800):
            search.move(Pose2(0.02, 0.0, 0.02))
            distance = 0.8 + 0.3 * math.sin(0.05 * number)
            search.hear(Pose2(0.2), distance, 0.2, 0.2)
            search.hear(Pose2(0.0, 0.2, 1.57), too_near, 0.2, 0.2)
            search.work(10_000)
        assert search.searches
        slips.append(search.slip)
    assert slips[0] == slips[1] != (0.0, 0.0)
