"""Make mazes with things to fetch, as the text of a world file."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

PITCH = 4
"""Cells from one chamber to the next: three of the chamber and one of the wall."""
COLORS = ('red', 'green', 'blue', 'violet', 'lightred', 'lightgreen', 'lightblue', 'lightviolet')
LARGEST = 40

Chamber = tuple[int, int]

_TEXT = """\
# A maze of {columns} x {rows} chambers, made with seed {seed}. Between any two chambers there is
# one way and no other; at the end of each blind alley lies something to fetch.
# Whole numbers are cells of 1 m; y counts from the top, x from the left.
ars_schema: 1
world:
  name: maze
  size: [{width}, {height}]
  substances: {{gold: 100}}
  walls:
{walls}
  prototypes:
    gem: {{size: 1, weight: 0.5, substance: gold}}
  objects:
{objects}
  start: {{at: [2, 2], heading: 0deg}}
robots:
  - name: robbie
    at: [2, 2]
    angle: 0
    cameras: [{{fov: 60deg, resolution: 5}}, {{fov: 90deg, resolution: 9}}]
    hands: [{{strength: 10}}, {{strength: 4}}]
    bins: [{{capacity: 20}}, {{capacity: 5}}]
"""


def maze(columns: int, rows: int, seed: int) -> str:
    """Return a maze of so many chambers as a world file; the same seed makes the same maze.

    Raises ValueError for fewer than two chambers or too many.
    """
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST and columns * rows > 1):
        raise ValueError(
            f'a maze needs at least 2 chambers, and at most {LARGEST} on each side, '
            f'not {columns} x {rows}; give other numbers'
        )
    ways = _ways(columns, rows, Random(seed))
    filled = _filled(columns, rows, ways)
    height, width = filled.shape
    ends = [chamber for chamber in sorted(ways) if len(ways[chamber]) == 1 and chamber != (0, 0)]
    objects = [
        f'    - {{name: gem, prototype: gem, at: [{_middle(x)}, {_middle(y)}], '
        f'attrs: {{color: {COLORS[number % len(COLORS)]}}}}}'
        for number, (x, y) in enumerate(ends)
    ]
    walls = [
        f'    - wall: {{from: [{x0}, {y0}], to: [{x1}, {y1}], type: stone, params: [30]}}'
        for x0, y0, x1, y1 in _runs(filled)
    ]
    return _TEXT.format(
        columns=columns,
        rows=rows,
        seed=seed,
        width=width,
        height=height,
        walls='\n'.join(walls),
        objects='\n'.join(objects),
    )


def _ways(columns: int, rows: int, random: Random) -> dict[Chamber, set[Chamber]]:
    """Return the chambers to which each is open: a tree, grown from the first in depth."""
    ways: dict[Chamber, set[Chamber]] = {(0, 0): set()}
    trail = [(0, 0)]
    while trail:
        x, y = trail[-1]
        fresh = [
            (u, v)
            for u, v in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
            if 0 <= u < columns and 0 <= v < rows and (u, v) not in ways
        ]
        if not fresh:
            trail.pop()
            continue
        chosen = random.choice(fresh)
        ways[x, y].add(chosen)
        ways[chosen] = {(x, y)}
        trail.append(chosen)
    return ways


def _filled(columns: int, rows: int, ways: dict[Chamber, set[Chamber]]) -> NDArray[np.bool_]:
    """Return the filled cells (rows, columns), y downwards."""
    filled = np.ones((rows * PITCH + 1, columns * PITCH + 1), dtype=np.bool_)
    for (x, y), others in ways.items():
        for u, v in others:
            left, right = sorted((x, u))
            top, bottom = sorted((y, v))
            filled[
                top * PITCH + 1 : (bottom + 1) * PITCH, left * PITCH + 1 : (right + 1) * PITCH
            ] = False
    return filled


def _middle(number: int) -> int:
    return number * PITCH + PITCH // 2


def _runs(filled: NDArray[np.bool_]) -> Iterator[tuple[int, int, int, int]]:
    """Yield lines of filled cells, ends included: rows first, then columns; all of two or more.

    Walls join chambers' corners, so that no filled cell stands alone.
    """
    for y in range(0, filled.shape[0], PITCH):
        for first, last in _stretches(filled[y]):
            yield first, y, last, y
    for x in range(0, filled.shape[1], PITCH):
        for first, last in _stretches(filled[:, x]):
            yield x, first, x, last


def _stretches(line: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield first and last index of each stretch of two or more filled cells."""
    edges = np.flatnonzero(np.diff(np.pad(line, 1).astype(np.int8)))
    for first, behind in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if behind - first > 1:
            yield first, behind - 1
