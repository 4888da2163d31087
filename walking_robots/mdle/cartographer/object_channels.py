"""The channels ``object.*``: what is known of a thing that moved."""

from collections.abc import Mapping
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.robot import OutputSpec, Value

Point = tuple[float, float]

OBJECT_OUTPUTS: Mapping[str, OutputSpec] = {
    'object.valid': OutputSpec('bool', stale=2.0, safety=False),
    'object.shift': OutputSpec('m', low=0.0, stale=2.0, safety=False),
    'object.previous': OutputSpec('point', stale=2.0, safety=False),
    'object.position': OutputSpec('point', stale=2.0, safety=False),
}
"""What any robot says of them; a slower detector gives its own period."""


class ObjectNews(NamedTuple):
    """What is known of a thing that moved; points in the frame of the robot's pose, m.

    valid: whether something has moved; shift: how far it is from ``previous``, the place that it
    left, for as long as that is news; position: where it is now.
    """

    valid: bool
    shift: float
    previous: Point
    position: Point

    def values(self) -> dict[str, Value]:
        """Return the values of the channels."""
        return {f'object.{name}': value for name, value in self._asdict().items()}


def nothing_moved(pose: Pose2) -> ObjectNews:
    """Return what is known while nothing has moved: the robot's own place (mdle.md §3.1)."""
    here = (pose.x, pose.y)
    return ObjectNews(False, 0.0, here, here)
