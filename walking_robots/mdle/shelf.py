"""Where programs lie: a few folders, and nothing outside them."""

from collections.abc import Sequence
from pathlib import Path

from walking_robots.mdle.loading import LARGEST_FILE, format_of

ENDINGS = ('.mdle', '.yaml', '.yml')

LONGEST_NAME = 4096
"""Letters; no file system has longer paths, and following one would take long."""

SHOWN = 60
"""Letters of a name that a message repeats."""


class Shelf:
    """Finds programs by name in folders; what comes from the network cannot lead out of them."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Take the folders, the first that has a name wins."""
        self.folders = tuple(folder.resolve() for folder in folders)

    def names(self) -> list[str]:
        """Give the names of all programs, without folder and ending."""
        return sorted(
            {
                path.stem
                for folder in self.folders
                if folder.is_dir()
                for path in folder.iterdir()
                if path.suffix in ENDINGS and path.is_file()
            }
        )

    def find(self, uri: str) -> Path:
        """Give the file of a name such as 'follow', 'follow.mdle', or of a path in a folder.

        Raises ValueError where there is none.
        """
        for folder in self.folders:
            for ending in ('', *ENDINGS):
                path = _file_in(folder, f'{uri}{ending}')
                if path:
                    return path
        known = ', '.join(self.names()) or 'none'
        name = uri if len(uri) <= SHOWN else f'{uri[:SHOWN]}...'
        raise ValueError(f"there is no program '{name}' here; these are there: {known}")

    def read(self, uri: str) -> tuple[str, str, str]:
        """Give text, format and path of a program.

        Raises ValueError where there is none, or it cannot be read.
        """
        path = self.find(uri)
        try:
            with path.open('rb') as file:
                data = file.read(LARGEST_FILE + 1)
            text = data.decode('utf-8-sig') if len(data) <= LARGEST_FILE else ''
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f'{path}: cannot be read ({error})') from None
        if len(data) > LARGEST_FILE:
            raise ValueError(f'{path}: is longer than {LARGEST_FILE // 1_000_000} MB; split it up')
        return text, format_of(path), str(path)


def _file_in(folder: Path, name: str) -> Path | None:
    """Give the file of that name in a folder, None where there is none, or can be none."""
    if len(name) > LONGEST_NAME:
        return None
    try:
        path = (folder / name).resolve()
        within = path.suffix in ENDINGS and path.is_relative_to(folder) and path.is_file()
    except (OSError, RuntimeError, ValueError):
        # Longer than the file system takes, a circle of links, a letter that no file has.
        return None
    return path if within else None
