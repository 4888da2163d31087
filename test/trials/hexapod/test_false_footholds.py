"""Feet set upon ground that does not bear as it looks: the walk goes on, and nothing falls."""

import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.robots.asv import ft
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.asv import run as run_asv
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.free import FreeGaitResult, FreeGaitTrial, run

pytestmark = pytest.mark.slow

ROBOTS = ['insect18', 'rectangular']


def walked(
    robot: str,
    kind: str,
    seed: int,
    eyes: EyesSettings | None,
    *,
    share: float = 0.2,
    forces: bool = True,
) -> FreeGaitResult:
    """Walk half the usual way, with forces unless told otherwise."""
    model = find_free_gait_model(robot)
    trial = FreeGaitTrial(
        model,
        speed=0.7 * model.command.forward,
        forbidden=share,
        forbidden_kind=kind,
        seed=seed,
        distance=20 * model.cell,
        physics=PhysicsSettings() if forces else None,
        eyes=eyes,
    )
    return run(trial)


@pytest.mark.parametrize('kind', ['soft', 'slippery'])
@pytest.mark.parametrize('robot', ROBOTS)
def test_feet_on_ground_that_looks_firm_recover(robot: str, kind: str) -> None:
    found = walked(robot, kind, 880093, EyesSettings())
    assert found.false_footholds is not None and found.false_footholds >= 2
    # Where a foot has sunk, another may have no ground: the robot then rests.
    assert found.reason in ('reached', 'halted')
    assert found.forces is not None and not found.forces.fell


@pytest.mark.parametrize(
    ('robot', 'seed'),
    [('insect18', 30249), ('insect18', 9099), ('insect18', 20147), ('rectangular', 9031)],
)
def test_a_foot_in_a_hole_that_was_not_seen_comes_out_again(robot: str, seed: int) -> None:
    """To eyes for which holes have no depth the ground is level everywhere."""
    blind = EyesSettings(depth=0.0)
    found = walked(robot, 'hole', seed, blind, share=0.05)
    assert found.false_footholds is not None and found.false_footholds >= 1
    assert found.completed and found.reason == 'reached'
    assert found.forces is not None and not found.forces.fell


@pytest.mark.parametrize('robot', ROBOTS)
def test_edges_are_seen_and_avoided(robot: str) -> None:
    found = walked(robot, 'sharp', 880057, EyesSettings(), forces=False)
    assert found.completed and found.false_footholds == 0


def test_the_asv_recovers_on_slippery_ground() -> None:
    trial = AsvTrial(
        forbidden=0.2,
        forbidden_kind='slippery',
        seed=880057,
        goal=ft(22.0),
        physics=PhysicsSettings(),
        eyes=EyesSettings(),
    )
    found = run_asv(trial)
    assert found.completed and found.forces is not None and not found.forces.fell
    assert found.false_footholds is not None and found.false_footholds >= 1
