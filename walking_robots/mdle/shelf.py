"""Where programs lie: a few folders, and nothing outside them."""

from collections.abc import Sequence
from pathlib import Path

from walking_robots.mdle.loading import format_of

__all__ = ['Shelf']

ENDINGS = ('.mdle', '.yaml', '.yml')


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
                path = (folder / f'{uri}{ending}').resolve()
                if path.suffix in ENDINGS and path.is_relative_to(folder) and path.is_file():
                    return path
        known = ', '.join(self.names()) or 'none'
        raise ValueError(f"there is no program '{uri}' here; these are there: {known}")

    def read(self, uri: str) -> tuple[str, str, str]:
        """Give text, format and path of a program.

        Raises ValueError where there is none, or it cannot be read.
        """
        path = self.find(uri)
        try:
            return path.read_text('utf-8-sig'), format_of(path), str(path)
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f'{path}: cannot be read ({error})') from None
