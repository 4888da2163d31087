"""Map the ground around a robot from clouds of points: a window of cells that moves along.

Each cell holds a height and its variance by a Kalman filter, the lowest and the highest of its
points, so that one with an edge in it is noticed, and the height below which rays have passed.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Pose, Vector

Array = NDArray[np.float64]
Layer = NDArray[np.float32]

SAMPLES = 24
"""Places along a ray that are compared with the map."""

MOST_RAYS = 512
"""Rays of a cloud that are compared with the map; the next cloud takes others."""

FORGET = 0.05
"""Least weight of a look against all before it: what was seen from afar was seen less exactly."""

SURE = 3.0
"""Standard deviations beyond which a difference is not noise."""

FOOTHOLDS = 40
"""Cells of footholds along a side of the window of a robot."""

SLACK = 1.0 / 3.0
"""Difference of feet and ground that says nothing of the map, in tolerances of it: a foot that
stands where the map has the ground, or a little lower, must not lower the map."""

ENOUGH = 30
"""Known cells that a cloud has to meet, so that its drift in height is compensated."""

DRIFT_NOISE = 0.05
"""Drift of the height, in tolerances of it, that may be noise and is not compensated: each look
would add to it, and the map would rise or sink without end."""

HEIGHT, VARIANCE, LOWER, UPPER, CEILING, WAY = range(6)
UNKNOWN = (0.0, math.inf, math.inf, -math.inf, math.inf, 0.0)
"""What a cell holds before anything is known of it."""

BLUR = 0.1
"""How far odometry may drift until what was seen before counts little, in cells of the map."""


class MapSettings(NamedTuple):
    """Settings: side of a cell, m; cells along a side of the window; parts of a foothold's cell.

    The window moves by ``parts`` cells at a time. ``noise``: standard deviation of a range, as a
    share of it; ``drift``: how far odometry drifts, as a share of the way; ``tolerance``: m, how
    far a ray has to pass below a cell that is no longer believed in.
    """

    cell: float
    side: int
    parts: int = 4
    noise: float = 0.01
    drift: float = 0.01
    tolerance: float = 0.01

    @classmethod
    def of(cls, foothold: float, lift: float, *, noise: float) -> 'MapSettings':
        """Return the map of a robot with cells of ``foothold`` m, feet lifted by ``lift`` m."""
        parts = 4
        return cls(foothold / parts, FOOTHOLDS * parts, parts, noise, tolerance=0.15 * lift)


class MapWindow(NamedTuple):
    """A map: side of a cell, m, absolute index of the first one, and layers (5, side, side), m.

    The layers are height, its variance (m²; infinite where nothing was seen), lowest point,
    highest point, and the height below which rays have passed.
    """

    cell: float
    first: tuple[int, int]
    layers: Layer


class ElevationMap:
    """Fuses clouds into a window around the robot."""

    def __init__(self, settings: MapSettings) -> None:
        """Begin with a window around the origin in which nothing is known."""
        if settings.side % settings.parts:
            raise ValueError(f'a window has to be a multiple of {settings.parts} cells')
        self.settings = settings
        self._first = (0, 0)
        self._layers = self._blank()
        self._place: tuple[float, float] | None = None
        self._way = 0.0
        self._looks = 0

    def window(self) -> MapWindow:
        """Return the map as it is now; it does not change any more.

        Where the ground is uneven, its height is the less certain the farther odometry may have
        drifted since it was seen.
        """
        layers = self._layers[:WAY].copy()
        settings = self.settings
        blur = settings.drift / settings.cell * (np.float32(self._way) - self._layers[WAY])
        layers[VARIANCE] += (blur * _rise(layers)) ** 2
        return MapWindow(settings.cell, self._first, layers)

    def see(self, points: Layer, pose: Pose, mount: Pose) -> None:
        """Take in a cloud (n, 3), m, which may be empty, of a sensor at a mount on a body."""
        if len(points):
            eye = pose.apply(mount.position)
            turned = pose.matrix() @ mount.matrix()
            self.update(points.astype(np.float64) @ turned.T + np.array(eye), eye)

    def update(self, points: Array, eye: Vector) -> None:
        """Take in the points (n, 3), m, that a sensor at ``eye``, m, has seen.

        Both are in the odometry frame.
        """
        drift = self._fuse(points, eye[2])
        self._see_through(points - np.array((0.0, 0.0, drift)), (*eye[:2], eye[2] - drift))
        self._looks += 1

    def feel(self, feet: Sequence[Vector]) -> None:
        """Take in where feet stand on the ground, m.

        Where the map knew nothing it does now; elsewhere the whole map follows the feet slowly.
        """
        half = 0.5 * self.settings.cell
        around = [(x, y) for x in (-half, half) for y in (-half, half)]
        points = np.array([(x + i, y + j, z) for x, y, z in feet for i, j in around])
        points = points.reshape(-1, 3)
        place, inside = self._cells(points[:, 0], points[:, 1])
        place, points = place[inside], points[inside]
        layers = self._layers.reshape(len(UNKNOWN), -1)
        known = np.isfinite(layers[VARIANCE, place])
        new = points[~known]
        self._fuse(new)
        differences = points[known, 2] - layers[HEIGHT, place[known]].astype(np.float64)
        # A foot beside an edge says nothing of the whole map.
        near = differences[np.abs(differences) < self.settings.tolerance]
        if len(near):
            slack = SLACK * self.settings.tolerance
            off = float(np.median(near))
            off -= max(-slack, min(slack, off))
            self._layers[[HEIGHT, LOWER, UPPER, CEILING]] += np.float32(FORGET * off)

    def move(self, x: float, y: float) -> None:
        """Move the window so that the robot at (x, y), m, is in its middle cell of a foothold.

        What was seen is trusted less after the way since then.
        """
        if self._place is not None:
            way = math.dist((x, y), self._place)
            self._way += way
            way *= self.settings.drift
            self._layers[VARIANCE] += np.float32(way * way)
            self._layers[CEILING] += np.float32(way)
        self._place = (x, y)
        parts, side = self.settings.parts, self.settings.side
        block = parts * self.settings.cell
        middle = side // parts // 2
        first = tuple((math.floor(place / block) - middle) * parts for place in (x, y))
        if first == self._first:
            return
        new = self._blank()
        (i, di), (j, dj) = ((b, b - a) for a, b in zip(self._first, first, strict=True))
        if abs(di) < side and abs(dj) < side:
            target = np.s_[:, max(-di, 0) : side - max(di, 0), max(-dj, 0) : side - max(dj, 0)]
            source = np.s_[:, max(di, 0) : side + min(di, 0), max(dj, 0) : side + min(dj, 0)]
            new[target] = self._layers[source]
        self._first, self._layers = (i, j), new

    def _blank(self) -> Layer:
        side = self.settings.side
        found = np.empty((len(UNKNOWN), side, side), np.float32)
        found[:] = np.array(UNKNOWN, np.float32)[:, None, None]
        return found

    def _cells(self, x: Array, y: Array) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the flat indices of places, m, and which of them are in the window."""
        side, cell = self.settings.side, self.settings.cell
        i = np.floor(x / cell).astype(np.intp) - self._first[0]
        j = np.floor(y / cell).astype(np.intp) - self._first[1]
        inside = (i >= 0) & (i < side) & (j >= 0) & (j < side)
        return i * side + j, inside

    def _fuse(self, points: Array, eye: float | None = None) -> float:
        """Fuse the heights of points into the cells: seen from a height, m, or felt by feet.

        Return the drift of odometry in height that was compensated, m.
        """
        place, inside = self._cells(points[:, 0], points[:, 1])
        place, z = place[inside], points[inside, 2]
        drift = 0.0
        if not len(place):
            return drift
        order = np.argsort(place, kind='stable')
        place, z = place[order], z[order]
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        cells, counts = place[starts], np.diff(starts, append=len(place))
        mean = np.add.reduceat(z, starts) / counts
        layers = self._layers.reshape(len(UNKNOWN), -1)
        old = layers[:, cells].astype(np.float64)
        known = np.isfinite(old[VARIANCE])
        deviation = np.full(len(cells), 0.1 * self.settings.tolerance)
        if eye is not None:
            # The error of a range is along its ray. If it were computed from the new height, high
            # ones would weigh more and raise the map.
            seen = self.settings.noise * np.abs(eye - np.where(known, old[HEIGHT], mean))
            deviation = np.maximum(deviation, seen)
        low = np.minimum(np.minimum.reduceat(z, starts) + SURE * deviation, mean)
        high = np.maximum(np.maximum.reduceat(z, starts) - SURE * deviation, mean)
        if eye is not None:
            uncertain = DRIFT_NOISE * self.settings.tolerance
            firm = known & (old[UPPER] - old[LOWER] < self.settings.tolerance)
            if np.count_nonzero(firm) >= ENOUGH:
                drift = float(np.median((mean - old[HEIGHT])[firm]))
                drift -= max(-uncertain, min(uncertain, drift))
                mean, low, high = mean - drift, low - drift, high - drift
        # Points of one cloud may err together: their number counts by its root.
        noise = deviation**2 / np.sqrt(counts)
        before, lower, upper = np.where(known, old[[HEIGHT, LOWER, UPPER]], mean)
        # Edges were elsewhere before odometry drifted.
        settings = self.settings
        faded = np.exp((old[WAY] - self._way) * settings.drift / (BLUR * settings.cell))
        forget = np.where(known, 1.0 - (1.0 - FORGET) * faded, 1.0)
        gain = np.maximum(1.0 / (1.0 + noise / old[VARIANCE]), forget)
        layers[WAY, cells] = self._way
        height = before + gain * (mean - before)
        layers[HEIGHT, cells] = height
        layers[VARIANCE, cells] = gain * noise
        for layer, extreme, past in ((LOWER, low, lower), (UPPER, high, upper)):
            past = past + FORGET * (height - past)
            choose = np.minimum if layer == LOWER else np.maximum
            layers[layer, cells] = choose(choose(extreme, past), height)
        layers[CEILING, cells] = np.maximum(old[CEILING], mean)
        return drift

    def _see_through(self, points: Array, eye: Vector) -> None:
        """Lower the ceiling of the cells that rays pass, and forget cells that are above it."""
        layers = self._layers.reshape(len(UNKNOWN), -1)
        top = float(layers[UPPER].max())
        rays = points[points[:, 2] < min(top, eye[2]) - self.settings.tolerance]
        if not len(rays):
            return
        step = -(-len(rays) // MOST_RAYS)
        rays = rays[self._looks % step :: step] - eye
        length = np.maximum(np.hypot(rays[:, 0], rays[:, 1]), 1e-9)
        begin = np.maximum((eye[2] - top) / -rays[:, 2], 0.0)
        end = 1.0 - SURE * self.settings.noise - self.settings.cell / length
        phase = (self._looks * 0.618034) % 1.0
        shares = (np.arange(SAMPLES) + phase) / SAMPLES
        along = begin[:, None] + (end - begin)[:, None] * shares
        along = along[end > begin]
        x, y, z = (eye[k] + along * rays[end > begin, k, None] for k in range(3))
        place, inside = self._cells(x, y)
        place, z = place[inside], z[inside].astype(np.float32)
        np.minimum.at(layers[CEILING], place, z)
        touched = np.unique(place)
        ceiling, height, variance = (layers[k, touched] for k in (CEILING, HEIGHT, VARIANCE))
        wrong = height - ceiling > self.settings.tolerance + SURE * np.sqrt(variance)
        cells = touched[wrong & np.isfinite(variance)]
        for layer in (HEIGHT, VARIANCE, LOWER, UPPER):
            layers[layer, cells] = UNKNOWN[layer]


def _rise(layers: Layer) -> Layer:
    """Return the greatest difference of height, m, of each cell and those beside it.

    Where nothing was seen, rays may have passed.
    """
    known = np.isfinite(layers[VARIANCE])
    height = np.where(known, layers[HEIGHT], layers[CEILING])
    found: Layer = np.zeros_like(height)
    for axis in (0, 1):
        with np.errstate(invalid='ignore'):
            rise = np.abs(np.diff(height, axis=axis))
        rise[~np.isfinite(rise)] = 0.0
        rise = np.moveaxis(rise, axis, 0)
        beside = np.moveaxis(found, axis, 0)
        np.maximum(beside[1:], rise, out=beside[1:])
        np.maximum(beside[:-1], rise, out=beside[:-1])
    return found
