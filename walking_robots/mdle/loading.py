"""Read programs and arguments that come from files, command lines and the network."""

from collections.abc import Mapping
from pathlib import Path

from walking_robots.mdle.language.ast import Call, Expression, Name, Program
from walking_robots.mdle.language.core_notation import parse_core
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.language.parser import parse_fragment, parse_text
from walking_robots.mdle.language.yaml_reader import parse_yaml

FORMATS = ('mdle', 'yaml', 'core')
ENDINGS = {'.yaml': 'yaml', '.yml': 'yaml', '.json': 'json', '.core': 'core'}
LARGEST_FILE = 1_000_000
"""Bytes."""
SHOWN = 60
"""Letters of a wrong argument that are told."""


def format_of(path: Path) -> str:
    """Give the format of a file by its ending."""
    return ENDINGS.get(path.suffix, 'mdle')


def parse_program(source: str, form: str, file: str) -> Program:
    """Read a program in one of FORMATS; ``file`` stands for it in messages.

    Raises ProgramError where it is wrong, ValueError for another format.
    """
    if form not in FORMATS:
        raise ValueError(f'{form!r} is no format of programs; use {" or ".join(FORMATS)}')
    readers = {'yaml': parse_yaml, 'core': parse_core}
    return readers.get(form, parse_text)(source, file)


def load_program(path: Path, form: str = '') -> Program:
    """Read a program from a file, in the format of its ending unless one is given.

    Raises ProgramError where it is wrong, ValueError where it cannot be read.
    """
    try:
        with path.open('rb') as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = (error.strerror or 'not a file').lower()
        raise ValueError(
            f'{path}: cannot be read ({reason}); give the path of a program'
        ) from None
    if len(data) > LARGEST_FILE:
        raise ValueError(f'{path}: is longer than {LARGEST_FILE // 1_000_000} MB; split it up')
    try:
        source = data.decode('utf-8-sig')
    except UnicodeDecodeError as error:
        line = data.count(b'\n', 0, error.start) + 1
        raise ValueError(
            f'{path}, line {line}: is not UTF-8 text; save the file as UTF-8'
        ) from None
    return parse_program(source, form or format_of(path), str(path))


def parse_arguments(written: Mapping[str, str]) -> dict[str, Expression]:
    """Read arguments of an entry, each written as in a program: '0.5 m', '"left"'.

    Raises ValueError for one that is no expression.
    """
    arguments = {}
    for name, text in written.items():
        try:
            arguments[name] = parse_fragment('expression', text, file=f'argument {name}')
        except ProgramError as error:
            raise ValueError(
                f"argument {name}: '{_short(text)}' cannot be read ({error.diagnostics[0].text}); "
                'write it as in a program, such as 0.5 m'
            ) from None
    return arguments


def split_arguments(text: str) -> dict[str, str]:
    """Give the arguments of one line, 'd = 0.5 m, side = "left"', each as it is written.

    Raises ValueError for a line of anything else.
    """
    try:
        found = parse_fragment('expression', f'entry({text})')
    except ProgramError as error:
        raise ValueError(
            f"the arguments '{_short(text)}' cannot be read ({error.diagnostics[0].text}); "
            'write them as d = 0.5 m, side = "left"'
        ) from None
    given = found.arguments if isinstance(found, Call) and found.base == Name('entry') else None
    if given is None or not all(argument.name for argument in given):
        raise ValueError(
            f"the arguments '{_short(text)}' have no names; write them as d = 0.5 m, side = "
            '"left"'
        )
    return {argument.name: format_expression(argument.value) for argument in given}


def _short(text: str) -> str:
    """Give the beginning of a text, for messages."""
    return text if len(text) <= SHOWN else f'{text[:SHOWN]}…'
