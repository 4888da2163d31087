"""The biped in space in MuJoCo: its masses, how it is set up, and that it goes on as it did."""

import math

import numpy as np
import pytest

from walking_robots.robots.impedance import JointOrder
from walking_robots.robots.kwalk import KWALKB
from walking_robots.robots.kwalk_spatial import KWALKB3D, SPATIAL_JOINTS
from walking_robots.simulation.biped.disturbances import STRONGEST, SmallDisturbances
from walking_robots.simulation.biped.spatial_build import build_spatial_model
from walking_robots.simulation.biped.spatial_simulation import SpatialSimulation, height_of
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import LEVEL, slope
from walking_robots.terrain.step_field import random_steps

NATIVE = SimulationSettings('native')
POSTURE = (0.0, 0.05, -0.58, 0.87, 0.0, -0.05, -0.28, 0.87)


def standing(ground=LEVEL, heading: float = 0.0) -> SpatialSimulation:
    return SpatialSimulation.standing(KWALKB3D, ground, NATIVE, POSTURE, heading=heading)


def test_the_model_weighs_as_the_planar_robot_and_has_its_joints() -> None:
    model = build_spatial_model(KWALKB3D, LEVEL, NATIVE)
    assert float(model.body_mass.sum()) == pytest.approx(KWALKB.mass, abs=1e-9)
    assert tuple(model.joint(number).name for number in range(1, 9)) == SPATIAL_JOINTS
    assert model.actuator_forcerange[:, 1].tolist() == list(KWALKB3D.efforts)


@pytest.mark.parametrize('heading', [0.0, 1.0, -2.5])
def test_a_robot_is_set_up_with_its_lower_foot_on_the_ground(heading: float) -> None:
    ground = slope(math.radians(10.0))
    found, height = standing(ground, heading), height_of(ground)
    above = [
        z - KWALKB3D.foot_radius - height(x, y)
        for x, y, z in (foot.place for foot in found.state.feet)
    ]
    assert min(above) == pytest.approx(0.0, abs=1e-9)
    assert max(above) >= 0.0


def test_a_restored_robot_goes_on_bit_for_bit() -> None:
    orders = [JointOrder(q, 0.0, 150.0, 3.0, 0.5) for q in POSTURE]
    first = standing()
    first.advance(orders, 40, (3.0, 1.0, 0.0))
    kept = first.state
    first.advance(orders, 40)
    second = standing()
    second.restore(kept)
    assert second.state == kept
    second.advance(orders, 40)
    assert second.state == first.state


def test_servos_follow_the_law_of_all_servos_within_their_efforts() -> None:
    found = standing()
    found.advance([JointOrder(effort=2.0), JointOrder(position=10.0, stiffness=1e4)] * 4, 1)
    assert found.state.efforts[0] == pytest.approx(2.0)
    assert found.state.efforts[1] == KWALKB3D.roll_effort
    found = standing()
    found.advance([JointOrder(POSTURE[0] + 0.01, 0.0, 100.0)] + [JointOrder()] * 7, 1)
    assert found.state.efforts[0] == pytest.approx(1.0)


def test_feet_stand_on_the_tops_of_cells() -> None:
    ground = random_steps(np.random.default_rng(4), 0.05)
    assert {round(ground.height(x, 0.1), 9) for x in (-0.3, 0.0, 0.3)} == {0.0}
    assert 0.0 < max(ground.height(0.5 + 0.2 * n, 0.1) for n in range(5)) <= 0.05
    assert ground.height(1e3, 0.0) == 0.0
    found = standing(ground)
    stiff = [JointOrder(q, 0.0, 800.0, 5.0) for q in POSTURE]
    found.advance(stiff, 100)
    assert all(foot.contact for foot in found.state.feet)
    carried = sum(foot.force[2] for foot in found.state.feet)
    assert carried == pytest.approx(9.81 * KWALKB.mass, rel=0.5)


@pytest.mark.parametrize(
    'settings', [SimulationSettings('thesis'), SimulationSettings('native', delay=0.005)]
)
def test_what_only_planar_robots_have_is_refused(settings: SimulationSettings) -> None:
    with pytest.raises(ValueError, match='servos without delay'):
        SpatialSimulation.standing(KWALKB3D, LEVEL, settings, POSTURE)


def test_small_disturbances_follow_from_the_seed() -> None:
    one, same, other = (SmallDisturbances(seed) for seed in (1, 1, 2))
    assert one.start_velocity() == same.start_velocity() != other.start_velocity()
    times = np.arange(0.0, 5.0, 0.004)
    forces = [one.force(time) for time in times]
    assert forces == [same.force(time) for time in times]
    assert len(set(forces)) == 21
    assert 0.5 * STRONGEST < max(math.hypot(x, y) for x, y, _ in forces) <= STRONGEST
    none = SmallDisturbances(0)
    assert not any(none.start_velocity()) and not any(none.force(1.0))
