"""Commands of the Adaptive Suspension Vehicle."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walking_robots.cli.options import (
    FiniteNumber,
    How,
    Quantity,
    check_forbidden_kind,
    eyes_options,
    forbidden_kind_option,
    graph_needed,
    graph_options,
    option_group,
    physics_options,
    take_eyes,
    take_physics,
    take_record,
)
from walking_robots.cli.repeated import RepeatableTrial
from walking_robots.cli.report import report
from walking_robots.geometry.units import FOOT, parse_length, parse_speed, parse_time

if TYPE_CHECKING:
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


@click.command('asv', cls=RepeatableTrial)
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
@graph_options
@click.option('--trace', type=click.Path(path_type=Path), help='Write why, step by step (JSONL).')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
def trial_asv(
    *,
    terrain: Path | None,
    graph: How | None,
    record: Path | None,
    trace: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Walk with the Adaptive Suspension Vehicle over a terrain."""
    chosen = {
        'gait': settings['gait'] or ('rules' if settings['rules'] else 'auto'),
        'rules': settings['rules'] or 'repaired',
    }
    settings |= chosen
    check_forbidden_kind(click.get_current_context())
    take_eyes(click.get_current_context(), settings)
    graph = take_record(graph, record)
    take_physics(click.get_current_context(), settings, graph)
    # The line of JSON says what was chosen, too.
    click.get_current_context().params |= chosen
    from walking_robots.trials.hexapod.asv import AsvTrial, run, with_bound

    if terrain is not None:
        from walking_robots.terrain.files import load_terrain

        settings['terrain'] = load_terrain(terrain)
    walk = AsvTrial(**settings)
    if graph:
        if trace:
            raise click.UsageError('--trace is written by a walk without --graph')
        with graph_needed():
            from walking_robots.nodes.hexapod.trial_free import run_in_graph

            found = run_in_graph(walk, graph, record=record)
        _report(with_bound(walk, found), as_json)
    elif trace:
        from walking_robots.trials.hexapod.journal import Journal

        with trace.open('w', encoding='utf-8') as stream:
            _report(with_bound(walk, run(walk, watch=Journal(stream))), as_json)
    else:
        _report(with_bound(walk, run(walk)), as_json)


def _report(result: 'WalkResult', as_json: bool) -> None:
    report(asdict(result), as_json, reached=result.completed)
