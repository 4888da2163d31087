"""What the commands share: options with units, completion, and words for a missing ROS 2."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from walking_robots.documents.shared import shared_path
from walking_robots.geometry.units import parse_angle, parse_time

if TYPE_CHECKING:
    _ParamType = click.ParamType[float]
else:
    # The click of a ROS distribution is older and not generic.
    _ParamType = click.ParamType


def option_group(*options: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that adds options to a command, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class FiniteNumber(click.FloatRange):
    """A finite number within bounds; click takes NaN to be within all bounds."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number or refuse it in one sentence."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f'{value} is not a finite number', param, ctx)
        return found


class Quantity(_ParamType):
    """An option that takes a number in SI or with a unit, within bounds."""

    def __init__(self, name: str, parse: Callable[[object], float], least: float, most: float):
        """Name the quantity and bound it, both ends in SI."""
        self.name = name
        self._parse, self._least, self._most = parse, least, most

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the value in SI or refuse it in one sentence."""
        try:
            number = self._parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if not self._least <= number <= self._most:
            self.fail(
                f'{value} is outside {self._least:g} to {self._most:g} (SI units)', param, ctx
            )
        return number


How = Literal['composed', 'distributed']

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def shipped(example: str) -> Completion:
    """Complete the names of the files beside a shipped one, or else the path of a file."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = sorted({file.stem for file in shared_path(example).parent.iterdir()})
        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type='file')]

    return complete


ROBOT = shipped('config/robots/aquarobot.yaml')
WORLD = shipped('config/worlds/big_room.yaml')
SENSOR = shipped('config/sensors/mast_lidar.yaml')

HEADING = Quantity('angle', parse_angle, -6.3, 6.3)
AT = Quantity('time', parse_time, 0.0, 86400.0)

EYES = ('eyes', 'sensor')


def _checked_odometry(
    context: click.Context, option: click.Parameter, value: str | None
) -> str | None:
    if value is not None:
        from walking_robots.simulation.hexapod.odometry import drift_of

        try:
            drift_of(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
    return value


eyes_options = option_group(
    click.option(
        '--eyes',
        is_flag=True,
        help='Know only what a depth sensor and the feet measure of the ground.',
    ),
    click.option(
        '--sensor',
        default='',
        shell_complete=SENSOR,
        help='With --eyes: a shipped sensor, or the file of one; the usual one of the '
        'robot without.',
    ),
    click.option(
        '--odometry',
        callback=_checked_odometry,
        help='Where the robot believes to be: exact; legs: by legs and a gyroscope; drift:1%: off '
        'by that share of the way. Exact without, and drift:1% with --eyes.',
    ),
)
"""Options of a walk over ground that has to be seen, and of where the robot believes to be."""


forbidden_kind_option = click.option(
    '--forbidden-kind',
    type=click.Choice(['hole', 'soft', 'slippery', 'sharp']),
    default='hole',
    help='What forbidden cells are, with --physics mujoco or --eyes; ditches are holes.',
)
"""The option of what forbidden cells are."""


def check_forbidden_kind(context: click.Context) -> None:
    """Refuse --forbidden-kind where it has no effect."""
    if context.get_parameter_source('forbidden_kind') is not ParameterSource.COMMANDLINE:
        return
    if not context.params['forbidden']:
        raise click.UsageError(
            '--forbidden-kind has no effect without --forbidden; add that, or write '
            'forbidden: KIND into the terrain file'
        )
    if context.params['physics'] != 'mujoco' and not context.params['eyes']:
        raise click.UsageError(
            '--forbidden-kind has no effect without --physics mujoco or --eyes; add one of them'
        )


def take_eyes(context: click.Context, settings: dict[str, Any]) -> None:
    """Replace the options of eyes by the field of a trial, none without --eyes."""
    eyes, sensor = (settings.pop(name) for name in EYES)
    settings['odometry'] = settings['odometry'] or ('drift:1%' if eyes else 'exact')
    # The line of JSON says what was chosen, too.
    context.params['odometry'] = settings['odometry']
    if eyes:
        from walking_robots.trials.hexapod.eyes_settings import EyesSettings

        settings['eyes'] = EyesSettings(sensor)
    elif context.get_parameter_source('sensor') is ParameterSource.COMMANDLINE:
        raise click.UsageError(
            '--sensor has no effect without --eyes; add --eyes or leave --sensor out'
        )


PUSHES = ('push', 'push_from', 'push_at')
FORCES = (*PUSHES, 'fail', 'fail_at', 'switch_noise', 'battery')


physics_options = option_group(
    click.option(
        '--physics',
        type=click.Choice(['kinematic', 'mujoco']),
        default='kinematic',
        help='mujoco: with masses, servos and contact forces; forbidden cells are physical.',
    ),
    click.option(
        '--push',
        type=FiniteNumber(0.0, 2.0),
        default=0.0,
        help='With --physics mujoco: push the body for 0.2 s by this share of its weight.',
    ),
    click.option(
        '--push-from',
        type=HEADING,
        default=0.0,
        help='Where a push comes from: 0 from ahead, 90deg from the left.',
    ),
    click.option('--push-at', type=AT, default='5s', help='When it is pushed.'),
    click.option(
        '--fail',
        default='',
        help='With --physics mujoco: a leg or one of its joints that fails, such as 3:dead, '
        '3.lift:stuck or 3:weak.',
    ),
    click.option('--fail-at', type=AT, default='5s', help='When it fails.'),
    click.option(
        '--switch-noise',
        type=FiniteNumber(0.0, 1.0),
        default=0.0,
        help='With --physics mujoco: noise of the forces on foot switches, in weights.',
    ),
    click.option(
        '--battery',
        type=FiniteNumber(0.0, 1.0),
        default=1.0,
        help='With --physics mujoco: charge of the battery at the start, such as 0.15.',
    ),
)
"""Options of a simulation with forces."""


def take_physics(context: click.Context, settings: dict[str, Any], graph: str | None) -> None:
    """Replace the options of forces by the field of a trial, none of a kinematic one."""
    physics, *values = (settings.pop(name) for name in ('physics', *FORCES))
    if physics == 'mujoco':
        from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings

        settings['physics'] = PhysicsSettings(**dict(zip(FORCES, values, strict=True)))
    for name in FORCES:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = f'--{name.replace("_", "-")}'
            if physics != 'mujoco':
                raise click.UsageError(
                    f'{option} has no effect without --physics mujoco; add that'
                )
            if graph and name in PUSHES:
                raise click.UsageError(f'{option} is for trials without --graph; leave one out')


def folder_there(
    context: click.Context, option: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a file to write in a folder that is not there, before anything runs."""
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f'there is no folder {value.parent}; make it first')
    return value


@contextmanager
def ros_needed() -> Iterator[None]:
    """Turn a missing ROS 2 into one sentence."""
    try:
        yield
    except ImportError as error:
        raise click.ClickException(
            f'this needs ROS 2, but {error.name} cannot be imported: '
            "run 'make env' or source a distribution"
        ) from error


@contextmanager
def graph_needed() -> Iterator[None]:
    """Turn what nodes refuse, and a trial that comes to nothing, into one sentence."""
    with ros_needed():
        from walking_robots.nodes.common.node import ConfigurationError
        from walking_robots.nodes.common.trial import TrialError
    try:
        yield
    except (ConfigurationError, TrialError) as error:
        raise click.ClickException(str(error)) from error


RECORD: dict[str, Any] = {
    'type': click.Path(dir_okay=False, path_type=Path),
    'callback': folder_there,
    'help': 'Write all messages of the graph into this MCAP file, a new one.',
}
"""The option of demos and trials that records their graph."""

graph_options = option_group(
    click.option(
        '--graph', type=click.Choice(['composed', 'distributed']), help='Run by ROS nodes.'
    ),
    click.option('--record', **RECORD),
)
"""Options of a trial that the graph can run."""


def take_record(graph: How | None, record: Path | None) -> How | None:
    """Return how a trial runs in the graph: composed where it is recorded."""
    if record is not None and graph == 'distributed':
        raise click.UsageError('--record is for --graph composed')
    return graph if record is None else 'composed'
