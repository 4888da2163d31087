"""Draw a robot from its URDF and move its joints."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import viser
from numpy.typing import NDArray
from transforms3d.euler import euler2quat
from transforms3d.quaternions import rotate_vector

from walking_robots.geometry.pose import Quaternion, Vector
from walking_robots.robots.urdf.meshes import load_mesh, mesh_path
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import MATERIAL, add_sheet, show_nodes

_NO_PART = re.compile(r'(?!)')
_STILL = 1e-5
_GREY: Colour = (180, 180, 180)


@dataclass(frozen=True, eq=False)
class _Joint:
    """A moving joint: its frame, whose value it takes, and its rest in the parent's frame."""

    frame: viser.FrameHandle
    source: str
    slides: bool
    axis: Vector
    rest: Quaternion
    place: Vector
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
    ) -> None:
        """Build the robot of a URDF text below the scene node `root`.

        The first group of `parts` gives the number of the part that a link belongs to by its name.
        """
        robot = ElementTree.fromstring(description)
        self._scene = scene
        self._parts = parts
        self._materials = {m.get('name'): m.find('color') for m in robot.iterfind('material')}
        self._joints: dict[str, _Joint] = {}
        self.bones: list[Bone] = []
        self._shapes: list[Any] = []
        self._skin: dict[int, list[Any]] = {}
        self._paint: dict[int, Colour] = {}
        self._values: dict[str, float] = {}
        children = {child.get('link') for child in robot.iterfind('joint/child')}
        base = next(
            name for link in robot.iterfind('link') if (name := link.get('name')) not in children
        )
        self.path = f'{root}/{base}'
        self._base = scene.add_frame(self.path, show_axes=False)
        self._add_link(robot, base, self.path)

    def _add_link(self, robot: Element, name: str | None, path: str) -> None:
        """Add the shapes of a link and everything that hangs on it."""
        part = self._parts.match(name or '')
        for index, visual in enumerate(robot.iterfind(f"link[@name='{name}']/visual")):
            handle = self._add_shape(visual, f'{path}/shape{index}')
            if handle is not None:
                self._shapes.append(handle)
            if part and handle is not None:
                self._skin.setdefault(int(part[1]), []).append(handle)
        for joint in robot.iterfind(f"joint/parent[@link='{name}']/.."):
            child = _value(joint, 'child', 'link')
            position, turn = _origin(joint)
            below = f'{path}/{child}'
            if part:
                self.bones.append(Bone(path, int(part[1]), position))
            frame = self._scene.add_frame(below, show_axes=False, position=position, wxyz=turn)
            if joint.get('type') != 'fixed':
                axis = _numbers(_value(joint, 'axis', 'xyz', '1 0 0'))
                own = joint.get('name', '')
                self._joints[own] = _Joint(
                    frame=frame,
                    source=_value(joint, 'mimic', 'joint', own),
                    slides=joint.get('type') == 'prismatic',
                    axis=axis,
                    rest=turn,
                    place=position,
                    way=rotate_vector(axis, turn),
                )
            self._add_link(robot, child, below)

    def _add_shape(self, visual: Element, path: str) -> Any:
        """Add a box, cylinder, sphere or mesh; what cannot be read is left out.

        Raises ValueError, one sentence, for a broken mesh.
        """
        position, turn = _origin(visual)
        place: dict[str, Any] = {'position': position, 'wxyz': turn, 'material': MATERIAL}
        colour = self._colour(visual.find('material'))
        if (box := visual.find('geometry/box')) is not None:
            return self._scene.add_box(path, colour, _numbers(box.attrib['size']), **place)
        if (cylinder := visual.find('geometry/cylinder')) is not None:
            return self._scene.add_cylinder(
                path,
                float(cylinder.attrib['radius']),
                float(cylinder.attrib['length']),
                colour,
                radial_segments=20,
                **place,
            )
        if (sphere := visual.find('geometry/sphere')) is not None:
            radius = float(sphere.attrib['radius'])
            return self._scene.add_icosphere(path, radius, colour, subdivisions=2, **place)
        mesh = visual.find('geometry/mesh')
        if mesh is not None and (file := mesh_path(mesh.get('filename', ''))) is not None:
            vertices, faces = load_mesh(file)
            scaled = vertices * _numbers(mesh.get('scale', '1 1 1'))
            return add_sheet(self._scene, path, scaled, faces, colour, **place)
        return None

    def _colour(self, material: Element | None) -> Colour:
        """Return the colour of a material, which may only name one defined for the robot."""
        if material is None:
            return _GREY
        color = material.find('color')
        if color is None:
            color = self._materials.get(material.get('name'))
        if color is None:
            return _GREY
        red, green, blue, _ = (round(255 * float(part)) for part in color.attrib['rgba'].split())
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


def _value(element: Element, tag: str, attribute: str, default: str = '') -> str:
    """Return an attribute of the first child with a tag."""
    child = element.find(tag)
    return default if child is None else child.get(attribute, default)


def _numbers(text: str) -> Vector:
    """Return the three numbers of an attribute."""
    x, y, z = map(float, text.split())
    return (x, y, z)


def _origin(element: Element) -> tuple[Vector, Quaternion]:
    """Return the position (m) and rotation of the frame of a joint or shape in its parent's."""
    w, x, y, z = euler2quat(*_numbers(_value(element, 'origin', 'rpy', '0 0 0')))
    return _numbers(_value(element, 'origin', 'xyz', '0 0 0')), (w, x, y, z)


def _slid(joint: _Joint, value: float) -> NDArray[np.float64]:
    """Return where a sliding joint at `value` (m) puts its frame."""
    return np.asarray(joint.way * value + joint.place)


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
