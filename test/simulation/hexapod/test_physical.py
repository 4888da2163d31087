"""A hexapod with masses, servos and contact forces: it stands, walks and falls as it should."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.robots.articulated import Servo
from walking_robots.robots.asv import ft
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.physical import physical_articulated
from walking_robots.simulation.hexapod.physical_parts import GRAVITY, PhysicsSettings
from walking_robots.terrain.level import LevelGround
from walking_robots.terrain.relief import Rubble, Slope
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.asv import run as run_asv
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.free import run as run_free
from walking_robots.trials.hexapod.periodic import HexapodTrial, run

pytestmark = pytest.mark.slow

ROBOTS = ('insect18', 'aquarobot', 'rectangular')
PHYSICS = PhysicsSettings()


def walk(robot: str, gait: str = 'tripod', time: float = 8.0) -> HexapodTrial:
    """Return the fastest walk ahead of a robot."""
    return HexapodTrial(find_hexapod(robot), gait=gait, speed=1.0, time=time, physics=PHYSICS)


def turned(servo: Servo, steps: int = 12) -> np.ndarray:
    """Return the angles, rad, of a hip that is sent 0.6 rad aside in one step, after each."""
    robot = replace(find_hexapod('insect18'), servo=servo)
    hexapod = physical_articulated(robot, LevelGround(-1.0), 0.02, PHYSICS)
    joints = hexapod.state.joints.copy()
    start, joints[0, 0] = joints[0, 0], joints[0, 0] + 0.6
    return np.array([hexapod.step(joints).joints[0, 0] - start for _ in range(steps)])


def test_a_servo_turns_no_faster_than_without_load() -> None:
    idle = 5.0
    free, slow = turned(Servo(1.5)), turned(Servo(1.5, idle))
    assert np.diff(free).max() / 0.02 > 1.2 * idle
    assert 0.5 * idle < np.diff(slow).max() / 0.02 <= idle


def test_the_torque_of_a_servo_falls_with_its_speed() -> None:
    torque, idle = 1.5, 5.0
    robot = replace(find_hexapod('insect18'), servo=Servo(torque, idle))
    hexapod = physical_articulated(robot, LevelGround(), 0.02, PHYSICS)
    hexapod._count(np.full((1, 18), torque), np.full((1, 18), 0.5 * idle))
    assert hexapod.peak_torque == pytest.approx(0.5 * torque)


def test_the_inertia_of_its_rotor_holds_a_servo_back() -> None:
    torque, inertia = 1.5, 0.5
    light, heavy = turned(Servo(torque)), turned(Servo(torque, inertia=inertia))
    times = 0.02 * np.arange(1, 13)
    assert (heavy < 0.5 * torque / inertia * times**2 + 0.01).all()
    assert light[4] > 3.0 * heavy[4] > 0.0


def test_a_servo_acts_after_its_delay() -> None:
    prompt, late = turned(Servo(1.5)), turned(Servo(1.5, delay=0.04))
    assert np.abs(late[:2]).max() < 0.01 < prompt[1]
    assert late[4] > 0.1


def test_a_joint_is_free_within_its_backlash() -> None:
    play = 0.05
    exact, loose = turned(Servo(1.5), 60)[-1], turned(Servo(1.5, backlash=play), 60)[-1]
    assert 0.3 * play < exact - loose < 0.7 * play


def test_a_compliant_servo_gives_way() -> None:
    robot = find_hexapod('insect18')
    heights = []
    for servo in (Servo(compliance=0.04), Servo(compliance=0.08), Servo(compliance=0.16)):
        hexapod = physical_articulated(replace(robot, servo=servo), LevelGround(), 0.02, PHYSICS)
        heights.append(hexapod.state.position[2])
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[2] > 3e-4


@pytest.mark.parametrize('gait', ['tripod', 'wave'])
def test_gaits_walk_with_servos_as_they_are(gait: str) -> None:
    servo = Servo(1.5, math.radians(400.0), 0.02, math.radians(1.0))
    trial = walk('insect18', gait)
    real = run(replace(trial, robot=replace(trial.robot, servo=servo)))
    assert real.completed and real.distance_m > 0.9 * run(trial).distance_m
    assert real.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(1.0))


@pytest.mark.parametrize('name', ROBOTS)
def test_a_robot_at_rest_weighs_on_its_six_feet(name: str) -> None:
    robot = find_hexapod(name)
    hexapod = physical_articulated(robot, LevelGround(), 0.02, PHYSICS)
    joints = hexapod.state.joints
    for _ in range(50):
        hexapod.step(joints)
    data = hexapod._data
    forces = data.sensordata.reshape(6, 3)[:, 2]
    assert abs(forces.sum()) == pytest.approx(robot.masses.total * GRAVITY, rel=0.01)
    assert all(hexapod.state.contacts) and not hexapod.fell
    assert np.abs(data.qvel).max() < 0.01
    x, y, z = hexapod.state.position
    assert math.hypot(x, y) < 0.01 * robot.height
    assert 0.95 * robot.height < z < 1.02 * robot.height


@pytest.mark.parametrize('gait', ['tripod', 'ripple', 'wave'])
@pytest.mark.parametrize('name', ROBOTS)
def test_gaits_lead_as_far_on_a_plane_as_without_forces(name: str, gait: str) -> None:
    trial = walk(name, gait)
    result, ideal = run(trial), run(replace(trial, physics=None))
    forces = result.forces
    assert result.completed and not forces.fell and result.reason == ''
    assert 0.94 < result.distance_m / ideal.distance_m < 1.15
    assert forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert 0.05 < forces.cost_of_transport < 0.5
    assert forces.max_overload_s <= 0.1
    assert forces.physics.startswith('MuJoCo ')
    assert ideal.forces is None


@pytest.mark.parametrize('degrees', [0, 90, 180, 225])
def test_a_slope_of_15_degrees_is_walked_in_any_direction(degrees: int) -> None:
    trial = walk('aquarobot').over(Slope(math.radians(15.0), math.radians(degrees)))
    result, ideal = run(trial), run(replace(trial, physics=None))
    assert result.completed and not result.forces.fell
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert result.distance_m > 0.9 * ideal.distance_m


@pytest.mark.parametrize('gait', ['rules', 'planned'])
@pytest.mark.parametrize('name', ROBOTS)
def test_free_gaits_walk_round_holes(name: str, gait: str) -> None:
    model = find_free_gait_model(name)
    speed, way = model.command.forward, 10 * model.cell
    trial = FreeGaitTrial(
        model, speed=0.7 * speed, forbidden=0.2, seed=61, distance=way, gait=gait, physics=PHYSICS
    )
    result = run_free(trial)
    assert result.completed and not result.forces.fell
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert result.forces.max_overload_s <= 0.1
    assert result.forces.max_slip_m < 0.5 * model.cell


@pytest.mark.parametrize(('gait', 'seed'), [('rules', 61), ('auto', 770003)])
def test_the_asv_crosses_a_ditch_that_is_a_hole(gait: str, seed: int) -> None:
    """Planned at the margin of lifting itself, the walk by ``auto`` fell."""
    trial = AsvTrial(ditch=ft(7.0), forbidden=0.2, seed=seed, gait=gait, physics=PHYSICS)
    result = run_asv(trial)
    assert result.completed and not result.forces.fell
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert result == run_asv(trial)
    assert result.trace_sha256 != run_asv(replace(trial, physics=None)).trace_sha256


@pytest.mark.parametrize('degrees', [0, 120, 240])
@pytest.mark.parametrize('gait', ['tripod', 'wave'])
def test_pushes_of_a_fifth_of_the_weight_are_survived(gait: str, degrees: int) -> None:
    pushed = PhysicsSettings(push=0.2, push_from=math.radians(degrees), push_at=2.0)
    trial = replace(walk('insect18', gait, time=6.0), physics=pushed)
    result, calm = run(trial), run(replace(trial, physics=PHYSICS))
    assert result.completed and not result.forces.fell
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert result.trace_sha256 != calm.trace_sha256


@pytest.mark.parametrize('degrees', [60, 240])
def test_a_push_of_the_weight_is_no_failure_of_a_leg(degrees: int) -> None:
    pushed = PhysicsSettings(push=1.5, push_from=math.radians(degrees), push_at=1.0)
    result = run(replace(walk('insect18', 'tripod', time=4.0), physics=pushed))
    assert result.completed and result.reason == ''


def test_the_way_is_held_over_rough_ground() -> None:
    trial = replace(walk('insect18', time=20.0), speed=0.03).over(Rubble(0.02, 31))
    result = run(trial)
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    assert result.distance_m > 0.97 * 0.03 * 20.0


def test_the_same_seed_gives_the_same_trace() -> None:
    trial = walk('insect18', time=3.0)
    lift = trial.plan().stepping.clearance
    one, other, third = (
        run(trial.over(Rubble(0.2 * lift, seed))).trace_sha256 for seed in (5, 5, 6)
    )
    assert one == other != third


def test_a_robot_whose_legs_give_way_has_fallen() -> None:
    robot = find_hexapod('insect18')
    hexapod = physical_articulated(robot, LevelGround(), 0.02, PHYSICS)
    lifted = hexapod.state.joints.copy()
    lifted[:, 1] = [leg.directions[1] * leg.ranges[1].high + leg.offsets[1] for leg in robot.legs]
    for _ in range(100):
        hexapod.step(lifted)
    assert hexapod.fell
    hexapod.reset()
    assert not hexapod.fell and hexapod.energy == hexapod.peak_torque == 0.0
