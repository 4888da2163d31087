"""Draw the ground and the biped on it."""

import math
from collections.abc import Mapping

import viser

from walking_robots.geometry.pitch import pitch_quaternion
from walking_robots.viewer.biped.colours import MARK
from walking_robots.viewer.biped.overlay import BipedOverlay
from walking_robots.viewer.biped.ribbon import (
    HALF_WIDTH,
    cell_meshes,
    milestones,
    ribbon_meshes,
    tick_marks,
)
from walking_robots.viewer.biped.state import BipedView, CellGround, Ground
from walking_robots.viewer.common.handles import add_line
from walking_robots.viewer.common.stage import Stage
from walking_robots.viewer.common.vehicle import Vehicle

_ROOT = '/odom'
SIGHT = 14.0
"""Up to where the plain is seen, m."""
START_HEIGHT = 0.55
"""Height of the hips in the middle of the picture, m."""
SMOOTHING, JUMP = 0.08, 0.3
"""Share of the way to another height of the ground that a picture goes; m that it goes at once."""


class BipedScene(Stage):
    """The three-dimensional part of the page, in the frame odom."""

    def __init__(self, scene: viser.SceneApi, descriptions: Mapping[str, str]) -> None:
        """Add the robots of URDF texts by their letters, of which one is seen at a time."""
        super().__init__(scene, _ROOT, (0.0, 0.0, START_HEIGHT), SIGHT, 0.5)
        self._frames = {}
        self._vehicles = {}
        for letter, description in descriptions.items():
            path = f'{_ROOT}/{letter}'
            self._frames[letter] = scene.add_frame(path, show_axes=False, visible=False)
            self._vehicles[letter] = Vehicle(scene, description, path)
        self.overlay = BipedOverlay(scene, _ROOT)
        self._marks = add_line(scene, f'{_ROOT}/marks', MARK, 0.008)
        self._signs: list[viser.LabelHandle] = []
        self._level: float | None = None

    def show_terrain(self, ground: Ground | CellGround) -> None:
        """Replace the ground."""
        if isinstance(ground, CellGround):
            self._replace_ground(cell_meshes(ground))
            ground = ()
        else:
            self._replace_ground(ribbon_meshes(ground))
        self._marks.points = tick_marks(ground)
        for sign in self._signs:
            sign.remove()
        self._signs = [
            self._scene.add_label(
                f'{_ROOT}/sign{number}',
                f'{metre} m',
                position=(metre, -HALF_WIDTH - 0.01, height - 0.1),
                anchor='top-center',
                font_size_mode='scene',
                font_scene_height=0.05,
            )
            for number, (metre, height) in enumerate(milestones(ground))
        ]

    def show(self, state: BipedView) -> None:
        """Draw a state."""
        letter = state.settings.robot or next(iter(self._frames))
        for name, frame in self._frames.items():
            frame.visible = name == letter
        place, attitude = (state.x, 0.0, state.z), pitch_quaternion(state.pitch)
        if state.space is not None:
            place, attitude = state.space.place, state.space.attitude
        self._vehicles[letter].move(place, attitude, state.joints)
        self.overlay.show(state)
        self._follow_ground(state)

    def _follow_ground(self, state: BipedView) -> None:
        """Keep the robot in the middle; smooth the ground level so that bobbing stays visible."""
        level = state.z - (state.height if math.isfinite(state.height) else START_HEIGHT)
        if self._level is None or abs(level - self._level) > JUMP:
            self._level = level
        self._level += SMOOTHING * (level - self._level)
        aside = 0.0 if state.space is None else state.space.place[1]
        self._move_to((state.x, aside, self._level + START_HEIGHT))
