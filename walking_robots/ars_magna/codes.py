"""Error codes of commands, and their numbers on the wire (ars_magna.md §2.12)."""

from enum import StrEnum

USER_DEFINED = 1000
"""Number of every code that the manual does not have; its name travels beside it."""


class Code(StrEnum):
    """The codes of the manual, in the order of E00 to E42, and NO_WALL (ars_magna.md §12.1)."""

    NIL = 'NIL'
    ALREADY_TRACKING = 'ALREADY-TRACKING'
    BAD_DESIGNATOR = 'BAD-DESIGNATOR'
    BIN_CLOSED = 'BIN-CLOSED'
    BIN_JAMMED = 'BIN-JAMMED'
    BIN_OPEN = 'BIN-OPEN'
    CAMERA_BUMP = 'CAMERA-BUMP'
    CAMERA_ENCLOSED = 'CAMERA-ENCLOSED'
    CAMERA_INSIDE = 'CAMERA-INSIDE'
    DESIGNATOR_NOT_FOUND = 'DESIGNATOR-NOT-FOUND'
    DIFFERENT_LOCATION = 'DIFFERENT-LOCATION'
    GOTO_LOCAL = 'GOTO-LOCAL'
    GRASPING = 'GRASPING'
    GRASP_LOST = 'GRASP-LOST'
    HAND_BUMP = 'HAND-BUMP'
    HAND_GRASPING = 'HAND-GRASPING'
    HOLDING_THING = 'HOLDING-THING'
    INCORRECT_PLACE_TYPE = 'INCORRECT-PLACE-TYPE'
    INSUFFICIENT_CAPACITY = 'INSUFFICIENT-CAPACITY'
    INSUFFICIENT_STRENGTH = 'INSUFFICIENT-STRENGTH'
    INTERRUPT = 'INTERRUPT'
    INVALID_PLACE_TYPE = 'INVALID-PLACE-TYPE'
    INVISIBLE_PLACE_TYPE = 'INVISIBLE-PLACE-TYPE'
    LOCAL_NOT_LOCAL = 'LOCAL-NOT-LOCAL'
    LOST_TRACK = 'LOST-TRACK'
    MISSED_GRASP = 'MISSED-GRASP'
    NEGATIVE_SPEED = 'NEGATIVE-SPEED'
    NO_CORNER = 'NO-CORNER'
    NON_LOCAL_DESIGNATOR = 'NON-LOCAL-DESIGNATOR'
    NON_LOCAL_GRASP = 'NON-LOCAL-GRASP'
    NO_PLACE_TYPE = 'NO-PLACE-TYPE'
    NOT_GRASPING = 'NOT-GRASPING'
    NOT_INSIDE = 'NOT-INSIDE'
    NOT_MOVING = 'NOT-MOVING'
    NOT_TRACKED = 'NOT-TRACKED'
    NOT_TRACKING = 'NOT-TRACKING'
    NOT_TRACKING_DESTINATION = 'NOT-TRACKING-DESTINATION'
    ROBOT_BLOCKED = 'ROBOT-BLOCKED'
    ROBOT_IN_BIN = 'ROBOT-IN-BIN'
    TOO_HIGH_SPEED = 'TOO-HIGH-SPEED'
    TOO_HIGH_TURN_ANGLE = 'TOO-HIGH-TURN-ANGLE'
    TOO_LOW_TURN_ANGLE = 'TOO-LOW-TURN-ANGLE'
    FAILED = 'FAILED'
    NO_WALL = 'NO-WALL'


_NUMBERS = {
    code.value: 100 if code is Code.NO_WALL else number for number, code in enumerate(Code)
}
_NAMES = {number: name for name, number in _NUMBERS.items()}


def normal_code(text: str) -> str:
    """Return a code as the manual writes it: capitals, ``-`` for ``_``, no leading colon."""
    return text.strip().removeprefix(':').upper().replace('_', '-')


def wire_number(code: str) -> int:
    """Return the number of a code on the wire, 1000 for one that the manual does not have."""
    return _NUMBERS.get(normal_code(code), USER_DEFINED)


def code_name(number: int, name: str = '') -> str:
    """Return the code of a number on the wire; ``name`` counts where it is user-defined.

    Raises ValueError for a number without a code, or a user-defined code without a name.
    """
    if number in _NAMES:
        return _NAMES[number]
    if number < USER_DEFINED:
        raise ValueError(f'{number} is no error code: use 0 to 42, 100, or {USER_DEFINED}')
    code = normal_code(name)
    if not code:
        raise ValueError(f'error code {number} is user-defined and needs its name')
    return code
