"""Options of the commands that run programs of the motion language."""

from collections.abc import Callable, Sequence

import click

from walking_robots.cli.mdle_files import library_option
from walking_robots.cli.object_script import ObjectScript
from walking_robots.cli.options import FiniteNumber, Quantity
from walking_robots.geometry.units import parse_time

TIME = Quantity('time', parse_time, 0.0, 86400.0)
LATENCY = Quantity('time', parse_time, 0.0, 10.0)
SHARE = FiniteNumber(0.0, 0.5)
SEED = click.IntRange(0, 2**31 - 1)

ROBOTS = (
    'scout-sim', 'twist', 'aquarobot', 'asv', 'insect18', 'rectangular', 'kwalka', 'kwalkb',
    'kwalkb3d',
)  # fmt: skip
GAITS = ('tripod', 'ripple', 'wave', 'free', 'planned', 'auto')

gait_option = click.option(
    '--gait',
    type=click.Choice(GAITS),
    callback=lambda _, __, value: value or '',
    help='Of a hexapod; tripod without, and free for the asv.',
)

Command = Callable[..., None]


def _arguments(
    context: click.Context, option: click.Parameter, values: Sequence[str]
) -> dict[str, str]:
    """Read arguments such as a='0.5 rad'."""
    found = {}
    for value in values:
        name, equals, text = value.partition('=')
        if not (equals and name.strip() and text.strip()):
            raise click.BadParameter(f"{value!r} is no argument; write for example gap='0.5 m'")
        found[name.strip()] = text.strip()
    return found


argument_option = click.option(
    '--arg', 'arguments', multiple=True, callback=_arguments,
    help="An argument of the program, such as gap='0.5 m'; repeatable.",
)  # fmt: skip


def program_options(command: Command) -> Command:
    """Add the options that both ways of running a program share."""
    for option in reversed(
        [
            click.option('--entry', default='', help='What to run; otherwise the last plan.'),
            argument_option,
            click.option(
                '--robot', type=click.Choice(ROBOTS), default='scout-sim', help='On what.'
            ),
            gait_option,
            click.option(
                '--world', type=click.Path(), default='', help='World file; none: an open plane.'
            ),
            click.option(
                '--object-script', type=ObjectScript(), default='',
                help="An object that moves about, such as '0s 2m,0m; 1s 2m,1m; rest 1m,1m'.",
            ),
            click.option('--noise', type=SHARE, default=0.0, help='Of the sonars, as a share.'),
            click.option('--slip', type=SHARE, default=0.0, help='Of the wheels, as a share.'),
            click.option('--latency', type=LATENCY, default=0.0, help='Of commands, as 0.1s.'),
            click.option('--seed', type=SEED, default=0, help='Seed of noise and slip.'),
            click.option('--limit', type=TIME, default='1h', help='When to stop it, such as 40s.'),
            click.option('--json', 'as_json', is_flag=True, help='One line of JSON.'),
            library_option,
        ]
    ):  # fmt: skip
        command = option(command)
    return command
