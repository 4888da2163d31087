"""Draw a robot from its URDF and move its joints."""

import io
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import viser
import yourdfpy  # type: ignore[import-untyped]
from numpy.typing import NDArray
from viser import transforms

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import show_nodes

_NO_PART = re.compile(r'(?!)')
_IDENTITY = np.eye(4)
_STILL = 1e-5


@dataclass(frozen=True, eq=False)
class _Joint:
    """A moving joint: its frame, whose value it takes, and its rest in the parent's frame."""

    frame: viser.FrameHandle
    source: str
    slides: bool
    axis: Vector
    rest: Quaternion
    place: NDArray[np.float64]
    way: NDArray[np.float64]


@dataclass(frozen=True)
class Bone:
    """The line of a painted link from its origin to the next joint at `end`, m, in its frame.

    path: of the link's frame in the scene; part: number of the part it belongs to.
    """

    path: str
    part: int
    end: Vector


class Vehicle:
    """The robot in the scene, as a tree of frames that only its joints move.

    Parts of it can be painted while it moves.
    """

    def __init__(
        self,
        scene: viser.SceneApi,
        description: str,
        root: str,
        parts: re.Pattern[str] = _NO_PART,
        *,
        shaded: bool = True,
    ) -> None:
        """Build the robot of a URDF text below the scene node `root`.

        The first group of `parts` gives the number of the part that a link belongs to by its name.
        Not `shaded`, it throws a shadow but none falls on it, which would be striped on a small
        robot.
        """
        robot = yourdfpy.URDF.load(
            io.BytesIO(description.encode()),
            load_meshes=False,
            build_scene_graph=False,
            load_collision_meshes=False,
        )
        self._scene = scene
        self._parts = parts
        self._shaded = shaded
        self._materials = {m.name: m.color for m in robot.robot.materials}
        self._joints: dict[str, _Joint] = {}
        self.bones: list[Bone] = []
        self._shapes: list[Any] = []
        self._skin: dict[int, list[Any]] = {}
        self._paint: dict[int, Colour] = {}
        self._values: dict[str, float] = {}
        children = {joint.child for joint in robot.joint_map.values()}
        base = next(name for name in robot.link_map if name not in children)
        self.path = f'{root}/{base}'
        self._base = scene.add_frame(self.path, show_axes=False)
        self._add_link(robot, base, self.path)

    def _add_link(self, robot: yourdfpy.URDF, name: str, path: str) -> None:
        """Add the shapes of a link and everything that hangs on it."""
        part = self._parts.match(name)
        for index, visual in enumerate(robot.link_map[name].visuals):
            handle = self._add_shape(visual, f'{path}/shape{index}')
            if handle is not None:
                self._shapes.append(handle)
            if part and handle is not None:
                self._skin.setdefault(int(part[1]), []).append(handle)
        for joint in robot.joint_map.values():
            if joint.parent != name:
                continue
            origin = _IDENTITY if joint.origin is None else joint.origin
            below = f'{path}/{joint.child}'
            if part:
                end = tuple(origin[:3, 3].tolist())
                self.bones.append(Bone(path, int(part[1]), end))
            frame = self._scene.add_frame(
                below, show_axes=False, position=origin[:3, 3], wxyz=_turn(origin)
            )
            if joint.type != 'fixed':
                self._joints[joint.name] = _Joint(
                    frame=frame,
                    source=joint.name if joint.mimic is None else joint.mimic.joint,
                    slides=joint.type == 'prismatic',
                    axis=tuple(np.asarray(joint.axis, dtype=float).tolist()),
                    rest=tuple(_turn(origin).tolist()),
                    place=origin[:3, 3],
                    way=origin[:3, :3] @ joint.axis,
                )
            self._add_link(robot, joint.child, below)

    def _add_shape(self, visual: Any, path: str) -> Any:
        """Add a box, cylinder or sphere; other shapes are left out."""
        origin = _IDENTITY if visual.origin is None else visual.origin
        place: dict[str, Any] = {
            'position': origin[:3, 3],
            'wxyz': _turn(origin),
            'receive_shadow': self._shaded,
        }
        colour = self._colour(visual.material)
        shape = visual.geometry
        if shape.box is not None:
            return self._scene.add_box(path, colour, tuple(shape.box.size), **place)
        if shape.cylinder is not None:
            return self._scene.add_cylinder(
                path,
                shape.cylinder.radius,
                shape.cylinder.length,
                colour,
                radial_segments=20,
                **place,
            )
        if shape.sphere is not None:
            return self._scene.add_icosphere(
                path, shape.sphere.radius, colour, subdivisions=2, **place
            )
        return None

    def _colour(self, material: Any) -> Colour:
        """Return the colour of a material, which may only name one defined for the robot."""
        color = None if material is None else material.color or self._materials.get(material.name)
        if color is None:
            return (180, 180, 180)
        red, green, blue = (round(255 * float(part)) for part in color.rgba[:3])
        return (red, green, blue)

    def move(self, position: Vector, quaternion: Quaternion, joints: Mapping[str, float]) -> None:
        """Place the body (m, and w, x, y, z) and set joints (rad, m) by name."""
        self._base.position = position
        self._base.wxyz = quaternion
        for name, joint in self._joints.items():
            value = joints.get(joint.source)
            if value is None or abs(value - self._values.get(name, math.inf)) < _STILL:
                continue
            self._values[name] = value
            if joint.slides:
                joint.frame.position = _slid(joint, value)
            else:
                joint.frame.wxyz = _turned(joint, value)

    def show_shapes(self, visible: bool) -> None:
        """Show or hide the solid shapes of all links."""
        show_nodes(self._shapes, visible)

    def paint(self, part: int, colour: Colour) -> None:
        """Return all links of a part a colour."""
        if self._paint.get(part) == colour:
            return
        self._paint[part] = colour
        for handle in self._skin.get(part, ()):
            handle.color = colour


def _turn(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotation of a 4 x 4 matrix as a quaternion (w, x, y, z)."""
    return np.asarray(transforms.SO3.from_matrix(matrix[:3, :3]).wxyz)


def _slid(joint: _Joint, value: float) -> NDArray[np.float64]:
    """Return where a sliding joint at `value` (m) puts its frame."""
    return np.asarray(joint.place + joint.way * value)


def _turned(joint: _Joint, value: float) -> Quaternion:
    """Return how a turning joint at `value` (rad) turns its frame: its rest, then its axis."""
    # In plain floats: numpy would take most of the time that a picture costs.
    w, x, y, z = joint.rest
    c, s = math.cos(value / 2.0), math.sin(value / 2.0)
    a, b, d = (s * part for part in joint.axis)
    return (
        w * c - x * a - y * b - z * d,
        w * a + x * c + y * d - z * b,
        w * b - x * d + y * c + z * a,
        w * d + x * b - y * a + z * c,
    )
