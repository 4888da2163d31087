"""Run robot programs in worlds of ARS MAGNA without a screen."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from walking_robots.cli.options import WORLD, How, graph_needed, graph_options, take_record
from walking_robots.cli.repeated import RepeatableTrial
from walking_robots.cli.report import report
from walking_robots.documents.shipped_worlds import A_WORLD, find_world

if TYPE_CHECKING:
    pass


PLANS = [
    'fetch', 'persistent', 'robust', 'deliver', 'planned', 'tidy', 'report', 'patrol', 'guard',
    'unlock', 'approach', 'excursion',
]  # fmt: skip
"""Names of the programs that ship, which are not loaded for the help."""

_OWN_PROGRAM = 'walking_robots.own_program'


def _own_program(context: click.Context, parameter: click.Parameter, value: str) -> None:
    """Keep the name of a person's own program, which is reported as the plan."""
    if value and ':' not in value:
        raise click.UsageError(f'--program must be module:coroutine, not {value!r}')
    context.meta[_OWN_PROGRAM] = value


@click.command('ars_magna', cls=RepeatableTrial)
@click.argument('world', default=A_WORLD, shell_complete=WORLD)
@click.option(
    '--definitions',
    multiple=True,
    shell_complete=WORLD,
    help='More files of definitions; repeatable.',
)
@click.option(
    '--plan',
    type=click.Choice(PLANS),
    default='fetch',
    help='Program.',
)
@click.option(
    '--program',
    default='',
    expose_value=False,
    callback=_own_program,
    help='Your own, as module:coroutine, in place of a plan.',
)
@click.option('--robot', default='', help='Which robot; the first of the world otherwise.')
@click.option(
    '--what',
    default='',
    help="What to fetch, such as 'color=red size=1..3'; errands: 'color=red to 2,0; size=3'.",
)
@click.option(
    '--robots', type=click.IntRange(1, 50), default=1, help='How many carry out the plan.'
)
@click.option(
    '--mate',
    'mates',
    multiple=True,
    help="Program of one more robot, such as 'patrol' or 'robust color=red'; repeatable.",
)
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=0, help='Seed of all chance.')
@click.option(
    '--noise',
    default='default',
    help='clean, default, or a factor such as 0.5 for its parameters; definitions stay.',
)
@click.option(
    '--ticks', type=click.IntRange(1, 10_000_000), default=20_000, help='Give up after so many.'
)
@graph_options
@click.option(
    '--trace',
    type=click.Path(path_type=Path),
    help='Write all events of one run; .jsonl (one a line) or .mcap.',
)
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
def trial_ars_magna(
    *,
    world: str,
    definitions: Sequence[str],
    plan: str,
    what: str,
    graph: How | None,
    record: Path | None,
    trace: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Run a program with a robot of a WORLD (a file, or a name of config/worlds)."""
    from walking_robots.trials.ars_magna.events import event_file
    from walking_robots.trials.ars_magna.trial import SUCCEEDED, ArsTrial, run

    files = tuple(str(find_world(name)) for name in (world, *definitions))
    context = click.get_current_context()
    own = context.meta.get(_OWN_PROGRAM)
    if own:
        if context.get_parameter_source('plan') is not ParameterSource.DEFAULT:
            raise click.UsageError('--plan and --program are mutually exclusive')
        plan = context.params['plan'] = own
    trial = ArsTrial(files, plan=plan, what=what, **settings)
    graph = take_record(graph, record)
    with ExitStack() as stack:
        write = stack.enter_context(event_file(trace)) if trace else None
        if graph:
            stack.enter_context(graph_needed())
            from walking_robots.nodes.ars_magna.trial import run_in_graph

            result = run_in_graph(trial, graph, listen=write, record=record)
        else:
            result = run(trial, listen=write)
    values = asdict(result)
    if not as_json:
        values |= {one.pop('robot'): one for one in values.pop('each')}
    report(values, as_json, reached=result.outcome == SUCCEEDED)
