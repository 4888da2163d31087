"""Motion files in three forms: what they mean, and what is said of mistakes (aquarobot.md A19)."""

import json
from pathlib import Path

import numpy as np
import pytest

from walking_robots.simulation.aquarobot.feasibility import legs_feasible, supports
from walking_robots.simulation.aquarobot.motion_files import FORMS, parse_motion
from walking_robots.simulation.aquarobot.motion_units import MotionFileError
from walking_robots.simulation.aquarobot.robot import moved, reset_state

MOTIONS = Path(__file__).parents[3] / 'config/motions'
BODY = '0 0.1 0 0 5 -3 2'
LEGS = [f'{leg} {leg} 0.5 {leg}.25' for leg in range(1, 7)]
END = '9 0 0 0'


def record(*, body=BODY, legs=LEGS, end=END):
    return '\n'.join([body, *legs, end]) + '\n'


STILL = record(body='0 0 0 0 0 0 0', legs=[f'{leg} 0 0 0' for leg in range(1, 7)])


def shipped(name):
    path = MOTIONS / name
    return parse_motion(path.read_text('utf-8'), str(path))


def played(moves, height='analytic'):
    states = [reset_state(height)]
    for move in moves:
        states.append(moved(states[-1], move))
    return states


def test_a19_a_record_of_zeros_changes_no_bit():
    [turn, still] = parse_motion(record() + STILL, 'a.txt')
    for before in (reset_state(), moved(reset_state(), turn)):
        after = moved(before, still)
        assert after.pose.tobytes() == before.pose.tobytes()
        assert after.joints.tobytes() == before.joints.tobytes()
        assert after.links.tobytes() == before.links.tobytes()


def test_a19_two_records_are_carried_out_in_order():
    turn = '0 1.5707963267948966 0 0 0 0 0'
    ahead = '0 0 0 0 10 0 0'
    first = played(parse_motion(record(body=turn) + record(body=ahead), 'a.txt'))[-1]
    other = played(parse_motion(record(body=ahead) + record(body=turn), 'a.txt'))[-1]
    assert first.position[:2] == pytest.approx([0, 10], abs=1e-12)
    assert other.position[:2] == pytest.approx([10, 0], abs=1e-12)


def test_units_are_those_of_the_program_until_the_file_says_others():
    [move] = parse_motion(record(), 'a.dat')
    assert move.body.tolist() == [0.1, 0, 0, 5, -3, 2]
    assert move.joints[1].tolist() == np.radians([2, 0.5, 2.25]).tolist()
    units = '# units: body=deg length=m joints=rad\n'
    [_, other] = parse_motion(record() + units + record(), 'a.TXT')
    assert other.body == pytest.approx([np.radians(0.1), 0, 0, 500, -300, 200])
    assert other.joints[1].tolist() == [2, 0.5, 2.25]


def test_the_three_forms_say_the_same():
    columns = ['azimuth_rad', 'elevation_rad', 'roll_rad', 'x_m', 'y_cm', 'z_mm'] + [
        f'leg{leg}_joint{joint}_deg' for leg in range(1, 7) for joint in (1, 2, 3)
    ]
    joints = [word for line in LEGS for word in line.split()[1:]]
    table = ', '.join(columns) + '\n' + ', '.join(['0.1', '0', '0', '0.05', '-3', '20', *joints])
    content = {
        'units': {'body': 'deg', 'length': 'mm', 'joints': 'deg'},
        'moves': [
            {
                'body': [np.degrees(0.1), 0, 0, 50, -30, 20],
                'legs': {line[0]: [float(word) for word in line.split()[1:]] for line in LEGS},
            }
        ],
    }
    [lines] = parse_motion(record(), 'a.txt')
    [row] = parse_motion(table, 'a.csv')
    [entry] = parse_motion(json.dumps(content), 'a.json')
    for other in (row, entry):
        assert other.body == pytest.approx(lines.body, abs=1e-12)
        assert other.joints == pytest.approx(lines.joints, abs=1e-12)


def test_what_tables_and_objects_leave_out_rests():
    [row] = parse_motion('# a comment\n\nleg3_joint2_rad\n0.2\n', 'a.csv')
    [entry] = parse_motion(
        '{"units": {"joints": "rad"}, "moves": [{"legs": {"3": [0, 0.2, 0]}}]}', 'a.json'
    )
    for move in (row, entry):
        assert not move.body.any()
        assert [*zip(*move.joints.nonzero(), strict=True)] == [(2, 1)]
        assert move.joints[2, 1] == 0.2


WRONG = [
    ('a.txt', record()[:-8], 7, 'ends within record 1; add the line of the end of a record'),
    ('a.txt', STILL + BODY, 9, 'ends within record 2; add the line of leg 1'),
    ('a.txt', record(legs=[LEGS[1], LEGS[0], *LEGS[2:]]), 2, 'leg 2 stands where leg 1 must'),
    ('a.txt', record(legs=[LEGS[0], *LEGS[:5]]), 3, 'leg 1 stands where leg 2 must'),
    ('a.txt', record(legs=[*LEGS[:4], '5 1 2', LEGS[5]]), 6, 'has 3 numbers'),
    ('a.txt', record(body='0 1 2 3'), 1, 'line of the body has 4 numbers'),
    ('a.txt', record(body='x 0 0 0 0 0 0'), 1, "begins with 'x'; begin with a whole number"),
    ('a.txt', record(end='9 0 nan 0'), 8, "'nan' is not a finite number"),
    ('a.txt', record(body='0 0 0 1e999 0 0 0'), 1, "'1e999' is not a finite number"),
    ('a.txt', record(body='0 0 0 0 0 0 1e7'), 1, "'1e7' is too large; write at most 1e+06"),
    ('a.txt', '# units: legs=rad', 1, "'legs' has no unit; give units of body, length, joints"),
    ('a.txt', '# units: body=turns', 1, "'turns' is no unit of body; use rad or deg"),
    ('a.txt', BODY + '\n# units: body=deg', 2, 'units change within a record'),
    ('a.txt', '\n# nothing\n', None, 'holds no move'),
    ('a.csv', 'x_cm,leg7_joint1_deg\n1,2\n', 1, "no column 'leg7_joint1_deg'; name columns as"),
    ('a.csv', 'x_cm,y_ft\n1,2\n', 1, "'ft' is no unit of length; use cm or m or mm"),
    ('a.csv', 'x_cm,x_m\n1,2\n', 1, "'x_m' is there twice"),
    ('a.csv', 'x_cm,y_cm\n1,2\n1\n', 3, 'there are 1 values for 2 columns'),
    ('a.csv', 'x_cm\n1\n\none\n', 4, "'one' is not a finite number"),
    ('a.csv', 'x_cm\n', None, 'holds no move'),
    ('a.json', '{"moves": [\n{"body": }]}', 2, 'is not JSON'),
    ('a.json', '[]', None, 'must be an object'),
    ('a.json', '{"moves": 3}', None, "'moves' must be a list"),
    ('a.json', '{"moves": [{"body": [1, 2]}]}', None, "'moves[0].body' must be a list of 6"),
    ('a.json', '{"moves": [{}, {"legs": {"7": [0, 0, 0]}}]}', None, "'moves[1].legs.7'; use 1, 2"),
    ('a.json', '{"moves": [{"legs": {"1": [0, 0, "a"]}}]}', None, "legs.1': 'a' is not a finite"),
    ('a.json', '{"moves": [{"legs": {"1": [0, 0, true]}}]}', None, 'is not a finite number'),
    ('a.json', '{"moves": [{"legs": {"1": [0, 0, NaN]}}]}', None, "'nan' is not a finite"),
    ('a.json', '{"units": {"joints": 3}, "moves": []}', None, "'3' is no unit of joints"),
    ('a.json', '{"moves": [], "moves": []}', None, "'moves' is there twice"),
    ('a.json', '[' * 100_000, None, 'nested too deeply'),
    ('a.yaml', '', None, 'its suffix must be .txt, .dat, .csv, .json'),
]  # fmt: skip


@pytest.mark.parametrize(('name', 'text', 'line', 'reason'), WRONG)
def test_a19_a_mistake_is_one_sentence_with_its_line(name, text, line, reason):
    with pytest.raises(MotionFileError) as refused:
        parse_motion(text, name)
    said = str(refused.value)
    assert said.startswith(f'{name}, line {line}: ' if line else f'{name}: ')
    assert reason in said and '\n' not in said


@pytest.mark.parametrize('form', FORMS)
def test_any_text_is_read_or_refused(form):
    generator = np.random.default_rng(19)
    pieces = [*'0123456789 .,-#{}[]":\n', 'x_cm', 'moves', 'units', 'leg1_joint1_rad', '\x00', '∞']
    for _ in range(300):
        text = ''.join(generator.choice(pieces, generator.integers(1, 60)))
        try:
            parse_motion(text, f'a{form}')
        except MotionFileError as error:
            assert '\n' not in str(error)


def test_the_shipped_session_is_that_of_the_thesis():
    [move] = shipped('session_1993.txt')
    assert move.joints[2].tolist() == [0.1, 0.2, 0.3]
    assert np.count_nonzero(move.joints) == 3 and not move.body.any()


def test_the_shipped_raising_keeps_the_feet_where_they_are():
    states = played(shipped('raise_body.txt'))
    assert states[-1].position == pytest.approx([0, 0, -75], abs=1e-4)
    for state in states:
        assert not state.limit_flags.any()
        assert supports(state.feet).all()
        assert state.feet == pytest.approx(states[0].feet, abs=1e-4)


def test_the_shipped_step_walks_with_three_feet_on_the_ground_at_any_time():
    states = played(shipped('tripod_step.csv'))
    assert states[-1].position == pytest.approx([30, 0, -75], abs=1e-4)
    assert np.hypot(*states[7].feet[:, :2].T) == pytest.approx(np.full(6, 115), abs=1e-3)
    standing = [supports(state.feet) for state in states]
    for before, after, first, last in zip(
        states[:-1], states[1:], standing[:-1], standing[1:], strict=True
    ):
        assert not after.limit_flags.any()
        stays = first & last
        tripods = stays[[0, 2, 4]].all() or stays[[1, 3, 5]].all()
        assert tripods and legs_feasible(before.feet, after.feet, 1e-3, 1e-3).all()
