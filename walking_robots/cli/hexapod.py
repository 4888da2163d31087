"""Commands of hexapods on any legs: walks by a periodic gait or by the free gait."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from walking_robots.cli.options import (
    EYES,
    HEADING,
    ROBOT,
    FiniteNumber,
    How,
    Quantity,
    check_forbidden_kind,
    eyes_options,
    forbidden_kind_option,
    graph_needed,
    graph_options,
    physics_options,
    take_eyes,
    take_physics,
    take_record,
)
from walking_robots.cli.progress import working
from walking_robots.cli.report import report
from walking_robots.geometry.units import (
    parse_angle,
    parse_angular_speed,
    parse_length,
    parse_speed,
    parse_time,
)

if TYPE_CHECKING:
    from walking_robots.terrain.relief import Relief

SPEED = Quantity('speed', parse_speed, -10.0, 10.0)
TURN = Quantity('angular speed', parse_angular_speed, -10.0, 10.0)
TIME = Quantity('time', parse_time, 0.001, 86400.0)
START = Quantity('length', parse_length, -1000.0, 1000.0)
STEP = Quantity('time', parse_time, 0.001, 0.5)
PERIOD = Quantity('time', parse_time, 0.1, 1000.0)
HEIGHT = Quantity('length', parse_length, 0.001, 10.0)
TILT = Quantity('angle', parse_angle, -0.8, 0.8)
DITCH = Quantity('length', parse_length, 0.0, 100.0)
DISTANCE = Quantity('length', parse_length, 0.001, 1e5)
FREE = {'free': 'rules', 'planned': 'planned', 'auto': 'auto'}
GAITS = ('tripod', 'ripple', 'wave', *FREE)
PATHS = ('trapezoid', 'ellipse')
SLOPE = Quantity('angle', parse_angle, -0.7, 0.7)
NOISE = Quantity('length', parse_length, 0.0, 10.0)
GROUND_ONLY = ('noise_height', 'slope', 'slope_heading')
PERIODIC_ONLY = ('period', 'height', 'roll', 'pitch', 'path', 'step')
TERRAIN_ONLY = ('forbidden', 'forbidden_kind', 'ditch')
FREE_ONLY = (*TERRAIN_ONLY, 'distance', *EYES)


@click.command('hexapod')
@click.option(
    '--robot',
    default='insect18',
    shell_complete=ROBOT,
    help='A shipped robot, or the file of one.',
)
@click.option(
    '--gait',
    type=click.Choice(GAITS),
    default='tripod',
    help='Which legs go together; free: whichever can, on cells that are not forbidden; planned: '
    'likewise, with footholds planned ahead; auto: planned where the free gait does not get on.',
)
@click.option('--speed', type=SPEED, default='0.02m/s', help='Forward speed, such as 0.02m/s.')
@click.option('--lateral', type=SPEED, default=0.0, help='Speed to the left, such as 10mm/s.')
@click.option('--turn', type=TURN, default=0.0, help='Turn rate to the left, such as 5deg/s.')
@click.option(
    '--time',
    type=TIME,
    help='How long to walk, such as 10min: 60s without, and in the free gait until it is there.',
)
@click.option('--period', type=PERIOD, help='Time of a cycle; that of the fastest walk without.')
@click.option('--height', type=HEIGHT, help='Body over the ground; as its file says without.')
@click.option('--roll', type=TILT, default=0.0, help='Right side of the body down, such as 5deg.')
@click.option('--pitch', type=TILT, default=0.0, help='Nose of the body down, such as 5deg.')
@click.option(
    '--path', type=click.Choice(PATHS), default='trapezoid', help='Way of a swinging foot.'
)
@click.option('--terrain', type=click.Path(path_type=Path), help='A terrain file; level without.')
@click.option('--start', type=START, help='The x at which it starts on a terrain, such as 2m.')
@click.option('--distance', type=DISTANCE, help='Free gait: how far to go; 40 cells without.')
@click.option(
    '--forbidden',
    type=FiniteNumber(0.0, 0.99),
    default=0.0,
    help='Free gait: share of forbidden cells.',
)
@forbidden_kind_option
@click.option(
    '--seed',
    type=click.IntRange(0, 2**31 - 1),
    default=123,
    help='Seed of the forbidden cells and of all noise.',
)
@click.option(
    '--ditch',
    type=DITCH,
    default=0.0,
    help='Free gait: width of a ditch half-way, as far as legs span one.',
)
@physics_options
@click.option('--noise-height', type=NOISE, default=0.0, help='Rough ground, such as 20mm.')
@click.option('--slope', type=SLOPE, default=0.0, help='Ground that rises, such as 15deg.')
@click.option(
    '--slope-heading', type=HEADING, default=0.0, help='Where to it rises; 90deg: to the left.'
)
@eyes_options
@click.option('--step', type=STEP, default='20ms', help='Time of one step of the simulation.')
@graph_options
@click.option('--json', 'as_json', is_flag=True, help='Print JSON.')
@click.pass_context
def trial_hexapod(
    context: click.Context,
    /,
    *,
    robot: str,
    gait: str,
    terrain: Path | None,
    graph: How | None,
    record: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Walk with a hexapod by a periodic gait, or by the free gait.

    A speed above what its legs allow is lowered to limit_m_s. The free gait walks the
    asv as well.
    """
    free = gait in FREE
    given = {
        name
        for name in settings
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    noisy = free or given & {'noise_height', 'switch_noise', 'odometry'}
    without_noise = () if noisy else ('seed',)
    others = PERIODIC_ONLY if free else (*FREE_ONLY, *without_noise)
    _refuse(given, others, f'is nothing for the {gait} gait')
    if terrain is not None:
        from walking_robots.terrain.files import load_terrain

        _refuse(
            given,
            (*TERRAIN_ONLY, *GROUND_ONLY, 'seed'),
            'makes a terrain, and --terrain gives one',
        )
        settings['terrain'] = load_terrain(terrain)
    check_forbidden_kind(context)
    take_eyes(context, settings)
    graph = take_record(graph, record)
    take_physics(context, settings, graph)
    for name in (*(PERIODIC_ONLY if free else FREE_ONLY), 'time', 'start'):
        if name not in given:
            settings.pop(name, None)
    if graph:
        _refuse(given, ('step',), 'is fixed for the nodes of a graph')
    walk = _free if free else _periodic
    found = walk(robot, graph, record, {'gait': FREE.get(gait, gait), **settings})
    report(asdict(found), as_json, reached=found.completed)


def _refuse(given: set[str], names: Sequence[str], reason: str) -> None:
    """Refuse the first option that has no meaning here."""
    for name in names:
        if name in given:
            raise click.UsageError(f'--{name.replace("_", "-")} {reason}; leave it out')


def _take_relief(settings: dict[str, Any]) -> 'tuple[Relief, ...]':
    """Remove the options of rough ground and slopes, and return what they ask for."""
    noise, slope, heading = (settings.pop(name) for name in GROUND_ONLY)
    if not (noise or slope):
        return ()
    from walking_robots.terrain.relief import Rubble, Slope

    return (Slope(slope, heading), Rubble(noise, settings['seed']))


def _periodic(robot: str, graph: How | None, record: Path | None, settings: dict[str, Any]) -> Any:
    """Walk by a periodic gait."""
    from walking_robots.robots.hexapod_files import find_hexapod
    from walking_robots.trials.hexapod.periodic import HexapodTrial, run

    relief = _take_relief(settings)
    trial = HexapodTrial(find_hexapod(robot), **settings)
    if relief:
        trial = trial.over(*relief)
    if graph is None:
        with working('walking'):
            return run(trial)
    with graph_needed():
        from walking_robots.nodes.hexapod.trial import run_periodic_in_graph

        return run_periodic_in_graph(robot, trial, graph, record=record)


def _free(robot: str, graph: How | None, record: Path | None, settings: dict[str, Any]) -> Any:
    """Walk by the free gait."""
    from walking_robots.gaits.free.articulated_model import find_free_gait_model
    from walking_robots.trials.hexapod.free import FreeGaitTrial, run, with_bound

    relief = _take_relief(settings)
    trial = FreeGaitTrial(find_free_gait_model(robot), relief=relief, **settings)
    if graph is None:
        with working('walking'):
            return with_bound(trial, run(trial))
    with graph_needed():
        from walking_robots.nodes.hexapod.trial import run_free_in_graph

        return run_free_in_graph(robot, trial, graph, record=record)
