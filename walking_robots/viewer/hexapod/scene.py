"""Draw terrain and vehicle, and what the gait thinks about."""

import re

import viser

from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.overlay import Overlay
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.terrain_mesh import terrain_meshes
from walking_robots.viewer.stage import Stage
from walking_robots.viewer.vehicle import Vehicle

__all__ = ['Scene']

_ROOT = '/odom'
_LEG = re.compile(r'leg(\d+)_(upper|lower|short|foot|carriage|pivot)$')


class Scene(Stage):
    """The three-dimensional part of the page, in the frame odom."""

    def __init__(self, scene: viser.SceneApi, description: str, model: HexapodModel) -> None:
        """Add the robot of a URDF text and everything that goes with it."""
        super().__init__(scene, _ROOT, model.start_position)
        self._vehicle = Vehicle(scene, description, _ROOT, _LEG)
        self.overlay = Overlay(scene, model, _ROOT, self._vehicle.path)

    def show_terrain(self, terrain: TernaryTerrain) -> None:
        """Replace the ground."""
        self._replace_ground(terrain_meshes(terrain))

    def show(self, state: ViewState) -> None:
        """Draw a state."""
        self._vehicle.move(state.position, state.quaternion, state.joints)
        for leg, name in enumerate(state.leg_states, start=1):
            self._vehicle.paint(leg, LegPhase.of(name).colour)
        self.overlay.show(state)
        self._move_to(state.position)
