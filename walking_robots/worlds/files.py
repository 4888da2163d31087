"""Read world files; a wrong file is refused with its line and the remedy."""

from pathlib import Path

from walking_robots.documents.reader import Reader
from walking_robots.worlds.schema import REMEDIES, WorldDocument
from walking_robots.worlds.world import World


class WorldFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    WorldDocument,
    WorldFileError,
    title='world file',
    example='ars_schema: 1',
    folder='config/worlds',
    shorter='use fewer walls',
    remedies=REMEDIES,
)


def load_world(path: str | Path) -> World:
    """Read a world file (ars_magna.md §4.8).

    Raises WorldFileError when it cannot be read or is not a world.
    """
    return _READER.load(path).content.world()


def parse_world(text: str, name: str = 'world') -> World:
    """Read a world from YAML text; ``name`` stands for the file in errors.

    Raises WorldFileError when the text is not a world.
    """
    return _READER.parse(text, name).content.world()
