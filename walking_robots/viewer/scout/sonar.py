"""Draw what the sonars hear as flat fans, and the bumper as a ring of sectors."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.robots.wheeled import SonarModel, WheeledModel
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import add_sheet, set_if_new, show_nodes
from walking_robots.viewer.scout import colours

PARTS = 6
"""Pieces of the arc of a fan."""

Sight = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

_LOOKS: tuple[tuple[str, Colour, float], ...] = (
    ('echo', colours.ECHO, 0.22),
    ('silent', colours.SILENT, 0.05),
    ('near', colours.TOO_NEAR, 0.75),
)
_BUMPER_HEIGHTS = (0.065, 0.125)
_BUMPER_WIDTH = 0.012


def fans(
    model: SonarModel, ranges: Sequence[float], see: Sight | None = None
) -> dict[str, NDArray[np.float32]]:
    """Return the fans of a ring of sonars in base_link, m, by what was heard.

    `ranges` as in ScoutView; `see`: how far rays go before a wall ends them, m, given their
    starts (sonars, 1, 2) and angles (sonars, PARTS + 1). Each entry has shape (sonars,
    2 + PARTS, 3): where a sonar sits and then the arc at its range. A sonar has a fan in one entry
    at most and a point in the others.
    """
    lengths = np.zeros((len(_LOOKS), model.count))
    values = np.asarray(ranges, dtype=np.float64)
    lengths[0] = np.where(np.isfinite(values), np.clip(values, 0.0, model.far), 0.0)
    lengths[1] = np.where(values == math.inf, model.far, 0.0)
    lengths[2] = np.where(values == -math.inf, model.near, 0.0)
    bearings = np.array([model.bearing(number) for number in range(model.count)])
    spread = np.linspace(-0.5, 0.5, PARTS + 1) * model.field_of_view
    angles = bearings[:, None] + spread
    seats = model.radius * np.stack((np.cos(bearings), np.sin(bearings)), axis=-1)[:, None]
    ends = np.full(angles.shape, math.inf) if see is None else see(seats, angles)
    arcs = np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    found = {}
    for (name, _, _), length in zip(_LOOKS, lengths, strict=True):
        ways = np.minimum(length[:, None], ends)
        flat = np.concatenate((seats, seats + ways[..., None] * arcs), axis=1)
        height = np.full((*flat.shape[:2], 1), model.height)
        found[name] = np.concatenate((flat, height), axis=2).astype(np.float32)
    return found


class SonarFans:
    """The fans in the scene: blue up to an echo, faint without one, red where it is too near."""

    def __init__(self, scene: viser.SceneApi, model: SonarModel, base: str) -> None:
        """Add the fans below the scene node `base` (base_link)."""
        self._model = model
        self._ranges: tuple[float, ...] | None = None
        first = (2 + PARTS) * np.arange(model.count)[:, None, None]
        part = np.arange(PARTS)[:, None]
        faces = (first + np.hstack((0 * part, part + 1, part + 2))).reshape(-1, 3)
        nothing = fans(model, (math.nan,) * model.count)
        self._meshes = {
            name: add_sheet(
                scene,
                f'{base}/sonar_{name}',
                nothing[name].reshape(-1, 3),
                faces,
                colour,
                opacity=opacity,
            )
            for name, colour, opacity in _LOOKS
        }
        self._arcs = scene.add_line_segments(
            f'{base}/sonar_arcs', _arcs(nothing['echo']), colours.ECHO, thickness=0.016
        )

    def switch(self, visible: bool) -> None:
        """Show or hide the fans."""
        show_nodes((*self._meshes.values(), self._arcs), visible)

    def show(self, ranges: tuple[float, ...], see: Sight | None = None) -> None:
        """Draw what the sonars hear (m), as far as one can see; see `fans`."""
        if ranges == self._ranges:
            return
        self._ranges = ranges
        found = fans(self._model, ranges, see)
        for name, mesh in self._meshes.items():
            set_if_new(mesh, 'vertices', found[name].reshape(-1, 3))
        set_if_new(self._arcs, 'points', _arcs(found['echo']))


def _arcs(shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the arcs of fans (n, 2 + PARTS, 3) as pieces (n * PARTS, 2, 3)."""
    return np.stack((shapes[:, 1:-1], shapes[:, 2:]), axis=2).reshape(-1, 2, 3)


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
            set_if_new(sector, 'color', colours.PRESSED if on else colours.BUMPER)


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
