"""Set the scene: light, and a ground up to the horizon that moves under the robot."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import viser
from transforms3d.quaternions import rotate_vector

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.viewer.common.cameras import DIRECTIONS, ROBOT, WHOLE, Subject
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.gltf import SUN, ground_glb, plain_glb
from walking_robots.viewer.common.mesh import Mesh


class Stage:
    """The three-dimensional part of a page: a root frame with the robot in its middle."""

    def __init__(
        self, scene: viser.SceneApi, root: str, start: Vector, sight: float, cell: float
    ) -> None:
        """Add the frame `root`, such as '/odom'; a robot at `start` (m) stands in the middle.

        The plain below everything has lines `cell` m apart, and fades away up to `sight` m.
        """
        self._scene = scene
        self._bare, self._grounded = False, True
        self._ground: viser.GlbHandle | None = None
        scene.set_up_direction('+z')
        # The environment maps of the library are pictures from the internet.
        scene.configure_environment_map(None)
        # A browser without a graphics card needs most of its time for shadows, lights and a
        # background.
        scene.configure_default_lights(enabled=False)
        scene.add_light_directional('/sun', position=SUN, intensity=3.0, cast_shadow=False)
        scene.add_light_hemisphere(
            '/sky', sky_color=(255, 255, 255), ground_color=(214, 206, 190), intensity=1.6
        )
        self._root = scene.add_frame(root, show_axes=False)
        self._plain = self._add('plain', plain_glb(sight, cell))
        self._whole: Subject | None = None
        self._follow = True
        self._position = self._start = start

    def follow(self, wanted: bool) -> None:
        """Keep the robot in the middle of the picture, or the ground still."""
        self._follow = wanted
        self._centre()

    def set_backdrop(self, colour: Colour | None) -> None:
        """Draw everything before one colour, without a ground; None brings the ground back."""
        picture = None if colour is None else np.full((2, 2, 3), colour, dtype=np.uint8)
        self._scene.set_background_image(picture)
        self._bare = colour is not None
        self._plain.visible = not self._bare
        self.show_ground(self._grounded)

    def show_ground(self, wanted: bool) -> None:
        """Show or hide the ground; the plain below it stays."""
        self._grounded = wanted
        if self._ground is not None:
            self._ground.visible = wanted and not self._bare

    def _replace_ground(
        self,
        meshes: Iterable[Mesh],
        position: Vector = (0.0, 0.0, 0.0),
        quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Draw meshes, which stand at a pose in the root frame, in place of the last ones.

        The plain lies below the lowest of them.
        """
        meshes = tuple(meshes)
        if meshes:
            points = np.concatenate([mesh.vertices for mesh in meshes])
            low, high = points.min(axis=0), points.max(axis=0)
            self._plain.position = (0.0, 0.0, float(low[2]) + position[2])
            x, y, z = (rotate_vector((low + high) / 2.0, quaternion) + position).tolist()
            self._whole = Subject((x, y, z), float(np.linalg.norm(high - low)) / 2.0)
        if self._ground is not None:
            self._ground.remove()
        self._ground = None
        if meshes:
            self._ground = self._add(
                'ground', ground_glb(meshes), position=position, wxyz=quaternion
            )
            self.show_ground(self._grounded)

    def _add(self, name: str, glb: bytes, **pose: Any) -> viser.GlbHandle:
        return self._scene.add_glb(
            f'{self._root.name}/{name}', glb, visible=not self._bare, cast_shadow=False,
            receive_shadow=False, **pose,
        )  # fmt: skip

    def view(self, name: str, subject: Subject, aspect: float) -> tuple[Vector, Vector]:
        """Return eye and point looked at, m, of one of `DIRECTIONS`, as all is in the scene now.

        subject: the robot in the middle; aspect: width of the picture over its height.
        """
        if name == WHOLE and self._whole is not None:
            shown = self._whole.moved(self.seen_at((0.0, 0.0, 0.0)))
        else:
            x, y, z = self.seen_at(self._position)
            shown = subject.moved((x, y, z - self._start[2]))
        direction = subject.direction if name == ROBOT else DIRECTIONS[name]
        return shown.seen(direction, aspect)

    def floor_point(self, origin: Vector, way: Vector) -> tuple[float, float] | None:
        """Return where a ray in the scene meets the floor, m in the root frame; None: nowhere."""
        if not way[2] < 0.0:
            return None
        x, y, z = self.seen_at((0.0, 0.0, 0.0))
        share = (z - origin[2]) / way[2]
        return origin[0] + share * way[0] - x, origin[1] + share * way[1] - y

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
