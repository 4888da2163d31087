"""What the planner means to do, as RViz and the page draw it: way, tube, frontiers, bounds."""

from collections.abc import Iterable, Sequence
from typing import Any

from geometry_msgs.msg import Point, PoseStamped, Vector3
from nav_msgs.msg import Path
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from walking_robots.geometry.se2 import Pose2, quaternion
from walking_robots.mdle.planner.ground import ANYWHERE, Area
from walking_robots.nodes.common.conversions import fill_pose, header_to_msg

TUBE, FRONTIERS, GOAL, AREA = 'tube', 'frontiers', 'goal', 'area'
"""Namespaces of the markers."""
HEIGHT = 0.02
_COLOURS = {
    TUBE: (0.08, 0.59, 0.47, 0.45),
    FRONTIERS: (0.91, 0.51, 0.09, 0.9),
    GOAL: (0.57, 0.25, 0.75, 0.9),
    AREA: (0.81, 0.23, 0.2, 0.9),
}


def path_to_msg(poses: Iterable[Sequence[float]], stamp: int, frame: str) -> Path:
    """Return a way by its poses (x, y, heading), m and rad, in ``frame``; ``stamp`` in ns."""
    header = header_to_msg(stamp, frame)
    path = Path(header=header)
    for x, y, heading in poses:
        pose = PoseStamped(header=header)
        fill_pose(pose.pose, (x, y, 0.0), quaternion(heading))
        path.poses.append(pose)
    return path


def plan_markers(
    stamp: int,
    frame: str,
    *,
    tube: float,
    predicted: Sequence[Sequence[float]],
    frontiers: Iterable[tuple[float, float]],
    goal: Pose2 | None,
    area: Area,
) -> MarkerArray:
    """Return a band of ``tube`` m to either side of a predicted path, frontiers, goal and bounds.

    predicted, frontiers: x, y, m; area: that the robot may not leave; what there is nothing of is
    deleted. ``stamp`` in ns.
    """
    lines = [_point(*place[:2]) for place in predicted]
    places = [_point(*place) for place in frontiers]
    goals = [] if goal is None else [_point(goal.x, goal.y)]
    edge = [] if area == ANYWHERE else [_point(*corner) for corner in area.outline]
    kinds = (
        (TUBE, Marker.LINE_STRIP, (2.0 * tube, 0.0, 0.0), lines if len(lines) > 1 else []),
        (FRONTIERS, Marker.SPHERE_LIST, (0.18, 0.18, 0.04), places),
        (GOAL, Marker.SPHERE_LIST, (0.26, 0.26, 0.04), goals),
        (AREA, Marker.LINE_STRIP, (0.04, 0.0, 0.0), edge),
    )
    return MarkerArray(markers=[_marker(stamp, frame, *kind) for kind in kinds])


def _point(x: float, y: float) -> Point:
    return Point(x=float(x), y=float(y), z=HEIGHT)


def _marker(
    stamp: int, frame: str, name: str, kind: int, size: Any, points: list[Point]
) -> Marker:
    red, green, blue, alpha = _COLOURS[name]
    found = Marker(
        header=header_to_msg(stamp, frame),
        ns=name,
        type=kind,
        action=Marker.ADD if points else Marker.DELETE,
        scale=Vector3(x=size[0], y=size[1], z=size[2]),
        color=ColorRGBA(r=red, g=green, b=blue, a=alpha),
        points=points,
    )
    found.pose.orientation.w = 1.0
    return found
