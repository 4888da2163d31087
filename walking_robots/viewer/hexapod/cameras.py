"""Where to look at a robot from: the four views of Aquarobot's thesis, for a robot of any size."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from walking_robots.geometry.pose import Vector

FIELD = math.radians(45.0)
"""Height of the picture (aquarobot.md §7.4)."""

_REACH = 0.775
"""Distance of the feet from the middle after a reset of Aquarobot, m (aquarobot.md §2.5)."""

_FURTHER = 1.25
"""Times as far away as in the thesis, whose picture was wider by as much than high."""


class CameraPose(NamedTuple):
    """Eye and a point on the line of sight: ahead, to the left, over the ground below the body.

    In distances of the feet from the middle.
    """

    eye: Vector
    look_at: Vector

    def over(self, ground: Vector, heading: float, reach: float) -> 'CameraPose':
        """Return the view, m, of a robot that heads somewhere, rad, its feet `reach` m out."""
        cos, sin = math.cos(heading), math.sin(heading)
        x, y, z = ground

        def placed(point: Vector) -> Vector:
            ahead, left, up = (reach * part for part in point)
            return (x + cos * ahead - sin * left, y + sin * ahead + cos * left, z + up)

        return CameraPose(placed(self.eye), placed(self.look_at))


def _view(eye: Vector, look_at: Vector) -> CameraPose:
    """Return a view from metres for a robot of the size of Aquarobot."""
    feet = _FURTHER / _REACH
    return CameraPose(*((feet * x, feet * y, z / _REACH) for x, y, z in (eye, look_at)))


# The thesis walks into its screen, but its leg 1 points to the right of it; here ahead is where
# the robot walks, so that the names hold. Each point looked at is moved along the line of sight to
# where the robot is, for a person who then turns the camera.
VIEWS: Mapping[str, CameraPose] = {
    # A little behind, or what is up in the picture would be open.
    'Above': _view((-0.001, 0.0, 3.0 * _FURTHER), (0.0, 0.0, 0.0)),
    'Behind': _view((-2.5, 0.0, 0.5), (0.0, 0.0, 0.5 - 0.2 * 2.5 / 4.5)),
    'Left': _view((0.0, 2.5, 0.3), (0.0, 0.0, 0.3)),
    'Right': _view((0.0, -2.5, 0.5), (0.0, 0.0, 0.5)),
}
"""The views by name (aquarobot.md §7.4; the eye of the one from behind by U5, the left by U7)."""
