"""The session of the manual, replayed line by line (ars_magna.md §5.4: T85 of §11.5)."""

import re
from pathlib import Path

import pytest

from walking_robots.ars_magna.console.console import Console
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.simulation.simulator import Simulator

ROOT = Path(__file__).resolve().parents[3]
BIG_ROOM = ROOT / 'config/worlds/big_room.yaml'

# The cameras of the session point along -5.75 before it begins.
BEFORE = (
    'clean',
    'pos 20 20',
    'angle -2.65',
    'turn-angle 0.3',
    'cam-turn 0 -5.75',
    'cam-turn 1 -5.75',
)
LOST = 'has ended: LOST-TRACK, the camera tracks it no longer.'
# Of the angle of a designator the manual does not take away whole turns: 0.53 is -5.75 there.
SESSION = (
    (1, 'obj-desig 0 local size=5', ['obj-desig: camera 0 found designator 0.']),
    (2, 'cam-track 0 0', ['cam-track: camera 0 tracks designator 0.']),
    (3, 'cam-track 1 0', ['cam-track: camera 1 tracks designator 0.']),
    (
        4,
        'cameras',
        [
            'Camera  Field  Resolution  Angle  Location  Tracks',
            '     0   0.79           3  -5.75  robot     local designator 0 at 0.00, 0.53: '
            'SMALL-BOX#3',
            '     1   1.57           5  -5.75  robot     local designator 0 at 0.00, 0.53: '
            'SMALL-BOX#3',
        ],
    ),
    (
        5,
        'cam-insert-desig 0',
        [
            '*WARNING* -> camera 0 moved: camera 0 no longer tracks designator 0.',
            f'*WARNING* -> cam-track 0 0 {LOST}',
            'cam-insert-desig: camera 0 inserted into SMALL-BOX#3.',
        ],
    ),
    (6, 'obj-desig 0 local size=1~2', ['obj-desig: camera 0 found designator 1.']),
    (7, 'cam-track 0 1', ['cam-track: camera 0 tracks designator 1.']),
    (
        9,
        'hand-grasp 0 0',
        [
            '*ERROR* -> hand 0 is not in the same location as camera 0.',
            '*ERROR* -> hand-grasp: DIFFERENT-LOCATION, the parts are in different locations.',
        ],
    ),
    (
        10,
        'hand-insert-desig 0 1',
        ['hand-insert-desig: hand 0 inserted into SMALL-BOX#3.'],
    ),
    (11, 'hand-grasp 0 0', ['hand-grasp: hand 0 grasped PEN#2.']),
    (
        12,
        'hand-remove 0',
        [
            '*WARNING* -> PEN#2 moved.',
            '*WARNING* -> PEN#2 moved: camera 0 no longer tracks designator 1.',
            '*WARNING* -> PEN#2 moved: designator 1 is no longer valid.',
            f'*WARNING* -> cam-track 0 1 {LOST}',
            'hand-remove: hand 0 removed from SMALL-BOX#3.',
        ],
    ),
    (
        13,
        'hand-insert-bin 0 1',
        ['*WARNING* -> PEN#2 moved.', 'hand-insert-bin: hand 0 inserted into bin 1.'],
    ),
    (
        14,
        'hands',
        [
            'Hand  Strength  Holds    Location',
            '   0        10  PEN#2    bin 1',
            '   1         4  nothing  robot',
        ],
    ),
    (15, 'hand-ungrasp 0', ['hand-ungrasp: hand 0 dropped PEN#2 into bin 1.']),
    (
        16,
        'bin-close 1',
        [
            '*ERROR* -> hand 0 is still in bin 1.',
            '*ERROR* -> bin-close: ROBOT-IN-BIN, a part of the robot is in it; it gives hand 0.',
        ],
    ),
    (17, 'hand-remove 0', ['hand-remove: hand 0 removed from bin 1.']),
    (18, 'bin-close 1', ['bin-close: bin 1 is closed.']),
    (
        19,
        'bins',
        [
            'Bin  Status  Total  Current  Contents',
            '  0  open       20     20.0  nothing',
            '  1  closed      5      4.8  PEN#2',
        ],
    ),
)


def begun():
    """Return a command line in the big room, as it is before the session."""
    console = Console(Simulator(load_design(BIG_ROOM), 1), 'robbie')
    console.news()
    for line in BEFORE:
        console.execute(line)
    return console


@pytest.fixture(scope='module')
def answers():
    """Return what comes of each line, and of the status between steps 7 and 9."""
    console = begun()
    found = {}
    for step, line, _ in SESSION:
        if step == 9:
            found[8] = console.execute('status')
        found[step] = console.execute(line)
    return found


@pytest.mark.parametrize(('step', 'line', 'expected'), SESSION)
def test_t85_each_step_of_the_session_comes_out_as_in_the_manual(answers, step, line, expected):
    assert answers[step] == expected


def test_t85_step_8_shows_what_is_true(answers):
    lines = answers[8]
    for line in (
        'Position:          (20.00, 20.00)',
        'Change:            0.00 ahead, 0.00 turned',
        'Angle:             -2.65',
        'Turn angle:        0.30',
        'View of camera 0:  120.00 120.00 120.00',
        'Place:             none',
    ):
        assert line in lines
    assert len(next(line for line in lines if line.startswith('View of camera 1')).split()) == 9
    box, pen = lines[-2:]
    assert box.split()[:5] == ['0', 'local', '0.00', '0.53', 'SMALL-BOX#3']
    assert all(part in box for part in ('capacity 5', 'size 5', 'substance wood 120'))
    assert pen.split() == ['1', 'local', '0.00', '0.53', 'PEN#2', 'size', '0.2,', 'color', 'green']


def test_t85_the_camera_that_stays_keeps_the_designator_alive():
    console = begun()
    for line in ('obj-desig 0 local size=5', 'cam-track 0 0', 'cam-insert-desig 0'):
        said = console.execute(line)
    assert said[-1] == 'cam-insert-desig: camera 0 inserted into SMALL-BOX#3.'
    assert console.execute('status')[-1] == 'Designators:       none'


def test_t85_the_page_prints_the_session_ready_to_type():
    page = (ROOT / 'docs/ars_magna.md').read_text('utf-8')
    typed = re.search(r'^```text\n(.*?)^```$', page, re.MULTILINE | re.DOTALL)
    assert typed is not None
    lines = [(step, line) for step, line, _ in SESSION] + [(8, 'status')]
    assert typed[1].splitlines() == [*BEFORE, *(line for _, line in sorted(lines))]
