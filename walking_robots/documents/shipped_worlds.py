"""Find world files by path, or by name among those that ship."""

from os.path import exists
from pathlib import Path

from walking_robots.documents.shared import shared_path

A_WORLD = 'big_room'
"""The world of the manual."""


def find_world(world: str) -> Path:
    """Return the path of a world file or of a shipped world; raise ValueError for neither."""
    path = Path(world)
    if path.suffix or len(path.parts) != 1 or exists(path):
        return path
    try:
        return shared_path(f'config/worlds/{world}.yaml')
    except FileNotFoundError:
        folder = shared_path(f'config/worlds/{A_WORLD}.yaml').parent
        known = ', '.join(sorted(file.stem for file in folder.glob('*.yaml')))
        raise ValueError(
            f"there is no world '{world}'; give the path of a file, or one of {known}"
        ) from None
