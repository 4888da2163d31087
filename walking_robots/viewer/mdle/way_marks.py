"""Draw what the planner means to do: way, tube of what is driven now, frontiers, goal, bounds."""

import math
from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import add_line, add_sheet
from walking_robots.viewer.mdle.map_tiles import MapTiles
from walking_robots.viewer.mdle.marks import Flag
from walking_robots.viewer.mdle.state import NamedPoint
from walking_robots.viewer.mdle.way_state import Places, WayView

WAY: Colour = (146, 64, 190)
TUBE: Colour = (20, 150, 120)
FRONTIER: Colour = (240, 140, 20)
SPREAD: Colour = (206, 58, 52)
AREA: Colour = SPREAD
SIGMAS = 2.0
"""Of the ellipse round the robot."""
MOST_FRONTIERS = 30

_CORNERS = 20
_DISC = 0.12
"""Radius of a frontier's mark, m."""

Triangles = tuple[NDArray[np.float32], NDArray[np.uint32]]


class WayMarks:
    """Everything of a `WayView` that stands in the scene, below the node of the frame map."""

    def __init__(self, scene: viser.SceneApi, root: str) -> None:
        """Add what is empty at first, below the scene node `root`."""
        self._scene, self._root = scene, root
        self.map = MapTiles(scene, root)
        self._shown = WayView()
        self._way = add_line(scene, f'{root}/way', WAY, 0.03)
        self._area = add_line(scene, f'{root}/area', AREA, 0.03)
        self._spread = add_line(scene, f'{root}/spread', SPREAD, 0.018)
        self._sheets: dict[str, viser.MeshHandle] = {}
        self._goal = Flag(scene, f'{root}/goal')

    def show(self, view: WayView) -> None:
        """Draw what has changed."""
        before, self._shown = self._shown, view
        self.map.show(view.map)
        if view.way != before.way:
            self._way.points = line_of(view.way, 0.022)
        if view.area != before.area:
            self._area.points = line_of(view.area, 0.02)
        if (view.tube, view.width) != (before.tube, before.width):
            self._replace('tube', band(view.tube, view.width, 0.010), TUBE, 0.45)
        if view.frontiers != before.frontiers:
            marks = discs(view.frontiers[:MOST_FRONTIERS], _DISC, 0.016)
            self._replace('frontiers', marks, FRONTIER, 0.9)
        if view.goal != before.goal:
            self._goal.show(NamedPoint('goal', *view.goal[0]) if view.goal else None)
        if (view.pose, view.spread) != (before.pose, before.spread):
            self._spread.points = ellipse(view, 0.024)

    def _replace(self, name: str, shape: Triangles, colour: Colour, opacity: float) -> None:
        """Draw a flat shape in place of the last one of its name."""
        if name in self._sheets:
            self._sheets.pop(name).remove()
        if len(shape[1]):
            self._sheets[name] = add_sheet(
                self._scene, f'{self._root}/{name}', *shape, colour, opacity=opacity, side='front'
            )


def line_of(places: Places, height: float) -> NDArray[np.float32]:
    """Return a way as pieces (n, 2, 3), m; one piece of no length for less than two places."""
    points = np.full((max(len(places), 2), 3), height, dtype=np.float32)
    points[:, :2] = places if len(places) > 1 else 0.0
    return np.stack((points[:-1], points[1:]), axis=1)


def band(places: Places, width: float, height: float) -> Triangles:
    """Return a band round a way, m, as vertices and faces; none for less than two places."""
    way = np.array(places, dtype=np.float64).reshape(-1, 2)
    if len(way):
        # A turn on the spot has no length.
        moved = np.hypot(*np.diff(way, axis=0).T) > 1e-6
        way = way[np.concatenate(([True], moved))]
    if len(way) < 2:
        return np.empty((0, 3), np.float32), np.empty((0, 3), np.uint32)
    along = np.column_stack((np.gradient(way[:, 0]), np.gradient(way[:, 1])))
    along /= np.hypot(along[:, 0], along[:, 1])[:, None].clip(1e-9)
    aside = 0.5 * width * np.column_stack((-along[:, 1], along[:, 0]))
    sides = np.concatenate((way + aside, way - aside))
    count, first = len(way), np.arange(len(way) - 1)
    faces = np.concatenate(
        (
            np.column_stack((first, first + count, first + count + 1)),
            np.column_stack((first, first + count + 1, first + 1)),
        )
    )
    heights = np.full((len(sides), 1), height)
    return np.hstack((sides, heights)).astype(np.float32), faces.astype(np.uint32)


def discs(places: Sequence[tuple[float, float]], radius: float, height: float) -> Triangles:
    """Return flat discs as vertices and faces, m."""
    angles = 2.0 * math.pi * np.arange(_CORNERS) / _CORNERS
    rim = np.vstack(([(0.0, 0.0)], radius * np.column_stack((np.cos(angles), np.sin(angles)))))
    middles = np.array(places, dtype=np.float64).reshape(-1, 1, 2)
    flat = (middles + rim).reshape(-1, 2)
    corner = np.arange(1, _CORNERS + 1)
    fan = np.column_stack((0 * corner, corner, corner % _CORNERS + 1))
    faces = (fan + (_CORNERS + 1) * np.arange(len(middles))[:, None, None]).reshape(-1, 3)
    heights = np.full((len(flat), 1), height)
    return np.hstack((flat, heights)).astype(np.float32), faces.astype(np.uint32)


def ellipse(view: WayView, height: float) -> NDArray[np.float32]:
    """Return the ellipse of SIGMAS round the robot, pieces (n, 2, 3), m; a point without one."""
    if view.pose is None or not view.spread.sigma > 0.0:
        return line_of((), height)
    xx, yy, xy = view.spread
    values, axes = np.linalg.eigh(np.array(((xx, xy), (xy, yy))))
    angles = np.linspace(0.0, 2.0 * math.pi, 2 * _CORNERS + 1)
    circle = np.stack((np.cos(angles), np.sin(angles)))
    ring = (axes * SIGMAS * np.sqrt(values.clip(0.0))) @ circle
    places = (ring.T + view.pose[:2]).tolist()
    return line_of(tuple((x, y) for x, y in places), height)
