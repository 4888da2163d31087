"""Slip that bipeds feel, against how far their feet truly move."""

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import median
from typing import Any

import pytest

from walking_robots.gaits.biped.felt_slip import LEAST_SLIP
from walking_robots.gaits.biped.parameter_files import shipped_sets, spatial_set
from walking_robots.gaits.biped.spatial.feet import spatial_feet_apart
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import KWALKB3D
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.trials.biped.figures import result, run
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.spatial_figures import run_in_space
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.spatial_trial import SpatialLoop, SpatialTrial, tumbled
from walking_robots.trials.biped.trial import COMMON_NOISE, QUIET, BipedTrial, LoopTick, walk

SETS = shipped_sets()


def trial(robot: str, words: str, seed: int, **settings: Any) -> BipedTrial:
    ground = find_ground(words, seed)
    _, parameters = SETS.find(robot, 'tuned', ground.kind)
    return BipedTrial(KWALKS[robot], parameters, ground.profile, seed=seed, **settings)


def slippery(name: str, seed: int) -> list[LoopTick]:
    """Return the ticks of a walk over cells of 2 cm with friction 0.2."""
    settings = SimulationSettings('native', friction=0.2)
    found = trial(name[0], 'cells:2cm', seed, settings=settings)
    return list(walk(replace(found, parameters=SETS.document.parameters(name))))


def felt_and_true(ticks: list[LoopTick]) -> Iterator[tuple[float, float]]:
    """Yield by how much feet have moved apart or together since both stood, as felt and truly."""
    stood = None
    for tick in ticks:
        if not all(tick.state.contacts):
            stood = None
            continue
        apart = math.dist(*(foot.place for foot in tick.state.feet))
        stood = apart if stood is None else stood
        yield tick.gait.memory.slip.slip, abs(apart - stood)


@pytest.mark.parametrize('robot', ['a', 'b'])
@pytest.mark.parametrize('noisy', [False, True])
@pytest.mark.parametrize('words', ['level', 'very-rough', 'slope:15deg', 'slope:-15deg'])
def test_no_slip_is_felt_where_feet_hold(robot: str, noisy: bool, words: str) -> None:
    found = run(trial(robot, words, 441, noise=COMMON_NOISE if noisy else QUIET))
    assert not found.fell and found.distance_m > 2.0
    assert found.felt_slip_m == 0.0


@pytest.mark.parametrize('name', ['a_steady', 'b_all', 'b_slip'])
def test_on_slippery_ground_slip_is_felt(name: str) -> None:
    felt, true = [], []
    for seed in range(431, 439):
        ticks = slippery(name, seed)
        for slip, moved in felt_and_true(ticks):
            assert slip == pytest.approx(0.0 if moved < LEAST_SLIP else moved, abs=1e-5)
        found = result(ticks)
        felt.append(found.felt_slip_m)
        true.append(found.max_slip_m)
        assert found.felt_slip_m or not found.fell
    assert sum(slip > 0.0 for slip in felt) >= 6
    # Of a foot that stands alone only what is fast is felt, and in a fall the body is faster, too.
    assert 0.4 * median(true) < median(felt) < 2.5 * median(true)


@pytest.mark.parametrize('noisy', [False, True])
def test_in_space_no_slip_is_felt_where_feet_hold(noisy: bool) -> None:
    ground = find_spatial_ground('cells:2cm', 442)
    parameters = spatial_set(SETS, 'b3d', 'tuned', ground.kind)
    trial = SpatialTrial(KWALKB3D, parameters, ground.ground, seed=442, turn=0.1, time=10.0)
    found = run_in_space(replace(trial, noise=COMMON_NOISE) if noisy else trial)
    assert not found.fell and found.steps > 40
    assert found.felt_slip_m == 0.0


def test_in_space_the_distance_of_the_feet_is_felt_and_so_are_falls_by_slip() -> None:
    parameters = spatial_set(SETS, 'b3d', 'tuned', 'level')
    settings = SimulationSettings('native', friction=0.2)
    slips = []
    for seed in range(431, 437):
        loop = SpatialLoop(SpatialTrial(KWALKB3D, parameters, settings=settings, seed=seed))
        stood: tuple[float, float] | None = None
        slips.append(0.0)
        while not tumbled(tick := loop.tick()):
            slips[-1] = max(slips[-1], tick.gait.memory.walk.slip.slip)
            if not all(tick.state.contacts):
                stood = None
                continue
            true = math.dist(*(foot.place for foot in tick.state.feet))
            felt = spatial_feet_apart(*loop.gait.planar.feet).distance
            stood = stood or (felt, true)
            # Round feet roll.
            assert felt - stood[0] == pytest.approx(true - stood[1], abs=0.0025)
    assert all(slip > LEAST_SLIP for slip in slips)
