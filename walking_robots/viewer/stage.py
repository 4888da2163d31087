"""Set the scene: light, background, and a ground that moves under the robot."""

import numpy as np
import viser

from walking_robots.geometry.pose import Vector
from walking_robots.viewer.colours import BACKGROUND

__all__ = ['Stage']


class Stage:
    """The three-dimensional part of a page: a root frame with the robot in its middle."""

    def __init__(self, scene: viser.SceneApi, root: str, start: Vector) -> None:
        """Add the frame `root`, such as '/odom'; a robot at `start` (m) stands in the middle."""
        self._scene = scene
        scene.set_up_direction('+z')
        # The environment maps of the library are pictures from the internet.
        scene.configure_environment_map(None)
        scene.configure_default_lights(cast_shadow=True)
        scene.add_light_hemisphere(
            '/sky', sky_color=(255, 255, 255), ground_color=(214, 206, 190), intensity=1.6
        )
        scene.set_background_image(np.full((2, 2, 3), BACKGROUND, dtype=np.uint8))
        self._root = scene.add_frame(root, show_axes=False)
        self._follow = True
        self._position = self._start = start

    def follow(self, wanted: bool) -> None:
        """Keep the robot in the middle of the picture, or the ground still."""
        self._follow = wanted
        self._centre()

    def _move_to(self, position: Vector) -> None:
        """Take note of where the robot is (m)."""
        self._position = position
        self._centre()

    def _centre(self) -> None:
        """Move the ground so that the robot stays in the middle, if that is wanted."""
        if self._follow:
            # Moving the ground instead of the camera leaves the camera to the person.
            x, y, z = self._position
            self._root.position = (-x, -y, self._start[2] - z)
