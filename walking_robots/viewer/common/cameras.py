"""Place cameras so that what they look at fills the picture, however narrow it is."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from walking_robots.geometry.pose import Vector

FIELD = math.radians(45.0)
"""Height of the picture."""
ROBOT, WHOLE = 'Robot', 'Whole scene'
DIRECTIONS: Mapping[str, Vector] = {
    ROBOT: (-0.6, -0.7, 0.5),
    'Side': (0.0, -1.0, 0.15),
    # A little behind, or what is up in the picture would be open.
    'Top': (-0.001, 0.0, 1.0),
    WHOLE: (-0.6, -0.7, 0.7),
}
"""The ways from what is looked at to the eye, by the names of the views."""


class Subject(NamedTuple):
    """What a camera looks at: a ball around `middle`, m; from where, unless it is 'Robot'."""

    middle: Vector
    radius: float
    direction: Vector = DIRECTIONS[ROBOT]

    def seen(self, direction: Vector, aspect: float) -> tuple[Vector, Vector]:
        """Return eye and point looked at, m; `aspect`: width of the picture over its height."""
        half = FIELD / 2.0
        if aspect < 1.0:
            half = math.atan(aspect * math.tan(half))
        way = np.array(direction) * self.radius / (math.sin(half) * math.hypot(*direction))
        x, y, z = (np.array(self.middle) + way).tolist()
        return (x, y, z), self.middle

    def moved(self, by: Vector) -> 'Subject':
        """Return the same at a place that is `by` m away."""
        x, y, z = (a + b for a, b in zip(self.middle, by, strict=True))
        return self._replace(middle=(x, y, z))
