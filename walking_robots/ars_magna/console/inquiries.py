"""Lines that take no time: what is true, what the experimenter changes, odometers, arithmetic.

Source: ars_magna.md §5.3, K02 and K07 to K13.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from walking_robots.ars_magna.console.session import ConsoleSession
from walking_robots.ars_magna.console.tables import (
    bins_table,
    cameras_table,
    hands_table,
    status_table,
    things_table,
)
from walking_robots.ars_magna.console.words import real
from walking_robots.ars_magna.design.expressions import NUMERIC, expression
from walking_robots.ars_magna.geometry.interval import Interval


@dataclass(frozen=True)
class Inquiry:
    """A command that is answered at once; least and most: numbers of its arguments."""

    name: str
    help: str
    answer: Callable[[ConsoleSession, Sequence[str]], list[str]]
    usage: str = ''
    least: int = 0
    most: int = 0


def _evaluate(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    try:
        found = expression(' '.join(words), {'pi': NUMERIC}, {})
    except ValueError:
        raise ValueError(
            'an expression is of at most 200 characters: numbers, pi, + - * /, brackets, '
            'comparisons, and, or, not; write for example 2 * pi / 16'
        ) from None
    value = found.value({'pi': math.pi})
    if not isinstance(value, bool | int | float):
        raise ValueError('an expression must give a number; write for example 2 * pi / 16')
    return [str(value).lower() if isinstance(value, bool) else f'{value:.6g}']


def _position(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    session.experimenter.set_position(session.robot.name, real(words[0]), real(words[1]))
    return []


def _angle(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    session.experimenter.set_angle(session.robot.name, real(words[0]))
    return []


def _clean(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    session.experimenter.clean()
    return ['clean: the simulation is without noise.']


def _dirty(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    session.experimenter.dirty()
    return ['dirty: the parameters are those from before clean.']


def _odometer(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    """Read all odometers, or make or reset one."""
    if not words:
        return [line for name in session.odometers for line in _reading(session, name)]
    name = words[-1].lower()
    if name in ('new', 'reset') and len(words) == 1 and name not in session.odometers:
        raise ValueError(f'write odo {name} NAME')
    if len(words) == 1:
        return _reading(session, name)
    match words[0].lower():
        case 'new':
            session.odometers[name] = session.robot.new_odometer(name)
        case 'reset':
            _check_odometer(session, name)
            session.odometers[name].reset()
        case other:
            raise ValueError(f"odo takes new or reset and a name, not '{other:.40}'")
    return _reading(session, name)


def _check_odometer(session: ConsoleSession, name: str) -> None:
    if name not in session.odometers:
        known = ', '.join(session.odometers)
        raise ValueError(
            f"there is no odometer '{name:.40}'; use {known}, or make it by odo new {name:.40}"
        )


def _reading(session: ConsoleSession, name: str) -> list[str]:
    _check_odometer(session, name)
    box, angle = session.odometers[name].position(), session.odometers[name].angle()
    return [f'{name}: x {_range(box.x)}, y {_range(box.y)}, angle {_range(angle)}']


def _range(interval: Interval) -> str:
    return f'[{interval.min:.2f}, {interval.max:.2f}]'


INQUIRIES: Mapping[str, Inquiry] = {
    inquiry.name: inquiry
    for inquiry in (
        Inquiry(
            'bins',
            'Show the bins: whether they are open, how much fits in all and now, what is inside.',
            lambda session, words: bins_table(session.state.bins),
        ),
        Inquiry(
            'cameras',
            'Show the cameras: field of view, resolution, angle, location, what each tracks.',
            lambda session, words: cameras_table(session.robot.name, session.state.cameras),
        ),
        Inquiry(
            'hands',
            'Show the hands: strength, what each holds, location.',
            lambda session, words: hands_table(session.robot.name, session.state.hands),
        ),
        Inquiry(
            'things',
            'Show all things: where they are, and their attributes.',
            lambda session, words: things_table(session.robot.name, session.experimenter.things()),
        ),
        Inquiry(
            'status',
            'Show the tick, and what is true of the robot: position, views, place, designators.',
            lambda session, words: status_table(session.robot.now, session.state),
        ),
        Inquiry('pos', 'Put the robot at a point, whatever is there.', _position, 'x y', 2, 2),
        Inquiry('angle', 'Turn the robot to a heading, rad, at once.', _angle, 'angle', 1, 1),
        Inquiry('clean', 'Take all noise away.', _clean),
        Inquiry('dirty', 'Restore the parameters from before clean.', _dirty),
        Inquiry(
            'odo',
            'Read the odometers, or make or reset one.',
            _odometer,
            '[name | new name | reset name]',
            most=2,
        ),
        Inquiry(
            'eval',
            'Work out an expression of numbers, such as 2 * pi / 16 or 1 + 1 < 3. A line in '
            'brackets is worked out too. Only arithmetic is known here: code from a line is not '
            'run.',
            _evaluate,
            'expression',
            1,
            200,
        ),
    )
}
