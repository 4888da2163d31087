"""Read ground in the form of the thesis's terrain files (biped.md §4.1).

A directive a line, with or without ``#``: xresolution, yresolution and zresolution (m),
downdimension and acrossdimension (rows, and numbers in each), xdown or ydown (what grows from row
to row), regionmode or doghnutmode, xoffset and yoffset (cells), beginterrain. Then rows of whole
heights, and ``###``.
"""

import math
from dataclasses import dataclass, field

from walking_robots.terrain.profile import HeightProfile, grid

SIZES = ('xresolution', 'yresolution', 'zresolution')
COUNTS = ('downdimension', 'acrossdimension')
OFFSETS = ('xoffset', 'yoffset')
FLAGS = ('xdown', 'ydown', 'regionmode', 'doghnutmode', 'doughnutmode')
BEGIN, END = 'beginterrain', '###'
MOST = 10_000
"""Of rows, of numbers in each, of whole heights, up or down, and of cells of an offset."""
SPACING = (0.001, 10.0, 'from 0.001 to 10 m')
BOUNDS = {
    **dict.fromkeys(SIZES[:2], SPACING),
    'zresolution': (0.0, 1.0, 'from 0 to 1 m'),
    **dict.fromkeys(OFFSETS, (-MOST, MOST, f'within {MOST} cells')),
}


@dataclass
class _Header:
    """What stands before the heights."""

    numbers: dict[str, float] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    def add(self, line: str) -> None:
        """Take in a directive; raises ValueError, half a sentence, for what is none."""
        name, *values = line.lstrip('#').split()
        if name in FLAGS and not values:
            self.flags.add(name)
            return
        if name not in (*SIZES, *COUNTS, *OFFSETS):
            raise ValueError(
                f"'{name[:40]}' is no directive; use one of "
                + ', '.join((*SIZES, *COUNTS, *OFFSETS, *FLAGS, BEGIN))
            )
        try:
            [value] = map(float, values)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ValueError(f'{name} needs one number, write for example {name} 5')
        low, high, words = BOUNDS.get(name, (-math.inf, math.inf, ''))
        if not low <= value <= high:
            raise ValueError(f'{name} must be {words}')
        if name in COUNTS and not value > 0.0:
            raise ValueError(f'{name} must be greater than zero')
        if name in COUNTS and (value != int(value) or value > MOST):
            raise ValueError(f'{name} must be a whole number up to {MOST}')
        self.numbers[name] = value


def parse_listing(text: str, name: str = 'terrain') -> HeightProfile:
    """Read ground that is the same along y; ``name`` stands for the file in errors.

    Raises ValueError, one sentence with the line, for what is no such ground.
    """
    header, rows = _Header(), list[list[int]]()
    begun = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words:
            continue
        if words == END:
            break
        try:
            if begun:
                rows.append([int(word) for word in words.split()])
            elif words.lstrip('#') == BEGIN:
                begun = number
            else:
                header.add(words)
        except ValueError as error:
            reason = 'must be whole numbers or ###' if begun else str(error)
            raise ValueError(f'{name}, line {number}: {reason}.') from None
    for needed in (*SIZES, *COUNTS):
        if needed not in header.numbers:
            raise ValueError(f'{name}: {needed} is missing; write a line such as #{needed} 5.')
    if not begun:
        raise ValueError(f'{name}: {BEGIN} is missing; write it before the rows of heights.')
    return _profile(header, rows, f'{name}, from line {begun}')


def _profile(header: _Header, rows: list[list[int]], where: str) -> HeightProfile:
    """Build the ground; raises ValueError for rows that are not as announced."""
    down, across = (int(header.numbers[key]) for key in COUNTS)
    if len(rows) != down or any(len(row) != across for row in rows):
        raise ValueError(f'{where}: must have {down} rows of {across} heights, as announced.')
    along = rows if 'ydown' not in header.flags else [list(row) for row in zip(*rows, strict=True)]
    if any(len(set(row)) > 1 for row in along):
        raise ValueError(f'{where}: heights must be the same along y, for robots in a plane.')
    units = [row[0] for row in along]
    if max(map(abs, units)) > MOST:
        raise ValueError(f'{where}: must have heights within {MOST}.')
    if len(units) < 2:
        raise ValueError(f'{where}: ground has at least two heights along x.')
    unit, spacing = header.numbers['zresolution'], header.numbers['xresolution']
    if header.flags & {'doghnutmode', 'doughnutmode'}:
        # The ground begins again one cell after its last point.
        try:
            return grid([*units, units[0]], unit, start=0.0, spacing=spacing, outside='wrap')
        except ValueError as error:
            raise ValueError(f'{where}: {error}.') from None
    start = header.numbers.get('xoffset', 0.0) * spacing
    return grid(units, unit, start=start, spacing=spacing, outside='zero')
