"""Lines that take no time: what is true, what the experimenter changes, odometers, arithmetic.

Source: ars_magna.md §5.3, K02 and K07 to K13.
"""

import math
from collections.abc import Mapping, Sequence

from walking_robots.ars_magna.agent.handles import Odometer
from walking_robots.ars_magna.console.session import BUILT_IN, ConsoleCommand, ConsoleSession
from walking_robots.ars_magna.console.tables import (
    bins_table,
    cameras_table,
    hands_table,
    status_table,
    things_table,
)
from walking_robots.ars_magna.design.expressions import NUMERIC, expression
from walking_robots.ars_magna.geometry.interval import Interval


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


def _position(session: ConsoleSession, x: float, y: float) -> list[str]:
    session.experimenter.set_position(session.robot.name, x, y)
    return []


def _angle(session: ConsoleSession, angle: float) -> list[str]:
    session.experimenter.set_angle(session.robot.name, angle)
    return []


def _clean(session: ConsoleSession) -> list[str]:
    session.experimenter.clean()
    return ['clean: the simulation is without noise.']


def _dirty(session: ConsoleSession) -> list[str]:
    session.experimenter.dirty()
    return ['dirty: the parameters are those from before clean.']


def _odometer(session: ConsoleSession, words: Sequence[str]) -> list[str]:
    """Read all odometers, or make or reset one."""
    match [word.lower() for word in words]:
        case []:
            return [_reading(session, name) for name in session.odometers]
        case ['new' | 'reset' as how] if how not in session.odometers:
            raise ValueError(f'write odo {how} NAME')
        case [name]:
            pass
        case ['new', name]:
            session.odometers[name] = session.robot.new_odometer(name)
        case ['reset', name]:
            _found(session, name).reset()
        case [other, *_]:
            raise ValueError(f"odo takes new or reset and a name, not '{other:.40}'")
    return [_reading(session, name)]


def _found(session: ConsoleSession, name: str) -> Odometer:
    if name not in session.odometers:
        known = ', '.join(session.odometers)
        raise ValueError(
            f"there is no odometer '{name:.40}'; use {known}, or make it by odo new {name:.40}"
        )
    return session.odometers[name]


def _reading(session: ConsoleSession, name: str) -> str:
    odometer = _found(session, name)
    box, angle = odometer.position(), odometer.angle()
    return f'{name}: x {_range(box.x)}, y {_range(box.y)}, angle {_range(angle)}'


def _range(interval: Interval) -> str:
    return f'[{interval.min:.2f}, {interval.max:.2f}]'


_ALL = (
    (
        'bins',
        (),
        'Show the bins: whether they are open, how much fits in all and now, what is inside.',
        lambda session: bins_table(session.state.bins),
    ),
    (
        'cameras',
        (),
        'Show the cameras: field of view, resolution, angle, location, what each tracks.',
        lambda session: cameras_table(session.robot.name, session.state.cameras),
    ),
    (
        'hands',
        (),
        'Show the hands: strength, what each holds, location.',
        lambda session: hands_table(session.robot.name, session.state.hands),
    ),
    (
        'things',
        (),
        'Show all things: where they are, and their attributes.',
        lambda session: things_table(session.robot.name, session.experimenter.things()),
    ),
    (
        'status',
        (),
        'Show the tick, and what is true of the robot: position, views, place, designators.',
        lambda session: status_table(session.robot.now, session.state),
    ),
    ('pos', ('x', 'y'), 'Put the robot at a point, whatever is there.', _position),
    ('angle', ('angle',), 'Turn the robot to a heading, rad, at once.', _angle),
    ('clean', (), 'Take all noise away.', _clean),
    ('dirty', (), 'Restore the parameters from before clean.', _dirty),
    (
        'odo',
        ('[name | new name | reset name]',),
        'Read the odometers, or make or reset one.',
        _odometer,
    ),
    (
        'eval',
        ('expression',),
        'Work out an expression of numbers, such as 2 * pi / 16 or 1 + 1 < 3. A line in brackets '
        'is worked out too. Only arithmetic is known here: code from a line is not run.',
        _evaluate,
    ),
)

INQUIRIES: Mapping[str, ConsoleCommand] = {
    name: ConsoleCommand(name, BUILT_IN, arguments, help, act)
    for name, arguments, help, act in _ALL
}
