"""The simulated biped: its model, its servos, its ground, and taking it back to any instant."""

import builtins
from dataclasses import replace

import pytest

from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import GRAVITY, KWALKA, KWALKB
from walking_robots.simulation.biped.build import build_model
from walking_robots.simulation.biped.feet import foot_kinematics
from walking_robots.simulation.biped.simulation import BipedSimulation
from walking_robots.simulation.biped.state import SimulationSettings, resting
from walking_robots.terrain.profile import LEVEL, HeightProfile, bump, rough, slope

THESIS, NATIVE = SimulationSettings('thesis'), SimulationSettings('native')
POSTURE = {'kwalka': (-0.15, 0.08, 0.15, 0.08), 'kwalkb': (-0.58, 0.87, -0.28, 0.87)}


def held(robot):
    """Return orders that hold a posture stiffly."""
    knee = (5000.0, 200.0) if robot.knee == 'prismatic' else (400.0, 4.0)
    gains = ((400.0, 6.0), knee, (400.0, 6.0), knee)
    return tuple(JointOrder(q, 0.0, *g) for q, g in zip(POSTURE[robot.name], gains, strict=True))


@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
@pytest.mark.parametrize('settings', [THESIS, NATIVE])
def test_the_model_has_the_mass_and_the_limits_of_the_robot(robot, settings):
    model = build_model(robot, LEVEL, settings)
    assert model.body_mass.sum() == pytest.approx(robot.mass, abs=1e-9)
    assert [model.joint(i).name for i in range(7)] == [
        'x', 'z', 'pitch', 'rhip', 'rknee', 'lhip', 'lknee',
    ]  # fmt: skip
    assert model.actuator_ctrlrange[:, 1].tolist() == list(robot.efforts)
    assert tuple(model.joint('rknee').range) == pytest.approx(robot.knee_range)
    assert tuple(model.body('lthigh').pos) == pytest.approx((0.0, 0.15, 0.0))


@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
def test_feet_are_where_the_model_has_them(robot):
    from walking_robots.simulation.engine import mujoco_engine

    mj, model = mujoco_engine(), build_model(robot, LEVEL, NATIVE)
    data = mj.MjData(model)
    data.qpos[:] = (0.3, 0.7, 0.1, -0.4, 0.2, 0.5, 0.1)
    mj.mj_forward(model, data)
    foot = foot_kinematics(robot)(0.1 - 0.4, 0.2)
    along = data.body('rshank').xmat.reshape(3, 3) @ (0.0, 0.0, -0.32)
    found = data.body('rshank').xpos + along
    assert (found[0], found[2]) == pytest.approx((0.3 + foot.x, 0.7 + foot.z), abs=1e-12)


@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
def test_a_robot_in_the_air_falls_as_everything_does(robot):
    sim = BipedSimulation(robot, LEVEL, THESIS, resting(POSTURE[robot.name], 2.0))
    sim.advance((LIMP,) * 4, 500)
    assert sim.state.velocity[1] == pytest.approx(-GRAVITY * 0.1, rel=1e-6)
    assert sim.state.time == pytest.approx(0.1)


@pytest.mark.parametrize('settings', [THESIS, NATIVE])
@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
def test_a_robot_that_stands_is_carried_by_its_feet(robot, settings):
    strong = replace(robot, hip_effort=1e3, knee_effort=1e3)
    sim = BipedSimulation.standing(strong, LEVEL, settings, POSTURE[robot.name])
    sim.advance(held(robot), round(0.4 / settings.step))
    state = sim.state
    assert state.contacts == (True, True)
    assert sum(foot.force_z for foot in state.feet) == pytest.approx(95.283, rel=0.05)


def test_torques_stay_within_the_limits():
    sim = BipedSimulation(KWALKB, LEVEL, NATIVE, resting(POSTURE['kwalkb'], 2.0))
    sim.advance((JointOrder(effort=90.0), JointOrder(effort=-90.0), LIMP, LIMP), 1)
    assert sim.state.efforts == (15.0, -20.0, 0.0, 0.0)


def test_a_delay_holds_torques_back():
    late = replace(NATIVE, delay=0.005)
    sim = BipedSimulation(KWALKB, LEVEL, late, resting(POSTURE['kwalkb'], 2.0))
    sim.advance((JointOrder(effort=3.0), LIMP, LIMP, LIMP), 5)
    assert sim.state.efforts[0] == 0.0
    sim.advance((LIMP,) * 4, 1)
    assert sim.state.efforts[0] == 3.0


def test_a_push_moves_the_robot():
    sim = BipedSimulation(KWALKA, LEVEL, NATIVE, resting(POSTURE['kwalka'], 2.0))
    sim.advance((LIMP,) * 4, 50, push=60.0)
    state = sim.state
    assert state.x == pytest.approx(0.5 * 60.0 / KWALKA.mass * 0.05**2, rel=0.4)
    sim.advance((LIMP,) * 4, 50)
    assert sim.state.x - state.x == pytest.approx(state.velocity[0] * 0.05, rel=0.6)


@pytest.mark.parametrize('settings', [THESIS, NATIVE])
@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
def test_check_23_a_state_taken_back_goes_on_bit_for_bit(robot, settings):
    sim = BipedSimulation.standing(robot, rough(), settings, POSTURE[robot.name])
    sim.advance(held(robot), 150)
    kept = sim.state
    sim.advance(held(robot), 150)
    after = sim.state
    assert after != kept
    other = BipedSimulation(robot, rough(), settings, kept)
    for again in (sim, other):
        again.restore(kept)
        again.advance(held(robot), 150)
        assert again.state._replace(time=0.0) == after._replace(time=0.0)
        assert again.state.time == pytest.approx(after.time)


GROUNDS = {
    'rough': rough(),
    'very rough': rough(0.02),
    'up': slope(0.35),
    'down': slope(-0.61),
    'bump of 8 cm': bump(0.08),
    'bump of 12 cm': bump(0.12),
    'bump of 50 cm': bump(0.5),
    'comb': HeightProfile((1.0, 1.1, 1.2, 1.3, 1.4, 1.5), (0.0, 0.3, 0.0, 0.25, -0.1, 0.0)),
    'needle': HeightProfile((1.0, 1.0001, 1.0002), (0.0, 0.5, 0.0)),
    'walls': HeightProfile((1.0, 1.05, 1.1, 2.0), (0.3, 0.32, 0.01, -0.4), 'zero'),
}


@pytest.mark.parametrize('name', GROUNDS)
def test_boxes_and_prisms_are_the_ground(name):
    import numpy as np

    from walking_robots.simulation.engine import mujoco_engine

    mj, ground = mujoco_engine(), GROUNDS[name]
    model = build_model(KWALKA, ground, NATIVE)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    hit = np.zeros(1, dtype=np.int32)
    # The corners of a mesh are of single precision.
    apart = 1e-6 if model.nmesh else 1e-9
    for x in np.arange(-0.5, 3.5, 0.0071):
        down = mj.mj_ray(model, data, [x, 0.7, 50.0], [0, 0, -1.0], None, 1, -1, hit)
        assert 50.0 - down == pytest.approx(ground.height(x), abs=apart)


def test_only_sharp_peaks_are_no_boxes():
    meshes = {name: build_model(KWALKA, GROUNDS[name], NATIVE).nmesh for name in GROUNDS}
    assert {name for name, number in meshes.items() if number} == {
        'bump of 12 cm', 'bump of 50 cm', 'comb', 'needle', 'walls',
    }  # fmt: skip


def test_a_foot_slips_where_friction_is_low():
    def way(friction):
        settings = SimulationSettings('native', friction=friction)
        sim = BipedSimulation.standing(KWALKA, slope(0.5, start=-3.0), settings, (0.0,) * 4)
        sim.advance((LIMP,) * 4, 100)
        return sim.state.feet[0].x

    assert way(0.1) < -0.005 < way(1.0)


def test_without_mujoco_one_sentence_says_so(monkeypatch):
    wanted = builtins.__import__

    def refuse(name, *rest, **more):
        if name == 'mujoco':
            raise ImportError('none here', name='mujoco')
        return wanted(name, *rest, **more)

    monkeypatch.setattr(builtins, '__import__', refuse)
    with pytest.raises(ValueError, match=r'mujoco cannot be imported: .*physics'):
        build_model(KWALKA, LEVEL, NATIVE)


@pytest.mark.parametrize(
    ('wrong', 'sentence'),
    [
        ({'contact': 'ice'}, "'thesis' or 'native'"),
        ({'time_step': 0.005}, 'native contacts must be from 1e-5 to 0.004 s'),
        (
            {'contact': 'thesis', 'time_step': 0.0006},
            'thesis contacts must be from .* to 0.0005 s',
        ),
        ({'delay': -0.1}, 'must not be negative'),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(NATIVE, **wrong)


def test_the_time_step_follows_the_contact():
    assert (THESIS.step, NATIVE.step) == (2e-4, 1e-3)
