"""The command that simulates programs, and the experiments of the MDLe report (mdle.md §1.7)."""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import click

from walking_robots.cli.mdle_files import (
    PLAN,
    WRONG,
    diagnosed,
    find,
    library_of,
)
from walking_robots.cli.mdle_options import program_options
from walking_robots.cli.mdle_report import report, tabulate
from walking_robots.cli.options import Quantity, folder_there
from walking_robots.geometry.units import parse_angle, parse_length, parse_time

EXPERIMENTS = ('F2', 'F2e', 'F2p', 'F3', 'F3e', 'F3s', 'F3t', 'F3c')
INTEGRATORS = ('exp', 'midpoint', 'euler_coord', 'euler_matrix')
STEP = Quantity('time', parse_time, 1e-6, 10.0)
TURN = Quantity('angle', parse_angle, -1000.0, 1000.0)
WAY = Quantity('length', parse_length, -1000.0, 1000.0)
WIDTH = Quantity('length', parse_length, 0.01, 10.0)


def _picture(context: click.Context, option: click.Parameter, value: Path | None) -> Path | None:
    """Refuse another format, or no folder, before anything runs."""
    from walking_robots.trials.mdle.figures import FORMATS

    if value is not None and value.suffix not in FORMATS:
        raise click.BadParameter(f'{value.name} must end in {" or ".join(FORMATS)}')
    return folder_there(context, option, value)


@click.command('sim')
@click.argument('file', required=False, shell_complete=PLAN)
@click.option('--experiment', type=click.Choice(EXPERIMENTS), help='Of the MDLe report.')
@click.option(
    '--integrator',
    type=click.Choice(INTEGRATORS),
    help='Of motion; otherwise exp, or that of the experiment.',
)
@click.option('--step', type=STEP, help='Of the integrator in an experiment, such as 10ms.')
@click.option('--turn', type=TURN, help='Amplitude of an experiment, such as 0.5rad.')
@click.option('--way', type=WAY, help='Amplitude of an experiment, such as 0.5m.')
@click.option('--separation', type=WIDTH, help='Of the wheels in an experiment, such as 0.345m.')
@click.option('--convention', type=click.Choice(['ros', 'report']), help='Sign of its turns.')
@click.option(
    '--plot', type=click.Path(path_type=Path), callback=_picture, help='Draw the path, PNG or SVG.'
)
@program_options
def simulate(
    *,
    file: str | None,
    experiment: str | None,
    integrator: Any,
    step: float | None,
    turn: float | None,
    way: float | None,
    separation: float | None,
    convention: Any,
    plot: Path | None,
    as_json: bool,
    libraries: tuple[Path, ...],
    **fields: Any,
) -> None:
    """Simulate the program of a FILE or an experiment of the MDLe report, and draw its path."""
    if (file is None) == (experiment is None):
        raise click.UsageError('give either a FILE or --experiment')
    own = {
        'step': step, 'turn': turn, 'way': way, 'separation': separation, 'convention': convention
    }  # fmt: skip
    if experiment is not None:
        chosen = {name: value for name, value in own.items() if value is not None}
        _experiment(experiment, integrator, chosen, fields, plot, as_json)
        return
    wrong = [f'--{name}' for name, value in own.items() if value is not None]
    if wrong:
        raise click.UsageError(f'{", ".join(wrong)} goes with --experiment only')
    assert file is not None
    from walking_robots.mdle.program_store import format_of, read_source
    from walking_robots.trials.mdle.trial import MdleTrial, run
    from walking_robots.trials.program_robots import program_robot

    path = find(file)
    fields['integrator'] = integrator or 'exp'
    trial = MdleTrial(read_source(path), format_of(path), str(path), **fields)
    robot = program_robot(trial)
    poses = [robot.true_pose]
    with diagnosed(str(path)):
        result = run(
            trial,
            library=library_of(libraries),
            robot=robot,
            watch=lambda loop, events: poses.append(robot.true_pose),
        )
    if plot is not None:
        import numpy as np

        from walking_robots.trials.mdle.drives import Drive
        from walking_robots.trials.mdle.figures import draw_paths

        times = np.array([i * trial.tick_period for i in range(len(poses))])
        path_driven = np.array(poses)
        drive = Drive(times, path_driven, np.ones(len(poses)), result.way_m)
        draw_paths({path.stem: drive}, f'{path.stem} on {trial.robot}', plot)
    report(result, as_json)
    sys.exit(0 if result.succeeded else WRONG)


def _experiment(
    name: str,
    integrator: Any,
    chosen: dict[str, Any],
    fields: dict[str, Any],
    plot: Path | None,
    as_json: bool,
) -> None:
    """Drive an experiment of the report, and print its figures."""
    from walking_robots.trials.mdle.drives import SEPARATION
    from walking_robots.trials.mdle.experiments import EXPERIMENTS, run_experiment
    from walking_robots.trials.mdle.figures import draw_paths

    of_programs = ('world', 'entry', 'arguments', 'object_script')
    if any(fields[name] for name in of_programs):
        raise click.UsageError(
            '--world, --entry, --arg and --object-script go with a FILE, not with --experiment'
        )
    separation = chosen.pop('separation', SEPARATION)
    drive = run_experiment(
        name,
        integrator,
        separation=separation,
        slip=fields['slip'],
        latency=fields['latency'],
        rng=Random(fields['seed']),
        **chosen,
    )
    if plot is not None:
        draw_paths({name: drive}, f'{name}: {EXPERIMENTS[name].title}', plot)
    figures = {'experiment': name, **drive.figures()}
    if as_json:
        click.echo(json.dumps(figures))
    else:
        tabulate(figures)
