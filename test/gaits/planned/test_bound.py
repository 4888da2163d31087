"""What a hexapod can cross at all."""

import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.planned.bound import bound
from walking_robots.gaits.planned.crossing import Crossing, PathStance
from walking_robots.gaits.planned.freedoms import FREEDOMS
from walking_robots.geometry.homogeneous import pose_matrix
from walking_robots.robots.asv import ASV, ft
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.generator import Ditch, build
from walking_robots.trials.hexapod.free import FreeGaitTrial

STUDY_SEEDS = (123, *(1017 + 1000 * k for k in range(19)))
GOAL = complex(ft(38.0), ft(19.5))
MARGIN = ft(0.2)


def ground(ditch: float, forbidden: float, seed: int) -> TernaryTerrain:
    """Return the terrain of a trial, its ditch in feet."""
    ditches = (Ditch(ASV.ditch.default_location, ft(ditch)),) if ditch else ()
    return build(share=forbidden, seed=seed, ditches=ditches)


def possible(terrain: TernaryTerrain, freedom: str, margin: float = MARGIN) -> str:
    return bound(ASV, terrain, GOAL, freedom, margin=margin).possible


# Crossings of 20 that are possible: straight, 2 ft aside, anywhere.
TABLE = {
    (7, 0.4): (20, 20, 20),
    (8, 0.3): (20, 20, 20),
    (8, 0.4): (20, 20, 20),
    (0, 0.85): (20, 20, 20),
    (0, 0.90): (15, 20, 20),
    (0, 0.95): (1, 9, 15),
    (9, 0.0): (0, 0, 0),
    (9, 0.4): (0, 0, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize(('ditch', 'forbidden'), TABLE)
def test_the_table_of_the_study(ditch: float, forbidden: float, acceptance: bool) -> None:
    expected = TABLE[ditch, forbidden]
    count = 20 if acceptance or set(expected) != {20} else 5
    terrains = [ground(ditch, forbidden, seed) for seed in STUDY_SEEDS[:count]]
    found = tuple(
        sum(possible(terrain, freedom) == 'yes' for terrain in terrains)
        for freedom in ('straight', 'lane', 'anywhere')
    )
    assert found == tuple(min(number, count) for number in expected)


def test_a_turned_body_crosses_nine_feet_and_a_pitched_one_ten() -> None:
    nine, ten = ground(9.0, 0.1, 123), ground(10.0, 0.4, 123)
    assert (possible(nine, 'anywhere'), possible(nine, 'yaw')) == ('no', 'yes')
    assert (possible(ten, 'yaw'), possible(ten, 'posture')) == ('no', 'yes')
    assert possible(ground(11.0, 0.1, 123), 'posture') == 'no'


class _Lines:
    """Half-planes a . b <= c on places of the body; feasible if the best vertex satisfies all."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, float, float]] = []

    def reach(self, model: HexapodModel, stance: PathStance, feet: dict[int, complex]) -> None:
        """Add that feet are within the half-spaces of their legs, by three places of the body."""
        yaw, pitch, height = stance.posture
        inverse = pose_matrix(yaw, pitch, 0.0, 0.0, 0.0, 0.0)[:3, :3].T
        for leg, foot in feet.items():
            for half in model.legs[leg].volume:
                value = [
                    -half.inside
                    * (
                        np.dot(
                            half.normal,
                            inverse @ (foot.real - x, foot.imag - y, -height),
                        )
                        + half.offset
                    )
                    for x, y in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
                ]
                self._rows.append((value[1] - value[0], value[2] - value[0], -value[0]))

    def stable(self, feet: Iterable[complex], margin: float) -> None:
        """Add that the body is so deep, m, in the triangle of three feet."""
        corners = list(feet)
        middle = sum(corners) / 3.0
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            out = (other - one) / abs(other - one) * -1j
            if (out.conjugate() * (middle - one)).real > 0.0:
                out = -out
            self._rows.append((out.real, out.imag, (out.conjugate() * one).real - margin))

    def feasible(self) -> bool:
        """Return whether a vertex of the half-planes lies in all of them."""
        rows = np.array(self._rows)
        flat = np.hypot(rows[:, 0], rows[:, 1]) < 1e-12
        if (rows[flat, 2] < 0.0).any():
            return False
        rows = rows[~flat]
        one, other = np.triu_indices(len(rows), 1)
        (a, b, c), (d, e, f) = rows[one].T, rows[other].T
        det = a * e - b * d
        use = np.abs(det) > 1e-12
        x = (c * e - b * f)[use] / det[use]
        y = (a * f - c * d)[use] / det[use]
        over = rows[:, :1] * x + rows[:, 1:2] * y - rows[:, 2:]
        return bool((over <= 1e-9).all(axis=0).any())


def bad_moves(model: HexapodModel, crossing: Crossing, margin: float) -> list[int]:
    """Return the moves of a path that a body cannot make, by half-spaces and vertices alone."""
    bad = []
    for number, (one, other) in enumerate(itertools.pairwise(crossing.path)):
        four = one.feet | other.feet
        regions = [_Lines(), _Lines()]
        if one.posture == other.posture:
            assert len(four) == len(one.feet) + 1 == len(other.feet) + 1
            assert all(one.feet.get(leg, foot) == foot for leg, foot in four.items())
            for region, stance in zip(regions, (one, other), strict=True):
                region.reach(model, stance, four)
                region.stable(stance.feet.values(), margin)
        else:
            assert one.feet == other.feet
            for stance in (one, other):
                regions[0].reach(model, stance, four)
            regions[0].stable(four.values(), margin)
            del regions[1]
        if not all(region.feasible() for region in regions):
            bad.append(number)
    return bad


def random_terrain(chance: random.Random) -> TernaryTerrain:
    return ground(
        chance.choice((0, 3, 6, 8, 9)), chance.uniform(0.0, 0.93), chance.randrange(10**6)
    )


def verify(seeds: Sequence[int]) -> int:
    """Verify the paths over random terrains; return how many there are."""
    paths = 0
    for seed in seeds:
        chance = random.Random(seed)
        terrain, freedom = random_terrain(chance), chance.choice(FREEDOMS[:-1])
        found = bound(ASV, terrain, GOAL, freedom, margin=MARGIN)
        assert (found.possible == 'yes') == bool(found.path)
        for foot in (foot for stance in found.path[1:] for foot in stance.feet.values()):
            start = foot in found.path[0].feet.values()
            assert start or terrain.permitted(foot.real, foot.imag)
        assert bad_moves(ASV, found, MARGIN) == []
        paths += bool(found.path)
    return paths


@pytest.mark.slow
def test_paths_hold_by_half_spaces_and_vertices(acceptance: bool) -> None:
    count = 200 if acceptance else 12
    assert verify(range(1000, 1000 + count)) > count / 3


def test_a_path_by_all_freedom_holds() -> None:
    found = bound(ASV, ground(10.0, 0.4, 123), GOAL, 'posture', margin=MARGIN)
    assert {stance.posture.pitch for stance in found.path} != {0.0}
    assert bad_moves(ASV, found, MARGIN) == []


def test_a_move_that_cannot_be_made_is_bad() -> None:
    found = bound(ASV, ground(7.0, 0.4, 123), GOAL, 'straight', margin=MARGIN)
    far = {leg: foot + ft(6.0) for leg, foot in found.path[9].feet.items()}
    moved = found._replace(path=(*found.path[:9], PathStance(found.path[9].posture, far)))
    with pytest.raises(AssertionError):
        assert bad_moves(ASV, moved, MARGIN) == []
    assert bad_moves(ASV, found, ft(2.5))


@pytest.mark.slow
@pytest.mark.parametrize('seed', range(1, 6))
def test_more_ground_less_margin_and_more_freedom_never_hurt(seed: int) -> None:
    chance = random.Random(seed)
    terrain = ground(chance.choice((0, 8)), chance.uniform(0.5, 0.95), seed)
    order = ('no', 'undecided', 'yes')
    found = [order.index(possible(terrain, freedom)) for freedom in FREEDOMS[:4]]
    assert found == sorted(found)
    margins = [order.index(possible(terrain, 'lane', ft(m))) for m in (0.5, 0.3, 0.1, 0.0)]
    assert margins == sorted(margins)
    cells = terrain.cells.copy()
    mended = (cells == FORBIDDEN) & (np.random.default_rng(seed).random(cells.shape) < 0.2)
    cells[mended] = 0
    more = replace(terrain, cells=cells)
    assert order.index(possible(more, 'lane')) >= order.index(possible(terrain, 'lane'))


def test_other_hexapods_are_bounded_by_their_working_volumes() -> None:
    for robot in ('insect18', 'aquarobot', 'rectangular'):
        model = find_free_gait_model(robot)
        trial = FreeGaitTrial(model, forbidden=0.4, ditch=4.0 * model.cell, seed=5)
        terrain, model = trial.ground()
        x, y, _ = model.start_position
        found = bound(model, terrain, complex(trial.goal(x), y), 'lane')
        assert found.possible == 'yes'
        assert bad_moves(model, found, model.stability.lift) == []
        wide, model = replace(trial, ditch=60.0 * model.cell).ground()
        assert bound(model, wide, complex(trial.goal(x), y)).possible == 'no'


def test_what_it_cannot_bound_is_refused() -> None:
    with pytest.raises(ValueError, match='freedom'):
        possible(ground(0.0, 0.0, 1), 'wings')
    with pytest.raises(ValueError, match='level'):
        bound(ASV, build(profile=((5.0, 0.0), (10.0, 0.5))), GOAL)
    assert bound(ASV, ground(0.0, 0.0, 1), complex(*ASV.start_position[:2])).possible == 'yes'
