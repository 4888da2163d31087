"""The controller in space: where it feels its feet, how it balances, and its set of numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.parameter_files import BipedFileError, parse_sets, shipped_sets
from walking_robots.gaits.biped.spatial.controller import SpatialGait
from walking_robots.gaits.biped.spatial.feet import foot_beside, pitch_rate
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.gaits.biped.spatial.senses import SpatialSenses, posture
from walking_robots.gaits.biped.states import FALLEN, WalkPhase, phase_of
from walking_robots.gaits.biped.virtual_legs import virtual_leg
from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.robots.impedance import LIMP
from walking_robots.robots.kwalk import KWALKB, LEFT, RIGHT
from walking_robots.robots.kwalk_spatial import EACH_LEG, KWALKB3D
from walking_robots.simulation.biped.spatial_simulation import SpatialSimulation
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import LEVEL

SETS = shipped_sets()
_, TUNED = SETS.find('b3d', 'tuned', 'level')
assert isinstance(TUNED, SpatialParameters)
GAIT = SpatialGait(KWALKB3D, TUNED)


def senses(contacts=(True, True), **changes) -> SpatialSenses:
    still = SpatialSenses(
        GAIT.start_joints, (0.0,) * 8, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), contacts, 0.004
    )
    return still._replace(**changes)


def walked(ticks: int, **changes):
    """Return the tick after some of standing still, and then one of other senses."""
    memory = GAIT.beginning()
    for _ in range(ticks):
        memory = GAIT.tick(memory, senses()).memory
    return GAIT.tick(memory, senses(**changes))


def test_posture_is_that_of_fixed_axes() -> None:
    generator = np.random.default_rng(1)
    for quaternion in generator.normal(size=(50, 4)):
        unit = tuple((quaternion / np.linalg.norm(quaternion)).tolist())
        assert posture(unit) == pytest.approx(roll_pitch_yaw(unit), abs=1e-6)


def test_feet_are_felt_where_the_simulation_has_them() -> None:
    generator = np.random.default_rng(2)
    settings = SimulationSettings('native')
    found = SpatialSimulation.standing(KWALKB3D, LEVEL, settings, GAIT.start_joints)
    leg = virtual_leg(KWALKB)
    dt = 1e-6
    for _ in range(10):
        joints = generator.uniform(-0.4, 0.4, size=8)
        joints[[3, 7]] = generator.uniform(0.3, 1.2, size=2)
        axis = generator.normal(size=3) * 0.15
        attitude = np.array((1.0, *axis)) / np.linalg.norm((1.0, *axis))
        velocity = generator.normal(scale=0.5, size=14)
        velocity[:3] = 0.0
        state = found.state._replace(
            place=(0.0, 0.0, 1.0), attitude=tuple(attitude), joints=tuple(joints),
            velocity=tuple(velocity),
        )  # fmt: skip
        before = found._places_of(state)
        turned = _turned(attitude, velocity[3:6] * dt)
        after = found._places_of(
            state._replace(attitude=turned, joints=tuple(joints + velocity[6:] * dt))
        )
        roll, pitch, heading = posture(tuple(attitude))
        felt = SpatialSenses(
            tuple(joints), tuple(velocity[6:]), roll, pitch, heading, tuple(velocity[3:6]),
            (True, True), 0.004,
        )  # fmt: skip
        for side in (RIGHT, LEFT):
            hip, knee = joints[EACH_LEG * side + 2 : EACH_LEG * side + 4]
            hip_rate, knee_rate = velocity[6 + EACH_LEG * side + 2 :][:2]
            virtual = leg.forward(hip + pitch, knee, hip_rate + pitch_rate(felt), knee_rate)
            beside = foot_beside(
                KWALKB3D.hips[side], virtual, EACH_LEG * side, felt, pitch_rate(felt)
            )
            across = np.array((-math.sin(heading), math.cos(heading), 0.0))
            # The centre of a foot is a radius above its end, along the shank.
            assert beside.place == pytest.approx(before[side] @ across, abs=0.012)
            moving = (np.array(after[side]) - before[side]) @ across / dt
            assert beside.speed == pytest.approx(moving, abs=0.03)


def _turned(attitude: np.ndarray, by: np.ndarray) -> tuple[float, ...]:
    """Return an attitude turned a little about the axes of the body."""
    w, x, y, z = attitude
    a, b, c = by / 2.0
    found = (
        w - x * a - y * b - z * c, x + w * a + y * c - z * b,
        y + w * b + z * a - x * c, z + w * c + x * b - y * a,
    )  # fmt: skip
    return tuple(np.array(found) / np.linalg.norm(found))


def test_it_begins_within_a_tenth_of_a_second() -> None:
    """A robot in space cannot balance on two feet, so its first step follows at once."""
    assert TUNED.settled <= TUNED.balanced < 0.1
    phases = set()
    memory = GAIT.beginning()
    for _ in range(25):
        memory = GAIT.tick(memory, senses()).memory
        phases.add(phase_of(memory.walk.state))
    assert WalkPhase.DOUBLE in phases


def test_a_foot_that_is_far_from_the_capture_point_waits_to_lift() -> None:
    fast = GAIT.parameters
    gait = SpatialGait(KWALKB3D, replace(fast, least_speed=0.0, start_angle=0.0, gate=0.02))
    memory = gait.beginning()
    for _ in range(40):
        tick = gait.tick(memory, senses()._replace(joints=gait.start_joints))
        memory = tick.memory
    assert phase_of(memory.walk.state) == WalkPhase.DOUBLE
    assert -0.05 < -fast.start_beside < 0.0 and gait.planar.inward > 0.02


def test_the_planar_controller_is_unchanged_where_nothing_holds_it() -> None:
    """With an open gate its ticks are those of BipedGait, to the last bit, but for felt slip."""
    open_gate = replace(TUNED, gate=1.0, hurry=1.0)
    spatial, planar = SpatialGait(KWALKB3D, open_gate), BipedGait(KWALKB, open_gate)
    memory, remembered = spatial.beginning(), planar.beginning()
    generator = np.random.default_rng(3)
    for _ in range(200):
        noisy = np.array(spatial.start_joints) + generator.normal(scale=0.02, size=8)
        felt = senses(joints=tuple(noisy), pitch=0.01, contacts=(True, bool(noisy[0] > 0.0)))
        tick = spatial.tick(memory, felt)
        alone = planar.tick(remembered, spatial_to_planar(felt))
        memory, remembered = tick.memory, alone.memory
        slip = tick.planar.memory.slip
        assert tick.planar == alone._replace(memory=alone.memory._replace(slip=slip))


def spatial_to_planar(felt: SpatialSenses):
    from walking_robots.gaits.biped.senses import Senses

    a, b, c, d = (felt.joints[n] for n in (2, 3, 6, 7))
    return Senses((a, b, c, d), (0.0,) * 4, felt.pitch, 0.0, felt.contacts, felt.dt)


def test_legs_that_stand_turn_a_body_level() -> None:
    level, rolled = walked(30), walked(30, roll=0.05)
    for number in (1, 5):
        assert rolled.orders[number].effort > level.orders[number].effort
        assert abs(rolled.orders[number].effort) <= KWALKB3D.roll_effort


def test_a_turn_moves_the_desired_heading_and_legs_follow() -> None:
    memory = GAIT.beginning()
    for _ in range(25):
        tick = GAIT.tick(memory, senses(), turn=0.5)
        memory = tick.memory
    assert memory.heading == pytest.approx(0.05)
    assert tick.heading_error == pytest.approx(-0.05)
    assert tick.orders[0].effort < 0.0, 'a leg that stands turns its foot right, the body left'


def test_a_robot_that_lies_goes_limp() -> None:
    tick = walked(30, pitch=1.2)
    assert tick.memory.walk.state == FALLEN
    assert set(tick.orders) == {LIMP}


SET = """
biped_sets: 1
sets:
  planar:
    {robot: b, height: 50cm, reach: -8deg, lead: -0.1, lift: 5cm, shorter: 5cm, clearance: 2cm,
     lowering_force: 40, lowering_damping: 20, start_knee_stiffness: 800, knee_stiffness: 200,
     hip_damping_ratio: 0.85, knee_damping_ratio: 0.85, balanced: 0.6, smoothing: 20ms}
  mine: {like: planar, WHAT}
"""


@pytest.mark.parametrize(
    ('what', 'sentence'),
    [
        ('robot: b3d', 'sets.mine.* must give beside'),
        ('gate: 0.1', 'sets.mine.*only a robot in space, b3d, has gate'),
    ],
)
def test_a_set_has_the_numbers_of_its_robot(what: str, sentence: str) -> None:
    with pytest.raises(BipedFileError, match=sentence):
        parse_sets(SET.replace('WHAT', what))
