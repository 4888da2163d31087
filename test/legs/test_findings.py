"""What the numbers of a hexapod come to."""

from dataclasses import replace
from pathlib import Path

import pytest

from walking_robots.legs.findings import examine, tripod_margin
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.articulated import Stance
from walking_robots.robots.hexapod_files import load_hexapod

FILES = sorted((Path(__file__).resolve().parents[2] / 'config/robots').glob('*.yaml'))


def standing(height: float, radius: float):
    """Return Aquarobot with its feet at a distance from its middle, m."""
    return replace(AQUAROBOT, stance=Stance(height, radius - 0.375))


def test_tripod_margin_is_half_the_radius_of_a_hexagon():
    # Reset pose of the thesis, aquarobot.md §5.6.
    assert tripod_margin(standing(0.5418, 0.77517452)) == pytest.approx(0.387587, abs=1e-6)


def test_tripods_alternate_round_the_body_whatever_the_numbers():
    order = (0, 2, 4, 1, 3, 5)
    feet = tuple(AQUAROBOT.neutral_feet[place] for place in order)
    assert tripod_margin(replace(AQUAROBOT, stance=feet)) == pytest.approx(0.575)


@pytest.mark.parametrize('path', FILES, ids=lambda path: path.stem)
def test_the_shipped_robots_stand(path):
    found = examine(load_hexapod(path))
    assert found.problems == ()
    assert found.margin > 0.09


def test_the_best_stance_has_the_longest_stroke_of_the_table():
    found = examine(AQUAROBOT)
    strokes = {
        (height, reach): stroke
        for height, row in zip(found.heights, found.strokes, strict=True)
        for reach, stroke in zip(found.reaches, row, strict=True)
        if stroke is not None
    }
    assert found.best.stroke == max(strokes.values()) == pytest.approx(1.325, abs=1e-3)
    assert strokes[(found.best.stance.height, found.best.stance.reach)] == found.best.stroke
    # The lowest and widest stance of the table is out of reach, as is the lowest and narrowest.
    assert len(strokes) < len(found.heights) * len(found.reaches)


def test_problems_name_leg_place_and_remedy():
    found = examine(standing(0.3, 0.8))
    assert len(found.problems) == 6
    assert found.problems[0] == (
        'the neutral foot of leg 1 at (0.800, 0.000, -0.300) m is out of reach; '
        'the nearest point that it reaches is (0.840, 0.000, -0.513) m'
    )
    tipping = tuple((0.3 + 0.1 * k, 0.1 * k, -0.6) for k in range(6))
    assert 'the body would tip; place' in examine(replace(AQUAROBOT, stance=tipping)).problems[-1]
