"""Many convex polygons at once, cut by half-planes.

Points are complex numbers, x + iy. ``corners``, (n, k), holds the corners of n polygons in order
round them; a polygon with fewer corners than others repeats some. The half-plane of a unit
``normal`` and a ``limit`` contains the points p whose dot product with the normal is at most the
limit.
"""

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled

Points = NDArray[np.complex128]
Array = NDArray[np.float64]
Index = NDArray[np.intp]


def dot(one: Points, other: Points) -> Array:
    """Return the dot products of points."""
    return np.asarray(one.real * other.real + one.imag * other.imag)


def clip(corners: Points, normals: Points, limits: Array) -> tuple[Index, Points]:
    """Return the polygons that have a part in all of several half-planes, as rows and that part.

    corners: (n, k); normals, limits: (n, half-planes). Borders belong to polygons and half-planes.
    """
    count, planes = normals.shape
    most = corners.shape[1] + planes
    rows, parts = np.empty(count, np.intp), np.empty((count, most), np.complex128)
    part, before, above = np.empty((2, most)), np.empty((2, most)), np.empty(most)
    found, width = 0, 1
    for row in range(count):
        size = corners.shape[1]
        while size > 1 and corners[row, size - 1] == corners[row, size - 2]:
            size -= 1
        for k in range(size):
            part[0, k], part[1, k] = corners[row, k].real, corners[row, k].imag
        for plane in range(planes):
            normal, limit = normals[row, plane], limits[row, plane]
            first, inside = 0, 0
            for k in range(size):
                above[k] = part[0, k] * normal.real + part[1, k] * normal.imag - limit
                inside += above[k] <= 0.0
            if inside == size:
                continue
            if inside == 0:
                size = 0
                break
            while above[first] > 0.0 or above[first - 1 if first else size - 1] <= 0.0:
                first += 1
            part, before = before, part
            for k in range(inside):
                own = (first + k) % size
                part[0, k + 1], part[1, k + 1] = before[0, own], before[1, own]
            # Where the border enters the polygon and where it leaves it.
            for k, inner, outer in (
                (0, first, first - 1 if first else size - 1),
                (inside + 1, (first + inside - 1) % size, (first + inside) % size),
            ):
                share = above[outer] / (above[outer] - above[inner])
                for axis in range(2):
                    start, end = before[axis, outer], before[axis, inner]
                    part[axis, k] = start + (end - start) * share
            size = inside + 2
        if size:
            for k in range(most):
                own = min(k, size - 1)
                parts[found, k] = complex(part[0, own], part[1, own])
            rows[found] = row
            found += 1
            width = max(width, size)
    return rows[:found], parts[:found, :width]


intersect = compiled('complex128[:, :]', 'complex128[:, :]', 'float64[:, :]')(clip)
"""`clip` as machine code, for many polygons."""


def furthest(corners: Points, ahead: Points) -> Points:
    """Return the corner of each polygon, (n, k), that is furthest in a direction."""
    return np.asarray(corners[np.arange(len(corners)), dot(corners, ahead).argmax(axis=1)])


@compiled('complex128[:, :]', 'complex128[:]')
def nearest(corners: Points, points: Points) -> Points:
    """Return the point of each polygon, (n, k), that is nearest to a point each, (n,)."""
    count, size = corners.shape
    found = np.empty(count, np.complex128)
    for row in range(count):
        point, best = points[row], np.inf
        left, right = False, False
        for k in range(size):
            corner = corners[row, k]
            side, way = corners[row, k + 1 if k + 1 < size else 0] - corner, point - corner
            turn = side.real * way.imag - side.imag * way.real
            left, right = left or turn > 0.0, right or turn < 0.0
            length = side.real**2 + side.imag**2
            share = (way.real * side.real + way.imag * side.imag) / length if length else 0.0
            border = corner + min(max(share, 0.0), 1.0) * side
            distance = abs(point - border)
            if distance < best:
                found[row], best = border, distance
        # It is on the same side of all sides where it is inside.
        if left != right:
            found[row] = point
    return found


def towards(start: Points, end: Points, way: Array) -> Points:
    """Return the points that are so far from starts on the way to ends, or the ends, (n,)."""
    distance = np.abs(end - start)
    return np.asarray(start + (end - start) * np.minimum(way / np.maximum(distance, 1e-300), 1.0))


def inset(corners: Points, margin: float) -> tuple[Points, Array]:
    """Return, for each polygon, the half-planes of points that are a margin or more inside it.

    corners: (n, k), in either order round the polygon. Returns normals and limits, (n, k).
    """
    following = np.concatenate((corners[:, 1:], corners[:, :1]), axis=1)
    sides = following - corners
    twice_area = (corners.conj() * following).imag.sum(axis=1)
    normals = (
        sides / np.maximum(np.abs(sides), 1e-300) * np.where(twice_area < 0.0, 1j, -1j)[:, None]
    )
    return normals, dot(normals, corners) - margin
