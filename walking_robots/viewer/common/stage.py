"""Set the scene: light, background, and a ground that moves under the robot."""

from collections.abc import Iterable

import numpy as np
import viser

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.mesh import Mesh


class Stage:
    """The three-dimensional part of a page: a root frame with the robot in its middle."""

    def __init__(self, scene: viser.SceneApi, root: str, start: Vector) -> None:
        """Add the frame `root`, such as '/odom'; a robot at `start` (m) stands in the middle."""
        self._scene = scene
        self._ground: list[viser.SceneNodeHandle] = []
        scene.set_up_direction('+z')
        # The environment maps of the library are pictures from the internet.
        scene.configure_environment_map(None)
        scene.configure_default_lights(cast_shadow=True)
        scene.add_light_hemisphere(
            '/sky', sky_color=(255, 255, 255), ground_color=(214, 206, 190), intensity=1.6
        )
        self._bare = False
        self._root = scene.add_frame(root, show_axes=False)
        self._follow = True
        self._position = self._start = start

    def follow(self, wanted: bool) -> None:
        """Keep the robot in the middle of the picture, or the ground still."""
        self._follow = wanted
        self._centre()

    def set_backdrop(self, colour: Colour | None) -> None:
        """Draw everything before one colour without the ground, or, for None, on the ground."""
        image = None if colour is None else np.full((2, 2, 3), colour, dtype=np.uint8)
        self._scene.set_background_image(image)
        self._bare = colour is not None
        for layer in self._ground:
            layer.visible = not self._bare

    def _replace_ground(
        self,
        meshes: Iterable[Mesh],
        position: Vector = (0.0, 0.0, 0.0),
        quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Draw meshes, which stand at a pose in the root frame, in place of the last ones."""
        for layer in self._ground:
            layer.remove()
        self._ground = [
            self._scene.add_mesh_simple(
                f'{self._root.name}/ground/{mesh.name}',
                mesh.vertices,
                mesh.faces,
                color=mesh.colour,
                flat_shading=True,
                side='double',
                cast_shadow=False,
                position=position,
                wxyz=quaternion,
                visible=not self._bare,
            )
            for mesh in meshes
        ]

    def seen_at(self, position: Vector) -> Vector:
        """Return where a place in the root frame is in the scene, m."""
        x, y, z = (float(a + b) for a, b in zip(self._root.position, position, strict=True))
        return (x, y, z)

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
