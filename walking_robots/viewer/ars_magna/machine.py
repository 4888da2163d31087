"""Draw a robot: body and heading, where its cameras point, and what they track."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.geometry.se2 import quaternion
from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.frame import REACH, CoordinateFrame, Sight
from walking_robots.viewer.ars_magna.state import PartView, RobotView, ThingView
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.common.handles import add_line, add_sheet, box_corners

_PIECES = 36
_RADIUS, _BODY = 0.46, 0.5
_EYE, _FLOOR = 0.42, 0.09
"""Heights, cells, of cameras, and of what is drawn on the floor, so that things stand in it."""
_BOX = box_corners(REACH, _FLOOR)
_ARROW = np.array(((0.95, 0.0), (-0.3, 0.36), (-0.1, 0.0), (-0.3, -0.36)))

Point = tuple[float, float]


def fan(camera: PartView, robot: RobotView, sight: Sight) -> NDArray[np.float32]:
    """Return the middle and the end of a field of view (n, 3), x ahead and y to the left."""
    half = 0.5 * min(camera.field_of_view, math.tau)
    angles = np.linspace(camera.angle - half, camera.angle + half, _PIECES + 1)
    reach = sight.reach(robot.x, robot.y, robot.heading + angles)
    arc = reach[:, None] * np.stack(
        (np.cos(angles), CoordinateFrame.yaw(1.0) * np.sin(angles)), axis=1
    )
    flat = np.concatenate((np.zeros((1, 2)), arc))
    return np.concatenate((flat, np.full((len(flat), 1), _FLOOR)), axis=1).astype(np.float32)


def track_end(camera: PartView, robot: RobotView, places: dict[str, Point]) -> Point | None:
    """Return where that is what a camera tracks: truly if it lies there, else as perceived."""
    if camera.tracked < 0:
        return None
    if camera.denotation in places:
        return places[camera.denotation]
    if not math.isfinite(camera.distance):
        return None
    angle = robot.heading + camera.angle
    return (
        robot.x + camera.distance * math.cos(angle),
        robot.y + camera.distance * math.sin(angle),
    )


class RobotShape:
    """A robot in the scene."""

    def __init__(self, scene: viser.SceneApi, root: str, robot: RobotView, number: int) -> None:
        """Draw below the scene node `root`."""
        self._body = scene.add_frame(f'{root}/robot{number}', show_axes=False)
        path = self._body.name
        scene.add_cylinder(
            f'{path}/body', _RADIUS, _BODY, colours.ROBOT, position=(0.0, 0.0, 0.5 * _BODY)
        )
        arrow = np.column_stack((_ARROW, np.full(len(_ARROW), _BODY + 0.03)))
        add_sheet(scene, f'{path}/arrow', arrow, ((0, 1, 2), (0, 2, 3)), colours.ARROW)
        self._label = scene.add_label(
            f'{path}/label',
            robot.name,
            position=(0.0, 0.0, _BODY + 0.4),
            anchor='bottom-center',
        )
        self._eyes = [
            _Eye(scene, path, f'{root}/robot{number}_track{index}', index)
            for index in range(len(robot.cameras))
        ]

    def switch_labels(self, visible: bool) -> None:
        """Show or hide what the robot is called."""
        self._label.visible = visible

    def switch_fans(self, visible: bool) -> None:
        """Show or hide the fields of view."""
        for eye in self._eyes:
            eye.switch(visible)

    def write(self, name: str, things: Sequence[ThingView]) -> None:
        """Write what it is called, and the things that are local to it."""
        labels = ', '.join(thing.label for thing in things).lower()
        self._label.text = f'{name}: {labels}' if labels else name

    def show(
        self, robot: RobotView, places: dict[str, Point], frame: CoordinateFrame, sight: Sight
    ) -> None:
        """Draw a robot; `places`: where things lie, by their labels."""
        x, y = frame.point(robot.x, robot.y)
        self._body.position = (x, y, 0.0)
        self._body.wxyz = quaternion(frame.yaw(robot.heading))
        for eye, camera in zip(self._eyes, robot.cameras, strict=True):
            end = track_end(camera, robot, places)
            eye.show(camera, (x, y), None if end is None else frame.point(*end))
            eye.spread(fan(camera, robot, sight))

    def remove(self) -> None:
        """Take it out of the scene."""
        self._body.remove()
        for eye in self._eyes:
            eye.remove()


class _Eye:
    """A camera: its fan, its direction, and a line to what it tracks."""

    def __init__(self, scene: viser.SceneApi, base: str, track: str, index: int) -> None:
        self._camera: PartView | None = None
        self._wanted = True
        colour: Colour = colours.camera_colour(index)
        last = np.arange(1, _PIECES + 1)
        self._fan = add_sheet(
            scene,
            f'{base}/fan{index}',
            np.zeros((_PIECES + 2 + len(_BOX), 3)),
            np.stack((0 * last, last, last + 1), axis=1),
            colour,
            opacity=0.22,
            # One above the other, where they overlap.
            position=(0.0, 0.0, -0.01 * index),
        )
        self._ray = scene.add_line_segments(
            f'{base}/ray{index}', _ray(PartView()), colour, thickness=0.09
        )
        self._track = add_line(scene, track, colour, 0.08, visible=False)

    def switch(self, visible: bool) -> None:
        """Show or hide the field of view."""
        self._wanted = visible
        self._fan.visible = visible and self._camera is not None and not self._camera.inside

    def show(self, camera: PartView, eye: Point, end: Point | None) -> None:
        """Draw a camera; one that is in something has no field of view."""
        if self._camera is None or self._camera[:2] != camera[:2]:
            self._ray.points = _ray(camera)
        self._camera = camera
        self._fan.visible = self._wanted and not camera.inside
        self._ray.visible = not camera.inside
        self._track.visible = end is not None
        if end is not None:
            line = [[(*eye, _EYE), (*end, _EYE)], *_ring(end)]
            self._track.points = np.array(line, dtype=np.float32)

    def spread(self, shape: NDArray[np.float32]) -> None:
        """Draw the field of view."""
        self._fan.vertices = np.concatenate((shape, _BOX))

    def remove(self) -> None:
        """Take the line out of the scene; the rest hangs on the robot."""
        self._track.remove()


def _ray(camera: PartView) -> NDArray[np.float32]:
    """Return a short line in the direction of a camera."""
    angle = CoordinateFrame.yaw(camera.angle)
    ends = [(r * math.cos(angle), r * math.sin(angle), _BODY) for r in (_RADIUS, 1.6)]
    return np.array([ends], dtype=np.float32)


def _ring(middle: Point) -> list[list[tuple[float, float, float]]]:
    """Return a circle on the floor around a point, as pieces."""
    x, y = middle
    corners = [
        (x + 0.8 * math.cos(angle), y + 0.8 * math.sin(angle), 0.06)
        for angle in np.linspace(0.0, math.tau, 17)
    ]
    return [[a, b] for a, b in pairwise(corners)]
