"""Motion files of the C++ program: records of eight lines (aquarobot.md §7.2).

A record is a line of the body (a tag, azimuth, elevation, roll, x, y, z), six of the legs in order
(the number of the leg, three joints) and a closing one (four numbers, of which the program made
nothing that moves the robot). Here blank lines and those that begin with # count for nothing, but
for ``# units: body=rad length=cm joints=deg``, which says in what the numbers after it are.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from walking_robots.simulation.aquarobot.motion_units import MotionFileError, Units, number
from walking_robots.simulation.aquarobot.moves import Move

_LINES = 8
_ROLES = ('the body', *(f'leg {leg}' for leg in range(1, 7)), 'the end of a record')
_UNITS = re.compile(r'#\s*units\s*:(.*)')
_TAG = re.compile(r'[+-]?\d{1,9}')


class _Line(NamedTuple):
    number: int
    words: list[str]


def parse_records(text: str, name: str) -> tuple[Move, ...]:
    """Read the moves of a text; ``name`` stands for its file in errors.

    Raises MotionFileError where a record is not complete, a leg is out of order, or a number is
    none.
    """
    moves: list[Move] = []
    record: list[_Line] = []
    units = Units()
    for place, line in _lines(text):
        found = _UNITS.match(line)
        try:
            if found and record:
                raise ValueError('units change within a record; write them before its first line')
            if found:
                units = _read_units(found[1])
            elif not line.startswith('#'):
                record.append(_Line(place, line.split()))
                _check(len(record) - 1, record[-1].words)
        except ValueError as error:
            raise MotionFileError(f'{name}, line {place}: {error}') from None
        if len(record) == _LINES:
            rows = [[float(word) for word in line.words[1:]] for line in record]
            moves.append(units.move(rows[0], rows[1:7]))
            record = []
    if record:
        raise MotionFileError(
            f'{name}, line {record[-1].number}: the file ends within record {len(moves) + 1}; '
            f'add the line of {_ROLES[len(record)]}'
        )
    return tuple(moves)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    for place, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield place, line.strip()


def _check(role: int, words: list[str]) -> None:
    """Raise ValueError unless the words are what the line of a record must hold."""
    many = 6 if role == 0 else 3
    if len(words) != many + 1:
        raise ValueError(
            f'the line of {_ROLES[role]} has {len(words)} numbers; '
            f'write a whole number and {many} increments'
        )
    if not _TAG.fullmatch(words[0]):
        raise ValueError(
            f"the line of {_ROLES[role]} begins with '{words[0][:40]}'; begin with a whole number"
        )
    if 0 < role < 7 and int(words[0]) != role:
        raise ValueError(
            f'leg {int(words[0])} stands where leg {role} must; write legs 1 to 6 in order'
        )
    for word in words[1:]:
        number(word)


def _read_units(text: str) -> Units:
    """Read 'body=rad length=cm joints=deg', all or some of them."""
    units = Units()
    for pair in text.split():
        what, _, unit = pair.partition('=')
        units = units.replaced(what, unit)
    return units
