"""Laws and guards of ``std.body2`` that are more than an expression (mdle.md §4.16)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.knowledge.extension import guard, law
from walking_robots.mdle.knowledge.functions import Point, pursue, sector

__all__ = [
    'align_to_wall',
    'along_corridor',
    'along_wall',
    'drive_straight',
    'follow_path',
    'path_done',
]

Values = Mapping[str, Any]
Control = tuple[float, float]

NEAR_AHEAD = math.radians(60.0)
SIDE_WIDTH = math.radians(30.0)
LOOK_AHEAD = 0.3
"""How far along the path a follower looks, m."""


@law('body2', {'start': 'pose', 'distance': 'm', 'speed': 'm/s'}, reads=['pose'])
def drive_straight(t: float, y: Values, start: Pose2, distance: float, speed: float) -> Control:
    """Give the control that keeps to the line on which the robot began, slower near its end."""
    pose = y['pose']
    cosine, sine = math.cos(start[2]), math.sin(start[2])
    dx, dy = pose[0] - start[0], pose[1] - start[1]
    left = distance - (dx * cosine + dy * sine)
    aside = dy * cosine - dx * sine
    v = math.copysign(min(speed, max(0.02, abs(left))), left)
    return v, 1.5 * wrap(start[2] - pose[2]) - 2.0 * math.copysign(1.0, v) * aside


def _side(side: str) -> float:
    """Give +1 for left and -1 for right.

    Raises ValueError for anything else.
    """
    if side not in ('left', 'right'):
        raise ValueError(f"a side is 'left' or 'right', not '{side}'")
    return 1.0 if side == 'left' else -1.0


def _wall(ranges: Sequence[float], sign: float) -> tuple[float, float]:
    """Give the distance to a wall beside the robot, m, and its angle to the heading, rad.

    From the beams 22.5 degrees ahead of and behind the middle of that side.
    """
    spread = math.radians(22.5)
    ahead = min(sector(ranges, sign * (math.pi / 2 - spread), 0.0))
    behind = min(sector(ranges, sign * (math.pi / 2 + spread), 0.0))
    beside = min(sector(ranges, sign * math.pi / 2, SIDE_WIDTH))
    # Where the wall runs away ahead, the front beam is the longer one.
    angle = sign * math.atan2(
        (ahead - behind) * math.cos(spread), (ahead + behind) * math.sin(spread)
    )
    return min(beside, ahead * math.cos(spread), behind * math.cos(spread)), angle


@law('body2', {'distance': 'm', 'side': 'str'}, reads=['sonar'])
def align_to_wall(t: float, y: Values, distance: float, side: str) -> Control:
    """Give the control that turns on the spot until the robot is parallel to a wall."""
    sign = _side(side)
    gap, angle = _wall(y['sonar'], sign)
    lean = max(-0.3, min(0.3, gap - distance))
    return 0.0, max(-0.5, min(0.5, 1.2 * angle + sign * 0.5 * lean))


@law('body2', {'distance': 'm', 'side': 'str', 'speed': 'm/s'}, reads=['sonar'])
def along_wall(t: float, y: Values, distance: float, side: str, speed: float) -> Control:
    """Give the control that follows a wall at a distance, m, and turns away from what is ahead."""
    ranges, sign = y['sonar'], _side(side)
    front = min(sector(ranges, 0.0, NEAR_AHEAD))
    if front < 1.2 * distance:
        return 0.0, -sign * 0.5
    gap, angle = _wall(ranges, sign)
    if gap > 3.0 * distance:
        # The wall has ended: go round its end.
        return 0.6 * speed, sign * min(0.5, 0.6 * speed / distance)
    lean = max(-0.4, min(0.4, 1.5 * (gap - distance)))
    turn = 1.2 * angle + sign * lean
    return speed * min(1.0, front / (3.0 * distance)), max(-0.6, min(0.6, turn))


@law('body2', {'speed': 'm/s'}, reads=['sonar'])
def along_corridor(t: float, y: Values, speed: float) -> Control:
    """Give the control that keeps the middle between the walls on both sides."""
    ranges = y['sonar']
    left, left_angle = _wall(ranges, 1.0)
    right, right_angle = _wall(ranges, -1.0)
    front = min(sector(ranges, 0.0, NEAR_AHEAD))
    offset = max(-0.4, min(0.4, 0.8 * (left - right)))
    turn = 0.6 * (left_angle + right_angle) + offset
    return speed * max(0.0, min(1.0, front - 0.5)), max(-0.5, min(0.5, turn))


def _along(path: Sequence[Point], pose: Pose2) -> tuple[int, float]:
    """Give the leg of a path, and the share of it, that is nearest to a pose."""
    best = (math.inf, 0, 0.0)
    for index in range(len(path) - 1):
        (ax, ay), (bx, by) = path[index], path[index + 1]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        share = ((pose[0] - ax) * dx + (pose[1] - ay) * dy) / square if square else 0.0
        share = min(1.0, max(0.0, share))
        off = math.hypot(pose[0] - ax - share * dx, pose[1] - ay - share * dy)
        if off < best[0] - 1e-12:
            best = (off, index, share)
    return best[1], best[2]


@law('body2', {'path': 'path', 'speed': 'm/s'}, reads=['pose'])
def follow_path(t: float, y: Values, path: Sequence[Point], speed: float) -> Control:
    """Give the control that drives towards the point of a path a little ahead (pure pursuit)."""
    pose = y['pose']
    index, share = _along(path, pose)
    left = LOOK_AHEAD
    while True:
        (ax, ay), (bx, by) = path[index], path[index + 1]
        length = math.hypot(bx - ax, by - ay)
        ahead = length * (1.0 - share)
        if left <= ahead or index == len(path) - 2:
            share = min(1.0, share + left / length) if length else 1.0
            goal = (ax + share * (bx - ax), ay + share * (by - ay))
            return pursue(pose, goal, speed)
        left -= ahead
        index, share = index + 1, 0.0


@guard({'path': 'path', 'tolerance': 'm'}, reads=['pose'])
def path_done(y: Values, path: Sequence[Point], tolerance: float) -> bool:
    """Tell whether the end of a path is reached, along its last leg."""
    end, pose = path[-1], y['pose']
    return math.hypot(end[0] - pose[0], end[1] - pose[1]) < tolerance and (
        _along(path, pose)[0] == len(path) - 2
    )
