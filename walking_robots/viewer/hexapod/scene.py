"""Draw terrain and vehicle, and what the gait thinks about."""

import re

import viser

from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.common.colours import BACKGROUND
from walking_robots.viewer.common.stage import Stage
from walking_robots.viewer.common.vehicle import Vehicle
from walking_robots.viewer.hexapod.cameras import VIEWS, CameraPose
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.overlay import HexapodOverlay
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.terrain_mesh import terrain_meshes
from walking_robots.viewer.hexapod.wire_frame import BACKDROP, WireFrame

_ROOT = '/odom'
_LEG = re.compile(r'leg(\d+)_(upper|lower|short|foot|carriage|pivot|coxa|femur|tibia)$')


class HexapodScene(Stage):
    """The three-dimensional part of the page, in the frame odom."""

    def __init__(self, scene: viser.SceneApi, description: str, machine: HexapodMachine) -> None:
        """Add the robot of a URDF text and everything that goes with it."""
        super().__init__(scene, _ROOT, machine.start)
        self._machine = machine
        self._heading = 0.0
        # On small parts the shadows of their neighbours are stripes.
        large = machine.size >= 1.0
        self._vehicle = Vehicle(scene, description, _ROOT, _LEG, shaded=large)
        self.overlay = HexapodOverlay(scene, machine, _ROOT, self._vehicle.path)
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
        self.overlay.draw_light(wanted)
        self.set_backdrop(BACKDROP if wanted else BACKGROUND, bare=wanted)

    def view(self, name: str) -> CameraPose:
        """Return a view of the robot by its name, m, as it stands in the scene."""
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
        self._move_to(state.position)
