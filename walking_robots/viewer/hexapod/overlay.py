"""Draw what the gait thinks about: footholds, support, margin, volumes; and the wire frame."""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.geometry.polygon import convex_hull
from walking_robots.robots.model import HalfSpace
from walking_robots.viewer.common.colours import Colour, Grade
from walking_robots.viewer.common.handles import add_line, add_sheet, show_nodes
from walking_robots.viewer.common.vehicle import Bone
from walking_robots.viewer.hexapod.colours import VOLUME, LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine, LegSigns
from walking_robots.viewer.hexapod.plan_marks import PlanMarks
from walking_robots.viewer.hexapod.state import ViewState

_ABOVE = 0.025
_INK, _CHALK = (40, 44, 52), (255, 255, 255)
_FAN = np.array([(0, k, k + 1) for k in range(1, 5)], dtype=np.uint32)


class HexapodOverlay:
    """Everything in the scene beside the terrain and the vehicle."""

    def __init__(
        self, scene: viser.SceneApi, machine: HexapodMachine, root: str, base: str
    ) -> None:
        """Add the nodes below `root` (odom), and the working volumes below `base` (base_link)."""
        self._machine = machine
        size = machine.size
        self._feet = [
            scene.add_cylinder(
                f'{root}/foothold{number}',
                machine.foothold,
                0.02 * size,
                LegPhase.WAITS.colour,
                visible=False,
            )
            for number in range(1, 7)
        ]
        good = Grade.GOOD.value
        self._area = add_sheet(scene, f'{root}/support', np.zeros((6, 3)), _FAN, good, opacity=0.3)
        self._border = add_line(scene, f'{root}/border', good, 0.025 * size)
        self._reach = add_line(scene, f'{root}/reach', _INK, 0.035 * size)
        self._centre = scene.add_icosphere(f'{root}/centre', 0.075 * size, _INK, subdivisions=2)
        self._plumb = add_line(scene, f'{root}/plumb', (120, 126, 138), 0.012 * size)
        self._label = scene.add_label(f'{root}/margin', '', anchor='bottom-center')
        self._numbers = [
            scene.add_label(
                f'{base}/number{leg.number}',
                str(leg.number),
                position=leg.place,
                anchor='center-center',
            )
            for leg in machine.legs
        ]
        self.plan = PlanMarks(scene, machine, root)
        self._volumes = [_add_volume(scene, leg, base) for leg in machine.legs if leg.volume]

    def show_volumes(self, visible: bool) -> None:
        """Show or hide the working volumes of the legs."""
        show_nodes(self._volumes, visible)

    def show_numbers(self, visible: bool) -> None:
        """Show or hide the numbers of the legs."""
        show_nodes(self._numbers, visible)

    def draw_light(self, light: bool) -> None:
        """Draw what is dark before the ground light, for a dark backdrop."""
        colour = _CHALK if light else _INK
        self._centre.color = colour
        self._reach.colors = np.array(colour, dtype=np.uint8)

    def show(self, state: ViewState) -> None:
        """Draw a state."""
        for foot, point, name in zip(self._feet, state.footholds, state.leg_states, strict=True):
            seen = bool(np.isfinite(point).all())
            foot.visible = seen
            if seen:
                foot.position = (point[0], point[1], point[2] + 0.012 * self._machine.size)
                foot.color = LegPhase.of(name).colour
        self._show_support(state)
        self.plan.show(state.swings)

    def _show_support(self, state: ViewState) -> None:
        """Draw the support polygon, the centre above it and the distance between border and it."""
        feet = state.footholds[[number - 1 for number in state.support]]
        feet = feet[np.isfinite(feet).all(axis=1)]
        hull = np.array(convex_hull([(float(x), float(y)) for x, y, _ in feet]))
        there = len(hull) >= 3
        nodes = (self._area, self._border, self._reach, self._label, self._centre, self._plumb)
        show_nodes(nodes, there)
        if not there:
            return
        machine = self._machine
        above = _ABOVE * machine.size
        x, y, z = state.position
        ground = float(np.mean(feet[:, 2])) + above
        heights = [feet[np.argmin(np.hypot(*(feet[:, :2] - corner).T)), 2] for corner in hull]
        corners = np.column_stack((hull, np.array(heights) + above))
        corners = np.concatenate((corners, np.repeat(corners[-1:], 6 - len(corners), axis=0)))
        grade = Grade.of(state.margin, machine.margins[0].least, machine.margins[0].comfort)
        self._area.vertices = corners.astype(np.float32)
        self._area.color = grade.value
        edges = np.stack((corners, np.roll(corners, -1, axis=0)), axis=1)
        self._border.points = edges.astype(np.float32)
        self._border.colors = np.array(grade.value, dtype=np.uint8)
        near = nearest_edge_point(hull, np.array((x, y)))
        self._reach.points = np.array([[(x, y, ground), (*near, ground)]], dtype=np.float32)
        self._plumb.points = np.array(
            [[(x, y, ground), (x, y, z - 0.25 * machine.size)]], dtype=np.float32
        )
        self._centre.position = (x, y, ground)
        margin = f'margin {state.margin:.{machine.decimals}f} m'
        self._label.text = margin if state.margin > 0.0 else 'not stable'
        self._label.position = (x, y, ground + 0.12 * machine.size)


def nearest_edge_point(
    hull: NDArray[np.float64], point: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the point (2,) on the border of a polygon (n, 2) that is nearest to a point (2,)."""
    ends = np.roll(hull, -1, axis=0)
    along = ends - hull
    share = np.sum((point - hull) * along, axis=1) / np.sum(along * along, axis=1)
    feet = hull + np.clip(share, 0.0, 1.0)[:, None] * along
    return np.asarray(feet[np.argmin(np.hypot(*(feet - point).T))])


def _add_volume(scene: viser.SceneApi, leg: LegSigns, base: str) -> viser.MeshHandle:
    """Add the working volume of a leg as a translucent body, hidden."""
    name, mesh = f'{base}/volume{leg.number}', volume_mesh(leg.volume)
    return add_sheet(scene, name, *mesh, VOLUME, opacity=0.13, flat_shading=True, visible=False)


_NEAR = 1e-7
"""Distance, m, from a plane up to which a corner lies in it."""


def volume_mesh(
    volume: Sequence[HalfSpace],
) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return the corners (n, 3), m, and triangles (k, 3) of a bounded convex volume."""
    normals = np.array([plane.normal for plane in volume]) * [[-p.inside] for p in volume]
    offsets = np.array([-plane.offset * plane.inside for plane in volume])
    corners: list[NDArray[np.float64]] = []
    for three in itertools.combinations(range(len(volume)), 3):
        chosen = list(three)
        if abs(np.linalg.det(normals[chosen])) < 1e-9:
            continue
        corner = np.linalg.solve(normals[chosen], -offsets[chosen])
        known = any(np.abs(corner - other).max() < _NEAR for other in corners)
        if not known and (normals @ corner + offsets <= _NEAR).all():
            corners.append(corner)
    points = np.array(corners).reshape(-1, 3)
    faces: list[tuple[int, int, int]] = []
    for normal, offset in zip(normals, offsets, strict=True):
        on = np.flatnonzero(np.abs(points @ normal + offset) <= _NEAR)
        ring = _round(points[on], normal, on)
        faces += [(ring[0], a, b) for a, b in itertools.pairwise(ring[1:])]
    return points.astype(np.float32), np.array(faces, dtype=np.uint32).reshape(-1, 3)


def _round(
    points: NDArray[np.float64], normal: NDArray[np.float64], names: NDArray[np.intp]
) -> list[int]:
    """Return the names of the corners of a face in their order round it."""
    if len(points) < 3:
        return []
    arms = points - points.mean(axis=0)
    aside = np.cross(normal, arms[0])
    turns = np.arctan2(arms @ aside, arms @ arms[0] * np.linalg.norm(normal))
    return [int(name) for name in names[np.argsort(turns)]]


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
