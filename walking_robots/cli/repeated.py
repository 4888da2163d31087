"""Trials with ``--repeat``: a sweep over seeds alone, which keeps no table."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from walking_robots.cli.progress import progress


class RepeatableTrial(click.Command):
    """A trial that ``--repeat`` runs over so many seeds, ``--jobs`` side by side."""

    def __init__(self, name: str, **settings: Any) -> None:
        """Add both options to those of the trial."""
        super().__init__(name, **settings)
        count = click.IntRange(1, 100_000)
        self.params += [
            click.Option(['--repeat'], type=count, default=1, help='Seeds to run over.'),
            click.Option(
                ['--jobs'], type=click.IntRange(1, 256), help='Runs side by side, with --repeat.'
            ),
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command."""
        ctx.meta['words'] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the trial once, or over seeds."""
        repeat, jobs = ctx.params.pop('repeat'), ctx.params.pop('jobs')
        if repeat > 1:
            return run_over_seeds(
                str(self.name), ctx.meta['words'], repeat, jobs or 1, ctx.params['as_json']
            )
        if jobs is not None:
            raise click.UsageError('one run is one job: leave out --jobs, or add --repeat')
        return super().invoke(ctx)


def run_over_seeds(
    experiment: str, words: Sequence[str], repeat: int, jobs: int, as_json: bool
) -> None:
    """Run a trial over seeds: a line of JSON a run in their order, or the share that succeeds."""
    from walking_robots.cli.sweep import plan_sweep, report_sweep, run_trial
    from walking_robots.sweeps.cluster import run_all

    chosen = plan_sweep(experiment, list(_without_own(words)), repeat)
    tasks = {number: (experiment, run.arguments) for number, run in enumerate(chosen.runs())}
    done = (
        ((number, run_trial(*task)) for number, task in tasks.items())
        if jobs == 1
        else run_all(run_trial, tasks, workers=jobs)
    )
    found: dict[int, dict[str, Any]] = {}
    printed = 0
    for number, result in progress(done, len(tasks), 'running'):
        found[number] = result
        while as_json and printed in found:
            shown = {name: one for name, one in found[printed].items() if name != 'success'}
            click.echo(json.dumps(shown, allow_nan=False))
            printed += 1
    if as_json:
        good = sum(result['success'] for result in found.values())
        click.echo(f'{good} of {len(found)} succeeded', err=True)
    else:
        report_sweep(chosen, [found[number] for number in range(len(tasks))])


def _without_own(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command without those that say how it is repeated and reported."""
    waiting = iter(words)
    for word in waiting:
        name, equals, _ = word.partition('=')
        if name in ('--repeat', '--jobs'):
            if not equals:
                next(waiting)
        elif word != '--json':
            yield word
