"""The stick figure of both programs: lines between points of the robot (aquarobot.md §2.4, §7.5).

Points in the earth frame, cm, z down.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.aquarobot import BODY_NODES
from walking_robots.simulation.aquarobot.frames import Array

_NODES = np.column_stack([BODY_NODES, np.ones(len(BODY_NODES))]).T.copy()
_HEXAGON = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]


class Stroke(NamedTuple):
    """Segments ``first`` to ``last`` (not included) of a figure, their colour and width."""

    first: int
    last: int
    colour: str
    width: float


class WireFigure(NamedTuple):
    """What to draw: pairs of vertices, shape (n, 2), in strokes, on a background."""

    segments: NDArray[np.intp]
    strokes: tuple[Stroke, ...]
    background: str


def _legs(legs: Sequence[int]) -> list[tuple[int, int]]:
    """Return the segments hip to joint 2 to knee to foot of legs, numbered from 0."""
    first = len(BODY_NODES)
    return [
        (start, start + 1) for leg in legs for start in range(first + 4 * leg, first + 4 * leg + 3)
    ]


CLOS_FIGURE = WireFigure(
    np.array([*_HEXAGON, (1, 7), *_legs(range(6))]), (Stroke(0, 25, 'black', 0.5),), 'white'
)
"""Hairlines, with a mark at the front."""
CPP_FIGURE = WireFigure(
    np.array([*_HEXAGON, (0, 1), *_legs(range(6))]),
    (
        Stroke(0, 6, 'white', 3.0),
        Stroke(6, 7, 'white', 1.0),
        Stroke(7, 10, 'yellow', 5.0),
        Stroke(10, 25, 'lime', 5.0),
    ),
    'blue',
)
"""White body, yellow leg 1, green legs, on blue; lime is the full green of a screen."""


def vertices(pose: Array, points: Array) -> Array:
    """Return the vertices of the figures, shape (32, 3): body nodes, then four points of each leg.

    ``pose``: of the body, shape (4, 4); ``points``: hip, joint 2, knee, foot, shape (6, 4, 3).
    """
    result = np.empty((len(BODY_NODES) + 24, 3))
    result[: len(BODY_NODES)] = (pose[:3] @ _NODES).T
    result[len(BODY_NODES) :] = points.reshape(24, 3)
    return result
