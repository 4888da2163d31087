"""Lines that move and turn the robot (ars_magna.md §5.3, K25)."""

from collections.abc import Sequence

from walking_robots.ars_magna.agent.handles import Command
from walking_robots.ars_magna.console.session import SOME_TICKS, ConsoleSession, Ended, Operation
from walking_robots.ars_magna.console.words import count

MOVING, TURNING = 'moving', 'turning'


def _turned(end: Ended) -> str:
    return f'turned by about {end.outcome.value:.2f}'


def _follow_wall(desk: ConsoleSession, side: str, words: Sequence[str]) -> Command:
    if len(words) > 1:
        raise ValueError(f'write follow-wall side {SOME_TICKS}')
    return desk.robot.follow_wall(side, count(words[0]) if words else 0)


MOVING_AND_TURNING = (
    Operation(
        'go',
        MOVING,
        ('ticks',),
        'Move straight ahead for some ticks.',
        lambda desk, ticks: desk.robot.go_forward(ticks),
        lambda end: f'moved for {end.arguments[0]} ticks',
    ),
    Operation(
        'goto-wall',
        MOVING,
        (),
        'Move straight ahead up to a wall.',
        lambda desk: desk.robot.goto_wall(),
        lambda end: 'the robot is at a wall',
    ),
    Operation(
        'follow-wall',
        MOVING,
        ('side', SOME_TICKS),
        'Go along the wall at the left or right, to its end or for some ticks.',
        _follow_wall,
        lambda end: 'the robot has followed the wall',
    ),
    Operation(
        'goto-desig',
        MOVING,
        ('cam',),
        'Turn to what a camera tracks and move there.',
        lambda desk, camera: desk.robot.goto_designator(camera),
        lambda end: f'the robot is at designator {end.outcome.value.number}',
    ),
    Operation(
        'stop',
        MOVING,
        (),
        'Stop, which takes the time of braking.',
        lambda desk: desk.robot.stop(),
        lambda end: 'the robot stands',
    ),
    Operation(
        'speed',
        MOVING,
        ('speed',),
        'Set the speed, cells a tick.',
        lambda desk, speed: desk.robot.set_speed(speed),
        lambda end: f'the speed is {end.outcome.value:.2f}',
    ),
    Operation(
        'place',
        MOVING,
        (),
        'Sense the type of the place.',
        lambda desk: desk.robot.place(),
        lambda end: f'the place is {end.outcome.value or "of no type"}',
    ),
    Operation(
        'turn',
        TURNING,
        ('angle',),
        'Turn by an angle, rad, clockwise.',
        lambda desk, angle: desk.robot.turn(angle),
        _turned,
    ),
    Operation(
        'about-face',
        TURNING,
        (),
        'Turn round.',
        lambda desk: desk.robot.about_face(),
        _turned,
    ),
    Operation(
        'turn-left',
        TURNING,
        (),
        'Turn to the left by a quarter.',
        lambda desk: desk.robot.turn_left(),
        _turned,
    ),
    Operation(
        'turn-right',
        TURNING,
        (),
        'Turn to the right by a quarter.',
        lambda desk: desk.robot.turn_right(),
        _turned,
    ),
    Operation(
        'turn-corner',
        TURNING,
        (),
        'Turn around a corner.',
        lambda desk: desk.robot.turn_corner(),
        _turned,
    ),
    Operation(
        'align',
        TURNING,
        (),
        'Turn to the nearest direction of the place.',
        lambda desk: desk.robot.align_place(),
        _turned,
    ),
    Operation(
        'turn-angle',
        TURNING,
        ('angle',),
        'Set by how much the robot turns in a tick, rad.',
        lambda desk, angle: desk.robot.set_turn_angle(angle),
        lambda end: f'the turn angle is {end.outcome.value:.2f}',
    ),
)
