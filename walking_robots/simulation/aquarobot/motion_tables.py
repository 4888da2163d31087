"""Motion files as tables (CSV) and as objects (JSON); what a move leaves out rests.

CSV: the first line names columns with their units, such as ``azimuth_deg,x_cm,leg3_joint2_rad``;
then a line a move. JSON: ``{"units": {"joints": "rad"}, "moves": [{"body": [0, 0, 0, 5, 0, 0],
"legs": {"3": [0.1, 0.2, 0.3]}}]}``.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from walking_robots.simulation.aquarobot.motion_units import (
    UNITS,
    MotionFileError,
    Units,
    number,
)
from walking_robots.simulation.aquarobot.moves import Move

_COLUMN = re.compile(
    r'(?:(?P<angle>azimuth|elevation|roll)|(?P<way>[xyz])|leg(?P<leg>[1-6])_joint(?P<joint>[123]))'
    r'_(?P<unit>[a-z]+)'
)
_BODY = ('azimuth', 'elevation', 'roll', 'x', 'y', 'z')
_BASIC = Units(body='rad', length='cm', joints='rad')


def parse_csv(text: str, name: str) -> tuple[Move, ...]:
    """Read the moves of a table; ``name`` stands for its file in errors.

    Raises MotionFileError for columns that there are not, and for lines that do not fit them.
    """
    moves: list[Move] = []
    columns: list[tuple[int, float]] | None = None
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith('#'):
            continue
        words = [word.strip() for word in line.split(',')]
        try:
            if columns is None:
                columns = _columns(words)
                continue
            if len(words) != len(columns):
                raise ValueError(
                    f'there are {len(words)} values for {len(columns)} columns; write one for each'
                )
            values = [0.0] * 24
            for (index, factor), word in zip(columns, words, strict=True):
                values[index] = factor * number(word)
        except ValueError as error:
            raise MotionFileError(f'{name}, line {place}: {error}') from None
        moves.append(_BASIC.move(values[:6], [values[i : i + 3] for i in range(6, 24, 3)]))
    return tuple(moves)


def _columns(words: list[str]) -> list[tuple[int, float]]:
    """Return for each column which of the 24 increments it is, and its unit in rad or cm."""
    found: list[tuple[int, float]] = []
    for word in words:
        match = _COLUMN.fullmatch(word)
        if match is None:
            raise ValueError(
                f"there is no column '{word[:40]}'; "
                'name columns as in azimuth_rad, x_cm, leg3_joint2_deg'
            )
        if match['leg']:
            index, what = 3 + 3 * int(match['leg']) + int(match['joint']) - 1, 'joints'
        else:
            index = _BODY.index(match['angle'] or match['way'])
            what = 'body' if match['angle'] else 'length'
        Units().replaced(what, match['unit'])
        if any(index == other for other, _ in found):
            raise ValueError(f"column '{word}' is there twice; keep one of them")
        found.append((index, UNITS[what][match['unit']]))
    return found


def parse_json(text: str, name: str) -> tuple[Move, ...]:
    """Read the moves of an object; ``name`` stands for its file in errors.

    Raises MotionFileError for what is not JSON, and for fields that there are not.
    """
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise MotionFileError(
            f'{name}, line {error.lineno}: is not JSON ({reason}); mend the syntax there'
        ) from None
    except RecursionError:
        raise MotionFileError(f'{name}: is nested too deeply; write it flatter') from None
    except ValueError as error:
        raise MotionFileError(f'{name}: {error}') from None
    try:
        fields = _fields(content, '', ('units', 'moves'))
        units = Units()
        for what, unit in _fields(fields.get('units', {}), 'units', tuple(UNITS)).items():
            units = units.replaced(what, str(unit))
        moves = fields.get('moves')
        if not isinstance(moves, list):
            raise ValueError("field 'moves' must be a list; write one entry a move")
        return tuple(_move(units, move, f'moves[{place}]') for place, move in enumerate(moves))
    except ValueError as error:
        raise MotionFileError(f'{name}: {error}') from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of fields that are there once each."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise ValueError(f"field '{twice[:40]}' is there twice; keep one of them")
    return found


def _fields(value: Any, place: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    """Return an object of known fields; raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError(
            f"field '{place}' must be an object; write {{...}} with {', '.join(known)}"
            if place
            else f'must be an object; write {{...}} with {", ".join(known)}'
        )
    for key in value:
        if key not in known:
            inner = f'{place}.{key}' if place else key
            raise ValueError(f"there is no field '{inner[:60]}'; use {', '.join(known)}")
    return value


def _move(units: Units, value: Any, place: str) -> Move:
    """Read one move."""
    fields = _fields(value, place, ('body', 'legs'))
    legs = _fields(fields.get('legs', {}), f'{place}.legs', tuple('123456'))
    return units.move(
        _numbers(fields.get('body', [0] * 6), f'{place}.body', 6),
        [_numbers(legs.get(leg, [0] * 3), f'{place}.legs.{leg}', 3) for leg in '123456'],
    )


def _numbers(value: Any, place: str, count: int) -> list[float]:
    """Return so many finite numbers; raises ValueError for anything else."""
    if not isinstance(value, list) or len(value) != count:
        raise ValueError(f"field '{place}' must be a list of {count} numbers; write [0, ...]")
    try:
        return [number('a truth value' if isinstance(one, bool) else str(one)) for one in value]
    except ValueError as error:
        raise ValueError(f"field '{place}': {error}") from None
