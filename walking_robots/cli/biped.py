"""Commands of the blind bipeds: walks over profiles of heights, and in space."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from walking_robots.cli.options import (
    AT,
    HEADING,
    FiniteNumber,
    How,
    Quantity,
    graph_needed,
    graph_options,
    take_record,
)
from walking_robots.cli.progress import working
from walking_robots.cli.repeated import RepeatableTrial
from walking_robots.cli.report import report
from walking_robots.geometry.units import (
    parse_angular_speed,
    parse_force,
    parse_length,
    parse_speed,
    parse_time,
)

if TYPE_CHECKING:
    from walking_robots.trials.biped.figures import BipedResult
    from walking_robots.trials.biped.spatial_figures import SpatialResult
    from walking_robots.trials.biped.spatial_trial import SpatialTrial
    from walking_robots.trials.biped.trial import BipedTrial

TIME = Quantity('time', parse_time, 0.004, 3600.0)
STEP = Quantity('time', parse_time, 1e-5, 0.01)
DELAY = Quantity('time', parse_time, 0.0, 0.1)
SPEED = Quantity('speed', parse_speed, 0.0, 2.0)
DISTANCE = Quantity('length', parse_length, -10.0, 10.0)
TURN = Quantity('angular speed', parse_angular_speed, -2.0, 2.0)
FORCE = Quantity('force', parse_force, -1000.0, 1000.0)

SPATIAL = ('b3d',)
"""Robots that walk in space."""
ONLY_PLANAR = ('contact', 'signals', 'delay', 'start', 'plot')
ONLY_SPATIAL = ('turn', 'slope_heading', 'stop_at')


if TYPE_CHECKING:
    _PushType = click.ParamType[tuple[float | None, float]]
else:
    # The click of a ROS distribution is older and not generic.
    _PushType = click.ParamType


def _is_number(word: str) -> bool:
    """Return whether a word is a number, such as the force after the time of a push."""
    try:
        float(word)
    except ValueError:
        return False
    return True


class PushedTrial(RepeatableTrial):
    """A trial with ``--push FORCE`` or ``--push TIME FORCE``, which options of click have not."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join time and force of a push to one word."""
        words, rest = [], list(args)
        while rest:
            words.append(rest.pop(0))
            if words[-1] == '--push' and len(rest) > 1 and _is_number(rest[1]):
                words.append(f'{rest[1]}@{rest[0]}')
                del rest[:2]
        return super().parse_args(ctx, words)


class PushType(_PushType):
    """A force, N, and the time, s, at which it begins, if it is said."""

    name = 'push'

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float | None, float]:
        """Return time and force, or refuse them in one sentence."""
        if isinstance(value, tuple):
            return value
        force, at, begin = str(value).partition('@')
        time = AT.convert(begin, param, ctx) if at else None
        return time, FORCE.convert(force, param, ctx)


@click.command('biped', cls=PushedTrial)
@click.option(
    '--robot',
    type=click.Choice(['a', 'b', *SPATIAL]),
    default='b',
    help='Prismatic or revolute knees, in a plane, or b in space.',
)
@click.option(
    '--terrain',
    default='level',
    help='level, rough, very-rough, slope:20deg, mound:20deg, bump:0.08m, step:2cm, or a file; '
    'in space cells:2cm, too.',
)
@click.option(
    '--slope-heading',
    type=HEADING,
    default=0.0,
    help='In space: where a slope leads up, to the left of straight ahead.',
)
@click.option(
    '--params', default='tuned', help='literal, tuned, the name of a set, or a file with one.'
)
@click.option('--sets', type=click.Path(path_type=Path), help='A file of parameters of your own.')
@click.option(
    '--contact',
    type=click.Choice(['thesis', 'native']),
    default='native',
    help='Springs of the thesis, or contacts of MuJoCo.',
)
@click.option(
    '--signals',
    type=click.Choice(['felt', 'felt_height', 'thesis']),
    default='felt',
    help="Height and speed by the supporting leg, or the thesis's own.",
)
@click.option(
    '--speed', type=SPEED, help='Desired speed, such as 0.3m/s; that of the parameters without.'
)
@click.option(
    '--seed',
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    help='Of rough ground (0: that of the thesis) and of noise.',
)
@click.option('--time', type=TIME, default='12s', help='How long to walk, such as 12s.')
@click.option(
    '--start', type=DISTANCE, default=0.0, help='The x at which it starts, such as 50cm.'
)
@click.option('--step', type=STEP, help='Time of one step of the physics, such as 1ms.')
@click.option(
    '--control-step', type=STEP, default='4ms', help='Time between two ticks of the controller.'
)
@click.option('--delay', type=DELAY, default=0.0, help='Time from sensors to torque, such as 5ms.')
@click.option(
    '--friction', type=FiniteNumber(0.05, 10.0), default=1.0, help='Of the contacts of MuJoCo.'
)
@click.option(
    '--push',
    'pushes',
    type=PushType(),
    multiple=True,
    metavar='[TIME] FORCE',
    help='Push the hips for 0.1 s: how hard, such as 20N, and when, s; between 4 and 5 s by the '
    'seed without.',
)
@click.option(
    '--push-from',
    type=HEADING,
    default='180deg',
    help='Where a push comes from: 180deg from behind, 90deg from the left.',
)
@click.option('--turn', type=TURN, default=0.0, help='In space: to the left, such as 10deg/s.')
@click.option('--stop-at', type=TIME, help='In space: when it is to stop, such as 8s.')
@click.option(
    '--noise',
    type=FiniteNumber(0.0, 10.0),
    default=0.0,
    help='Errors of measurement, as a multiple of those of common sensors.',
)
@graph_options
@click.option('--plot', type=click.Path(path_type=Path), help="Draw the thesis's page of figures.")
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
@click.pass_context
def trial_biped(
    context: click.Context,
    /,
    *,
    graph: How | None,
    record: Path | None,
    plot: Path | None,
    as_json: bool,
    seed: int,
    **settings: Any,
) -> None:
    """Walk with a blind biped over a ground.

    Figures are of the time after 3 s. It knows its joints, its pitch and two foot switches.
    """
    from walking_robots.trials.biped.figures import result, run

    graph = take_record(graph, record)
    _refuse_ignored(context, graph=graph, **settings)
    if graph:
        _report(_in_graph(graph, record, seed=seed, **settings), as_json)
        return
    if settings['robot'] in SPATIAL:
        from walking_robots.trials.biped.spatial_figures import run_in_space

        spatial = _spatial_trial(seed=seed, **settings)
        with working('walking'):
            in_space = run_in_space(spatial)
        _report(in_space, as_json)
        return
    trial = _trial(seed=seed, **settings)
    if plot is None:
        with working('walking'):
            found = run(trial)
        _report(found, as_json)
        return
    from walking_robots.trials.biped.figure_page import check_format, draw
    from walking_robots.trials.biped.trial import walk

    check_format(plot)
    with working('walking'):
        ticks = list(walk(trial))
    with working('drawing'):
        draw(trial, ticks, plot)
    _report(result(ticks), as_json)


def _refuse_ignored(
    context: click.Context, /, *, graph: How | None, robot: str, contact: str, **_: Any
) -> None:
    """Refuse options that would have no effect."""

    def given(name: str) -> bool:
        return context.get_parameter_source(name) is ParameterSource.COMMANDLINE

    if graph:
        for name in ('plot', 'pushes', 'noise', 'signals', 'stop_at'):
            if given(name):
                raise click.UsageError(f'{_option(name)} is nothing for a graph; leave it out')
    for name in ONLY_PLANAR if robot in SPATIAL else ONLY_SPATIAL:
        if given(name):
            where = 'in a plane' if robot in SPATIAL else 'in space'
            raise click.UsageError(
                f'only robots {where} have {_option(name)}; leave it out, or take another --robot'
            )
    if given('push_from') and not given('pushes'):
        raise click.UsageError('--push-from has no effect without --push; add that')
    if contact == 'thesis' and given('friction'):
        raise click.UsageError(
            'on the springs of the thesis no foot slips: leave out --friction, or --contact'
        )


def _option(name: str) -> str:
    """Return the option of a parameter."""
    return '--push' if name == 'pushes' else f'--{name.replace("_", "-")}'


def _trial(
    *,
    robot: str,
    terrain: str,
    params: str,
    sets: Path | None,
    contact: Any,
    step: float | None,
    delay: float,
    friction: float,
    pushes: Sequence[tuple[float | None, float]],
    push_from: float,
    noise: float,
    seed: int,
    time: float,
    start: float,
    control_step: float,
    speed: float | None,
    signals: Any,
    **_: Any,
) -> 'BipedTrial':
    """Build a trial from the options."""
    from walking_robots.gaits.biped.parameter_files import find_sets
    from walking_robots.robots.kwalk import KWALKS
    from walking_robots.simulation.biped.state import SimulationSettings
    from walking_robots.trials.biped.ground import find_ground, ground_class
    from walking_robots.trials.biped.pushes import PUSH_TIME, push_time
    from walking_robots.trials.biped.trial import COMMON_NOISE, BipedTrial, Noise, Push

    if abs(math.sin(push_from)) > 1e-3:
        raise click.UsageError(
            'in a plane a push comes from behind or ahead: write --push-from 180deg or 0deg'
        )
    forward = 1.0 if math.cos(push_from) < 0.0 else -1.0
    ground = find_ground(terrain, seed)
    name, known = find_sets(params, robot, sets)
    parameters = known.find(robot, name, ground_class(ground.kind, friction))[1]
    simulation = SimulationSettings(contact, time_step=step, delay=delay, friction=friction)
    trial = BipedTrial(
        KWALKS[robot], parameters, ground.profile, simulation, seed=seed, time=time,
        control_step=control_step, signals=signals, speed=speed, start=start,
        pushes=tuple(
            Push(push_time(seed) if begin is None else begin, PUSH_TIME, forward * force)
            for begin, force in pushes
        ),
    )  # fmt: skip
    if noise:
        trial = replace(trial, noise=Noise(*(noise * size for size in COMMON_NOISE)))
    return trial


def _spatial_trial(
    *,
    robot: str,
    terrain: str,
    params: str,
    sets: Path | None,
    slope_heading: float,
    step: float | None,
    friction: float,
    pushes: Sequence[tuple[float | None, float]],
    push_from: float,
    stop_at: float | None,
    noise: float,
    seed: int,
    time: float,
    control_step: float,
    speed: float | None,
    turn: float,
    **_: Any,
) -> 'SpatialTrial':
    """Build a trial in space from the options."""
    from walking_robots.gaits.biped.parameter_files import find_sets, spatial_set
    from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
    from walking_robots.simulation.biped.state import SimulationSettings
    from walking_robots.trials.biped.ground import ground_class
    from walking_robots.trials.biped.pushes import PUSH_TIME, push_time
    from walking_robots.trials.biped.spatial_ground import find_spatial_ground
    from walking_robots.trials.biped.spatial_trial import SpatialPush, SpatialTrial
    from walking_robots.trials.biped.trial import COMMON_NOISE, QUIET, Noise

    ground = find_spatial_ground(terrain, seed)
    name, known = find_sets(params, robot, sets)
    return SpatialTrial(
        SPATIAL_KWALKS[robot],
        spatial_set(known, robot, name, ground_class(ground.kind, friction)),
        ground.ground,
        SimulationSettings('native', time_step=step, friction=friction),
        time=time,
        control_step=control_step,
        heading=-slope_heading,
        speed=speed,
        turn=turn,
        stop=math.inf if stop_at is None else stop_at,
        pushes=tuple(
            SpatialPush(
                push_time(seed) if begin is None else begin, PUSH_TIME, force,
                push_from + math.pi,
            )
            for begin, force in pushes
        ),
        noise=Noise(*(noise * size for size in COMMON_NOISE)) if noise else QUIET,
        seed=seed,
    )  # fmt: skip


def _in_graph(
    graph: How,
    record: Path | None,
    *,
    robot: str,
    terrain: str,
    params: str,
    sets: Path | None,
    contact: str,
    step: float | None,
    delay: float,
    friction: float,
    seed: int,
    start: float,
    control_step: float,
    slope_heading: float,
    turn: float,
    **settings: Any,
) -> 'BipedResult | SpatialResult':
    """Walk in the graph; what it cannot do has been refused."""
    from walking_robots.gaits.biped.parameter_files import find_sets
    from walking_robots.trials.biped.ground import ground_class, names_file
    from walking_robots.trials.biped.spatial_ground import find_spatial_ground

    # A trial is refused for all that the nodes would refuse, before any of them begins.
    build = _spatial_trial if robot in SPATIAL else _trial
    trial = build(
        robot=robot, terrain=terrain, params=params, sets=sets, contact=contact, step=step,
        delay=delay, friction=friction, seed=seed, start=start, control_step=control_step,
        slope_heading=slope_heading, turn=turn, **settings,
    )  # fmt: skip
    ground = ground_class(find_spatial_ground(terrain, seed).kind, friction)
    file = sets if sets is not None else Path(params) if Path(params).suffix else None
    name, _ = find_sets(params, robot, sets)
    sets_file = '' if file is None else str(file.resolve())
    words = str(Path(terrain).resolve()) if names_file(terrain) else terrain
    simulation: dict[str, Any] = {
        'robot': robot, 'terrain': words, 'seed': seed, 'params': name, 'sets': sets_file,
        'contact': contact, 'time_step': step or 0.0, 'delay': delay, 'friction': friction,
        'start_x': start, 'slope_heading': slope_heading,
    }  # fmt: skip
    with graph_needed():
        from walking_robots.nodes.biped.trial import run_biped_in_graph

        return run_biped_in_graph(
            trial.parameters.speed if trial.speed is None else trial.speed,
            trial.time,
            graph,
            turn=turn,
            control_step=control_step,
            gait={'robot': robot, 'params': name, 'ground': ground, 'sets': sets_file},
            simulation=simulation,
            record=record,
        )


def _report(found: 'BipedResult | SpatialResult', as_json: bool) -> None:
    report(asdict(found), as_json, reached=not found.fell)
