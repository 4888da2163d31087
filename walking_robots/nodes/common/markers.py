"""Markers for RViz: cells and ditches, footholds, support polygon and margin."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.polygon import convex_hull
from walking_robots.geometry.pose import Vector
from walking_robots.nodes.common.conversions import header_to_msg, point_to_msg
from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, TernaryTerrain
from walking_robots.terrain.vision import ditch_cells

GROUND = (0.55, 0.62, 0.50, 1.0)
BLOCKED = (0.70, 0.25, 0.20, 1.0)
DITCH = (0.18, 0.16, 0.15, 1.0)
FOOTHOLD = (0.95, 0.75, 0.10, 1.0)
SUPPORT = (0.15, 0.45, 0.85, 1.0)
MARGIN = (0.10, 0.70, 0.30, 0.4)
FORCE = (0.80, 0.20, 0.48, 1.0)

Colour = tuple[float, float, float, float]


def _marker(
    name: str,
    kind: int,
    colour: Colour,
    size: Sequence[float],
    points: Iterable[Point],
    stamp: int,
) -> Marker:
    red, green, blue, alpha = colour
    marker = Marker(
        header=header_to_msg(stamp, 'odom'),
        ns=name,
        type=kind,
        action=Marker.ADD,
        scale=Vector3(x=size[0], y=size[1], z=size[2]),
        color=ColorRGBA(r=red, g=green, b=blue, a=alpha),
        points=list(points),
    )
    marker.pose.orientation.w = 1.0
    return marker


def terrain_markers(terrain: TernaryTerrain) -> MarkerArray:
    """Return the cells as flat tiles at their height: permitted, forbidden, and ditches."""
    cell = terrain.cell
    ditch = ditch_cells(terrain)
    heights = terrain.centre_heights
    size = (0.96 * cell, 0.96 * cell, 0.02)
    groups = (
        ('permitted', terrain.cells == PERMITTED, GROUND, 0.0),
        ('forbidden', (terrain.cells == FORBIDDEN) & ~ditch, BLOCKED, 0.0),
        ('ditch', ditch, DITCH, -cell),
    )
    return MarkerArray(
        markers=[
            _marker(
                name,
                Marker.CUBE_LIST,
                colour,
                size,
                (
                    Point(
                        x=(terrain.first_row + i + 0.5) * cell,
                        y=(terrain.first_column + j + 0.5) * cell,
                        z=heights.item(i, j) - 0.01 + drop,
                    )
                    for i, j in np.argwhere(mask).tolist()
                ),
                0,
            )
            for name, mask, colour, drop in groups
        ]
    )


def gait_markers(step: GaitStep, stamp: int, size: float) -> MarkerArray:
    """Return the footholds, the support polygon, and the centre of gravity with its margin.

    ``size``: of the mark of a foothold, m; ``stamp`` in ns.
    """
    x, y, z = step.motion.pose.position
    known = {leg: foot for leg, foot in enumerate(step.footholds, 1) if foot is not None}
    standing = [known[leg] for leg in step.support if leg in known]
    ground = min((foot[2] for foot in standing), default=z) + 0.2 * size
    border = [Point(x=u, y=v, z=ground) for u, v in convex_hull([f[:2] for f in standing])]
    # A ring needs its first corner again; too few feet have none.
    ring = [*border, *border[:1]] if len(border) > 2 else []
    thin = 0.15 * size
    width = max(2.0 * step.margin, thin) if math.isfinite(step.margin) else thin
    return MarkerArray(
        markers=[
            _marker(
                'footholds', Marker.SPHERE_LIST, FOOTHOLD, (size, size, size),
                [point_to_msg(foot) for foot in known.values()], stamp,
            ),
            _marker('support', Marker.LINE_STRIP, SUPPORT, (2.0 * thin, 0.0, 0.0), ring, stamp),
            _marker(
                'centre', Marker.SPHERE_LIST, SUPPORT, (0.7 * size,) * 3,
                [Point(x=x, y=y, z=ground)], stamp,
            ),
            _marker(
                'margin', Marker.SPHERE_LIST, MARGIN, (width, width, thin),
                [Point(x=x, y=y, z=ground)], stamp,
            ),
        ]
    )  # fmt: skip


def force_markers(
    feet: Sequence[Vector], forces: Sequence[Vector], stamp: int, length: float
) -> MarkerArray:
    """Return the forces of the ground on feet (m and N, odom) as arrows of one marker each.

    ``length``: of the arrow of all upward forces together, m; ``stamp`` in ns.
    """
    scale = length / max(sum(max(force[2], 0.0) for force in forces), 1e-9)
    thick = 0.03 * length
    found = []
    for number, (foot, force) in enumerate(zip(feet, forces, strict=True), 1):
        end = tuple(place + scale * part for place, part in zip(foot, force, strict=True))
        points = [Point(x=x, y=y, z=z) for x, y, z in (foot, end)]
        marker = _marker(
            'forces', Marker.ARROW, FORCE, (thick, 2.0 * thick, 4.0 * thick), points, stamp
        )
        marker.id = number
        # RViz refuses arrows without a length.
        marker.action = Marker.ADD if any(force) else Marker.DELETE
        found.append(marker)
    return MarkerArray(markers=found)
