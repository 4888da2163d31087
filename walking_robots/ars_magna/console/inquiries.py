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
from walking_robots.ars_magna.design.expressions import expression
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


def _evaluate(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    try:
        found = expression(' '.join(words), ('pi',), {})
    except ValueError:
        raise ValueError(
            'an expression is of at most 200 characters: numbers, pi, + - * /, brackets, '
            'comparisons, and, or, not; write for example 2 * pi / 16'
        ) from None
    value = found.value({'pi': math.pi})
    if not isinstance(value, bool | int | float):
        raise ValueError('an expression must give a number; write for example 2 * pi / 16')
    return [str(value).lower() if isinstance(value, bool) else f'{value:.6g}']


def _position(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    desk.experimenter.set_position(desk.robot.name, real(words[0]), real(words[1]))
    return []


def _angle(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    desk.experimenter.set_angle(desk.robot.name, real(words[0]))
    return []


def _clean(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    desk.experimenter.clean()
    return ['clean: the simulation is without noise.']


def _dirty(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    desk.experimenter.dirty()
    return ['dirty: the parameters are those from before clean.']


def _odometer(desk: ConsoleSession, words: Sequence[str]) -> list[str]:
    """Read all odometers, or make or reset one."""
    if not words:
        return [line for name in desk.odometers for line in _reading(desk, name)]
    name = words[-1].lower()
    if name in ('new', 'reset') and len(words) == 1 and name not in desk.odometers:
        raise ValueError(f'write odo {name} NAME')
    if len(words) == 1:
        return _reading(desk, name)
    match words[0].lower():
        case 'new':
            desk.odometers[name] = desk.robot.new_odometer(name)
        case 'reset':
            _check_odometer(desk, name)
            desk.odometers[name].reset()
        case other:
            raise ValueError(f"odo takes new or reset and a name, not '{other:.40}'")
    return _reading(desk, name)


def _check_odometer(desk: ConsoleSession, name: str) -> None:
    if name not in desk.odometers:
        known = ', '.join(desk.odometers)
        raise ValueError(
            f"there is no odometer '{name:.40}'; use {known}, or make it by odo new {name:.40}"
        )


def _reading(desk: ConsoleSession, name: str) -> list[str]:
    _check_odometer(desk, name)
    box, angle = desk.odometers[name].position(), desk.odometers[name].angle()
    return [f'{name}: x {_range(box.x)}, y {_range(box.y)}, angle {_range(angle)}']


def _range(interval: Interval) -> str:
    return f'[{interval.min:.2f}, {interval.max:.2f}]'


INQUIRIES: Mapping[str, Inquiry] = {
    inquiry.name: inquiry
    for inquiry in (
        Inquiry(
            'bins',
            'Show the bins: whether they are open, how much fits in all and now, what is inside.',
            lambda desk, words: bins_table(desk.state.bins),
        ),
        Inquiry(
            'cameras',
            'Show the cameras: field of view, resolution, angle, location, what each tracks.',
            lambda desk, words: cameras_table(desk.robot.name, desk.state.cameras),
        ),
        Inquiry(
            'hands',
            'Show the hands: strength, what each holds, location.',
            lambda desk, words: hands_table(desk.robot.name, desk.state.hands),
        ),
        Inquiry(
            'things',
            'Show all things: where they are, and their attributes.',
            lambda desk, words: things_table(desk.robot.name, desk.experimenter.things()),
        ),
        Inquiry(
            'status',
            'Show the tick, and what is true of the robot: position, views, place, designators.',
            lambda desk, words: status_table(desk.robot.now, desk.state),
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
