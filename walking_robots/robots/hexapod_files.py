"""Read files of hexapods; a wrong file is refused with its line and the remedy."""

from dataclasses import replace
from os.path import exists, isfile
from pathlib import Path

from walking_robots.documents.reader import Reader
from walking_robots.documents.shared import shared_path
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_schema import REMEDIES, HexapodDocument

A_ROBOT = 'config/robots/aquarobot.yaml'


class HexapodFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


_READER = Reader(
    HexapodDocument,
    HexapodFileError,
    title='robot file',
    example='hexapod_schema: 1',
    folder='config/robots',
    shorter='leave out what is no field of a robot',
    remedies=REMEDIES,
)


def load_hexapod(path: str | Path) -> ArticulatedHexapod:
    """Read the file of a robot, which may name a URDF beside it.

    Raises HexapodFileError when it cannot be read or is not a robot.
    """
    robot = _READER.load(path).robot()
    if robot.description is None:
        return robot
    return replace(robot, description=Path(path).parent / robot.description)


def parse_hexapod(text: str, name: str = 'robot') -> ArticulatedHexapod:
    """Read a robot from YAML text; ``name`` stands for the file in errors.

    Raises HexapodFileError when the text is not a robot.
    """
    return _READER.parse(text, name).robot()


def find_hexapod(robot: str) -> ArticulatedHexapod:
    """Read the robot of a file, or the shipped one of a name.

    Raises ValueError, one sentence, for neither, and for a wrong file.
    """
    path = Path(robot)
    if path.suffix or len(path.parts) != 1 or exists(path):
        return load_hexapod(path)
    folder = shared_path(A_ROBOT).parent
    path = folder / f'{robot}.yaml'
    if not isfile(path):
        known = ', '.join(sorted(file.stem for file in folder.glob('*.yaml')))
        raise ValueError(
            f"there is no robot '{robot}'; give the path of a file, or one of {known}"
        )
    return load_hexapod(path)
