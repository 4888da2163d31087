"""Commands of the planner: plan a way in a known world, and find one in an unknown world."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from walking_robots.cli.mdle_files import PLAN, WRONG
from walking_robots.cli.mdle_options import ROBOTS, argument_option, gait_option
from walking_robots.cli.mdle_runs import run_program
from walking_robots.cli.object_script import ObjectScript
from walking_robots.cli.options import FiniteNumber, Quantity, folder_there, option_group, shipped
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.units import parse_time

if TYPE_CHECKING:
    from walking_robots.geometry.se2 import Pose2
    from walking_robots.trials.common.legged_robot import LeggedRobot
    from walking_robots.trials.mdle.planned import PlannedResult
    from walking_robots.worlds.moving_disc import Jump

RANDOM = 'random'
SCOUT = 'scout-sim'
LED = (SCOUT, 'aquarobot', 'asv', 'insect18', 'rectangular')
"""Robots that the planner leads."""
ECHOES = ('60', '25')
LIMIT = Quantity('time', parse_time, 1.0, 86400.0)
WORLD = shipped('config/worlds/office60.yaml')


def _pose(text: str, option: str) -> 'tuple[Pose2, bool]':
    """Return the pose that x,y or x,y,90deg means, and whether it has a heading."""
    from walking_robots.geometry.se2 import ORIGIN
    from walking_robots.mdle.planner.mission import parse_place

    try:
        return parse_place(text, ORIGIN, {})
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


robot_option = option_group(
    click.option(
        '--robot', type=click.Choice(LED), default=SCOUT, help='The Scout, or a hexapod.'
    ),
    gait_option,
)


def _on_legs(robot: str, gait: str, world: str) -> 'LeggedRobot':
    """Stand a hexapod in a world."""
    from walking_robots.trials.common.legged_robot import LeggedRobot
    from walking_robots.trials.mdle.trial import MdleTrial
    from walking_robots.trials.program_robots import program_robot

    found = program_robot(MdleTrial('', robot=robot, gait=gait, world=world))
    assert isinstance(found, LeggedRobot)
    return found


def _walk(robot: str, gait: str, world: str, goal: str, limit: float, as_json: bool) -> NoReturn:
    """Walk to a goal in a known world, and print the result."""
    from walking_robots.trials.mdle.trial import MdleTrial
    from walking_robots.trials.planned_walk import walk_to

    trial = MdleTrial('', robot=robot, gait=gait, world=world, limit=limit)
    result = walk_to(trial, _pose(goal, '--goal')[0])
    _print(result, as_json)
    sys.exit(0 if result.reached or (result.said_unreachable and not result.reachable) else WRONG)


def _print(result: 'PlannedResult', as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.plain()))
        return
    for name, value in result.plain().items():
        click.echo(f'  {name:17} {value if value is not None else "none"}')


@click.command('plan')
@click.argument('world', shell_complete=WORLD)
@click.option('--goal', required=True, help='Where to: x,y or x,y,90deg, in m.')
@click.option('--start', default='', help='Where from: x,y,90deg; otherwise where the world says.')
@robot_option
@click.option(
    '--out',
    type=click.Path(path_type=Path),
    callback=folder_there,
    help='Write this file instead.',
)
@click.option(
    '--json', 'as_json', is_flag=True, help='Program and prediction as one line of JSON.'
)
def plan_way(
    *, world: str, goal: str, start: str, robot: str, gait: str, out: Path | None, as_json: bool
) -> None:
    """Plan a way in a WORLD (a file, or a name of config/worlds), as a program.

    Ends with 1 where no way leads to the goal.
    """
    from walking_robots.trials.mdle.known_world import plan_in
    from walking_robots.worlds.files import load_world

    there, matters = _pose(goal, '--goal')
    known = load_world(str(find_world(world)))
    begin = _pose(start, '--start')[0] if start else known.start
    body: dict[str, Any] = {}
    if robot != SCOUT:
        legs = _on_legs(robot, gait, str(find_world(world)))
        known = legs.walls or known
        body = {'spec': legs.spec, 'radius': legs.radius}
    try:
        plan = plan_in(known, begin, there, matters, **body)
    except ValueError as error:
        click.echo(f'{world}: {error}', err=True)
        sys.exit(WRONG)
    if as_json:
        click.echo(json.dumps(plan.plain()))
    elif out is not None:
        out.write_text(plan.program.source, encoding='utf-8')
    else:
        click.echo(plan.program.source, nl=False)


@click.command('route')
@click.argument('world', shell_complete=WORLD)
@click.argument('stops', nargs=-1, required=True)
@click.option(
    '--place', 'places', multiple=True,
    help="A place, such as 'kitchen=9,1,90deg'; repeatable. 'start' is where the world says.",
)  # fmt: skip
@robot_option
@click.option(
    '--json', 'as_json', is_flag=True, help='Program and graph of places as one line of JSON.'
)
def plan_route(
    *, world: str, stops: tuple[str, ...], places: tuple[str, ...], robot: str, gait: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Write a program through places of a WORLD, by the graph of places joined by programs.

    STOPS are names of places, from the start on. Ends with 1 where no programs join them.
    """
    from walking_robots.trials.mdle.known_world import places_in
    from walking_robots.worlds.files import load_world

    known = load_world(str(find_world(world)))
    found = {'start': known.start}
    for text in places:
        name, equals, place = (part.strip() for part in text.partition('='))
        if not equals:
            raise click.BadParameter(f"'{text}' is not a place; write kitchen=9,1,90deg")
        found[name] = _pose(place, '--place')[0]
    body: dict[str, Any] = {}
    if robot != SCOUT:
        legs = _on_legs(robot, gait, str(find_world(world)))
        known = legs.walls or known
        body = {'spec': legs.spec, 'radius': legs.radius}
    try:
        graph = places_in(known, found, **body)
        source = graph.program(('start', *stops))
    except ValueError as error:
        click.echo(f'{world}: {error}', err=True)
        sys.exit(WRONG)
    if as_json:
        click.echo(json.dumps({'source': source, **graph.plain()}))
    else:
        click.echo(source, nl=False)


@click.command('mdle')
@click.option('--planner', is_flag=True, help='The planner finds the way.')
@click.option(
    '--plan', default='', shell_complete=PLAN,
    help="A program to run as 'walking_robots mdle run' does: a file, or a shipped plan.",
)  # fmt: skip
@click.option(
    '--world', default=RANDOM, shell_complete=WORLD,
    help="'random': another world for each seed; or a world file, or its name.",
)  # fmt: skip
@click.option('--goal', default='', help='Where to in a world file: x,y or x,y,90deg.')
@argument_option
@click.option('--robot', type=click.Choice(ROBOTS), default=SCOUT, help='On what.')
@gait_option
@click.option(
    '--task', default='goal', help="'goal', 'explore', 'find', or 'patrol goal; return'."
)
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=0, help='Of all chance.')
@click.option(
    '--slip', type=FiniteNumber(0.0, 0.1), default=0.0, help='Of the wheels, as a share at most.'
)
@click.option(
    '--echo', type=click.Choice(ECHOES), default='60',
    help='Angle of incidence, degrees, up to which a wall answers.',
)  # fmt: skip
@click.option('--changes', is_flag=True, help='Somebody walks about, and a door closes.')
@click.option('--bounded', is_flag=True, help='The planner knows how far the world extends.')
@click.option(
    '--object-script', type=ObjectScript(), default='',
    help="Something that moves about, such as '0s 2m,3m; 9s 2m,2m', for --task find.",
)  # fmt: skip
@click.option('--limit', type=LIMIT, default='30min', help='When to stop it.')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
@click.pass_context
def trial_mdle(
    context: click.Context,
    *,
    planner: bool,
    plan: str,
    arguments: dict[str, str],
    world: str,
    goal: str,
    robot: str,
    gait: str,
    task: str,
    seed: int,
    slip: float,
    echo: str,
    changes: bool,
    bounded: bool,
    object_script: 'tuple[Jump, ...]',
    limit: float,
    as_json: bool,
) -> None:
    """Find a way through a world that a simulated Scout does not know, or run a program.

    A hexapod, which has no sonars, knows the world of its file.

    Ends with 0 where it reached the goal, or said rightly that it cannot be reached, and where a
    program ended as it may.
    """
    if planner == bool(plan):
        raise click.UsageError('choose --planner, or --plan with a program')
    if plan:
        given = [
            f'--{name}'
            for name in ('goal', 'task', 'echo', 'changes', 'bounded', 'object-script')
            if context.get_parameter_source(name.replace('-', '_')) is ParameterSource.COMMANDLINE
        ]
        if given:
            raise click.UsageError(f'{given[0]} goes with --planner')
        context.invoke(
            run_program, file=plan, arguments=arguments, robot=robot, gait=gait, slip=slip,
            seed=seed, limit=limit, world='' if world == RANDOM else str(find_world(world)),
            as_json=as_json,
        )  # fmt: skip
    if arguments:
        raise click.UsageError('--arg goes with --plan')
    if robot not in LED:
        raise click.UsageError(f'the planner does not lead {robot}; it leads {", ".join(LED)}')
    if (world == RANDOM) == bool(goal) and task == 'goal':
        raise click.UsageError('a world file needs --goal, and a random world brings its own')
    if changes and object_script:
        raise click.UsageError('--changes and --object-script are mutually exclusive')
    if robot != SCOUT:
        only_scout = object_script or slip or changes or bounded
        if only_scout or world == RANDOM or task != 'goal':
            raise click.UsageError('--robot goes with a world file and --goal, on known ground')
        _walk(robot, gait, str(find_world(world)), goal, limit, as_json)
    from walking_robots.trials.mdle.planned import PlannedRun, random_trial, world_trial
    from walking_robots.worlds.files import load_world

    options: dict[str, Any] = {
        'seed': seed, 'slip': slip, 'echo': int(echo), 'limit': limit, 'task': task,
        'changes': changes, 'object_script': object_script, 'bounded': bounded,
    }  # fmt: skip
    if world == RANDOM:
        trial = random_trial(**options)
    else:
        file = load_world(str(find_world(world)))
        trial = world_trial(file, _pose(goal, '--goal')[0] if goal else file.start, **options)
    run = PlannedRun(trial)
    result = run.run()
    if not as_json:
        click.echo(f'{run.said} after {result.time_s:.0f} s and {result.path_m:.1f} m')
    _print(result, as_json)
    sys.exit(0 if result.reached or (result.said_unreachable and not result.reachable) else WRONG)
