"""The command ``sweep``: a trial over all combinations of its options."""

import io
import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from threading import Lock
from typing import Any

import click

from walking_robots.cli.options import folder_there
from walking_robots.cli.progress import progress
from walking_robots.sweeps.combinations import Sweep, expanded
from walking_robots.systems import SYSTEMS, load

OWN = {'graph', 'record', 'trace', 'plot', 'json', 'repeat', 'jobs'}
"""Options of trials that say how they are run and reported: here they mean nothing."""

_one_at_a_time = Lock()

TRIALS = [name for name, system in SYSTEMS.items() if system.trial]


@click.command(context_settings={'ignore_unknown_options': True})
@click.argument('experiment', type=click.Choice(TRIALS))
@click.argument('options', nargs=-1, type=click.UNPROCESSED)
@click.option('--repeat', type=click.IntRange(1, 100_000), default=1, help='Seeds to run over.')
@click.option(
    '--out',
    type=click.Path(dir_okay=False, path_type=Path),
    callback=folder_there,
    required=True,
    help='Table of all runs: CSV, or Parquet where pyarrow is installed.',
)
@click.option(
    '--plot',
    type=click.Path(dir_okay=False, path_type=Path),
    callback=folder_there,
    help='Draw the share that succeeds against the first option swept: PNG or SVG.',
)
@click.option(
    '--also',
    metavar='NAME=VALUE',
    callback=lambda _context, _option, text: _named_value(text),
    help='Count the runs with this result, too, such as possible=yes.',
)
@click.option(
    '--median', 'medians', multiple=True, help='Show the median of a result; repeatable.'
)
@click.option('--jobs', type=click.IntRange(1, 256), default=2, help='Runs side by side.')
@click.option('--scheduler', default='', help='Address of a Dask scheduler whose workers run.')
def sweep(
    *,
    experiment: str,
    options: Sequence[str],
    repeat: int,
    out: Path,
    plot: Path | None,
    also: tuple[str, str] | None,
    medians: Sequence[str],
    jobs: int,
    scheduler: str,
) -> None:
    """Run a trial over all combinations of its OPTIONS.

    An option is swept that has a list with commas, a range first:last:step, or is given more than
    once; everything else is as in the trial. A run succeeds where the trial exits with code 0.
    Stopped by Ctrl-C or in any other way, the same command goes on where it was.
    """
    from walking_robots.sweeps import figure, table
    from walking_robots.sweeps.cluster import run_all
    from walking_robots.sweeps.journal import SweepJournal

    table.check_format(out)
    if plot is not None:
        figure.check_format(plot)
    chosen = plan_sweep(experiment, options, repeat)
    if plot is not None and not chosen.axes:
        raise click.UsageError('--plot draws against an option that is swept; give one a list')
    for values in chosen.combinations():
        _check(experiment, chosen.arguments(values))
    runs = list(chosen.runs())
    with SweepJournal(out.with_name(f'{out.name}.runs'), _text(chosen)) as journal:
        left = {
            number: (experiment, run.arguments)
            for number, run in enumerate(runs)
            if number not in journal.results
        }
        if left:
            done = run_all(run_trial, left, workers=jobs, scheduler=scheduler)
            for number, result in progress(done, len(left), 'running'):
                journal.add(number, result)
        results = [journal.results[number] for number in range(len(runs))]
        table.write_table(out, results)
        journal.remove()
    report_sweep(chosen, results, medians, also, plot)


def plan_sweep(experiment: str, words: Sequence[str], repeat: int) -> Sweep:
    """Return the sweep of a trial with options; raises a click.UsageError for unknown ones."""
    command = _command(experiment)
    known = {
        name: option
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }
    fixed: list[str] = []
    given: dict[str, list[str]] = {}
    waiting = list(words)
    while waiting:
        name, equals, value = waiting.pop(0).partition('=')
        option = known.get(name)
        if option is None and name.startswith('--'):
            raise click.UsageError(f'trial {experiment} has no option {name}.')
        if option is None:
            fixed.append(f'{name}{equals}{value}')
            continue
        if name.removeprefix('--') in OWN:
            raise click.UsageError(
                f'{name} is for a single run of trial {experiment}; leave it out.'
            )
        if option.is_flag:
            fixed.append(name)
            continue
        if not equals:
            if not waiting:
                raise click.UsageError(f'{name} needs a value.')
            value = waiting.pop(0)
        if option.multiple:
            fixed += [name, value]
        else:
            given.setdefault(name, []).extend(_values(command, option, value))
    axes: list[tuple[str, tuple[str, ...]]] = []
    seeds = given.pop('--seed', [])
    if not seeds and repeat > 1 and '--seed' in known:
        seeds = [str(known['--seed'].default)]
    for name, values in given.items():
        if len(values) == 1:
            fixed.append(f'{name}={values[0]}')
        else:
            axes.append((name, tuple(dict.fromkeys(values))))
    if not seeds and repeat > 1:
        raise click.UsageError(f'trial {experiment} has no seed; leave out --repeat.')
    try:
        first = [int(seed) for seed in seeds]
    except ValueError:
        raise click.UsageError('--seed must be a whole number.') from None
    numbers = first if len(first) > 1 else [seed + k for seed in first for k in range(repeat)]
    if len(first) > 1 and repeat > 1:
        raise click.UsageError('give either seeds or --repeat.')
    return Sweep(experiment, tuple(fixed), tuple(axes), tuple(numbers))


def run_trial(experiment: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Run a trial and return its result, with whether it succeeded; on any machine.

    Raises ValueError, one sentence, where the trial refuses its arguments.
    """
    with _one_at_a_time, redirect_stdout(io.StringIO()) as printed:
        try:
            code = _command(experiment).main(
                args=[*arguments, '--json'], prog_name=experiment, standalone_mode=False
            )
        except click.ClickException as error:
            raise ValueError(
                f'trial {experiment} {" ".join(arguments)}: {error.format_message()}'
            ) from None
    return {'success': not code, **json.loads(printed.getvalue().splitlines()[-1])}


def _command(experiment: str) -> click.Command:
    command: click.Command = load(f'cli.{SYSTEMS[experiment].trial}')
    return command


def _values(command: click.Command, option: click.Option, text: str) -> list[str]:
    """Return the values that a text stands for: itself where the option takes it as it is."""
    with click.Context(command) as context:
        try:
            option.type.convert(text, option, context)
        except click.UsageError:
            try:
                return expanded(text)
            except ValueError as error:
                raise click.UsageError(f'{option.opts[0]}: {error}.') from None
    return [text]


def _check(experiment: str, arguments: Sequence[str]) -> None:
    """Refuse arguments that the options of a trial do not take."""
    with _command(experiment).make_context(experiment, list(arguments)):
        pass


def _text(sweep: Sweep) -> str:
    """Return a sweep as the line that a journal knows it by."""
    return json.dumps([sweep.experiment, sweep.fixed, sweep.axes, sweep.seeds])


def _named_value(text: str | None) -> tuple[str, str] | None:
    """Return name and value of ``NAME=VALUE``."""
    if text is None:
        return None
    name, equals, value = text.partition('=')
    if not equals:
        raise click.BadParameter(f'{text} is not NAME=VALUE')
    return name, value


def report_sweep(
    sweep: Sweep,
    results: Sequence[Mapping[str, Any]],
    medians: Sequence[str] = (),
    also: tuple[str, str] | None = None,
    plot: Path | None = None,
) -> None:
    """Print what the runs say together, and draw it."""
    from rich.console import Console
    from rich.table import Table

    from walking_robots.sweeps.statistics import (
        by_combination,
        by_seed,
        median_of,
        paired,
        wilson_interval,
    )

    values = [run.values for run in sweep.runs()]
    successes = [bool(result['success']) for result in results]
    counts = by_combination(values, successes)
    shares, lines = {'succeed': counts}, {}
    if also is not None:
        name, value = also
        if not any(name in result for result in results):
            raise click.UsageError(f'no run has a result {name}; see the columns of the table')
        seen = [str(result.get(name)) == value for result in results]
        shares[f'{name} {value}'] = by_combination(values, seen)
        lines[f'{name} {value}'] = by_seed(sweep, seen)
    console = Console()
    names = [name.removeprefix('--') for name in sweep.names]
    more = [f'median {name}' for name in medians]
    shown = Table(*names, *(f'{name}, share, 95 % interval' for name in shares), *more)
    for combination in counts:
        found = []
        for share in shares.values():
            good, runs = share[combination]
            low, high = wilson_interval(good, runs)
            found.append(f'{good} of {runs}, {good / runs:.3f}, {low:.3f} to {high:.3f}')
        own = [result for result, at in zip(results, values, strict=True) if at == combination]
        middles = [median_of([result.get(name) for result in own]) for name in medians]
        shown.add_row(
            *combination, *found, *('–' if middle is None else f'{middle:g}' for middle in middles)
        )
    console.print(shown)
    for place, (name, choices) in enumerate(sweep.axes):
        if len(choices) == 2:
            first, second = (
                [good for value, good in zip(values, successes, strict=True)
                 if value[place] == choice]
                for choice in choices
            )  # fmt: skip
            pairs = paired(first, second)
            click.echo(
                f'{name.removeprefix("--")} {choices[0]} and {choices[1]} on the same runs: both '
                f'{pairs.both}, only {choices[0]} {pairs.first}, only {choices[1]} '
                f'{pairs.second}, neither {pairs.neither}; p = {pairs.p:.3g} (McNemar)'
            )
    if plot is not None:
        from walking_robots.sweeps.figure import draw

        draw(sweep, counts, plot, lines)
