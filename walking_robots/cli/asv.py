"""Commands of the Adaptive Suspension Vehicle."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from walking_robots.cli.options import (
    FiniteNumber,
    Quantity,
    check_forbidden_kind,
    eyes_options,
    folder_there,
    forbidden_kind_option,
    graph_needed,
    option_group,
    physics_options,
    take_eyes,
    take_physics,
)
from walking_robots.cli.progress import progress
from walking_robots.cli.report import line, print_table, report
from walking_robots.geometry.units import FOOT, parse_length, parse_speed, parse_time

if TYPE_CHECKING:
    from walking_robots.trials.hexapod.asv import AsvTrial
    from walking_robots.trials.hexapod.referee import WalkResult

FORWARD = Quantity('speed', parse_speed, -2.0 * FOOT, 2.0 * FOOT)
LATERAL = Quantity('speed', parse_speed, -1.0 * FOOT, 1.0 * FOOT)
LENGTH = Quantity('length', parse_length, 0.0, 20.0 * FOOT)
GOAL = Quantity('length', parse_length, -1000.0, 1000.0)
TIME = Quantity('time', parse_time, 0.1, 86400.0)


terrain_options = option_group(
    click.option('--ditch', type=LENGTH, default=0.0, help='Width of a ditch, such as 7ft.'),
    click.option(
        '--forbidden', type=FiniteNumber(0.0, 0.99), default=0.0, help='Share of forbidden cells.'
    ),
    click.option(
        '--seed',
        type=click.IntRange(0, 2**31 - 1),
        default=123,
        help='Seed of the forbidden cells.',
    ),
    click.option('--terrain', type=click.Path(path_type=Path), help='A terrain file instead.'),
    click.option('--goal', type=GOAL, default='38ft', help='The x at which the walk is complete.'),
)
"""Options of a terrain and of the way over it."""


@click.command('asv')
@click.option('--speed', type=FORWARD, default='0.4ft/s', help='Forward speed, such as 0.4ft/s.')
@click.option('--lateral', type=LATERAL, default=0.0, help='Speed to the left, such as 0.1m/s.')
@click.option(
    '--turn', type=FiniteNumber(-0.1, 0.1), default=0.0, help='Turn rate to the left, rad/s.'
)
@terrain_options
@forbidden_kind_option
@click.option(
    '--gait',
    type=click.Choice(['auto', 'rules', 'planned']),
    help='By the rules of the report, by footholds planned ahead, or by rules where they get over '
    'and planned footholds where they do not: auto, the default without --rules.',
)
@click.option(
    '--rules',
    type=click.Choice(['original', 'faithful', 'repaired']),
    help='Rule set; repaired without. It walks alone unless --gait says otherwise.',
)
@physics_options
@eyes_options
@click.option('--max-time', type=TIME, help='Longest simulated time, such as 200s.')
@click.option('--graph', type=click.Choice(['composed', 'distributed']), help='Walk by ROS nodes.')
@click.option('--trace', type=click.Path(path_type=Path), help='Write why, step by step (JSONL).')
@click.option('--repeat', type=click.IntRange(1, 100_000), default=1, help='Seeds to walk over.')
@click.option(
    '--plot',
    type=click.Path(dir_okay=False, path_type=Path),
    callback=folder_there,
    help='Draw how many of --repeat walks succeed by rules and by planned footholds, and are '
    'possible at all, against the share of forbidden cells: PNG or SVG.',
)
@click.option('--jobs', type=click.IntRange(1, 256), default=1, help='Walks side by side.')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON a walk.')
def trial_asv(
    *,
    terrain: Path | None,
    graph: Literal['composed', 'distributed'] | None,
    trace: Path | None,
    repeat: int,
    plot: Path | None,
    jobs: int,
    as_json: bool,
    **settings: Any,
) -> None:
    """Walk with the Adaptive Suspension Vehicle over a terrain, or over many."""
    chosen = {
        'gait': settings['gait'] or ('rules' if settings['rules'] else 'auto'),
        'rules': settings['rules'] or 'repaired',
    }
    settings |= chosen
    check_forbidden_kind(click.get_current_context())
    take_eyes(click.get_current_context(), settings)
    take_physics(click.get_current_context(), settings, graph)
    # The line of JSON says what was chosen, too.
    click.get_current_context().params |= chosen
    from walking_robots.trials.hexapod.asv import AsvTrial, run, with_bound

    if terrain is not None:
        from walking_robots.terrain.files import load_terrain

        settings['terrain'] = load_terrain(terrain)
    walk = AsvTrial(**settings)
    if (repeat > 1 or plot) and (trace or graph or terrain):
        raise click.UsageError(
            '--repeat and --plot walk over seeds: leave out --trace, --graph, --terrain'
        )
    if plot:
        _plot(walk, repeat, jobs, plot, as_json)
    elif repeat > 1:
        from walking_robots.trials.hexapod.sweep import by_seed

        _repeat(by_seed(walk, repeat), jobs, as_json)
    elif graph:
        if trace:
            raise click.UsageError('--trace is written by a walk without --graph')
        with graph_needed():
            from walking_robots.nodes.hexapod.trial_free import run_in_graph

            found = run_in_graph(walk, graph)
        _report(with_bound(walk, found), as_json)
    elif trace:
        from walking_robots.trials.hexapod.journal import Journal

        with trace.open('w', encoding='utf-8') as stream:
            _report(with_bound(walk, run(walk, watch=Journal(stream))), as_json)
    else:
        _report(with_bound(walk, run(walk)), as_json)


def _report(result: 'WalkResult', as_json: bool) -> None:
    report(asdict(result), as_json, reached=result.completed)


def _repeat(trials: 'Sequence[AsvTrial]', jobs: int, as_json: bool) -> None:
    """Walk over many seeds; JSON goes to stdout, progress and summary to stderr."""
    from rich.console import Console
    from rich.table import Table

    from walking_robots.trials.hexapod.sweep import run_many, summarise

    console = Console(stderr=True)
    results = []
    walks = progress(run_many(trials, jobs), len(trials), 'walking', lines=as_json)
    for walk, result in zip(trials, walks, strict=True):
        results.append(result)
        if as_json:
            click.echo(line(asdict(result), seed=walk.seed))
    summary = summarise(results)
    console.print(
        f'{summary.completed} of {summary.trials} walks completed, '
        f'median {summary.median_time_s:.1f} s at {summary.median_speed_m_s:.3f} m/s, '
        f'least stability margin {summary.least_margin_m:.3f} m'
    )
    if not as_json:
        table = Table('seed', 'reason', 'time s', 'distance m', 'ditch state', 'least margin m')
        for walk, result in zip(trials, results, strict=True):
            table.add_row(
                str(walk.seed),
                result.reason,
                f'{result.sim_time_s:.1f}',
                f'{result.distance_m:.2f}',
                result.ditch_state or '',
                f'{result.min_stability_margin_m:.3f}',
            )
        Console().print(table)


def _plot(trial: 'AsvTrial', seeds: int, jobs: int, target: Path, as_json: bool) -> None:
    """Walk over all shares of forbidden cells by both gaits, draw and print what succeeds."""
    from walking_robots.trials.hexapod.success_figure import (
        SHARES,
        check_format,
        count_successes,
        draw_successes,
        run_for_figure,
        trials_of_figure,
    )

    context = click.get_current_context()
    for name in ('gait', 'forbidden'):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f'--plot chooses --{name}; leave it out')
    check_format(target)
    trials = trials_of_figure(trial, seeds)
    results = []
    walks = progress(run_for_figure(trials, jobs), len(trials), 'walking', lines=as_json)
    for walk, result in zip(trials, walks, strict=True):
        results.append(result)
        if as_json:
            more = {'gait': walk.gait, 'forbidden': walk.forbidden, 'seed': walk.seed}
            click.echo(line(asdict(result), **more))
    counts = count_successes(trials, results)
    width = f', ditch of {trial.ditch / FOOT:g} ft' if trial.ditch else ''
    title = f'{seeds} seeds at {trial.speed / FOOT:g} ft/s{width}'
    draw_successes(counts, seeds, title, target)
    if not as_json:
        print_table(
            {
                f'{share:.0%} forbidden': ', '.join(
                    f'{name} {counts[name, share]}' for name in ('rules', 'planned', 'possible')
                )
                for share in SHARES
            }
        )
