"""Programs of the motion language as the commands find, read and refuse them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.options import shipped
from walking_robots.documents.shared import shared_path

if TYPE_CHECKING:
    from walking_robots.mdle.knowledge.names import Library
    from walking_robots.mdle.language.ast import Program
    from walking_robots.mdle.language.polarity import Polarity

WRONG = 1
"""Exit code for a program that is wrong, or did not do what it should."""
ANY_PLAN = 'config/plans/follow.mdle'

PLAN = shipped(ANY_PLAN)

library_option = click.option(
    '--library',
    'libraries',
    multiple=True,
    type=click.Path(path_type=Path),
    help='A file whose elements may be imported by its name; repeatable.',
)

polarity_option = click.option(
    '--polarity',
    type=click.Choice(['end', 'run_while']),
    default='end',
    help='What a true interrupt means in a .core or .yaml file: end, or run while it is true.',
)


def find(file: str) -> Path:
    """Return the path of a file, or of a shipped plan by its name.

    Raises ValueError, one sentence, where there is neither.
    """
    path = Path(file)
    if path.exists() and not path.is_dir():
        return path
    if path.suffix or len(path.parts) > 1:
        raise ValueError(f'{file}: there is no such file; give the path of a program, or a name')
    from walking_robots.mdle.program_store import ProgramStore

    return ProgramStore([shared_path(ANY_PLAN).parent]).find(file)


def read(path: Path, polarity: 'Polarity' = 'end') -> 'Program':
    """Read a program in the notation of its suffix: .mdle, .yaml, .core.

    Raises ProgramError where it is wrong, ValueError where it cannot be read, or where another
    polarity is given for a notation that says itself which truth ends an element.
    """
    from walking_robots.mdle.language.core_notation import parse_core
    from walking_robots.mdle.language.yaml_reader import parse_yaml
    from walking_robots.mdle.program_store import format_of, load_program, read_source

    if polarity == 'end':
        return load_program(path)
    if format_of(path) == 'core':
        return parse_core(read_source(path), str(path), polarity=polarity)
    if format_of(path) == 'yaml':
        return parse_yaml(read_source(path), str(path), polarity=polarity)
    raise ValueError(f'{path}: --polarity goes with .core and .yaml files; leave it out')


@contextmanager
def diagnosed(file: str) -> Iterator[None]:
    """Return what is wrong in a program, one line each, and end with WRONG."""
    from walking_robots.mdle.language.diagnostics import ProgramError

    try:
        yield
    except ProgramError as error:
        for found in error.diagnostics:
            click.echo(found.line(file), err=True)
        sys.exit(WRONG)


def library_of(paths: Sequence[Path]) -> 'Library':
    """Return the standard library, installed packages and files together; print what is broken."""
    from walking_robots.mdle.knowledge.library import library_with, load_module

    modules, broken = library_with()
    for sentence in broken:
        click.echo(sentence, err=True)
    found = dict(modules)
    for path in paths:
        with diagnosed(str(path)):
            module = load_module(path)
            found[module.name] = module
    return found
