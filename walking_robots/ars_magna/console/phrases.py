"""Say in words what the codes of commands mean (ars_magna.md §2.12)."""

from collections.abc import Mapping

from walking_robots.ars_magna.codes import Code

_PHRASES: Mapping[Code, str] = {
    Code.NIL: 'it succeeded',
    Code.ALREADY_TRACKING: 'the camera tracks something already',
    Code.BAD_DESIGNATOR: 'the designator is not valid',
    Code.BIN_CLOSED: 'it is closed',
    Code.BIN_JAMMED: 'something jams the lid, try again',
    Code.BIN_OPEN: 'it is open already',
    Code.CAMERA_BUMP: 'the camera missed and bumped into it',
    Code.CAMERA_ENCLOSED: 'the camera is in something',
    Code.CAMERA_INSIDE: 'the camera is in something, and the designator is not local',
    Code.DESIGNATOR_NOT_FOUND: 'nothing was found',
    Code.DIFFERENT_LOCATION: 'the parts are in different locations',
    Code.GOTO_LOCAL: 'the designator is local already',
    Code.GRASPING: 'the hand holds something',
    Code.GRASP_LOST: 'the hand holds it no longer',
    Code.HAND_BUMP: 'the hand missed and bumped into it',
    Code.HAND_GRASPING: 'the hand holds something already',
    Code.HOLDING_THING: 'it would go into what it holds',
    Code.INCORRECT_PLACE_TYPE: 'the place was taken for another',
    Code.INSUFFICIENT_CAPACITY: 'there is not enough room',
    Code.INSUFFICIENT_STRENGTH: 'it is too heavy',
    Code.INTERRUPT: 'another command came in between',
    Code.INVALID_PLACE_TYPE: 'there is no such place type',
    Code.INVISIBLE_PLACE_TYPE: 'such places cannot be seen from afar',
    Code.LOCAL_NOT_LOCAL: 'the camera is not where the designator is',
    Code.LOST_TRACK: 'the camera tracks it no longer',
    Code.MISSED_GRASP: 'the hand missed it',
    Code.NEGATIVE_SPEED: 'a speed must not be below 0',
    Code.NO_CORNER: 'there is no corner',
    Code.NON_LOCAL_DESIGNATOR: 'the designator is not local',
    Code.NON_LOCAL_GRASP: 'it is too far away',
    Code.NO_PLACE_TYPE: 'no place type was sensed',
    Code.NOT_GRASPING: 'the hand is empty',
    Code.NOT_INSIDE: 'it is in nothing',
    Code.NOT_MOVING: 'the speed or the turn angle is 0',
    Code.NOT_TRACKED: 'the camera does not track that designator',
    Code.NOT_TRACKING: 'the camera tracks nothing',
    Code.NOT_TRACKING_DESTINATION: 'the camera tracks something else',
    Code.ROBOT_BLOCKED: 'something is in the way',
    Code.ROBOT_IN_BIN: 'a part of the robot is in it',
    Code.TOO_HIGH_SPEED: 'that is above the limit',
    Code.TOO_HIGH_TURN_ANGLE: 'that is above the limit',
    Code.TOO_LOW_TURN_ANGLE: 'that is below the limit',
    Code.FAILED: 'no method fits, or it did not work this time',
    Code.NO_WALL: 'there is no wall at that side',
}


def phrase(code: str) -> str:
    """Return a code with what it means; a world's own codes stand for themselves."""
    known = _PHRASES.get(Code(code)) if code in list(Code) else None
    return code if known is None else f'{code}, {known}'
