"""Motion files in all their forms, distinguished by their suffixes."""

from collections.abc import Callable, Mapping
from pathlib import PurePath

from walking_robots.simulation.aquarobot.motion_records import parse_records
from walking_robots.simulation.aquarobot.motion_tables import parse_csv, parse_json
from walking_robots.simulation.aquarobot.motion_units import MotionFileError
from walking_robots.simulation.aquarobot.moves import Move

FORMS: Mapping[str, Callable[[str, str], tuple[Move, ...]]] = {
    '.txt': parse_records,
    '.dat': parse_records,
    '.csv': parse_csv,
    '.json': parse_json,
}
"""How to read a file by the ending of its name."""


def parse_motion(text: str, name: str) -> tuple[Move, ...]:
    """Read the moves of a motion file by its text and its name.

    Raises MotionFileError, one sentence, for what is wrong in it, and where there is no move.
    """
    parse = FORMS.get(PurePath(name).suffix.lower())
    if parse is None:
        raise MotionFileError(
            f'{name}: is not a motion file; its suffix must be {", ".join(FORMS)}'
        )
    moves = parse(text, name)
    if not moves:
        raise MotionFileError(f'{name}: holds no move; write at least one')
    return moves
