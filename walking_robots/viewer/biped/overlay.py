"""Draw the virtual legs, and the forces of the ground on the feet."""

import math

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.geometry.pitch import pitch_quaternion
from walking_robots.geometry.pose import Quaternion, upright_along
from walking_robots.robots.kwalk import KWALKA, LEFT, RIGHT
from walking_robots.viewer.biped.colours import FORCE, PUSH, LegAction, actions
from walking_robots.viewer.biped.state import BipedView, SpatialPlace
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import add_line, show_nodes

METRES_PER_NEWTON = 0.003
"""Length of an arrow: the weight of the robot is 0.29 m."""
PUSH_METRES_PER_NEWTON = 0.008
"""Length of the arrow of a push, which is much weaker."""
LEAST, MOST = 3.0, 260.0
"""Forces, N, that are too small to be drawn, and beyond which arrows grow no more."""
NEARER = 0.03
"""m; so much nearer to a person at the right of the robot than a leg is."""
STEEPEST = -0.9
"""Least part upward of a direction that is drawn."""
LEAST_CHANGE = 0.001
"""Of the length of a line, m, that is worth drawing."""


class BipedOverlay:
    """Everything in the scene beside the ground and the robot."""

    def __init__(self, scene: viser.SceneApi, root: str) -> None:
        """Add the nodes below `root` (odom)."""
        half = KWALKA.body.y / 2.0
        self._sides = {RIGHT: -half - NEARER, LEFT: half - NEARER}
        self._with_legs = self._with_forces = True
        self._legs = [
            add_line(scene, f'{root}/leg{side}', LegAction.HELD.colour, 0.014, visible=False)
            for side in self._sides
        ]
        self._forces = [
            _add_arrow(scene, f'{root}/force{side}', FORCE, 0.007) for side in self._sides
        ]
        self._push = _add_arrow(scene, f'{root}/push', PUSH, 0.016)

    def show_legs(self, wanted: bool) -> None:
        """Show or hide the virtual legs."""
        self._with_legs = wanted
        show_nodes(self._legs, wanted)

    def show_forces(self, wanted: bool) -> None:
        """Show or hide the forces at the feet."""
        self._with_forces = wanted
        show_nodes(self._forces, wanted)

    def show(self, state: BipedView) -> None:
        """Draw a state."""
        self._show_push(state)
        if state.space is not None:
            self._show_in_space(state.space, state.state)
            return
        doing = actions(state.state)
        for side, y in self._sides.items():
            line, force = self._legs[side], self._forces[side]
            length, angle = state.lengths[side], state.angles[side]
            known = math.isfinite(length) and math.isfinite(angle)
            line.visible = known and self._with_legs
            if known:
                line.position = (state.x, y, state.z)
                line.wxyz = pitch_quaternion(angle)
                _stretch(line, -length)
                line.colors = np.array(doing[side].colour, dtype=np.uint8)
            (x, z), (ahead, up) = state.feet[side], state.forces[side]
            size = math.hypot(ahead, up)
            known = size >= LEAST and math.isfinite(x) and math.isfinite(z)
            force.visible = known and self._with_forces
            if known:
                force.position = (x, y, z)
                force.wxyz = pitch_quaternion(math.atan2(ahead, up))
                _stretch(force, METRES_PER_NEWTON * min(size, MOST))

    def _show_in_space(self, place: SpatialPlace, state: int | None) -> None:
        """Draw lines from hips to feet, and forces, of a robot in space."""
        doing = actions(state)
        for side, (line, force) in enumerate(zip(self._legs, self._forces, strict=True)):
            hip, foot = np.array(place.hips[side]), np.array(place.feet[side])
            length = float(np.linalg.norm(hip - foot))
            line.visible = length > LEAST_CHANGE and self._with_legs
            if line.visible:
                line.position, line.wxyz = place.hips[side], _along((hip - foot) / length)
                _stretch(line, -length)
                line.colors = np.array(doing[side].colour, dtype=np.uint8)
            pushing = np.array(place.forces[side])
            size = float(np.linalg.norm(pushing))
            force.visible = size >= LEAST and self._with_forces
            if force.visible:
                force.position, force.wxyz = place.feet[side], _along(pushing / size)
                _stretch(force, METRES_PER_NEWTON * min(size, MOST))

    def _show_push(self, state: BipedView) -> None:
        """Draw a push as an arrow whose tip is at the hips, while it acts."""
        self._push.visible = state.push != 0.0
        if state.push:
            way = PUSH_METRES_PER_NEWTON * state.push
            self._push.points = np.array([[(-way, 0, 0), (0, 0, 0)]], np.float32)
            self._push.position = (state.x, self._sides[RIGHT] - NEARER, state.z)
            if state.space is not None:
                self._push.position, self._push.wxyz = state.space.place, state.space.attitude


def _add_arrow(
    scene: viser.SceneApi, name: str, colour: Colour, radius: float
) -> viser.ArrowsHandle:
    """Add a hidden arrow upward with a shaft of a radius, m."""
    return scene.add_arrows(
        name,
        np.array([[(0.0, 0.0, 0.0), (0.0, 0.0, 0.1)]], dtype=np.float32),
        colour,
        shaft_radius=radius,
        head_radius=2.5 * radius,
        head_length=5.0 * radius,
        visible=False,
    )


def _along(direction: NDArray[np.float64]) -> Quaternion:
    """Return the least rotation of the z axis to a unit vector, which hardly points downward."""
    x, y, z = direction.tolist()
    return upright_along((x, y, max(z, STEEPEST)))


def _stretch(handle: viser.LineSegmentsHandle | viser.ArrowsHandle, length: float) -> None:
    """Set the length, m, of a vertical line."""
    # A browser moves a line at once, but takes its time to draw another one.
    if abs(float(handle.points[0, 1, 2]) - length) > LEAST_CHANGE:
        handle.points = np.array([[(0.0, 0.0, 0.0), (0.0, 0.0, length)]], dtype=np.float32)
