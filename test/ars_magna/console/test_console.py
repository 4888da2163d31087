"""The command line: every command, what it refuses, and what it shows by itself."""

import random

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.codes import Code, phrase
from walking_robots.ars_magna.console.console import Console

WORLD = """
  walls: [{rect: {from: [0, 0], to: [41, 41], type: stone, params: [7]}}]
  objects:
    - {name: box, at: [20, 20], attrs: {size: 5, capacity: 5, weight: 2}}
    - {name: ball, at: [25, 20], attrs: {size: 1, color: red}}
    - {name: bell, at: [26, 20], attrs: {size: 1, color: blue}}
"""
PAINT = """
manipulations:
  paint:
    - objects: {thing: {size: [0, 9]}}
      by: hand
      others: [shade]
      body: [{set: {thing: {color: shade}}}, {return: shade}]
"""


COMMANDS = tuple(Console(Stage().simulator, 'robbie').commands)


class Line:
    """A command line, and the truth."""

    def __init__(self, **values):
        self.stage = Stage(WORLD, definitions=PAINT, **values)
        self.console = Console(self.stage.simulator, 'robbie')
        self.truth = self.stage.truth

    def __call__(self, *lines):
        """Carry out lines, and give what the last one shows."""
        for line in lines:
            shown = self.console.execute(line)
        return shown


@pytest.fixture
def line():
    return Line()


@pytest.mark.parametrize(
    ('lines', 'shown'),
    [
        (['go 3'], 'go: moved for 3 ticks.'),
        (['goto-wall'], 'goto-wall: the robot is at a wall.'),
        (['stop'], 'stop: the robot stands.'),
        (['speed 0.5'], 'speed: the speed is 0.50.'),
        (['place'], 'place: the place is of no type.'),
        (['pos 1 1', 'place'], 'place: the place is concave.'),
        (['pos 1 1', 'align'], 'align: turned by about 0.00.'),
        (['pos 1 1', 'angle 3.14', 'turn-corner'], 'turn-corner: turned by about -1.57.'),
        (['pos 5 39', 'follow-wall right 3'], 'follow-wall: the robot has followed the wall.'),
        (['pos 5 39', 'FOLLOW_WALL right'], 'follow-wall: the robot has followed the wall.'),
        (['turn 0.3'], 'turn: turned by about 0.30.'),
        (['about-face'], 'about-face: turned by about 3.14.'),
        (['turn-left'], 'turn-left: turned by about -1.57.'),
        (['turn-right'], 'turn-right: turned by about 1.57.'),
        (['turn-angle 0.2'], 'turn-angle: the turn angle is 0.20.'),
        (['view 0'], 'view: camera 0 sees 7.00 7.00 7.00.'),
        (['obj-desig 0 local'], 'obj-desig: camera 0 found designator 0.'),
        (['obj-desig 0 non-local color=red'], 'obj-desig: camera 0 found designator 0.'),
        (['all-obj-desig 1 non-local'], 'all-obj-desig: camera 1 found designators 0, 1.'),
        (['place-desig 0 concave'], '*ERROR* -> place-desig: DESIGNATOR-NOT-FOUND, nothing was '
         'found.'),
        (['turn 0.8', 'place-desig 0 concave'], 'place-desig: camera 0 found designator 0.'),
        (['turn 0.8', 'all-place-desig 0 concave'],
         'all-place-desig: camera 0 found designator 0.'),
        (['obj-desig 0 non-local color=red', 'cam-track 0 0', 'goto-desig 0'],
         'goto-desig: the robot is at designator 0.'),
        (['obj-desig 0 local', 'cam-track 0 0', 'cam-untrack 0'],
         'cam-untrack: camera 0 tracks nothing.'),
        (['cam-turn 1 -0.5'], 'cam-turn: camera 1 turned by about -0.50.'),
        (['cam-turn 0 1', 'cam-align-robot 0'],
         'cam-align-robot: camera 0 turned by about -1.00.'),
        (['pos 1 1', 'cam-turn 0 0.2', 'cam-align-place 0'],
         'cam-align-place: camera 0 turned by about -0.20, the place is concave.'),
        (['cam-insert-bin 0 1'], 'cam-insert-bin: camera 0 inserted into bin 1.'),
        (['cam-insert-bin 0 1', 'cam-remove 0'], 'cam-remove: camera 0 removed from bin 1.'),
        (['grasp-check 1'], 'grasp-check: hand 1 holds nothing.'),
        (['obj-desig 0 local', 'cam-track 0 0', 'hand-grasp 1 0', 'grasp-check 1'],
         'grasp-check: hand 1 holds something.'),
        (['obj-desig 0 local', 'cam-track 0 0', 'hand-grasp 1 0', 'hand-track 1'],
         'hand-track: the grip of hand 1 is watched.'),
        (['obj-desig 0 local', 'cam-track 0 0', 'hand-grasp 1 0', 'hand-ungrasp 1'],
         'hand-ungrasp: hand 1 dropped BOX#1 into the ground.'),
        (['bin-close 0', 'bin-open 0'], 'bin-open: bin 0 is open.'),
        (['obj-desig 0 local', 'manip paint hand 0 0 with red'], 'manip: gives red.'),
        (['pos 2.5 3', 'odo'], 'main: x [0.00, 0.00], y [0.00, 0.00], angle [0.00, 0.00]'),
        (['odo new a', 'go 2', 'odo a'], 'a: x [2.00, 2.00], y [0.00, 0.00], angle [0.00, 0.00]'),
        (['go 2', 'odo reset main'],
         'main: x [0.00, 0.00], y [0.00, 0.00], angle [0.00, 0.00]'),
        (['eval 2 * (1 + 3) / 16'], '0.5'),
        (['(pi > 3)'], 'true'),
        (['alias f go 1', 'repeat 3 f', 'odo'],
         'main: x [3.00, 3.00], y [0.00, 0.00], angle [0.00, 0.00]'),
        (['alias f go 1', 'alias g f', 'alias'], 'g = f'),
        (['bins'], '  1  open        5      5.0  nothing'),
        (['clean'], 'clean: the simulation is without noise.'),
        (['dirty'], 'dirty: the parameters are those from before clean.'),
    ],
)  # fmt: skip
def test_commands_do_and_tell(line, lines, shown):
    assert line(*lines)[-1] == shown


@pytest.mark.parametrize(
    ('lines', 'shown'),
    [
        (['fly 3'], 'fly: there is no such command, see help; '),
        (['go'], 'go: write go ticks.'),
        (['go 1 2'], 'go: write go ticks.'),
        (['go -1'], "go: a whole number is needed, not '-1'."),
        (['speed fast'], "speed: a finite number is needed, not 'fast'."),
        (['speed 3'], 'speed: TOO-HIGH-SPEED, that is above the limit; it gives 1.'),
        (['view 2'], 'view: there is no camera 2; there are 2, counted from 0.'),
        (['bin-close 9'], 'bin-close: there is no bin 9; there are 2, counted from 0.'),
        (['cam-track 0 4'], 'cam-track: there is no designator 4; find one by obj-desig or '),
        (['cam-insert-desig 0'], 'cam-insert-desig: camera 0 tracks nothing; let it track '),
        (['hand-grasp 0 1'], 'hand-grasp: camera 1 tracks nothing; let it track something '),
        (['obj-desig 0 near'], "obj-desig: local or non-local is needed, not 'near'."),
        (['obj-desig 0 local sise=1'], "obj-desig: there is no attribute 'sise'; did you mean "),
        (['obj-desig 0 local size=9'], 'obj-desig: DESIGNATOR-NOT-FOUND, nothing was found.'),
        (['place-desig 0 nook'], 'place-desig: INVALID-PLACE-TYPE, there is no such place type.'),
        (['follow-wall up'], "follow-wall: left or right is needed, not 'up'."),
        (['follow-wall left 1 2'], 'follow-wall: write follow-wall side [ticks].'),
        (['manip paint foot 0'], "manip: there is no 'foot 0'; name the part that does it"),
        (['manip'], 'manip: write manip name part number designators [with values].'),
        (['manip pant hand 0'], "manip: there is no manipulation 'pant'; did you mean 'paint'?"),
        (['manip paint hand 0 7'], 'manip: there is no designator 7'),
        (['manip paint hand 0 with red'], 'manip: FAILED, no method fits, or it did not work '),
        (['pos 3'], 'pos: write pos x y.'),
        (['pos 300 2'], 'pos: the point (300, 2) is not on the map'),
        (['angle inf'], "angle: a finite number is needed, not 'inf'."),
        (['status now'], 'status: write status.'),
        (['odo b'], "odo: there is no odometer 'b'; use main, or make it by odo new b."),
        (['odo new'], 'odo: write odo new NAME.'),
        (['odo reset'], 'odo: write odo reset NAME.'),
        (['odo mend main'], "odo: odo takes new or reset and a name, not 'mend'."),
        (['eval __import__("os")'], 'eval: an expression is of at most 200 characters'),
        (['eval "a"'], 'eval: an expression must give a number'),
        (['eval 1 / 0'], "eval: '1 / 0' cannot be worked out"),
        (['repeat 3'], 'repeat: write a number up to 1000 and a command.'),
        (['repeat 0 go 1'], 'repeat: write a number up to 1000 and a command.'),
        (['repeat 3000 go 1'], "repeat: a whole number up to 1000 is needed, not '3000'."),
        (['repeat 2 repeat 2 go 1'], 'repeat: a repeat cannot be repeated; multiply'),
        (['alias x repeat 2 go 1', 'repeat 2 x'], 'repeat: a repeat cannot be repeated'),
        (['alias a b', 'alias b a', 'a'], 'a: aliases lead to aliases without an end'),
        (['alias go stop'], "alias: 'go' is a command already; take another name."),
        (['alias a'], 'alias: write a name and what it stands for'),
        (['wait'], 'wait: write wait ticks.'),
        (['wait 100001'], "wait: a whole number up to 100000 is needed, not '100001'."),
        (['help fly'], "help: there is no command 'fly'; "),
    ],
)
def test_what_cannot_be_is_reported_in_a_sentence(line, lines, shown):
    assert line(*lines)[-1].startswith(f'*ERROR* -> {shown}')


def test_nothing_comes_of_empty_lines_and_comments(line):
    assert line('', '   ', '# go 1', '\t') == []
    assert line.stage.now == 0


@pytest.mark.parametrize('name', COMMANDS)
def test_every_command_has_its_help(line, name):
    usage, text, *_ = line(f'help {name.upper()}')
    assert usage.split()[0] == name
    assert text.endswith('.')


def test_menus_name_every_command(line):
    named = {
        shown.split()[0]
        for menu in ('help', 'menu-camera', 'menu-hand', 'menu-bin')
        for shown in line(menu)
        if shown.startswith(' ')
    }
    assert named == set(COMMANDS)


def test_the_manuals_commands_are_all_there():
    manual = (
        'alias eval repeat help quit menu-bin menu-camera menu-hand bins cameras hands things '
        'status pos angle obj-desig place-desig cam-insert-desig cam-insert-bin hand-insert-bin '
        'hand-insert-desig cam-track hand-grasp hand-remove hand-ungrasp bin-close'
    )
    assert set(manual.split()) <= set(COMMANDS)


def test_every_code_has_its_phrase():
    assert all(phrase(code).startswith(f'{code}, ') for code in Code)
    assert phrase('NOT-HOLDING-KEY') == 'NOT-HOLDING-KEY'


def test_quit_ends_a_repeat(line):
    assert not line.console.finished
    line('repeat 5 quit')
    assert line.console.finished


def test_a_jump_takes_no_time_and_a_wait_does(line):
    line('pos 3 4', 'angle -2.65')
    assert (line.truth.x, line.truth.y, line.truth.heading, line.stage.now) == (3, 4, -2.65, 0)
    assert line('wait 5') == []
    assert line.stage.now == 5
    assert line('status')[0] == 'Tick:              5'


def test_what_has_ended_by_itself_is_reported_as_it_comes(line):
    line('obj-desig 0 local', 'cam-track 0 0', 'hand-grasp 0 0', 'hand-track 0')
    line.stage.world.scene.drop(line.stage.thing('box'), 30, 30)
    ends = [shown for shown in line('wait 1') if 'has ended' in shown]
    assert ends == [
        '*WARNING* -> cam-track 0 0 has ended: LOST-TRACK, the camera tracks it no longer.',
        '*WARNING* -> hand-track 0 has ended: GRASP-LOST, the hand holds it no longer.',
    ]


def test_clean_and_dirty_change_the_noise():
    line = Line(clean=False)
    line('clean')
    assert line.stage.world.parameters.motion_noise == 0
    line('dirty')
    assert line.stage.world.parameters.motion_noise == 0.1


def test_messages_of_others_are_shown_with_their_names_unless_all_are_flushed():
    line = Line()
    messages = line.stage.world.messages
    messages.warning('it rains.')
    messages.plain('hello.', 'robbie')
    messages.error('ouch.', 'marvin')
    assert line.console.news() == ['*WARNING* -> it rains.', 'hello.', 'marvin: *ERROR* -> ouch.']
    line.stage.set(flush_all_errors=True)
    messages.warning('it pours.')
    assert line('wait 1') == []


def test_an_operation_is_not_waited_for_without_an_end():
    console = Console(Stage().simulator, 'robbie', patience=10)
    assert console.execute('go 15') == [
        '*ERROR* -> go: it has not ended after 10 ticks; wait for it, or stop.'
    ]
    assert console.execute('wait 9') == []
    assert console.execute('wait 1')[-1] == '*WARNING* -> go 15 has ended: NIL, it succeeded.'


def test_lines_come_one_by_one(line):
    lines = line.console.lines('repeat 3 go 1')
    assert next(lines) == 'go: moved for 1 ticks.'
    assert line.truth.x == 21


def test_a_robot_that_is_not_there_is_refused(line):
    with pytest.raises(ValueError, match="there is no robot 'marvin'; the world has robbie"):
        Console(line.stage.simulator, 'marvin')


def test_things_are_shown_with_place_and_attributes(line):
    assert line('things')[1:] == [
        'BOX#1   20.00  20.00  -   size 5, capacity 5, weight 2',
        'BALL#2  25.00  20.00  -   size 1, color red',
        'BELL#3  26.00  20.00  -   size 1, color blue',
    ]


WORDS = (
    '0 1 2 -1 0.3 local non-local size=3 size=1..9 color=red color=1~2 concave nix left hand bin '
    'with pi * 1e400 ² new main = a..b status {} %s ( )'
)


def test_no_line_whatever_ends_the_command_line():
    console = Console(Stage(clean=False).simulator, 'robbie', patience=100)
    chance = random.Random(2)
    names = [*COMMANDS, '(', 'é', '"']
    for _ in range(1500):
        words = [chance.choice(names), *chance.choices(WORDS.split(), k=chance.randrange(4))]
        shown = console.execute(' '.join(words))
        assert all('\n' not in reported and 'a body fails' not in reported for reported in shown)
    assert console.finished
