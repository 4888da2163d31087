"""Draw the world, the robot in it, what it hears and where it has been."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2, quaternion
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.handles import add_line, show_nodes
from walking_robots.viewer.common.stage import Stage
from walking_robots.viewer.common.vehicle import Vehicle
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.sonar import BumperRing, SonarFans
from walking_robots.viewer.scout.state import ScoutView, Walls
from walking_robots.viewer.scout.walls import WallSight, wall_meshes

SPACING = 0.03
JUMP = 0.5
PIECE, PIECES = 100, 20
"""Points of a piece of a trail, and pieces that are kept; only the last one is sent again."""


class Trail:
    """The way of a robot: points, 3 cm apart, in pieces; a jump, as of a reset, ends them all."""

    def __init__(self) -> None:
        """Begin empty."""
        self._pieces: dict[int, list[Pose2]] = {}
        self._number = 0
        self._changed: set[int] = set()

    def add(self, pose: Pose2 | None) -> None:
        """Note where the robot is; None where nobody knows."""
        if pose is None:
            return
        last = self._pieces.get(self._number, [])
        way = last[-1].distance(pose) if last else JUMP + SPACING
        if way > JUMP:
            self._changed |= self._pieces.keys()
            self._pieces, last = {self._number: []}, []
        elif way >= SPACING and len(last) > PIECE:
            self._number = (self._number + 1) % PIECES
            self._pieces[self._number] = last[-1:]
        if way >= SPACING:
            self._pieces[self._number].append(pose)
            self._changed.add(self._number)

    def changes(self, height: float) -> dict[int, NDArray[np.float32]]:
        """Return the pieces (n, 2, 3) that have changed since the last call, by number.

        They are m in map, at a height (m); one that has ended is a point.
        """
        found = {number: _line(self._pieces.get(number, ()), height) for number in self._changed}
        self._changed = set()
        return found


def _line(poses: Sequence[Pose2], height: float) -> NDArray[np.float32]:
    """Return a way as lines (n, 2, 3) between its points; one at least."""
    points = [(pose.x, pose.y, height) for pose in poses] or [(0.0, 0.0, height)]
    line = np.array(points if len(points) > 1 else points * 2, dtype=np.float32)
    return np.stack((line[:-1], line[1:]), axis=1)


ROOT = '/map'
SIGHT = 25.0
"""Up to where the floor is seen, m."""


class ScoutScene(Stage):
    """The three-dimensional part of the page, in the frame map."""

    def __init__(self, scene: viser.SceneApi, description: str, model: WheeledModel) -> None:
        """Add the robot of a URDF text and everything that goes with it."""
        super().__init__(scene, ROOT, (0.0, 0.0, 0.0), SIGHT, 1.0)
        self._sight: WallSight | None = None
        self._vehicle = Vehicle(scene, description, ROOT)
        self._sonar = SonarFans(scene, model.sonar, self._vehicle.path)
        self._bumper = BumperRing(scene, model, self._vehicle.path)
        self._trails = {
            'odometry': (Trail(), 0.014, colours.ODOMETRY),
            'truth': (Trail(), 0.01, colours.TRUTH),
        }
        self._with_trails = True
        self._lines: dict[str, viser.LineSegmentsHandle] = {}
        self._truth = scene.add_line_segments(
            f'{ROOT}/truth', _outline(model.radius), colours.TRUTH, thickness=0.016, visible=False
        )

    def switch_sonar(self, visible: bool) -> None:
        """Show or hide what the sonars hear."""
        self._sonar.switch(visible)

    def switch_trails(self, visible: bool) -> None:
        """Show or hide where the robot has been."""
        self._with_trails = visible
        show_nodes(self._lines.values(), visible)

    def note(self, state: ScoutView) -> None:
        """Remember where the robot is."""
        self._trails['odometry'][0].add(state.pose)
        self._trails['truth'][0].add(state.truth)

    def show_terrain(self, walls: Walls) -> None:
        """Replace the walls."""
        x, y, heading = walls.origin
        self._replace_ground(wall_meshes(walls), (x, y, 0.0), quaternion(heading))
        self._sight = WallSight(walls) if walls.occupied.size else None

    def show(self, state: ScoutView) -> None:
        """Draw a state."""
        place = (state.pose.x, state.pose.y, 0.0)
        self._vehicle.move(place, quaternion(state.pose.heading), state.joints)
        see = partial(self._sight.reach, state.pose) if self._sight is not None else None
        self._sonar.show(state.ranges, see)
        self._bumper.show(state.bumper)
        self._show_truth(state.truth)
        self._move_to(place)

    def show_trails(self) -> None:
        """Draw where the robot has been; never while `note` runs."""
        for name, (trail, height, colour) in self._trails.items():
            for number, points in trail.changes(height).items():
                path = f'{ROOT}/trail_{name}{number}'
                if path not in self._lines:
                    shown = self._with_trails
                    self._lines[path] = add_line(self._scene, path, colour, 0.022, visible=shown)
                self._lines[path].points = points

    def _show_truth(self, truth: Pose2 | None) -> None:
        """Draw the outline of the robot where it really is."""
        self._truth.visible = truth is not None
        if truth is not None:
            self._truth.position = (truth.x, truth.y, 0.012)
            self._truth.wxyz = quaternion(truth.heading)


def _outline(radius: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return a circle somewhat wider than the robot with a mark ahead, as pieces (n, 2, 3), m."""
    angles = np.linspace(0.0, 2.0 * math.pi, 37)
    circle = 1.12 * radius * np.column_stack((np.cos(angles), np.sin(angles), 0.0 * angles))
    mark = np.array([[(1.12 * radius, 0.0, 0.0), (1.5 * radius, 0.0, 0.0)]])
    return np.concatenate((np.stack((circle[:-1], circle[1:]), axis=1), mark)).astype(np.float32)
