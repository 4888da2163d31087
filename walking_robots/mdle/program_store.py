"""Programs, arguments and values that come from files, command lines and the network."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from walking_robots.documents.files import read_text
from walking_robots.mdle.language.ast import (
    Call,
    Expression,
    Name,
    Number,
    Program,
    Text,
    Truth,
    Unary,
)
from walking_robots.mdle.language.core_notation import parse_core
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.language.parser import parse_fragment, parse_text
from walking_robots.mdle.language.quantities import UNITS
from walking_robots.mdle.language.types import BOOL, CHOICES, NUM, STR, Type, quantity
from walking_robots.mdle.language.yaml_reader import parse_yaml

FORMATS = ('mdle', 'yaml', 'core')
FORMAT_OF_SUFFIX = {'.yaml': 'yaml', '.yml': 'yaml', '.json': 'json', '.core': 'core'}
LARGEST_FILE = 1_000_000
"""Bytes."""
Scalar = float | bool | str
KINDS = {
    bool: ('bool', 'bool'),
    str: ('str', 'str'),
    float: ('quantity', 'number'),
    int: ('quantity', 'number'),
}
"""Of a value whose type is not known: the kind of its type, and a word for it."""
SHOWN = 60
"""Letters of a wrong argument or name that a message repeats."""
SUFFIXES = ('.mdle', '.yaml', '.yml')
"""Of programs in a store."""
LONGEST_NAME = 4096
"""Letters; no file system has longer paths, and following one would take long."""


def format_of(path: Path) -> str:
    """Return the format of a file by its ending."""
    return FORMAT_OF_SUFFIX.get(path.suffix, 'mdle')


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
    return parse_program(read_source(path), form or format_of(path), str(path))


def read_source(path: Path) -> str:
    """Return the text of a program; raise ValueError where it cannot be read."""
    return read_text(path, 'a program', largest=LARGEST_FILE, shorter='split it up')


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
    """Return the arguments of one line, 'd = 0.5 m, side = "left"', each as it is written.

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


def board_value(
    name: str, text: str, board: Mapping[str, Any], types: Mapping[str, Type | None]
) -> Scalar:
    """Read what is to be ``bb.name``: one value, of the kind and the unit that it has there.

    ``types``: those that the program gives to names of its blackboard, as far as they are known.
    Raises ValueError for anything else.
    """
    try:
        named = parse_fragment('expression', name) == Name(name)
    except ProgramError:
        named = False
    if not named:
        raise ValueError('this is no name; give that of a value of the blackboard, without bb.')
    written = parse_arguments({name: text})[name]
    value, given = _value_of(written, text)
    wanted = types.get(name)
    if wanted is not None:
        fits = _fits(value, given, wanted)
    elif name in board:
        # Of a value that is there without a type only its kind is known.
        kind, word = KINDS.get(type(board[name]), ('', 'value of several parts'))
        wanted, fits = Type('other', name=word), kind == given.kind
    else:
        fits = True
    if not fits:
        raise ValueError(f'bb.{name} is a {wanted}, and this is a {given}')
    return value


def _fits(value: Scalar, given: Type, wanted: Type) -> bool:
    """Return whether a value is of a type: 0 is of every unit, a word may be one of a few."""
    if given == NUM and value == 0.0:
        return wanted.kind == NUM.kind
    if given == STR and wanted.kind == 'other':
        return value in CHOICES.get(wanted.name, (value,))
    return wanted == given


def _value_of(written: Expression, text: str) -> tuple[Scalar, Type]:
    negative = isinstance(written, Unary) and written.operator == '-'
    inner = written.operand if isinstance(written, Unary) and negative else written
    if isinstance(inner, Number) and math.isfinite(inner.si):
        given = quantity(UNITS[inner.unit].dimension) if inner.unit else NUM
        return (-inner.si if negative else inner.si), given
    if isinstance(inner, Truth) and not negative:
        return inner.value, BOOL
    if isinstance(inner, Text) and not negative:
        return inner.value, STR
    raise ValueError(f'\'{text[:SHOWN]}\' is not one value such as 0.5 m, true or "left"')


def _short(text: str) -> str:
    """Return the beginning of a text, for messages."""
    return text if len(text) <= SHOWN else f'{text[:SHOWN]}…'


class ProgramStore:
    """Finds programs by name in folders; what comes from the network cannot lead out of them."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Take the folders, the first that has a name wins."""
        self.folders = tuple(folder.resolve() for folder in folders)

    def names(self) -> list[str]:
        """Return the names of all programs, without folder and suffix."""
        return sorted(
            {
                path.stem
                for folder in self.folders
                if folder.is_dir()
                for path in folder.iterdir()
                if path.suffix in SUFFIXES and path.is_file()
            }
        )

    def find(self, uri: str) -> Path:
        """Return the file of a name such as 'follow', 'follow.mdle', or of a path in a folder.

        Raises ValueError where there is none.
        """
        for folder in self.folders:
            for suffix in ('', *SUFFIXES):
                path = _file_in(folder, f'{uri}{suffix}')
                if path:
                    return path
        known = ', '.join(self.names()) or 'none'
        raise ValueError(f"there is no program '{_short(uri)}' here; these are there: {known}")

    def read(self, uri: str) -> tuple[str, str, str]:
        """Return text, format and path of a program.

        Raises ValueError where there is none, or it cannot be read.
        """
        path = self.find(uri)
        return read_source(path), format_of(path), str(path)


def _file_in(folder: Path, name: str) -> Path | None:
    """Return the file of that name in a folder, None where there is none, or can be none."""
    if len(name) > LONGEST_NAME:
        return None
    try:
        path = (folder / name).resolve()
        within = path.suffix in SUFFIXES and path.is_relative_to(folder) and path.is_file()
    except (OSError, RuntimeError, ValueError):
        # Longer than the file system takes, a circle of links, a letter that no file has.
        return None
    return path if within else None
