"""Error codes of commands, and their numbers on the wire (ars_magna.md §2.12)."""

from enum import StrEnum
from typing import Self

USER_DEFINED = 1000
"""Number of every code that the manual does not have; its name travels beside it."""


class Code(StrEnum):
    """The codes of the manual, in the order of E00 to E42, and NO_WALL (ars_magna.md §12.1)."""

    phrase: str
    """What it means, in words."""

    def __new__(cls, value: str, phrase: str) -> Self:
        """Return a code with what it means."""
        code = str.__new__(cls, value)
        code._value_, code.phrase = value, phrase
        return code

    NIL = 'NIL', 'it succeeded'
    ALREADY_TRACKING = 'ALREADY-TRACKING', 'the camera tracks something already'
    BAD_DESIGNATOR = 'BAD-DESIGNATOR', 'the designator is not valid'
    BIN_CLOSED = 'BIN-CLOSED', 'it is closed'
    BIN_JAMMED = 'BIN-JAMMED', 'something jams the lid, try again'
    BIN_OPEN = 'BIN-OPEN', 'it is open already'
    CAMERA_BUMP = 'CAMERA-BUMP', 'the camera missed and bumped into it'
    CAMERA_ENCLOSED = 'CAMERA-ENCLOSED', 'the camera is in something'
    CAMERA_INSIDE = 'CAMERA-INSIDE', 'the camera is in something, and the designator is not local'
    DESIGNATOR_NOT_FOUND = 'DESIGNATOR-NOT-FOUND', 'nothing was found'
    DIFFERENT_LOCATION = 'DIFFERENT-LOCATION', 'the parts are in different locations'
    GOTO_LOCAL = 'GOTO-LOCAL', 'the designator is local already'
    GRASPING = 'GRASPING', 'the hand holds something'
    GRASP_LOST = 'GRASP-LOST', 'the hand holds it no longer'
    HAND_BUMP = 'HAND-BUMP', 'the hand missed and bumped into it'
    HAND_GRASPING = 'HAND-GRASPING', 'the hand holds something already'
    HOLDING_THING = 'HOLDING-THING', 'it would go into what it holds'
    INCORRECT_PLACE_TYPE = 'INCORRECT-PLACE-TYPE', 'the place was taken for another'
    INSUFFICIENT_CAPACITY = 'INSUFFICIENT-CAPACITY', 'there is not enough room'
    INSUFFICIENT_STRENGTH = 'INSUFFICIENT-STRENGTH', 'it is too heavy'
    INTERRUPT = 'INTERRUPT', 'another command came in between'
    INVALID_PLACE_TYPE = 'INVALID-PLACE-TYPE', 'there is no such place type'
    INVISIBLE_PLACE_TYPE = 'INVISIBLE-PLACE-TYPE', 'such places cannot be seen from afar'
    LOCAL_NOT_LOCAL = 'LOCAL-NOT-LOCAL', 'the camera is not where the designator is'
    LOST_TRACK = 'LOST-TRACK', 'the camera tracks it no longer'
    MISSED_GRASP = 'MISSED-GRASP', 'the hand missed it'
    NEGATIVE_SPEED = 'NEGATIVE-SPEED', 'a speed must not be below 0'
    NO_CORNER = 'NO-CORNER', 'there is no corner'
    NON_LOCAL_DESIGNATOR = 'NON-LOCAL-DESIGNATOR', 'the designator is not local'
    NON_LOCAL_GRASP = 'NON-LOCAL-GRASP', 'it is too far away'
    NO_PLACE_TYPE = 'NO-PLACE-TYPE', 'no place type was sensed'
    NOT_GRASPING = 'NOT-GRASPING', 'the hand is empty'
    NOT_INSIDE = 'NOT-INSIDE', 'it is in nothing'
    NOT_MOVING = 'NOT-MOVING', 'the speed or the turn angle is 0'
    NOT_TRACKED = 'NOT-TRACKED', 'the camera does not track that designator'
    NOT_TRACKING = 'NOT-TRACKING', 'the camera tracks nothing'
    NOT_TRACKING_DESTINATION = 'NOT-TRACKING-DESTINATION', 'the camera tracks something else'
    ROBOT_BLOCKED = 'ROBOT-BLOCKED', 'something is in the way'
    ROBOT_IN_BIN = 'ROBOT-IN-BIN', 'a part of the robot is in it'
    TOO_HIGH_SPEED = 'TOO-HIGH-SPEED', 'that is above the limit'
    TOO_HIGH_TURN_ANGLE = 'TOO-HIGH-TURN-ANGLE', 'that is above the limit'
    TOO_LOW_TURN_ANGLE = 'TOO-LOW-TURN-ANGLE', 'that is below the limit'
    FAILED = 'FAILED', 'no method fits, or it did not work this time'
    NO_WALL = 'NO-WALL', 'there is no wall at that side'


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


def phrase(code: str) -> str:
    """Return a code with what it means; a world's own codes stand for themselves."""
    known = next((known for known in Code if known == code), None)
    return code if known is None else f'{code}, {known.phrase}'
