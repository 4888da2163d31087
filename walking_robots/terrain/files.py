"""Read and write terrain files; a wrong file is refused with its line and the remedy."""

from pathlib import Path

from pydantic import ValidationError

from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.markup import Document, MarkupError, read_markup
from walking_robots.terrain.schema import LETTERS, REMEDIES, TerrainDocument

__all__ = ['TerrainFileError', 'dump', 'load_terrain', 'parse_terrain']

LARGEST_FILE = 4_000_000
"""Bytes; a grid of 1000 x 1000 cells takes about a quarter of it."""


class TerrainFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


def load_terrain(path: str | Path) -> TernaryTerrain:
    """Read a terrain file.

    Raises TerrainFileError when it cannot be read or is not a terrain.
    """
    path = Path(path)
    try:
        with path.open('rb') as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or 'not a path'
        raise TerrainFileError(
            f'{path}: cannot be read ({reason.lower()}); give the path of a terrain file in YAML.'
        ) from None
    try:
        text = data.decode('utf-8-sig')
    except UnicodeDecodeError as error:
        line = data.count(b'\n', 0, error.start) + 1
        raise TerrainFileError(
            f'{path}, line {line}: is not UTF-8 text; save the file as UTF-8.'
        ) from None
    return parse_terrain(text, str(path))


def parse_terrain(text: str, name: str = 'terrain') -> TernaryTerrain:
    """Read a terrain from YAML text; `name` stands for the file in errors.

    Raises TerrainFileError when the text is not a terrain.
    """
    if len(text) > LARGEST_FILE:
        raise TerrainFileError(
            f'{name}: is longer than {LARGEST_FILE // 1_000_000} MB; use '
            f'fewer cells or the random generator.'
        )
    try:
        document = read_markup(text)
    except MarkupError as error:
        raise TerrainFileError(f'{name}, line {error.line}: {error.reason}.') from None
    if not isinstance(document.content, dict):
        raise TerrainFileError(
            f"{name}, line 1: must be a list of fields such as 'size: [49, "
            f"49]'; see config/terrain for examples."
        )
    try:
        return TerrainDocument.model_validate(document.content).terrain()
    except ValidationError as error:
        raise TerrainFileError(f'{name}, {_explain(error, document)}.') from None


def _explain(error: ValidationError, document: Document) -> str:
    """Return line, field, reason and remedy of the first mistake."""
    found = []
    for item in error.errors(include_url=False, include_input=False):
        place = tuple(part for part in item['loc'] if document.knows(part) or part in REMEDIES)
        message = item['msg'].removeprefix('Value error, ')
        if not item['loc'] and ': ' in message:
            field, message = message.split(': ', 1)
            place = tuple(int(part) if part.isdigit() else part for part in field.split('.'))
        if item['type'] == 'extra_forbidden':
            message = 'is not a field of a terrain file'
        elif item['type'] == 'missing':
            message = 'is missing'
        found.append((document.line(place), place, message, item['type']))
    # 'flat' or a list of points: whoever wrote a list wants to hear about its points.
    told = [
        entry
        for entry in found
        if entry[3] != 'literal_error'
        or not any(
            len(other[1]) > len(entry[1]) and other[1][: len(entry[1])] == entry[1]
            for other in found
        )
    ]
    line, place, message, kind = min(told, key=lambda entry: entry[0])
    names = [str(part) for part in place if isinstance(part, str)]
    if kind == 'extra_forbidden':
        remedy = 'use one of ' + ', '.join(_siblings(names))
    else:
        known = [name for name in names if name in REMEDIES]
        remedy = REMEDIES[known[-1]] if known else 'see config/terrain for examples'
    field = _dotted(place)
    reason = message[:1].lower() + message[1:]
    return f"line {line}: field '{field}' {_verb(reason)}; {remedy}"


def _siblings(names: list[str]) -> list[str]:
    """Return the fields that may stand where the last of `names` stands."""
    if names[:1] == ['ditches']:
        return ['near_edge', 'width', 'angle']
    if names[:1] == ['random'] and len(names) > 1:
        return ['share', 'seed']
    return list(TerrainDocument.model_fields)


def _dotted(place: tuple[str | int, ...]) -> str:
    """Return a place as people write it: ditches[0].width."""
    text = ''
    for part in place:
        text += f'[{part}]' if isinstance(part, int) else f'.{part}' if text else part
    return text if len(text) <= 60 else text[:57] + '...'


def _verb(reason: str) -> str:
    """Return the reason so that it continues a sentence about the field."""
    reason = reason.replace('input should be', 'must be')
    opening = reason.split(' ', 1)[0]
    return reason if opening in ('must', 'is', 'says', 'cannot') else f'is wrong: {reason}'


def dump(terrain: TernaryTerrain) -> str:
    """Return the YAML text of a terrain file that `parse_terrain` reads back unchanged.

    Raises ValueError for a patch, whose place in the whole a file cannot tell.
    """
    if terrain.first_row or terrain.first_column or not terrain.cells.size:
        raise ValueError('only a whole terrain can be written to a file')
    letters = {value: letter for letter, value in LETTERS.items()}
    rows = '\n'.join(f"  - '{''.join(letters[v] for v in row)}'" for row in terrain.cells.tolist())
    heights = ', '.join(repr(float(height)) for height in terrain.heights)
    return (
        f'size: [{terrain.rows}, {terrain.columns}]\ncell: {terrain.cell!r}m\n'
        f'heights: [{heights}]\ncells:\n{rows}\n'
    )
