"""Laws and guards of ``std.body2`` that are more than an expression (mdle.md §4.16)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.knowledge.extension import guard, law
from walking_robots.mdle.knowledge.functions import FASTEST_TURN, Point, distances, pursue

Values = Mapping[str, Any]
Control = tuple[float, float]

LOOK_AHEAD = 0.3
"""How far along the path a follower looks, m."""


@law(
    'body2',
    {'start': 'pose', 'distance': 'm', 'speed': 'm/s'},
    reads=['pose'],
    fastest=('speed', math.inf),
)
def drive_straight(t: float, y: Values, start: Pose2, distance: float, speed: float) -> Control:
    """Return the control that keeps to the line on which the robot began, slower near its end."""
    pose = y['pose']
    cosine, sine = math.cos(start[2]), math.sin(start[2])
    dx, dy = pose[0] - start[0], pose[1] - start[1]
    left = distance - (dx * cosine + dy * sine)
    aside = dy * cosine - dx * sine
    v = math.copysign(min(speed, max(0.02, abs(left))), left)
    return v, 1.5 * wrap(start[2] - pose[2]) - 2.0 * math.copysign(1.0, v) * aside


def _along(path: Sequence[Point], pose: Pose2) -> tuple[int, float]:
    """Return the leg of a path, and the share of it, that is nearest to a pose."""
    best = (math.inf, 0, 0.0)
    for index, (off, share) in enumerate(distances(path, pose)):
        if off < best[0] - 1e-12:
            best = (off, index, share)
    return best[1], best[2]


@law('body2', {'path': 'path', 'speed': 'm/s'}, reads=['pose'], fastest=('speed', FASTEST_TURN))
def follow_path(t: float, y: Values, path: Sequence[Point], speed: float) -> Control:
    """Return the control that drives towards the point of a path a little ahead (pure pursuit)."""
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
    """Return whether the end of a path is reached, along its last leg."""
    end, pose = path[-1], y['pose']
    return math.hypot(end[0] - pose[0], end[1] - pose[1]) < tolerance and (
        _along(path, pose)[0] == len(path) - 2
    )
