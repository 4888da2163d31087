"""Draw a world with its walls, places, things and robots."""

import numpy as np
import viser

from walking_robots.geometry.pose import Vector
from walking_robots.viewer.ars_magna.bodies import Bodies, beside, places_of
from walking_robots.viewer.ars_magna.frame import CoordinateFrame, Sight
from walking_robots.viewer.ars_magna.ground import ground_meshes
from walking_robots.viewer.ars_magna.machine import RobotShape
from walking_robots.viewer.ars_magna.state import ArsView, GroundView, RobotView
from walking_robots.viewer.common.stage import Stage

ROOT = '/map'
SIGHT = 120.0
"""Cells up to where the floor is seen."""


class ArsScene(Stage):
    """The three-dimensional part of the page; lengths in cells."""

    def __init__(self, scene: viser.SceneApi) -> None:
        """Begin with nothing."""
        super().__init__(scene, ROOT, (0.0, 0.0, 0.0), SIGHT, 1.0)
        self._frame, self._sight = CoordinateFrame(1), Sight(np.zeros((0, 0), dtype=bool))
        self._middle = (0.0, 0.0, 0.0)
        self._at: Vector | None = None
        self._robots: dict[str, tuple[int, RobotShape]] = {}
        self._labels = self._fans = self._wanted = True
        self._bodies = Bodies(scene, f'{ROOT}/things')

    def follow(self, wanted: bool) -> None:
        """Keep the first robot in the middle of the picture, or the whole world."""
        self._wanted = wanted
        self._move_to(self._at if wanted and self._at is not None else self._middle)

    def switch_labels(self, visible: bool) -> None:
        """Show or hide what robots and things are called."""
        self._labels = visible
        self._bodies.switch_labels(visible)
        for _, machine in self._robots.values():
            machine.switch_labels(visible)

    def switch_fans(self, visible: bool) -> None:
        """Show or hide the fields of view of cameras."""
        self._fans = visible
        for _, machine in self._robots.values():
            machine.switch_fans(visible)

    def show_terrain(self, ground: GroundView) -> None:
        """Replace walls and places."""
        rows, columns = ground.filled.shape
        self._frame, self._sight = CoordinateFrame(rows), Sight(ground.filled)
        self._middle = (0.5 * (columns - 1), 0.5 * (rows - 1), 0.0)
        self._replace_ground(ground_meshes(ground))
        # Its lines are the borders of cells, whose middles have whole coordinates.
        self._plain.position = (0.5, 0.5, 0.0)
        self.follow(self._wanted)

    def show(self, view: ArsView) -> None:
        """Draw a view, once there is a picture of the world."""
        picture = view.picture
        if picture is None:
            return
        near = beside(picture.robots, picture.things)
        named = [thing for found in near.values() for thing in found]
        self._bodies.show(picture.things, self._frame, named)
        places = places_of(picture.things)
        names = {robot.name for robot in picture.robots}
        for name in self._robots.keys() - names:
            self._robots.pop(name)[1].remove()
        for number, robot in enumerate(picture.robots):
            machine = self._machine(robot, number)
            machine.show(robot, places, self._frame, self._sight)
            machine.write(robot.name, near[robot.name])
        if picture.robots:
            first = picture.robots[0]
            self._at = (*self._frame.point(first.x, first.y), 0.0)
            if self._wanted:
                self._move_to(self._at)

    def cell_point(self, origin: Vector, way: Vector) -> tuple[float, float] | None:
        """Return where a ray in the world of the page meets the floor, in the manual's frame."""
        found = self.floor_point(origin, way)
        return None if found is None else self._frame.point(*found)

    def _machine(self, robot: RobotView, number: int) -> RobotShape:
        """Return a robot as it is drawn, anew if it has got other cameras."""
        cameras, machine = self._robots.get(robot.name, (-1, None))
        if machine is None or cameras != len(robot.cameras):
            if machine is not None:
                machine.remove()
            machine = RobotShape(self._scene, ROOT, robot, number)
            machine.switch_labels(self._labels)
            machine.switch_fans(self._fans)
            self._robots[robot.name] = (len(robot.cameras), machine)
        return machine
