"""Laws of ``std.body2`` that follow walls by a ring of 16 sonars (mdle.md §4.16)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from walking_robots.mdle.knowledge.extension import guard, law
from walking_robots.mdle.knowledge.functions import sector

Values = Mapping[str, Any]
Control = tuple[float, float]

NEAR_AHEAD = math.radians(60.0)
STEP = math.radians(22.5)
"""Between two beams of a ring of 16."""
CONE = math.radians(12.5)
"""Half the width of a beam."""
EDGE = STEP - CONE
"""Between abeam and the inner edge of the beam beside it."""
PAST_THE_END = 3.0
"""Times as far as abeam that no wall beside the robot is heard: there it has ended."""
FAR_OFF = 1.2
"""Angle, rad, of a wall that is not beside the robot but ahead or behind."""
FASTEST_TURN = 0.5
"""Of all laws here, rad/s."""
RING = 0.2
"""Of the sonars, m from the middle of the robot."""
OPENING = 1.5
"""Distance, m from the sonars, beyond which a side of a corridor is open."""


def _side(side: str) -> float:
    """Return +1 for left and -1 for right.

    Raises ValueError for anything else.
    """
    if side not in ('left', 'right'):
        raise ValueError(f"a side is 'left' or 'right', not '{side}'")
    return 1.0 if side == 'left' else -1.0


class _Wall(NamedTuple):
    """What the sonars of one side measure of a wall: its gap, m, and its angle to the robot, rad.

    A positive angle is one to turn to the left by; None: no single wall is there, as in a corner.
    ``ended``: there is nothing beside the robot.
    """

    gap: float
    angle: float | None
    ended: bool


def _wall(ranges: Sequence[float], sign: float, farthest: float) -> _Wall:
    """Look for a wall on the side of a sign, at most so far from the sonars, m."""
    beams = [
        sector(ranges, sign * (math.pi / 2 + number * STEP), 0.0)[0] for number in range(-2, 3)
    ]
    _, ahead, beside, behind, _ = beams
    gap = min(beside, math.cos(EDGE) * min(ahead, behind))
    angle = _angle(beams)
    if angle is None:
        # Behind is a wall, or beside is but the edge of one.
        ended = 1.3 * behind < min(beside, ahead) or 1.2 * beside < min(ahead, behind)
        return _Wall(gap, None, ended or beside > farthest)
    return _Wall(gap, sign * angle, beside > farthest and abs(angle) < FAR_OFF)


def _farthest(distance: float) -> float:
    """Return how far off, m, a wall may be that is to be at a distance, m."""
    return max(3.0 * distance, distance + 0.6)


def _angle(beams: Sequence[float]) -> float | None:
    """Return the angle by which a wall runs away ahead, rad, from five beams, the foremost first.

    None where they hear more than one wall.
    """
    foremost, ahead, beside, behind, hindmost = beams
    # Nearer and nearer from one end to the other: the wall is rather behind, or ahead.
    if hindmost < 0.95 * behind < 0.86 * beside and beside < 0.77 * ahead:
        return FAR_OFF
    if foremost < 0.95 * ahead < 0.86 * beside and beside < 0.77 * behind:
        return -FAR_OFF
    nearer, farther = min(ahead, behind), max(ahead, behind)
    if not nearer / 1.2 < beside < 1.3 * nearer or beside > max(1.1 * nearer, 0.9 * farther):
        # At the edge of a wall, past it; and where another one comes in at the side.
        return None
    return _runs_away(ahead / beside) - _runs_away(behind / beside)


def _runs_away(ratio: float) -> float:
    """Return the angle of a wall that the beam next to abeam hears so many times as far as abeam.

    A sonar hears the nearest thing in its cone, so both hear it along the inner edges of theirs.
    """
    if ratio > PAST_THE_END:
        return 0.0
    tangent = (ratio * math.cos(EDGE) - math.cos(CONE)) / (math.sin(CONE) + ratio * math.sin(EDGE))
    return max(0.0, math.atan(tangent))


@law('body2', {'distance': 'm', 'side': 'wall_side'}, reads=['sonar'], fastest=(0.0, FASTEST_TURN))
def align_to_wall(t: float, y: Values, distance: float, side: str) -> Control:
    """Return the control that turns on the spot until the robot is parallel to a wall.

    Where it is nearer or farther than ``distance``, m from the sonars, it turns to a heading that
    will lead it there. Where there is no wall it keeps its heading.
    """
    off = _off_heading(y, distance, side)
    return 0.0, 0.0 if off is None else max(-0.5, min(0.5, 1.2 * off))


def _off_heading(y: Values, distance: float, side: str) -> float | None:
    """Return the turn to the heading that leads to a distance from a wall, if there is one."""
    sign = _side(side)
    wall = _wall(y['sonar'], sign, _farthest(distance))
    if wall.ended or wall.angle is None:
        return None
    return wall.angle + sign * max(-0.25, min(0.25, wall.gap - distance))


@guard({'distance': 'm', 'side': 'wall_side', 'tolerance': 'rad'}, reads=['sonar'])
def along_the_wall(y: Values, distance: float, side: str, tolerance: float) -> bool:
    """Return whether the robot has the heading to which ``align_to_wall`` turns it."""
    off = _off_heading(y, distance, side)
    return off is not None and abs(off) < tolerance


@law(
    'body2',
    {'distance': 'm', 'side': 'wall_side', 'speed': 'm/s'},
    reads=['sonar'],
    fastest=('speed', FASTEST_TURN),
)
def along_wall(t: float, y: Values, distance: float, side: str, speed: float) -> Control:
    """Return the control that follows a wall at a distance, m from the sonars.

    It turns away from what is ahead, and goes round the end of the wall.
    """
    ranges, sign = y['sonar'], _side(side)
    front = min(sector(ranges, 0.0, NEAR_AHEAD))
    wall = _wall(ranges, sign, _farthest(distance))
    # What stands opposite the end of a wall may be nearer than the wall of a corner.
    if front < (0.8 if wall.ended else 1.2) * distance:
        return 0.0, -sign * 0.5
    if wall.ended:
        return 0.6 * speed, sign * min(0.5, 0.6 * speed / (distance + RING))
    ahead = speed * min(1.0, front / (3.0 * distance))
    if wall.angle is None:
        return ahead, 0.0
    lean = max(-0.3, min(0.3, wall.gap - distance))
    return ahead, max(-0.5, min(0.5, 1.2 * (wall.angle + sign * lean)))


@law('body2', {'speed': 'm/s'}, reads=['sonar'], fastest=('speed', FASTEST_TURN))
def along_corridor(t: float, y: Values, speed: float) -> Control:
    """Return the control that keeps the middle between the walls on both sides.

    Beside an opening it keeps to the direction of the other wall. It comes to rest before what is
    ahead.
    """
    ranges = y['sonar']
    walls = [_wall(ranges, sign, OPENING) for sign in (1.0, -1.0)]
    left, right = walls
    angles = [wall.angle for wall in walls if not wall.ended and wall.angle is not None]
    off = 0.5 * (left.gap - right.gap) if len(angles) == 2 else 0.0
    turn = sum(angles) / max(len(angles), 1) + max(-0.3, min(0.3, off))
    front = min(sector(ranges, 0.0, NEAR_AHEAD))
    return speed * max(0.0, min(1.0, front - 0.5)), max(-0.5, min(0.5, 1.2 * turn))
