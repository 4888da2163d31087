"""Turn a working volume, given by the planes that bound it, into a mesh."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.model import HalfSpace

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
