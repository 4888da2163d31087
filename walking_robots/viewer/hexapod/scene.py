"""Draw terrain and vehicle, and place the cameras that look at them."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import viser

from walking_robots.geometry.pose import Vector, roll_pitch_yaw
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.common.handles import add_sheet
from walking_robots.viewer.common.stage import Stage
from walking_robots.viewer.common.vehicle import Vehicle
from walking_robots.viewer.hexapod.belief_tiles import BeliefTiles
from walking_robots.viewer.hexapod.colours import PLATE, LegPhase
from walking_robots.viewer.hexapod.load_marks import ForceArrows, SensorRays
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.overlay import BACKDROP, HexapodOverlay, WireFrame
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.terrain_mesh import terrain_meshes

_REACH = 0.775
"""Distance of the feet from the middle after a reset of Aquarobot, m (aquarobot.md §2.5)."""

_FURTHER = 1.25
"""Times as far away as in the thesis, whose picture was wider by as much than high."""


class CameraPose(NamedTuple):
    """Eye and a point on the line of sight: ahead, to the left, over the ground below the body.

    In distances of the feet from the middle.
    """

    eye: Vector
    look_at: Vector

    def over(self, ground: Vector, heading: float, reach: float) -> 'CameraPose':
        """Return the view, m, of a robot that heads somewhere, rad, its feet `reach` m out."""
        cos, sin = math.cos(heading), math.sin(heading)
        x, y, z = ground

        def placed(point: Vector) -> Vector:
            ahead, left, up = (reach * part for part in point)
            return (x + cos * ahead - sin * left, y + sin * ahead + cos * left, z + up)

        return CameraPose(placed(self.eye), placed(self.look_at))


def _view(eye: Vector, look_at: Vector) -> CameraPose:
    """Return a view from metres for a robot of the size of Aquarobot."""
    feet = _FURTHER / _REACH
    return CameraPose(*((feet * x, feet * y, z / _REACH) for x, y, z in (eye, look_at)))


# The thesis walks into its screen, but its leg 1 points to the right of it; here ahead is where
# the robot walks, so that the names hold. Each point looked at is moved along the line of sight to
# where the robot is, for a person who then turns the camera.
VIEWS: Mapping[str, CameraPose] = {
    # A little behind, or what is up in the picture would be open.
    'Above': _view((-0.001, 0.0, 3.0 * _FURTHER), (0.0, 0.0, 0.0)),
    'Behind': _view((-2.5, 0.0, 0.5), (0.0, 0.0, 0.5 - 0.2 * 2.5 / 4.5)),
    'Left': _view((0.0, 2.5, 0.3), (0.0, 0.0, 0.3)),
    'Right': _view((0.0, -2.5, 0.5), (0.0, 0.0, 0.5)),
}
"""The views by name (aquarobot.md §7.4; the eye of the one from behind by U5, the left by U7)."""


_ROOT = '/odom'
SIGHT = 50.0
"""Up to where the plain is seen, m, of a robot of the size of the ASV."""
_LEG = re.compile(r'leg(\d+)_(upper|lower|short|foot|carriage|pivot|coxa|femur|tibia)$')


class HexapodScene(Stage):
    """The three-dimensional part of the page, in the frame odom."""

    def __init__(self, scene: viser.SceneApi, description: str, machine: HexapodMachine) -> None:
        """Add the robot of a URDF text and everything that goes with it."""
        super().__init__(scene, _ROOT, machine.start, SIGHT * machine.size, machine.size)
        self._machine = machine
        self._heading = 0.0
        self._vehicle = Vehicle(scene, description, _ROOT, _LEG)
        if machine.outline:
            self._plate = _add_plate(scene, f'{self._vehicle.path}/plate', machine.outline)
        self.overlay = HexapodOverlay(scene, machine, _ROOT, self._vehicle.path)
        self.rays = SensorRays(scene, self._vehicle.path)
        self._tiles = BeliefTiles(scene, _ROOT)
        self._forces = ForceArrows(scene, machine, _ROOT)
        self._truth = not machine.sees
        self.show_truth(self._truth)
        self._wire = (
            WireFrame(scene, self._vehicle.path, machine.outline, self._vehicle.bones)
            if machine.outline
            else None
        )

    def show_wire_frame(self, wanted: bool) -> None:
        """Draw the robot as lines before a plain backdrop, or as solid shapes on the ground."""
        if self._wire is None:
            return
        self._wire.show(wanted)
        self._vehicle.show_shapes(not wanted)
        self._plate.visible = not wanted
        self.overlay.draw_light(wanted)
        self.set_backdrop(BACKDROP if wanted else None)
        self.show_truth(self._truth)

    def show_truth(self, wanted: bool) -> None:
        """Show the ground as it is, in place of what the robot believes of it."""
        self._truth = wanted
        self.show_ground(wanted)
        self._tiles.switch(not wanted and not self._bare)

    def thesis_view(self, name: str) -> CameraPose:
        """Return one of `VIEWS` of the robot by its name, m, as it stands in the scene."""
        x, y, z = self.seen_at(self._position)
        ground = (x, y, z - self._machine.start[2])
        return VIEWS[name].over(ground, self._heading, self._machine.radius)

    def show_terrain(self, terrain: TernaryTerrain) -> None:
        """Replace the ground."""
        self._replace_ground(terrain_meshes(terrain, self._machine.size))

    def show(self, state: ViewState) -> None:
        """Draw a state."""
        self._heading = roll_pitch_yaw(state.quaternion)[2]
        self._vehicle.move(state.position, state.quaternion, state.joints)
        for leg, name in enumerate(state.leg_states, start=1):
            self._vehicle.paint(leg, LegPhase.of(name).colour)
        self.overlay.show(state)
        self.rays.show(state)
        self._forces.show(state)
        self._tiles.show(state.belief)
        self._move_to(state.position)


def _add_plate(
    scene: viser.SceneApi, name: str, outline: Sequence[tuple[float, float]]
) -> viser.MeshHandle:
    """Add the plate between the bars of a body, by the corners of its outline, m."""
    corners = np.array([(x, y, 0.0) for x, y in outline])
    count = len(corners)
    edge = np.arange(count)
    faces = np.column_stack((np.full(count, count), edge, (edge + 1) % count))
    return add_sheet(scene, name, (*corners, corners.mean(axis=0)), faces, PLATE)
