"""Maps in the format of ROS's map_server: a grey picture (.pgm) and its description (.yaml).

Nav2's map server reads and writes the same (https://wiki.ros.org/map_server, "Map format"). The
last pose of the robot goes into the description, in fields that other programs leave alone.
"""

import os
import re
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from walking_robots.documents.fields import DocumentPart
from walking_robots.documents.reader import Reader
from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.occupancy_grid import (
    FREE,
    LARGEST_SIDE,
    OCCUPIED,
    OccupancyGrid,
)

FREE_GREY, UNKNOWN_GREY, OCCUPIED_GREY = 254, 205, 0
"""What map_server writes."""
FREE_ODDS, OCCUPIED_ODDS = -2.0, 3.0
"""Log-odds of the cells of a map that was read; a choice."""
LARGEST_PICTURE = LARGEST_SIDE * LARGEST_SIDE + 1000

Number = Annotated[float, Field(allow_inf_nan=False)]


class MapFileError(ValueError):
    """Say in one sentence which file is wrong, why, and what to do."""


class MapDocument(DocumentPart):
    """What the description of a map says."""

    image: Annotated[str, Field(min_length=1, max_length=500)]
    resolution: Annotated[Number, Field(gt=0.0, le=10.0)]
    origin: tuple[Number, Number, Number]
    negate: Literal[0, 1] = 0
    occupied_thresh: Annotated[Number, Field(gt=0.0, lt=1.0)] = 0.65
    free_thresh: Annotated[Number, Field(gt=0.0, lt=1.0)] = 0.196
    mode: Literal['trinary', 'scale', 'raw'] = 'trinary'
    robot_pose: tuple[Number, Number, Number] | None = None
    odometry: tuple[Number, Number, Number] | None = None


_READER = Reader(
    MapDocument,
    MapFileError,
    title='map',
    example='image: map.pgm',
    folder='docs/planner.md',
    shorter='give the .yaml file of a map',
    remedies={
        'image': 'the name of a .pgm picture beside this file',
        'resolution': 'the side of a cell, m, such as 0.05',
        'origin': 'x, y and heading of the lower left corner, such as [-5.0, -4.0, 0.0]',
        'mode': 'trinary',
    },
)


def save_map(
    path: str | Path, grid: OccupancyGrid, pose: Pose2 | None = None, odometry: Pose2 | None = None
) -> None:
    """Write a map as ``path`` (.yaml) and the picture beside it, each at once or not at all.

    pose: of the robot in the map, and by its odometry. Raises MapFileError where it cannot.
    """
    path = _described(path)
    files = map_files(path.stem, grid.classes(), grid.resolution, grid.origin, pose, odometry)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for file, data in zip((path.with_suffix('.pgm'), path), files.values(), strict=True):
            part = file.with_name(f'{file.name}.part')
            part.write_bytes(data)
            os.replace(part, file)
    except OSError as error:
        raise MapFileError(
            f'{path}: cannot be written ({(error.strerror or "no path").lower()}); '
            f'give the path of a .yaml file in a folder of yours.'
        ) from None


def map_files(
    name: str,
    classes: NDArray[np.int8],
    resolution: float,
    origin: tuple[float, float],
    pose: Pose2 | None = None,
    odometry: Pose2 | None = None,
) -> dict[str, bytes]:
    """Return the picture and the description of a map called ``name``, contents by file name.

    classes: of cells, (rows, columns), as in `OccupancyGrid`; pose, odometry: see `save_map`.
    """
    grey = np.full(classes.shape, UNKNOWN_GREY, dtype=np.uint8)
    grey[classes == FREE], grey[classes == OCCUPIED] = FREE_GREY, OCCUPIED_GREY
    rows, columns = classes.shape
    head = f'P5\n{columns} {rows}\n255\n'.encode()
    text = (
        f'image: {name}.pgm\nmode: trinary\nresolution: {resolution:g}\n'
        f'origin: [{origin[0]:.6f}, {origin[1]:.6f}, 0.0]\nnegate: 0\n'
        f'occupied_thresh: 0.65\nfree_thresh: 0.196\n'
    )
    for field, value in (('robot_pose', pose), ('odometry', odometry)):
        if value is not None:
            text += f'{field}: [{", ".join(f"{part:.6f}" for part in value)}]\n'
    return {f'{name}.pgm': head + grey[::-1].tobytes(), f'{name}.yaml': text.encode()}


def load_map(path: str | Path) -> tuple[OccupancyGrid, Pose2 | None, Pose2 | None]:
    """Read a map: the grid, and where the robot was in it, and by its odometry, if it says so.

    Raises MapFileError when it cannot be read or is not a map.
    """
    path = _described(path)
    text = _READER.text_of(path)
    found = _READER.parse(text, str(path))
    if found.origin[2]:
        raise _READER.mistake(text, str(path), ('origin',), 'must have heading 0; turn the map')
    if found.free_thresh >= found.occupied_thresh:
        raise _READER.mistake(
            text, str(path), ('free_thresh',), 'must be less than occupied_thresh; write 0.196'
        )
    grey = _picture(path.parent / found.image)
    share = grey / 255.0 if found.negate else 1.0 - grey / 255.0
    rows, columns = grey.shape
    grid = OccupancyGrid(found.resolution, found.origin[:2], rows, columns)
    grid.log_odds[share > found.occupied_thresh] = OCCUPIED_ODDS
    grid.log_odds[share < found.free_thresh] = FREE_ODDS
    grid.refresh()
    pose, odometry = (Pose2(*p) if p else None for p in (found.robot_pose, found.odometry))
    return grid, pose, odometry


def _described(path: str | Path) -> Path:
    """Return the path of a description; raise MapFileError for anything else."""
    if not str(path).endswith(('.yaml', '.yml')):
        raise MapFileError(f"'{path}' is not the path of a map; it must end in .yaml.")
    return Path(path).expanduser()


def _picture(path: Path) -> NDArray[np.uint8]:
    """Return the grey values of a binary .pgm, (rows, columns), row 0 the lowest."""
    try:
        with path.open('rb') as file:
            data = file.read(LARGEST_PICTURE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or 'not a path'
        raise MapFileError(
            f'{path}: cannot be read ({reason.lower()}); keep the picture beside its .yaml file.'
        ) from None
    head = re.match(rb'P5(?:\s+#[^\n]*)*\s+(\d{1,5})\s+(\d{1,5})\s+(\d{1,5})\s', data)
    if head is None or int(head[3]) != 255:
        raise MapFileError(f'{path}: is not a binary picture of 256 greys; save it as .pgm (P5).')
    columns, rows = int(head[1]), int(head[2])
    if not (0 < columns <= LARGEST_SIDE and 0 < rows <= LARGEST_SIDE):
        raise MapFileError(
            f'{path}: has {columns} x {rows} cells; use 1 to {LARGEST_SIDE} along each side.'
        )
    if len(data) - head.end() < rows * columns:
        raise MapFileError(f'{path}: ends before its {columns} x {rows} cells; save it again.')
    grey = np.frombuffer(data, np.uint8, rows * columns, head.end()).reshape(rows, columns)
    return grey[::-1]
