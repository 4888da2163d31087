"""Draw the rays of a depth sensor, and the forces of the ground on the feet."""

import numpy as np
import viser

from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.state import ViewState

WEIGHT = 1.5
"""Length of the arrow of a force as large as the weight, in distances of the feet."""

LEAST = 0.01
"""Force from which on an arrow is drawn, in weights."""


class SensorRays:
    """Some of the rays of a look; they leave the sensor with the body."""

    def __init__(self, scene: viser.SceneApi, base: str) -> None:
        """Add the rays below `base` (base_link), without any."""
        self._wanted = True
        self._lines = scene.add_line_segments(
            f'{base}/rays', np.zeros((1, 2, 3), np.float32), colours.RAY, thickness=1.0,
            thickness_units='screen', visible=False,
        )  # fmt: skip

    def switch(self, wanted: bool) -> None:
        """Show or hide the rays."""
        self._wanted = wanted
        self._lines.visible = wanted

    def show(self, state: ViewState) -> None:
        """Draw the rays of a state."""
        self._lines.visible = self._wanted and len(state.rays) > 0
        if self._lines.visible:
            self._lines.points = state.rays


class ForceArrows:
    """An arrow from each foot that bears weight, along the force of the ground on it."""

    def __init__(self, scene: viser.SceneApi, machine: HexapodMachine, root: str) -> None:
        """Add the arrows below `root` (odom), hidden."""
        self._length = WEIGHT * machine.radius
        size = machine.size
        self._arrows = scene.add_arrows(
            f'{root}/forces', np.zeros((1, 2, 3), np.float32), colours.FORCE,
            shaft_radius=0.02 * size, head_radius=0.05 * size, head_length=0.12 * size,
            visible=False,
        )  # fmt: skip

    def show(self, state: ViewState) -> None:
        """Draw the forces of a state."""
        feet, forces = state.forces
        weight = float(np.maximum(forces[:, 2], 0.0).sum())
        borne = np.linalg.norm(forces, axis=1) > LEAST * weight
        self._arrows.visible = weight > 0.0
        if weight > 0.0:
            begin = feet[borne]
            ends = begin + self._length / weight * forces[borne]
            self._arrows.points = np.stack((begin, ends), axis=1).astype(np.float32)
