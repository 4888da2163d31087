"""The commands of the robot as lines give them, by name (ars_magna.md §5.3, K14 to K25)."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from walking_robots.ars_magna.agent.handles import Command, Designator
from walking_robots.ars_magna.agent.robot import Bin, Camera, Hand, Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.console.session import (
    DESIGNATORS_AND_VALUES,
    SOME_TICKS,
    ConsoleCommand,
    ConsoleSession,
    Ended,
)
from walking_robots.ars_magna.console.words import count, real

MOVING, TURNING, CAMERA, HAND, BIN = 'moving', 'turning', 'camera', 'hand', 'bin'

_WORDS = {'camera': 'cam', 'designator': 'desig', 'specification': 'specs', 'rate': 'angle'}
"""Names of arguments on the command line, where they differ."""


def _operation(
    name: str,
    menu: str,
    method: Callable[..., Command],
    says: str | Callable[[Ended], str],
    *,
    help: str = '',
    arguments: tuple[str, ...] | None = None,
    act: Callable[..., Command] | None = None,
    readings: tuple[Code, ...] = (),
    lasts: bool = False,
) -> ConsoleCommand:
    """Return the command of a line for a method of a handle.

    says: what came of it, of an ``Ended`` named end. Help, arguments and act are those of the
    method unless they are given.
    """
    is_part = menu in (CAMERA, HAND, BIN)
    if arguments is None:
        _, *taken, _ = signature(method).parameters
        arguments = (menu, *taken) if is_part else tuple(taken)

    def of_method(session: ConsoleSession, *arguments: Any) -> Command:
        return method(*arguments) if is_part else method(session.robot, *arguments)

    return ConsoleCommand(
        name,
        menu,
        tuple(_WORDS.get(argument, argument) for argument in arguments),
        help or (method.__doc__ or '').partition('\n')[0],
        act or of_method,
        (lambda end: says.format(end=end)) if isinstance(says, str) else says,
        readings,
        lasts,
    )


def _follow_wall(session: ConsoleSession, side: str, words: Sequence[str]) -> Command:
    if len(words) > 1:
        raise ValueError(f'write follow-wall side {SOME_TICKS}')
    return session.robot.follow_wall(side, count(words[0]) if words else 0)


def _manipulate(
    session: ConsoleSession, name: str, part: str, number: int, words: Sequence[str]
) -> Command:
    """Issue a manipulation; words: designators, and other values after ``with``."""
    parts = session.robot.parts.get(part, ())
    if number >= len(parts):
        raise ValueError(
            f"there is no '{part:.20} {number}'; name the part that does it, such as hand 0"
        )
    split = words.index('with') if 'with' in words else len(words)
    designators = [session.designator(count(word)) for word in words[:split]]
    others = map(_value, words[split + 1 :])
    return session.robot.manipulate(name, designators, parts[number], *others)


def _value(word: str) -> float | str:
    try:
        return real(word)
    except ValueError:
        return word


def _given(end: Ended) -> str:
    return f'gives {end.value}' if end.value is not None else 'done'


def _found(end: Ended) -> str:
    found: Sequence[Designator] = end.value if isinstance(end.value, tuple) else (end.value,)
    numbers = ', '.join(str(designator.number) for designator in found)
    return f'{end.part} found designator{"s" if len(found) > 1 else ""} {numbers}'


def _seen(end: Ended) -> str:
    return f'{end.part} sees ' + ' '.join(f'{pixel:.2f}' for pixel in end.value)


def _felt(end: Ended) -> str:
    return f'{end.part} holds {"something" if end.outcome.code == Code.GRASPING else "nothing"}'


_TURNED = 'turned by about {end.value:.2f}'
_CAMERA_TURNED = '{end.part} ' + _TURNED
_INSERTED = '{end.part} inserted into {end.location}'
_REMOVED = '{end.part} removed from {end.former_location}'

_ALL = (
    _operation('go', MOVING, Robot.go_forward, 'moved for {end.arguments[0]} ticks'),
    _operation('goto-wall', MOVING, Robot.goto_wall, 'the robot is at a wall'),
    _operation(
        'follow-wall',
        MOVING,
        Robot.follow_wall,
        'the robot has followed the wall',
        arguments=('side', SOME_TICKS),
        act=_follow_wall,
    ),
    _operation(
        'goto-desig',
        MOVING,
        Robot.goto_designator,
        'the robot is at designator {end.value.number}',
    ),
    _operation('stop', MOVING, Robot.stop, 'the robot stands'),
    _operation('speed', MOVING, Robot.set_speed, 'the speed is {end.value:.2f}'),
    _operation(
        'place', MOVING, Robot.place, lambda end: f'the place is {end.value or "of no type"}'
    ),
    _operation('turn', TURNING, Robot.turn, _TURNED),
    _operation('about-face', TURNING, Robot.about_face, _TURNED),
    _operation('turn-left', TURNING, Robot.turn_left, _TURNED),
    _operation('turn-right', TURNING, Robot.turn_right, _TURNED),
    _operation('turn-corner', TURNING, Robot.turn_corner, _TURNED),
    _operation('align', TURNING, Robot.align_place, _TURNED),
    _operation('turn-angle', TURNING, Robot.set_turn_angle, 'the turn angle is {end.value:.2f}'),
    _operation('obj-desig', CAMERA, Camera.get_object_designator, _found),
    _operation('all-obj-desig', CAMERA, Camera.get_all_object_designators, _found),
    _operation('place-desig', CAMERA, Camera.get_place_designator, _found),
    _operation('all-place-desig', CAMERA, Camera.get_all_place_designators, _found),
    _operation(
        'cam-track',
        CAMERA,
        Camera.track,
        '{end.part} tracks designator {end.arguments[1].number}',
        lasts=True,
    ),
    _operation('cam-untrack', CAMERA, Camera.untrack, '{end.part} tracks nothing'),
    _operation('cam-turn', CAMERA, Camera.turn, _CAMERA_TURNED),
    _operation('cam-align-robot', CAMERA, Camera.align_robot, _CAMERA_TURNED),
    _operation(
        'cam-align-place',
        CAMERA,
        Camera.align_place,
        _CAMERA_TURNED + ', the place is {end.outcome.values[1]}',
    ),
    _operation(
        'cam-insert-desig',
        CAMERA,
        Camera.insert,
        _INSERTED,
        help='Put a camera into the thing that it tracks.',
        arguments=('camera',),
        act=lambda session, camera: camera.insert(session.tracked(camera)),
    ),
    _operation(
        'cam-insert-bin',
        CAMERA,
        Camera.insert,
        _INSERTED,
        help='Put a camera into a bin.',
        arguments=('camera', 'bin'),
    ),
    _operation('cam-remove', CAMERA, Camera.remove, _REMOVED),
    _operation('view', CAMERA, Camera.view, _seen),
    _operation(
        'hand-grasp',
        HAND,
        Hand.grasp,
        '{end.part} grasped {end.held}',
        arguments=('hand', 'camera'),
        act=lambda session, hand, camera: hand.grasp(camera, session.tracked(camera)),
    ),
    _operation('hand-ungrasp', HAND, Hand.ungrasp, '{end.part} dropped {end.dropped}'),
    _operation(
        'hand-insert-desig',
        HAND,
        Hand.insert,
        _INSERTED,
        help='Put a hand into the thing that a camera tracks.',
        arguments=('hand', 'camera'),
        act=lambda session, hand, camera: hand.insert(session.tracked(camera)),
    ),
    _operation(
        'hand-insert-bin',
        HAND,
        Hand.insert,
        _INSERTED,
        help='Put a hand into a bin.',
        arguments=('hand', 'bin'),
    ),
    _operation('hand-remove', HAND, Hand.remove, _REMOVED),
    _operation(
        'grasp-check',
        HAND,
        Hand.grasp_check,
        _felt,
        readings=(Code.GRASPING, Code.NOT_GRASPING),
    ),
    _operation('hand-track', HAND, Hand.track, 'the grip of {end.part} is watched', lasts=True),
    _operation(
        'manip',
        HAND,
        Robot.manipulate,
        _given,
        help='Manipulate things of designators by a part: manip lock hand 0 2 3, and further '
        'values after the word with.',
        arguments=('name', 'part', 'number', DESIGNATORS_AND_VALUES),
        act=_manipulate,
    ),
    _operation('bin-open', BIN, Bin.open, '{end.part} is open'),
    _operation('bin-close', BIN, Bin.close, '{end.part} is closed'),
)

OPERATIONS: Mapping[str, ConsoleCommand] = {operation.name: operation for operation in _ALL}
