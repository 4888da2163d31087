"""The cameras of both programs: pinholes that project the stick figure (aquarobot.md §7.4, §7.6).

A camera looks along its x axis; y goes out of its right side, z out of its bottom.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from walking_robots.geometry.homogeneous import rigid_inverse
from walking_robots.simulation.aquarobot.frames import Array, transform
from walking_robots.simulation.aquarobot.wire_frame import CLOS_FIGURE, CPP_FIGURE, WireFigure

# The window of the CLOS camera is a square of 300 pixels; its picture plane is 5 cm away and
# drawn 30 times as large.
_WINDOW, _FOCAL, _ENLARGEMENT = 300.0, 5.0, 30.0
# The projection of the C++ program: height of the picture in rad, width by height, cm.
_HEIGHT, _ASPECT, _NEAR = math.radians(45.0), 1.25, 10.0
_EARTH_FROM_GRAPHICS = np.array(
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


@dataclass(frozen=True)
class Viewpoint:
    """A pinhole camera with its picture.

    pose: of the camera, earth frame, shape (4, 4); gain: picture units for a tangent of one, to
    the right and up; centre: where the optical axis is in the picture; near: least depth that is
    seen, cm; low, high: corners of the picture; aspect: its width by its height as shown; figure:
    what is drawn.
    """

    pose: Array
    gain: tuple[float, float]
    centre: tuple[float, float]
    near: float
    low: tuple[float, float]
    high: tuple[float, float]
    aspect: float
    figure: WireFigure
    _to_camera: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find depth, right and up of the camera once."""
        object.__setattr__(
            self, '_to_camera', np.diag([1.0, 1.0, -1.0, 1.0]) @ rigid_inverse(self.pose)
        )

    def seen(self, points: Array) -> Array:
        """Return depth, right and up of points, shape (..., 3), from the camera, cm."""
        return points @ self._to_camera[:3, :3].T + self._to_camera[:3, 3]

    def project(self, points: Array) -> Array:
        """Return where points, shape (..., 3), are in the picture, shape (..., 2).

        What is nearer than ``near`` has no place there: NaN.
        """
        return self._flat(self.seen(points))

    def pixels(self, points: Array) -> Array:
        """Return pixels as the CLOS camera does: (-1, -1) for what is too near.

        Halves are rounded to even numbers, as Lisp does.
        """
        flat = np.rint(self.project(points))
        return np.where(np.isnan(flat), -1.0, flat)

    def lines(self, vertices: Array) -> Array:
        """Return the segments of the figure in the picture, shape (n, 2, 2).

        ``vertices``: those of the figure, shape (32, 3). Segments are cut off at ``near``; those
        nearer altogether are NaN.
        """
        ends = self.seen(vertices)[self.figure.segments]
        depth = ends[..., 0]
        if depth.min() < self.near:
            ends = _cut(ends, self.near)
        return self._flat(ends)

    def _flat(self, seen: Array) -> Array:
        depth = seen[..., :1]
        if depth.min(initial=math.inf) < self.near:
            depth = np.where(depth < self.near, np.nan, depth)
        flat: Array = seen[..., 1:] / depth * self.gain + self.centre
        return flat


def _cut(ends: Array, near: float) -> Array:
    """Move the nearer end of segments, shape (n, 2, 3), along them to the depth ``near``."""
    depth = ends[..., 0]
    crossing = (depth < near).any(axis=1) & (depth >= near).any(axis=1)
    result = ends.copy()
    for index in np.flatnonzero(crossing):
        hidden = int(depth[index, 0] >= near)
        hide, show = ends[index, hidden], ends[index, 1 - hidden]
        share = (near - show[0]) / (hide[0] - show[0])
        result[index, hidden] = show + share * (hide - show)
        result[index, hidden, 0] = near
    return result


def look_at(
    eye: tuple[float, float, float],
    reference: tuple[float, float, float],
    up: tuple[float, float, float] = (0.0, 1.0, 0.0),
) -> Viewpoint:
    """Return a view of the C++ program, its picture from -1 to 1 both ways.

    Places are in its graphics axes, cm: x right, y up (-z of the earth frame), z out of the screen
    (y of the earth frame). ``up`` may not be along the line of sight.
    """
    forward = np.subtract(reference, eye)
    right = np.cross(forward, up)
    axes = np.array([forward, right, np.cross(forward, right)])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    pose = _EARTH_FROM_GRAPHICS @ np.vstack([np.column_stack([axes.T, eye]), (0, 0, 0, 1)])
    tall = 1.0 / math.tan(0.5 * _HEIGHT)
    return Viewpoint(
        pose,
        (tall / _ASPECT, tall),
        (0.0, 0.0),
        _NEAR,
        (-1.0, -1.0),
        (1.0, 1.0),
        _ASPECT,
        CPP_FIGURE,
    )


CLOS_VIEW = Viewpoint(
    pose=transform(0.3, -0.3, 0.0, -300.0, -90.0, -90.0),
    gain=(_ENLARGEMENT * _FOCAL, _ENLARGEMENT * _FOCAL),
    centre=(0.5 * _WINDOW, 0.5 * _WINDOW),
    near=_FOCAL,
    low=(0.0, 0.0),
    high=(_WINDOW, _WINDOW),
    aspect=1.0,
    figure=CLOS_FIGURE,
)
"""From behind, to port and above; pixels count from the lower left."""

VIEWS: Mapping[str, Viewpoint] = {
    'clos': CLOS_VIEW,
    'initial': look_at((0.0, 40.0, 400.0), (0.0, 0.0, -200.0)),
    'reset': look_at((0.0, 40.0, 400.0), (0.0, 0.0, -211.0)),
    # Its up is not said, and the usual one lies along the line of sight.
    'above': look_at((0.0, 300.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    # The height of its eye cannot be read in the scan: that of the right view (U5).
    'behind': look_at((0.0, 50.0, 250.0), (0.0, 30.0, -200.0)),
    'right': look_at((250.0, 50.0, 0.0), (-200.0, 50.0, 0.0)),
    # As printed it looks at (0, 0, -200) and past the robot (aquarobot.md U7).
    'left': look_at((-250.0, 30.0, 0.0), (200.0, 30.0, 0.0)),
}
"""The cameras of the thesis by name; their names take -y for ahead, as its C++ program does."""
