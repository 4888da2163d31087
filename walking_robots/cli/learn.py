"""The command ``learn``: parameters of a controller, by simulated walks."""

import json
import math
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.options import folder_there

if TYPE_CHECKING:
    from walking_robots.learning.evolution import ParameterSearch


@click.command('biped')
@click.option(
    '--cases',
    type=click.Path(dir_okay=False, path_type=Path),
    help='What is learned and over which walks; a YAML file like config/learning/biped.yaml.',
)
@click.option(
    '--params', help='A set or file to begin from; without it, the set that the cases name.'
)
@click.option(
    '--evaluations',
    type=click.IntRange(0, 1_000_000),
    default=240,
    help='Sets to try; without any, the set to begin from is tested.',
)
@click.option(
    '--spread',
    type=click.FloatRange(0.01, 10.0),
    default=0.5,
    help='How far to search at first, in first steps of the cases.',
)
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=1, help='Of the search.')
@click.option('--jobs', type=click.IntRange(1, 256), default=2, help='Walks side by side.')
@click.option(
    '--out',
    type=click.Path(dir_okay=False, path_type=Path),
    callback=folder_there,
    help='File for what is learned, which trial biped --params takes.',
)
@click.option('--json', 'as_json', is_flag=True, help='The table as one line of JSON.')
def learn_biped(
    *,
    cases: Path | None,
    params: str | None,
    evaluations: int,
    spread: float,
    seed: int,
    jobs: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Learn the parameters of a biped by CMA-ES, and test them before and after.

    Stopped by Ctrl-C or in any other way, the same command goes on where it was.
    """
    from walking_robots.gaits.biped.parameter_files import find_sets
    from walking_robots.learning.case_files import load_cases
    from walking_robots.learning.evolution import ParameterSearch
    from walking_robots.learning.scoring import passed

    if evaluations and out is None:
        raise click.UsageError('what is learned needs a file: add --out my_biped.yaml')
    document = load_cases(cases)
    name, known = find_sets(params or document.start, document.robot)
    _, start = known.find(document.robot, name, 'level')
    with _workers(jobs) as pool:
        tests = {'before': passed(document, start, pool)}
        if evaluations and out is not None:
            search = ParameterSearch(document, start, seed=seed, spread=spread)
            settings = f'{document.model_dump_json()} {name} {start} {seed} {spread}'
            _learn(search, evaluations, pool, out, settings, quiet=as_json)
            tests['after'] = passed(document, search.parameters, pool)
    if as_json:
        click.echo(json.dumps(tests))
        return
    for case, walks in document.tests.items():
        found = [f'{when} {results[case]} of {walks.walks}' for when, results in tests.items()]
        click.echo(f'{case:20} {", ".join(found)}')


def _learn(
    search: 'ParameterSearch',
    evaluations: int,
    pool: Executor | None,
    out: Path,
    settings: str,
    *,
    quiet: bool,
) -> None:
    """Search for some evaluations, and write the file of what is found."""
    from walking_robots.gaits.biped.parameter_files import write_set
    from walking_robots.learning.evolution import POPULATION
    from walking_robots.sweeps.journal import SweepJournal

    total = math.ceil(evaluations / POPULATION)
    with SweepJournal(out.with_name(f'{out.name}.runs'), settings) as journal:
        for number in range(total):
            known = journal.results.get(number)
            costs = search.generation(pool, None if known is None else known['costs'])
            if known is None:
                journal.add(number, {'costs': costs})
            done = search.generations[-1]
            if not quiet:
                click.echo(
                    f'{done.evaluations:5} sets tried, mean cost {done.best:.3f} at best, '
                    f'{done.median:.3f} in the middle'
                )
        write_set(out, search.robot, search.parameters)
        journal.remove()


@contextmanager
def _workers(jobs: int) -> Iterator[Executor | None]:
    """Provide processes that walk, none for a single one."""
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context('spawn')) as pool:
        yield pool
