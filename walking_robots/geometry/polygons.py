"""Many convex polygons at once, cut by half-planes.

Points are complex numbers, x + iy. ``corners``, (n, k), holds the corners of n polygons in order
round them; a polygon with fewer corners than others repeats some. The half-plane of a unit
``normal`` and a ``limit`` contains the points p whose dot product with the normal is at most the
limit.
"""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.complex128]
Array = NDArray[np.float64]
Index = NDArray[np.intp]


def dot(one: Points, other: Points) -> Array:
    """Return the dot products of points."""
    return np.asarray(one.real * other.real + one.imag * other.imag)


def stacked(one: Points, other: Points) -> Points:
    """Return polygons after others, each with as many corners as any of them."""
    k = max(one.shape[1], other.shape[1])
    padded = [np.pad(part, ((0, 0), (0, k - part.shape[1])), mode='edge') for part in (one, other)]
    return np.concatenate(padded)


def cut(corners: Points, normals: Points, limits: Array) -> tuple[Index, Points]:
    """Return the polygons of which a part lies in a half-plane each, as their rows and that part.

    corners: (n, k); normals, limits: (n,). Borders belong to polygons and half-planes.
    """
    above = dot(corners, normals[:, None]) - limits[:, None]
    inside = above <= 0.0
    count = inside.sum(axis=1)
    k = corners.shape[1]
    rows = count.nonzero()[0]
    if rows.size < len(corners):
        corners, above, inside, count = corners[rows], above[rows], inside[rows], count[rows]
    parted = (count < k).nonzero()[0]
    if not parted.size:
        return rows, corners
    above, inside, count = above[parted], inside[parted], count[parted, None]
    whole = parted.size < rows.size
    width = max(k if whole else 0, int(count.max()) + 2)
    before = np.concatenate((inside[:, -1:], inside[:, :-1]), axis=1)
    first = (inside > before).argmax(axis=1)[:, None]
    place = np.arange(width)
    base = k * np.arange(len(parted))[:, None]
    own = corners[parted].ravel()
    part = own[base + (first + np.minimum(np.maximum(place - 1, 0), count - 1)) % k]
    # Where the border enters a polygon and where it leaves it: a corner outside, one inside.
    outer = base + np.concatenate((first - 1, first + count), axis=1) % k
    inner = base + np.concatenate((first, first + count - 1), axis=1) % k
    high, low = above.ravel()[outer], above.ravel()[inner]
    crossing = own[outer] + (own[inner] - own[outer]) * (high / (high - low))
    part[:, 0] = crossing[:, 0]
    np.copyto(part, crossing[:, 1:], where=place > count)
    if not whole:
        return rows, part
    result = corners[:, np.minimum(place, k - 1)]
    result[parted] = part
    return rows, result


def intersect(corners: Points, normals: Points, limits: Array) -> tuple[Index, Points]:
    """Return the polygons that have a part in all of several half-planes, as rows and that part.

    corners: (n, k); normals, limits: (n, half-planes).
    """
    rows = np.arange(len(corners))
    for plane in range(normals.shape[1]):
        if not rows.size:
            break
        kept, corners = cut(corners, normals[rows, plane], limits[rows, plane])
        rows = rows[kept]
    return rows, corners


def furthest(corners: Points, ahead: Points) -> Points:
    """Return the corner of each polygon, (n, k), that is furthest in a direction."""
    return np.asarray(corners[np.arange(len(corners)), dot(corners, ahead).argmax(axis=1)])


def nearest(corners: Points, points: Points) -> Points:
    """Return the point of each polygon, (n, k), that is nearest to a point each, (n,)."""
    side, way = np.roll(corners, -1, axis=1) - corners, points[:, None] - corners
    length = dot(side, side)
    share = np.clip(dot(way, side) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    border = corners + share * side
    best = np.abs(points[:, None] - border).argmin(axis=1)
    turn = (side.conj() * way).imag
    one_side = (turn >= 0.0).all(axis=1) | (turn <= 0.0).all(axis=1)
    inside = one_side & (turn != 0.0).any(axis=1)
    return np.where(inside, points, border[np.arange(len(border)), best])


def towards(start: Points, end: Points, way: Array) -> Points:
    """Return the points that are so far from starts on the way to ends, or the ends, (n,)."""
    distance = np.abs(end - start)
    return np.asarray(start + (end - start) * np.minimum(way / np.maximum(distance, 1e-300), 1.0))


def inset(corners: Points, margin: float) -> tuple[Points, Array]:
    """Return, for each polygon, the half-planes of points that are a margin or more inside it.

    corners: (n, k), in either order round the polygon. Returns normals and limits, (n, k).
    """
    sides = np.roll(corners, -1, axis=1) - corners
    twice_area = (corners.conj() * np.roll(corners, -1, axis=1)).imag.sum(axis=1)
    normals = (
        sides / np.maximum(np.abs(sides), 1e-300) * np.where(twice_area < 0.0, 1j, -1j)[:, None]
    )
    return normals, dot(normals, corners) - margin
