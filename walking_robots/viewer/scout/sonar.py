"""Draw what the sonars hear as flat fans, and the bumper as a ring of sectors."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.robots.wheeled import SonarModel, WheeledModel
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import add_line, add_sheet, box_corners, show_nodes
from walking_robots.viewer.scout import colours

PARTS = 6
"""Pieces of the arc of a fan."""
LEAST_CHANGE = 0.05
"""Way of a corner, m, as of one at a wall while the robot drives, that sends a fan again."""

Sight = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

_BUMPER_HEIGHTS = (0.065, 0.125)
_BUMPER_WIDTH = 0.012


def fans(
    model: SonarModel, ranges: Sequence[float], see: Sight | None = None
) -> NDArray[np.float32]:
    """Return the fans of a ring of sonars in base_link, m, shape (sonars, 2 + PARTS, 3).

    `ranges` as in ScoutView; `see`: how far rays go before a wall ends them, m, given their
    starts (sonars, 1, 2) and angles (sonars, PARTS + 1). A fan is where a sonar sits and then the
    arc at its range; it is a point where nothing is known.
    """
    values = np.asarray(ranges, dtype=np.float64)
    lengths = np.nan_to_num(np.clip(np.where(values < 0.0, model.near, values), 0.0, model.far))
    bearings = np.array([model.bearing(number) for number in range(model.count)])
    spread = np.linspace(-0.5, 0.5, PARTS + 1) * model.field_of_view
    angles = bearings[:, None] + spread
    seats = model.radius * np.stack((np.cos(bearings), np.sin(bearings)), axis=-1)[:, None]
    ends = np.full(angles.shape, math.inf) if see is None else see(seats, angles)
    arcs = np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    ways = np.minimum(lengths[:, None], ends)
    flat = np.concatenate((seats, seats + ways[..., None] * arcs), axis=1)
    height = np.full((*flat.shape[:2], 1), model.height)
    return np.concatenate((flat, height), axis=2).astype(np.float32)


def look(heard: float) -> tuple[Colour, float]:
    """Return the colour and opacity of a fan: up to an echo, without one, or too near."""
    if heard == math.inf:
        return colours.SILENT, 0.05
    return (colours.TOO_NEAR, 0.75) if heard == -math.inf else (colours.ECHO, 0.22)


class SonarFans:
    """The fans in the scene, and an arc at each echo; browsers take long for many lines."""

    def __init__(self, scene: viser.SceneApi, model: SonarModel, base: str) -> None:
        """Add the fans below the scene node `base` (base_link)."""
        self._model = model
        self._ranges: tuple[float, ...] = (math.nan,) * model.count
        part = np.arange(PARTS)[:, None]
        faces = np.hstack((0 * part, part + 1, part + 2))
        self._box = box_corners(model.radius + model.far, model.height)
        self._fans = [
            add_sheet(
                scene,
                f'{base}/sonar{number}',
                np.concatenate((fan, self._box)),
                faces,
                colours.ECHO,
                opacity=0.22,
                # Half of the work for a browser; the lower sides are not seen.
                side='front',
                # One above the other, where they overlap.
                position=(0.0, 0.0, -0.001 * number),
            )
            for number, fan in enumerate(fans(model, self._ranges))
        ]
        self._arcs = add_line(scene, f'{base}/sonar_arcs', colours.ECHO, 0.016)

    def switch(self, visible: bool) -> None:
        """Show or hide the fans."""
        show_nodes((*self._fans, self._arcs), visible)

    def show(self, ranges: tuple[float, ...], see: Sight | None = None) -> None:
        """Draw what the sonars hear (m), as far as one can see; see `fans`."""
        if ranges == self._ranges:
            return
        before, self._ranges = self._ranges, ranges
        found = fans(self._model, ranges, see)
        for mesh, fan, heard, last in zip(self._fans, found, ranges, before, strict=True):
            if heard != last or np.abs(fan - mesh.vertices[:-2]).max() >= LEAST_CHANGE:
                mesh.vertices = np.concatenate((fan, self._box))
                mesh.color, mesh.opacity = look(heard)
        echoes = np.array([mesh.vertices[1:-2] for mesh in self._fans])[np.isfinite(ranges)]
        arcs = np.stack((echoes[:, :-1], echoes[:, 1:]), axis=2).reshape(-1, 2, 3)
        self._arcs.points = arcs if len(arcs) else np.zeros((1, 2, 3), np.float32)


class BumperRing:
    """The switches round the body; those that are pressed are lit."""

    def __init__(self, scene: viser.SceneApi, model: WheeledModel, base: str) -> None:
        """Add the sectors below the scene node `base` (base_link)."""
        half = 0.46 * model.bumper.sector
        self._sectors = [
            _add_sector(scene, f'{base}/bumper_sector{number}', model.radius, bearing, half)
            for number, bearing in enumerate(model.bumper.bearings)
        ]

    def show(self, pressed: Sequence[bool]) -> None:
        """Light the switches that are pressed."""
        for sector, on in zip(self._sectors, pressed, strict=True):
            sector.color = colours.PRESSED if on else colours.BUMPER


def _add_sector(
    scene: viser.SceneApi, name: str, radius: float, bearing: float, half: float
) -> viser.MeshHandle:
    """Add the outside and the top of a sector of the bumper; radius in m, angles in rad."""
    angles = bearing + half * np.linspace(-1.0, 1.0, 2 * PARTS + 1)
    way = np.column_stack((np.cos(angles), np.sin(angles)))
    low, high = _BUMPER_HEIGHTS
    rings = [
        np.column_stack((way * r, np.full(len(way), z)))
        for r, z in ((radius + 0.002, low), (radius + 0.002, high), (radius - _BUMPER_WIDTH, high))
    ]
    count = len(way)
    faces = [
        corner
        for ring in range(2)
        for k in range(ring * count, ring * count + count - 1)
        for corner in ((k, k + 1, k + 1 + count), (k, k + 1 + count, k + count))
    ]
    return add_sheet(scene, name, np.concatenate(rings), faces, colours.BUMPER)
