"""Commands of the motion language MDLe that need no robot: check, lay out, convert, look up."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.mdle_files import (
    PLAN,
    WRONG,
    diagnosed,
    find,
    library_of,
    library_option,
    polarity_option,
    read,
)
from walking_robots.cli.mdle_options import ROBOTS
from walking_robots.cli.mdle_report import bounded
from walking_robots.cli.options import folder_there

if TYPE_CHECKING:
    from walking_robots.mdle.analysis.report import Report
    from walking_robots.mdle.knowledge.catalogue import Description
    from walking_robots.mdle.knowledge.names import Library
    from walking_robots.mdle.language.ast import Program
    from walking_robots.mdle.language.polarity import Polarity

NO_ROBOT = 'none'
NOTATIONS = ('mdle', 'yaml', 'json', 'core')


@click.command('check')
@click.argument('file', shell_complete=PLAN)
@click.option('--entry', default='', help='What is to run; otherwise the last plan.')
@click.option(
    '--robot', type=click.Choice([*ROBOTS, NO_ROBOT]), default='scout-sim', help='For which robot.'
)
@click.option('--json', 'as_json', is_flag=True, help='All that is found, as JSON.')
@click.option('--sarif', 'as_sarif', is_flag=True, help='For editors and code hosts.')
@polarity_option
@library_option
def check(
    file: str,
    entry: str,
    robot: str,
    as_json: bool,
    as_sarif: bool,
    polarity: 'Polarity',
    libraries: tuple[Path, ...],
) -> None:
    """Return what is wrong in a FILE, or in a shipped plan, before anything moves.

    Ends with 0 where nothing is wrong, 1 where something is, and 2 for wrong options.
    """
    from walking_robots.mdle.analysis.report import Report
    from walking_robots.mdle.language.diagnostics import ProgramError
    from walking_robots.mdle.runtime.settings import ExecutorSettings
    from walking_robots.mdle.session import check_program
    from walking_robots.trials.mdle.trial import MdleTrial
    from walking_robots.trials.program_robots import spec_of

    if as_json and as_sarif:
        raise click.UsageError('--json and --sarif are two forms of one thing: leave out one')
    path, library = find(file), library_of(libraries)
    spec = None if robot == NO_ROBOT else spec_of(MdleTrial('', robot=robot))
    try:
        report = check_program(read(path, polarity), library, spec, entry, ExecutorSettings())
    except ProgramError as error:
        report = Report(tuple(error.diagnostics))
    if as_json:
        click.echo(json.dumps(report.to_json(str(path))))
    elif as_sarif:
        click.echo(json.dumps(report.sarif(str(path)), indent=2))
    else:
        _tell(report, str(path))
    sys.exit(0 if report.ok else WRONG)


def _tell(report: 'Report', file: str) -> None:
    if report.diagnostics:
        click.echo(report.text(file))
    errors = len(report.errors)
    warnings = sum(found.severity == 'warning' for found in report.diagnostics)
    bound = f'; {bounded(report)}' if report.ok and report.bound else ''
    click.echo(f'{file}: {_count(errors, "error")}, {_count(warnings, "warning")}{bound}')


def _count(number: int, what: str) -> str:
    return f'{number or "no"} {what}{"" if number == 1 else "s"}'


@click.command('fmt')
@click.argument('file', shell_complete=PLAN)
@click.option('--check', 'only_check', is_flag=True, help='Write nothing; end with 1 if it would.')
@click.option('--in-place', is_flag=True, help='Write the file instead of showing it.')
def fmt(file: str, only_check: bool, in_place: bool) -> None:
    """Lay out a FILE in the one way that all programs have, comments and all."""
    from walking_robots.mdle.language.formatter import format_program
    from walking_robots.mdle.program_store import read_source

    if only_check and in_place:
        raise click.UsageError('--check writes nothing and --in-place does: leave out one')
    path = find(file)
    if path.suffix != '.mdle':
        raise click.UsageError(f"{path}: lays out .mdle files only; use 'mdle convert'")
    with diagnosed(str(path)):
        text = format_program(read(path))
    if only_check:
        if text != read_source(path):
            click.echo(f"{path}: is not laid out; run 'walking_robots mdle fmt --in-place {path}'")
            sys.exit(WRONG)
    elif in_place:
        if text != read_source(path):
            path.write_text(text, encoding='utf-8')
    else:
        click.echo(text, nl=False)


@click.command('convert')
@click.argument('file', shell_complete=PLAN)
@click.option(
    '--to', 'notation', required=True, type=click.Choice(NOTATIONS), help='Its notation.'
)
@click.option('--entry', default='', help='What to write in core; otherwise the last plan.')
@click.option(
    '--out',
    type=click.Path(path_type=Path),
    callback=folder_there,
    help='Write this file instead.',
)
@polarity_option
@library_option
def convert(
    file: str,
    notation: str,
    entry: str,
    out: Path | None,
    polarity: 'Polarity',
    libraries: tuple[Path, ...],
) -> None:
    """Write the program of a FILE in another notation; a .yaml or .core file is read too."""
    path, library = find(file), library_of(libraries)
    with diagnosed(str(path)):
        program = read(path, polarity)
        text = _written(program, notation, entry, library)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding='utf-8')


def _written(program: 'Program', notation: str, entry: str, library: 'Library') -> str:
    """Write a program in a notation."""
    if notation == 'mdle':
        from walking_robots.mdle.language.formatter import format_program

        return format_program(program)
    if notation == 'yaml':
        from walking_robots.mdle.language.yaml_writer import write_yaml

        return write_yaml(program)
    if notation == 'json':
        from walking_robots.mdle.language.digest import to_json

        return json.dumps(to_json(program), indent=1) + '\n'
    from walking_robots.mdle.analysis.core_writer import write_core
    from walking_robots.mdle.runtime.job import default_entry

    return write_core(program, entry or default_entry(program), library)


@click.command('elements')
@click.argument('name', required=False)
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON an element.')
@library_option
def elements(name: str | None, as_json: bool, libraries: tuple[Path, ...]) -> None:
    """List what programs may import, or describe the element NAME, such as go_to."""
    from walking_robots.mdle.knowledge.catalogue import catalogue

    found = [
        element
        for element in catalogue(library_of(libraries))
        if name in (None, element.name, f'{element.module}.{element.name}')
    ]
    if not found:
        raise ValueError(
            f"there is no element '{name}'; 'walking_robots mdle elements' lists those there are"
        )
    if as_json:
        for element in found:
            click.echo(json.dumps(element._asdict()))
    elif name:
        for element in found:
            _describe(element)
    else:
        from rich.console import Console
        from rich.table import Table

        table = Table('module', 'kind', 'element', 'space', box=None)
        for element in found:
            table.add_row(element.module, element.kind, _signature(element), element.space)
        Console().print(table)


def _signature(element: 'Description') -> str:
    gives = f' -> ({", ".join(element.outputs)})' if element.outputs else ''
    return f'{element.name}({", ".join(element.parameters)}){gives}'


def _describe(element: 'Description') -> None:
    space = f' on {element.space}' if element.space else ''
    click.echo(f'{element.module}: {element.kind} {_signature(element)}{space}')
    if element.reads:
        click.echo(f'reads {", ".join(element.reads)}')
    if element.text:
        click.echo(f'\n{element.text}')
