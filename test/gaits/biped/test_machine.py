"""The states: each way out of each state, on both sides, and what bars it."""

from dataclasses import replace

import pytest

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.machine import EXITS
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.senses import BodySignals, Senses
from walking_robots.gaits.biped.states import STATES, WalkPhase, half_of, phase_of, state_of
from walking_robots.robots.kwalk import KWALKS, LEFT, RIGHT

SETS = shipped_sets()
GAITS = {letter: BipedGait(KWALKS[letter], SETS.document.parameters(f'{letter}_header'))
         for letter in 'ab'}  # fmt: skip
MIRRORED = replace(
    SETS.document.parameters('b_header'),
    ways=replace(SETS.document.parameters('b_header').ways, mirrored=True),
)
GAITS['mirrored b'] = BipedGait(KWALKS['b'], MIRRORED)
GAITS['steady'] = BipedGait(KWALKS['b'], SETS.document.parameters('b_steady'))
STEADY = ('steady',)
BACKWARD, BACK_A_LITTLE = BodySignals(0.55, -0.4, 0.0), BodySignals(0.55, -0.2, 0.0)
FAST, SLOW = BodySignals(0.55, 0.5, 0.0), BodySignals(0.55, 0.2, 0.0)

# (length m, angle rad) of the leg ahead and of the other, switches of the two.
STANDING = ((0.56, -0.11), (0.56, 0.15), (True, True))
AHEAD_OF_HIPS = ((0.56, -0.2), (0.56, -0.02), (True, True))
RISEN = ((0.56, -0.08), (0.48, 0.2), (True, False))
AHEAD_TOO_LOW = ((0.56, 0.1), (0.5, -0.08), (True, True))
BEHIND_TOO_LOW = ((0.56, -0.05), (0.5, 0.1), (True, True))
BEHIND = ((0.56, -0.1), (0.5, 0.3), (True, False))
FAR = ((0.56, 0.12), (0.5, -0.2), (True, False))
CASES = [
    # robot, from, posture, body, to, in the other half cycle
    ('ab', WalkPhase.DOUBLE, STANDING, FAST, WalkPhase.LIFT, False),
    ('ab', WalkPhase.DOUBLE, STANDING, SLOW, WalkPhase.DOUBLE, False),
    ('ab', WalkPhase.LIFT, RISEN, FAST, WalkPhase.SWING, False),
    ('ab', WalkPhase.LIFT, (*RISEN[:2], (True, True)), FAST, WalkPhase.LIFT, False),
    ('ab', WalkPhase.LIFT, (RISEN[0], (0.55, 0.2), (True, False)), FAST, WalkPhase.LIFT, False),
    ('a', WalkPhase.LIFT, FAR, FAST, WalkPhase.SWING, False),
    (
        'b',
        WalkPhase.LIFT,
        ((0.56, 0.12), (0.58, -0.2), (True, False)),
        FAST,
        WalkPhase.SWING,
        False,
    ),
    (
        'a',
        WalkPhase.LIFT,
        ((0.56, 0.12), (0.58, -0.2), (True, False)),
        FAST,
        WalkPhase.LIFT,
        False,
    ),
    ('ab', WalkPhase.SWING, RISEN, FAST, WalkPhase.SWING, False),
    ('ab', WalkPhase.SWING, FAR, FAST, WalkPhase.LOWER, False),
    ('ab', WalkPhase.SWING, AHEAD_TOO_LOW, FAST, WalkPhase.DOUBLE, True),
    ('a', WalkPhase.SWING, BEHIND_TOO_LOW, FAST, WalkPhase.DOUBLE, False),
    ('b', WalkPhase.SWING, BEHIND_TOO_LOW, FAST, WalkPhase.LIFT, False),
    # The test of the contact overrides that of the angle in the same tick.
    ('ab', WalkPhase.SWING, (*FAR[:2], (True, True)), FAST, WalkPhase.DOUBLE, True),
    ('ab', WalkPhase.LOWER, FAR, FAST, WalkPhase.LOWER, False),
    ('ab', WalkPhase.LOWER, (*FAR[:2], (True, True)), FAST, WalkPhase.DOUBLE, True),
    # What the thesis does not have.
    (STEADY, WalkPhase.SWING, AHEAD_TOO_LOW, FAST, WalkPhase.STUMBLE, False),
    (STEADY, WalkPhase.STUMBLE, RISEN, FAST, WalkPhase.SWING, False),
    (STEADY, WalkPhase.STUMBLE, (*RISEN[:2], (True, True)), FAST, WalkPhase.STUMBLE, False),
    (STEADY, WalkPhase.SWING, (*FAR[:2], (True, True)), FAST, WalkPhase.DOUBLE, True),
    (STEADY, WalkPhase.DOUBLE, STANDING, BACK_A_LITTLE, WalkPhase.DOUBLE, False),
    (STEADY, WalkPhase.DOUBLE, AHEAD_OF_HIPS, BACKWARD, WalkPhase.STEP_BACK, True),
    (STEADY, WalkPhase.LIFT, RISEN, BACKWARD, WalkPhase.STEP_BACK, False),
    (STEADY, WalkPhase.SWING, RISEN, BACKWARD, WalkPhase.STEP_BACK, False),
    (STEADY, WalkPhase.STEP_BACK, RISEN, BACKWARD, WalkPhase.STEP_BACK, False),
    (STEADY, WalkPhase.STEP_BACK, BEHIND, BACKWARD, WalkPhase.LOWER, False),
    (STEADY, WalkPhase.LOWER, (*BEHIND[:2], (True, True)), BACKWARD, WalkPhase.DOUBLE, False),
]


def met(gait, phase, half, posture, body, pitch=0.0):
    """Put a controller into a state and a posture, and tick once."""
    (ahead, other, switches), pair = posture, [None, None]
    pair[half], pair[LEFT - half] = gait._leg.inverse(*ahead), gait._leg.inverse(*other)
    (hip_r, knee_r), (hip_l, knee_l) = pair
    memory = gait.beginning()._replace(
        state=state_of(phase, half), time=5.0, entered=5.0, clear_length=0.52, swing_length=0.47,
        hips=(-0.1, -0.1), angles=(0.1, 0.1),
    )  # fmt: skip
    contacts = switches if half == RIGHT else switches[::-1]
    senses = Senses(
        (hip_r - pitch, knee_r, hip_l - pitch, knee_l), (0.0,) * 4, pitch, 0.0, contacts, 0.004,
        body,
    )  # fmt: skip
    return gait.tick(memory, senses)


@pytest.mark.parametrize('half', [RIGHT, LEFT])
@pytest.mark.parametrize(('robots', 'phase', 'posture', 'body', 'to', 'other_half'), CASES)
def test_check_9_every_way_out_on_both_sides(robots, phase, posture, body, to, other_half, half):
    for robot in robots:
        found = met(GAITS[robot], phase, half, posture, body)
        expected = state_of(to, LEFT - half if other_half else half)
        assert found.memory.state == expected, robot


@pytest.mark.parametrize('robot', 'ab')
def test_check_9_the_start_takes_its_times(robot):
    gait, memory, entries = GAITS[robot], GAITS[robot].beginning(), []
    senses = Senses(gait.start_joints, (0.0,) * 4, 0.0, 0.0, (True, True), 0.001, SLOW)
    for _ in range(700):
        before, memory = memory, gait.tick(memory, senses).memory
        if memory.state != before.state:
            entries.append((memory.state, before.time))
    assert [state for state, _ in entries] == [1, 2, 3, 4]
    settled, balanced = (time for _, time in entries[2:])
    assert settled == pytest.approx(0.3, abs=1.5e-3)
    assert balanced == pytest.approx(0.6 if robot == 'a' else 0.4, abs=1.5e-3)


def test_check_9_every_row_of_the_table_is_taken_and_no_other():
    taken = set()
    for robots, phase, posture, body, *_ in CASES:
        for robot in robots:
            memory = met(GAITS[robot], phase, RIGHT, posture, body).memory
            other_half = half_of(memory.state) == LEFT
            if memory.why:
                taken.add((phase, memory.why, phase_of(memory.state), other_half))
    rows = [
        (phase, row.name, row.to, row.other_half)
        for phase, ways in EXITS.items() if phase > WalkPhase.BALANCE for row in ways
    ]  # fmt: skip
    assert sorted(taken) == sorted(rows)


@pytest.mark.parametrize('gait', [GAITS['a'], GAITS['mirrored b'], GAITS['steady']])
@pytest.mark.parametrize(('robots', 'phase', 'posture', 'body', 'to', 'other_half'), CASES)
def test_check_9_the_left_half_cycle_is_the_mirror_image(
    gait, robots, phase, posture, body, to, other_half
):
    right, left = (met(gait, phase, half, posture, body, 0.03) for half in (RIGHT, LEFT))
    assert right.orders == left.orders[2:] + left.orders[:2]
    assert right.forces == left.forces[::-1]
    assert right.memory.hips == left.memory.hips[::-1]


def test_the_listing_of_robot_b_is_no_mirror_image():
    postures = [row[2] for row in CASES if row[1] in (WalkPhase.LIFT, WalkPhase.SWING)]
    orders = [
        [met(GAITS['b'], WalkPhase.SWING, half, posture, FAST) for half in (RIGHT, LEFT)]
        for posture in postures
    ]
    assert any(r.memory.swing_length != left.memory.swing_length for r, left in orders)


def test_states_have_phases_and_halves():
    assert [phase_of(state) for state in (0, 3, 4, 7, 8, 11, 12, 14, 15)] == [
        WalkPhase.BEGIN, WalkPhase.BALANCE, WalkPhase.DOUBLE, WalkPhase.LOWER, WalkPhase.DOUBLE,
        WalkPhase.LOWER, WalkPhase.FALLEN, WalkPhase.STUMBLE, WalkPhase.STEP_BACK,
    ]  # fmt: skip
    assert [half_of(state) for state in (2, 7, 8, 11, 12)] == [RIGHT, RIGHT, LEFT, LEFT, RIGHT]
    assert [half_of(state) for state in (13, 14, 15, 16)] == [RIGHT, LEFT, RIGHT, LEFT]
    for state in range(STATES):
        assert state_of(phase_of(state), half_of(state)) == state


def test_a_leg_may_be_lifted_along_itself():
    ways = replace(MIRRORED.ways, fresh_angle=True)
    fresh = BipedGait(KWALKS['b'], replace(MIRRORED, ways=ways))
    for gait, angle in ((fresh, 0.15), (GAITS['mirrored b'], 0.1)):
        found = met(gait, WalkPhase.DOUBLE, RIGHT, STANDING, FAST)
        assert found.memory.angles[LEFT] == pytest.approx(angle)
