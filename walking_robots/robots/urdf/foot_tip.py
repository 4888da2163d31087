"""Where the tip of a foot is on the last link of a leg in a URDF."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.urdf.meshes import load_mesh
from walking_robots.robots.urdf.urdf_tree import UrdfShape, UrdfTree

Array = NDArray[np.float64]

TIP = re.compile(r'foot|feet|tip|toe|end|ee|effector|contact|tars', re.IGNORECASE)
LEAST = 1e-3
"""Distance, m, from the knee from which on a frame may be a tip."""


class FootTip(NamedTuple):
    """The tip of a foot in the frame of its last link, m, and the radius of its ball, m, or 0."""

    place: tuple[float, float, float]
    radius: float


def foot_tip(tree: UrdfTree, link: str, axis: Array) -> FootTip:
    """Return the tip of a foot: a frame that is fixed to the last link, or its farthest point.

    axis: of the knee, in the frame of the link. A frame named like a tip goes before others, and
    shapes for collisions before those to look at. Raises ValueError where there is neither.
    """
    here = np.linalg.inv(tree.pose(link))
    rigid = list(tree.rigid(link))
    poses = {name: here @ tree.pose(name) for name in rigid}
    shapes = [
        UrdfShape(shape.kind, shape.size, shape.file, poses[name] @ shape.pose)
        for name in rigid
        for shape in tree.links[name].shapes
    ]
    balls = [shape for shape in shapes if shape.kind == 'sphere']
    frames = {
        name: pose[:3, 3] for name, pose in poses.items() if _away(pose[:3, 3], axis) > LEAST
    }
    named = {name: place for name, place in frames.items() if TIP.search(name)}
    points = list((named or frames).values()) or [
        point for shape in shapes for point in _corners(tree, shape, axis)
    ]
    if not points:
        raise ValueError(
            f"{tree.file}: where the foot of link '{link}' ends, the file does not say, or its "
            "meshes are not beside it; add a link 'foot' by a fixed joint at its tip"
        )
    tip = max(points, key=lambda point: _away(point, axis))
    x, y, z = np.asarray(tip, dtype=float).tolist()
    near = [ball for ball in balls if np.linalg.norm(ball.pose[:3, 3] - tip) < 2 * ball.size[0]]
    return FootTip((x, y, z), min((ball.size[0] for ball in near), default=0.0))


def _away(point: Array, axis: Array) -> float:
    """Return how far a point is from the axis of the knee, m."""
    return float(np.linalg.norm(np.cross(point, axis)))


def _corners(tree: UrdfTree, shape: UrdfShape, axis: Array) -> Iterator[Array]:
    """Return points of a shape of which one is the farthest from the knee."""
    rotation, centre = shape.pose[:3, :3], shape.pose[:3, 3]
    if shape.kind == 'sphere':
        out = centre - axis * (centre @ axis)
        length = float(np.linalg.norm(out))
        if length:
            yield centre + out * (shape.size[0] / length)
        return
    if shape.kind == 'mesh':
        local = _vertices(tree, shape)
    elif shape.kind == 'box':
        # The middles of its faces: a corner is beside the end of a shank.
        local = np.array([0.5 * side * sign for side in np.diag(shape.size) for sign in (1, -1)])
    else:
        local = np.array([(0.0, 0.0, end * shape.size[1]) for end in (0.5, -0.5)])
    yield from local @ rotation.T + centre


def _vertices(tree: UrdfTree, shape: UrdfShape) -> Array:
    """Return the vertices of a mesh, (n, 3), m; none where its file is not found."""
    path = tree.mesh_file(shape.file)
    if path is None:
        return np.empty((0, 3))
    try:
        vertices, _ = load_mesh(path)
    except ValueError as error:
        raise ValueError(
            f"{error}, or add a link 'foot' by a fixed joint at the tip of each foot"
        ) from None
    scaled: Array = vertices * np.asarray(shape.size)
    return scaled
