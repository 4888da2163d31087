"""Draw a hexapod as the stick figure of Aquarobot's thesis (aquarobot.md §7.5)."""

from collections.abc import Iterable, Sequence

import numpy as np
import viser

from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import show_nodes
from walking_robots.viewer.common.vehicle import Bone

BACKDROP: Colour = (0, 0, 255)
_BODY: Colour = (255, 255, 255)
_FIRST_LEG: Colour = (255, 255, 0)
_LEG: Colour = (0, 255, 0)
_BORDER, _MARK, _LIMB = 3.0, 1.0, 5.0
"""Widths of lines, pixels."""


class WireFrame:
    """The lines of a robot: white body with a mark of its front, yellow leg 1, green legs."""

    def __init__(
        self,
        scene: viser.SceneApi,
        base: str,
        outline: Sequence[tuple[float, float]],
        bones: Iterable[Bone],
    ) -> None:
        """Add the lines, hidden, below the body at `base` and the links of its legs."""
        corners = np.array([(x, y, 0.0) for x, y in outline])
        border = np.stack((corners, np.roll(corners, -1, axis=0)), axis=1)
        self._lines = [
            _lines(scene, f'{base}/outline', border, _BODY, _BORDER),
            _lines(scene, f'{base}/mark', np.array([[(0.0,) * 3, corners[0]]]), _BODY, _MARK),
        ]
        for number, bone in enumerate(bones):
            ends = np.array([[(0.0, 0.0, 0.0), bone.end]])
            colour = _FIRST_LEG if bone.part == 1 else _LEG
            self._lines.append(_lines(scene, f'{bone.path}/bone{number}', ends, colour, _LIMB))

    def show(self, visible: bool) -> None:
        """Show or hide the lines."""
        show_nodes(self._lines, visible)


def _lines(
    scene: viser.SceneApi, name: str, points: np.ndarray, colour: Colour, width: float
) -> viser.LineSegmentsHandle:
    """Add lines of a width in pixels, hidden."""
    return scene.add_line_segments(
        name, points, colour, thickness=width, thickness_units='screen', visible=False
    )
