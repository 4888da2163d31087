"""Read and write terrain files; a wrong file is refused with its line and the remedy."""

from pathlib import Path

import numpy as np

from walking_robots.documents.reader import Reader
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.schema import KIND_LETTERS, LETTERS, REMEDIES, TerrainDocument


class TerrainFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    TerrainDocument,
    TerrainFileError,
    title='terrain file',
    example='size: [49, 49]',
    folder='config/terrain',
    shorter='use fewer cells or the random generator',
    remedies=REMEDIES,
)


def load_terrain(path: str | Path) -> TernaryTerrain:
    """Read a terrain file.

    Raises TerrainFileError when it cannot be read or is not a terrain.
    """
    return _READER.load(path).terrain()


def parse_terrain(text: str, name: str = 'terrain') -> TernaryTerrain:
    """Read a terrain from YAML text; `name` stands for the file in errors.

    Raises TerrainFileError when the text is not a terrain.
    """
    return _READER.parse(text, name).terrain()


def dump(terrain: TernaryTerrain) -> str:
    """Return the YAML text of a terrain file that `parse_terrain` reads back unchanged.

    Raises ValueError for a patch, whose place in the whole a file cannot hold.
    """
    if terrain.first_row or terrain.first_column or not terrain.cells.size:
        raise ValueError('only a whole terrain can be written to a file')
    letters = np.full(terrain.cells.shape, '.')
    for letter, value in LETTERS.items():
        letters[terrain.cells == value] = letter
    for letter, kind in KIND_LETTERS.items():
        letters[terrain.forbidden_kinds == kind] = letter
    rows = '\n'.join(f"  - '{''.join(row)}'" for row in letters.tolist())
    if terrain.profile is not None:
        heights = f'heights: {terrain.profile.tolist()}'
    else:
        corners = '\n'.join(f'  - {row}' for row in terrain.heights.tolist())
        heights = f'corner_heights:\n{corners}'
    return (
        f'size: [{terrain.rows}, {terrain.columns}]\ncell: {terrain.cell!r}m\n'
        f'{heights}\ncells:\n{rows}\n'
    )
