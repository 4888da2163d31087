"""Read profiles of heights; a wrong file is refused with its line and the remedy."""

import csv
import math
from itertools import pairwise
from pathlib import Path

from walking_robots.documents.reader import Reader
from walking_robots.terrain.profile import HeightProfile, grows
from walking_robots.terrain.profile_listing import parse_listing
from walking_robots.terrain.profile_schema import FARTHEST, MOST_POINTS, REMEDIES, ProfileDocument


class ProfileFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    ProfileDocument,
    ProfileFileError,
    title='profile',
    example='points: [[0m, 0m], [1m, 4cm]]',
    folder='config/profiles',
    shorter='use fewer points',
    remedies=REMEDIES,
)


def load_profile(path: str | Path) -> HeightProfile:
    """Read the file of a profile: .csv, .ter as in the thesis, else YAML.

    Raises ProfileFileError when it cannot be read or is no profile.
    """
    path = Path(path)
    if path.suffix.lower() == '.csv':
        return parse_csv_profile(_READER.text_of(path), str(path))
    if path.suffix.lower() == '.ter':
        try:
            return parse_listing(_READER.text_of(path), str(path))
        except ValueError as error:
            raise ProfileFileError(str(error)) from None
    return _READER.load(path).profile()


def parse_profile(text: str, name: str = 'profile') -> HeightProfile:
    """Read a profile from YAML text; ``name`` stands for the file in errors.

    Raises ProfileFileError when the text is no profile.
    """
    return _READER.parse(text, name).profile()


def parse_csv_profile(text: str, name: str = 'profile') -> HeightProfile:
    """Read a profile from rows of x and height, m; a first row of words is passed over.

    Raises ProfileFileError when the text is no profile.
    """
    points: list[tuple[float, float]] = []
    for row, cells in enumerate(csv.reader(text.splitlines()), 1):
        if not any(cell.strip() for cell in cells) or (row == 1 and _is_title(cells)):
            continue
        try:
            x, z = map(float, cells)
        except ValueError:
            x = z = math.nan
        if not (math.isfinite(x) and math.isfinite(z)):
            raise ProfileFileError(
                f'{name}, line {row}: must be two numbers, x and height in m; '
                "write for example '0.5, 0.02'."
            )
        if max(abs(x), abs(z)) > FARTHEST:
            raise ProfileFileError(
                f'{name}, line {row}: must be within 1 km; write x and height in m.'
            )
        points.append((x, z))
        if len(points) > MOST_POINTS:
            raise ProfileFileError(
                f'{name}, line {row}: is more than {MOST_POINTS} points; use fewer.'
            )
        if not all(grows(a[0], b[0]) for a, b in pairwise(points[-2:])):
            raise ProfileFileError(
                f'{name}, line {row}: must lie at a greater x than the row before, '
                'by 0.1 mm or more; sort the rows.'
            )
    if len(points) < 2:
        raise ProfileFileError(f'{name}: holds fewer than two points; write one a row, x and z.')
    across, up = zip(*points, strict=True)
    return HeightProfile(across, up)


def _is_title(cells: list[str]) -> bool:
    """Return whether a row holds words in place of numbers."""
    return all(cell.strip()[:1].isalpha() for cell in cells)
