"""The controller: orders by mode, what it feels, and that it is blind."""

import ast
from dataclasses import replace
from math import cos, isfinite, sin
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import walking_robots.gaits.biped as room
from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.state_estimation import slope_between, velocity_over_foot
from walking_robots.gaits.biped.states import STATES
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.robots.impedance import LIMP
from walking_robots.robots.kwalk import KWALKA, KWALKB, KWALKS

SETS = shipped_sets()
HOUSE = Path(room.__file__).parents[3]


def gait(name):
    """Build the controller of a set."""
    return BipedGait(KWALKS[name[0]], SETS.document.parameters(name))


def reach(module, seen):
    """Collect all modules of the house that a module can reach."""
    path = HOUSE.joinpath(*module.split('.'))
    path = path / '__init__.py' if path.is_dir() else path.with_suffix('.py')
    if module in seen or not path.is_file():
        return seen
    seen.add(module)
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ''
            names = [base, *(f'{base}.{alias.name}' for alias in node.names)]
        for name in names:
            if name.startswith('walking_robots.'):
                reach(name, seen)
    return seen


def test_check_20_no_module_of_the_controller_can_reach_the_terrain():
    seen = set()
    for path in Path(room.__file__).parent.glob('*.py'):
        reach(f'walking_robots.gaits.biped.{path.stem}', seen)
    assert 'walking_robots.gaits.biped.machine' in seen
    assert not [name for name in seen if name.split('.')[1] in ('terrain', 'worlds', 'simulation')]


def test_it_feels_no_more_than_a_robot_could():
    assert Senses._fields == (
        'joints', 'rates', 'pitch', 'pitch_rate', 'contacts', 'dt', 'body',
    )  # fmt: skip


@pytest.mark.parametrize(
    ('name', 'right', 'left'),
    [
        ('a_header', (-0.15, 0.08375), (0.15, 0.08375)),
        ('b_header', (-0.586469, 0.872938), (-0.286469, 0.872938)),
    ],
)
def test_the_start_posture_is_that_of_the_table(name, right, left):
    assert gait(name).start_joints == pytest.approx((*right, *left), abs=1e-5)


def test_the_start_holds_the_posture_and_the_weight():
    controller = gait('a_header')
    senses = Senses(controller.start_joints, (0.0,) * 4, 0.0, 0.0, (True, True), 0.004)
    hip, knee, _, _ = controller.tick(controller.beginning(), senses).orders
    assert (hip.position, hip.stiffness) == (-0.15, 150.0)
    assert (knee.stiffness, knee.damping) == pytest.approx((800.0, 32.0649), abs=1e-4)
    assert knee.effort == pytest.approx(-8.82348 * 9.81 / 2.0 / cos(0.15), abs=1e-3)


def at(controller, state, joints, contacts=(True, False), pitch=0.0):
    """Tick once in a state."""
    memory = controller.beginning()._replace(
        state=state, time=5.0, clear_length=0.4, hips=(-0.07, -0.09), swing_length=0.47,
        angles=(-0.12, -0.12),
    )  # fmt: skip
    senses = Senses(joints, (0.0,) * 4, pitch, 0.0, contacts, 0.004)
    return controller.tick(memory, senses)


def test_the_hip_ahead_turns_the_body_level_while_its_foot_stands():
    joints = (-0.1, 0.09, 0.15, 0.09)
    stands = at(gait('a_header'), 4, joints, (True, True), pitch=0.03)
    assert stands.orders[0].position == pytest.approx(-0.07)
    assert stands.orders[2] == LIMP
    lost = at(gait('a_header'), 4, joints, (False, True), pitch=0.05)
    assert lost.orders[0].position == -0.07


def test_only_robot_a_keeps_the_pitch_servo_within_its_torque():
    hip = at(gait('a_header'), 6, (0.0, 0.09, 0.1, 0.15), pitch=0.4).orders[0]
    assert hip.position == pytest.approx(0.1)
    hip = at(gait('b_header'), 6, (-0.3, 0.87, -0.4, 1.2), pitch=0.4).orders[0]
    assert hip.position == pytest.approx(0.1)


def test_a_foot_that_is_lowered_is_pushed_down_against_a_damper():
    a = at(gait('a_header'), 7, (0.1, 0.09, -0.2, 0.15)).orders[3]
    assert (a.effort, a.damping, a.stiffness) == (-40.0, 20.0, 0.0)
    b = at(gait('b_header'), 7, (0.1, 0.5, -0.5, 1.0)).orders
    assert (b[2].effort, b[2].damping, b[2].stiffness) == (0.0, 1.0, 0.0)
    assert b[3].effort == pytest.approx(-100.0 * 0.32 * sin(0.5))


def test_holding_sets_keep_the_hip_of_a_leg_that_is_lowered():
    found = at(gait('b_h41'), 7, (-0.1, 0.6, -0.6, 1.0))
    support, swinging = -0.1 + 0.3, -0.6 + 0.5
    target = max(-0.261 - support, 1.406 * -0.141)
    assert found.memory.angles[1] == pytest.approx(target)
    assert found.orders[2].position == pytest.approx(-0.6 + max(-0.1, target - swinging))


def with_numbers(name, **numbers):
    """Build the controller of a set with other numbers."""
    return BipedGait(KWALKS[name[0]], replace(SETS.document.parameters(name), **numbers))


def test_a_robot_that_is_too_fast_puts_its_foot_farther_ahead():
    joints, desired = (-0.1, 0.6, -0.5, 1.0), 0.4
    for speed, ahead in ((0.3, 0.0), (0.9, 0.1 * (0.9 - desired))):
        angles = []
        for brake in (0.0, 0.1):
            controller = with_numbers('b_h41', brake=brake, speed=desired, smoothing=1e9)
            memory = controller.beginning()._replace(state=6, time=5.0, velocity=(speed, 0.0))
            senses = Senses(joints, (0.0,) * 4, 0.0, 0.0, (True, False), 0.004)
            angles.append(controller.tick(memory, senses).memory.angles[1])
        assert angles[0] - angles[1] == pytest.approx(ahead, abs=1e-6)


def test_a_foot_that_slips_changes_the_felt_speed_no_faster_than_a_body():
    senses = Senses((0.1, 0.6, -0.5, 1.0), (9.0, 0.0, 0.0, 0.0), 0.0, 0.0, (True, False), 0.004)
    for most, change in ((0.0, None), (10.0, 0.04)):
        controller = with_numbers('b_h41', most_acceleration=most)
        memory = controller.beginning()._replace(state=6, time=5.0, velocity=(0.3, 0.0))
        felt = controller.tick(memory, senses).memory.velocity[0] - 0.3
        assert felt == pytest.approx(change) if change else felt > 0.5


def test_a_body_is_driven_by_no_more_than_what_feet_shall_hold():
    senses = Senses((-0.15, 0.08, 0.15, 0.08), (0.0,) * 4, 0.0, 0.0, (True, True), 0.004)
    for most, forward in ((0.0, 160.0), (15.0, 15.0)):
        controller = with_numbers('a_header', most_forward=most)
        memory = controller.beginning()._replace(state=4, time=5.0)
        assert controller.tick(memory, senses).forward == pytest.approx(forward)


def test_a_foot_that_steps_back_is_lifted_as_after_a_strike():
    joints = (-0.6, 0.9, -0.7, 1.0)
    lengths = []
    for lift in (0.0, 0.08):
        controller = with_numbers('b_steady', strike_lift=lift)
        lengths.append(at(controller, 15, joints).memory.swing_length)
    assert lengths[0] - lengths[1] == pytest.approx(0.08)


def test_orders_of_position_stay_within_the_effort():
    knee = at(gait('b_header'), 6, (-0.3, 0.87, 0.2, 0.1)).orders[3]
    assert knee.position == pytest.approx(0.1 + 0.4)
    assert knee.stiffness * (knee.position - 0.1) == pytest.approx(KWALKB.knee_effort)


@pytest.mark.parametrize('name', ['a_header', 'b_header'])
def test_a_robot_that_lies_is_limp_and_stays_so(name):
    controller = gait(name)
    joints = controller.start_joints
    fallen = at(controller, 10, joints, (True, True), pitch=1.1)
    assert (fallen.memory.state, fallen.memory.why) == (12, 'fallen')
    assert fallen.orders == (LIMP,) * 4
    senses = Senses(joints, (0.0,) * 4, 0.0, 0.0, (True, True), 0.004)
    assert controller.tick(fallen.memory, senses).memory.state == 12


def test_height_and_speed_come_from_the_leg_that_stands():
    leg = LegRates(0.5, 0.2, 0.1, -0.9)
    forward, upward = velocity_over_foot(leg)
    dt = 1e-7
    x, z = (-0.5 * sin(0.2), -0.5 * cos(0.2))
    after = leg.length + 0.1 * dt, leg.angle - 0.9 * dt
    assert forward == pytest.approx((x + after[0] * sin(after[1])) / dt, abs=1e-6)
    assert upward == pytest.approx((z + after[0] * cos(after[1])) / dt, abs=1e-6)


def test_the_slope_is_that_between_the_feet():
    front = LegRates(0.5, -0.2, 0.0, 0.0)
    x, z = 0.5 * sin(0.2) + 0.1, -0.5 * cos(0.2) - 0.05
    rear = LegRates((0.1**2 + z**2) ** 0.5, 0.0, 0.0, 0.0)
    assert x > 0.0 > z
    rising = slope_between(front, rear)
    assert rising == slope_between(rear, front) > 0.0
    level = LegRates(0.5, 0.2, 0.0, 0.0)
    assert slope_between(front, level) == pytest.approx(0.0)


def test_the_desired_speed_may_change_from_tick_to_tick():
    controller = gait('a_header')
    memory = controller.beginning()._replace(state=4, time=5.0)
    senses = Senses((-0.15, 0.08, 0.15, 0.08), (0.0,) * 4, 0.0, 0.0, (True, True), 0.004)
    assert controller.tick(memory, senses).forward == pytest.approx(160.0)
    assert controller.tick(memory, senses, 0.1).forward == pytest.approx(40.0)


def test_a_robot_that_shall_stand_keeps_between_its_feet():
    controller = gait('a_header')
    memory = controller.beginning()._replace(state=4, time=5.0)
    senses = Senses((-0.25, 0.08, 0.05, 0.08), (0.0,) * 4, 0.0, 0.0, (True, True), 0.004)
    middle = 0.56 * (sin(0.25) - sin(0.05)) / 2.0
    assert controller.tick(memory, senses, 0.0).forward == pytest.approx(300.0 * middle)


@pytest.mark.parametrize(
    ('joints', 'contacts', 'state'),
    [
        ((-0.1, 0.08, 0.1, 0.08), (True, True), 4),
        ((0.1, 0.08, -0.1, 0.08), (True, True), 8),
        ((0.1, 0.08, -0.1, 0.08), (True, False), 0),
    ],
)
def test_a_new_controller_goes_on_where_the_robot_stands(joints, contacts, state):
    senses = Senses(joints, (0.0,) * 4, 0.0, 0.0, contacts, 0.004)
    assert gait('a_header').recovered(senses).state == state


@pytest.mark.parametrize(
    ('joints', 'pitch', 'contacts'),
    [
        ((-0.1, 0.08, 0.1, 0.08), 1.2, (True, True)),
        ((-0.1, 0.08, 0.1, 0.08), -1.2, (False, False)),
        ((-1.3, 0.08, -1.4, 0.08), 0.0, (True, True)),
        ((-1.3, 0.08, -1.4, 0.08), 0.0, (False, True)),
    ],
)
def test_a_new_controller_leaves_a_robot_that_lies_limp(joints, pitch, contacts):
    controller = gait('a_header')
    senses = Senses(joints, (0.0,) * 4, pitch, 0.0, contacts, 0.004)
    memory = controller.recovered(senses)
    assert (memory.state, memory.why) == (12, 'fallen')
    assert controller.tick(memory, senses).orders == (LIMP,) * 4


@pytest.mark.parametrize('state', [*range(1, 12), *range(13, STATES)])
def test_a_fall_is_felt_in_every_state_after_the_placed_start(state):
    controller = gait('b_header')
    memory = controller.beginning()._replace(state=state, time=5.0)
    senses = Senses(controller.start_joints, (0.0,) * 4, 1.1, 0.0, (False, False), 0.004)
    assert controller.tick(memory, senses).memory.state == 12


VALUE = st.floats(-20.0, 20.0)


@given(
    st.sampled_from(['a_header', 'b_header', 'b_h41', 'a_steady', 'b_steady']),
    st.integers(0, STATES - 1),
    st.tuples(*[VALUE] * 4),
    st.tuples(*[VALUE] * 4),
    VALUE,
    st.tuples(st.booleans(), st.booleans()),
)
def test_whatever_it_feels_its_orders_are_numbers(name, state, joints, rates, pitch, contacts):
    controller = gait(name)
    memory = controller.beginning()._replace(state=state, time=5.0)
    found = controller.tick(memory, Senses(joints, rates, pitch, 1.0, contacts, 0.004))
    assert all(isfinite(number) for order in found.orders for number in order)
    assert 0 <= found.memory.state < STATES


def test_both_robots_have_the_same_controller():
    assert type(gait('a_header')) is type(gait('b_header'))
    assert KWALKA.body == KWALKB.body
