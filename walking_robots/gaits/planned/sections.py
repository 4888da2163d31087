"""Where feet on level ground may be, seen from the body, in each of some postures."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.homogeneous import pose_matrix
from walking_robots.geometry.polygons import Array, Index, Points, clip, intersect
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.model import HexapodModel

STRICT = 1e-6
"""How far, m, a foot stays inside of its volume, whose borders are outside."""

FAR = 1e4
"""A size, m, beyond that of any robot."""


class BodyPosture(NamedTuple):
    """A posture over level ground: yaw and pitch, rad, and the body's height, m."""

    yaw: float
    pitch: float
    height: float


class Sections:
    """Cuts of the working volumes by level ground, for every posture and leg.

    A foot is in reach of a leg if the dot products of ``normals`` with the way from body to foot
    are at most ``limits``; both (postures, legs, planes), world axes. ``corners``, (postures,
    legs, k), are the corners of these polygons, and NaN where a leg does not reach the ground.
    ``neighbours``, (postures, postures), are one step apart in one of yaw, pitch and height.
    """

    def __init__(
        self, model: HexapodModel, postures: Sequence[BodyPosture], room: float = STRICT
    ) -> None:
        """Cut all working volumes of a robot; feet stay ``room`` m inside."""
        self.postures = tuple(postures)
        sides = [
            [_sides(WorkingVolume(leg), posture, room) for leg in model.legs]
            for posture in self.postures
        ]
        most = max(len(limits) for row in sides for _, limits in row)
        shape = (len(sides), len(model.legs), most)
        self.normals: Points = np.ones(shape, complex)
        self.limits: Array = np.full(shape, FAR)
        for posture, row in enumerate(sides):
            for leg, (normals, limits) in enumerate(row):
                self.normals[posture, leg, : len(normals)] = normals
                self.limits[posture, leg, : len(limits)] = limits
        steps = np.abs(_ranks(self.postures)[:, None] - _ranks(self.postures))
        self.neighbours: NDArray[np.bool_] = steps.sum(axis=2) == 1

    @cached_property
    def corners(self) -> Points:
        """Return the corners of the polygons."""
        return _polygons(intersect, self.normals, self.limits)

    def span(self) -> float:
        """Return the side of a square as large as what a leg reaches in the mean, m."""
        # Without machine code, as a robot that starts does not wait until that is loaded.
        corners = _polygons(clip, self.normals, self.limits)
        x, y = corners.real, corners.imag
        areas = np.abs((x * np.roll(y, -1, axis=2) - y * np.roll(x, -1, axis=2)).sum(axis=2)) / 2.0
        return math.sqrt(float(np.nanmean(areas)))

    def bodies(self, posture: Index, leg: Index, foot: Points) -> tuple[Points, Array]:
        """Return the half-planes of body places from which legs reach feet, (n, planes) each."""
        normals = self.normals[posture, leg]
        along = normals.real * foot.real[:, None] + normals.imag * foot.imag[:, None]
        return -normals, self.limits[posture, leg] - along


def _sides(volume: WorkingVolume, posture: BodyPosture, room: float) -> tuple[Points, Array]:
    """Return the sides of a section as normals and limits, without planes along the ground."""
    rotation = pose_matrix(posture.yaw, posture.pitch, 0.0, 0.0, 0.0, 0.0)[:3, :3]
    turned = volume.normals @ rotation.T
    limits = turned[:, 2] * posture.height - volume.offsets
    along = np.hypot(turned[:, 0], turned[:, 1])
    upright = along > 1e-9
    if (limits[~upright] <= 0.0).any():
        return np.ones(1, complex), np.full(1, -2.0 * FAR)
    normals = (turned[upright, 0] + 1j * turned[upright, 1]) / along[upright]
    return normals, limits[upright] / along[upright] - room


def _polygons(
    cut: Callable[[Points, Points, Array], tuple[Index, Points]], normals: Points, limits: Array
) -> Points:
    """Return the corners of the common parts of half-planes, (..., planes); NaN for empty ones."""
    planes = limits.shape[-1]
    count = limits.size // planes
    square = FAR / 2.0 * np.array([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j])
    rows, found = cut(
        np.tile(square, (count, 1)), normals.reshape(count, planes), limits.reshape(count, planes)
    )
    corners = np.full((count, found.shape[1]), complex(np.nan, np.nan))
    corners[rows] = found
    return corners.reshape(*limits.shape[:-1], -1)


def _ranks(postures: Sequence[BodyPosture]) -> NDArray[np.intp]:
    """Return the ranks of yaw, pitch and height of each posture among all, (n, 3)."""
    columns = np.array(postures).T
    return np.stack([np.unique(np.round(c, 9), return_inverse=True)[1] for c in columns], axis=1)
