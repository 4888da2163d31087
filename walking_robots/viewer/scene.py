"""Set the scene: light, ground, vehicle and what the gait thinks about."""

import numpy as np
import viser

from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer import colours
from walking_robots.viewer.colours import LegPhase
from walking_robots.viewer.overlay import Overlay
from walking_robots.viewer.state import ViewState
from walking_robots.viewer.terrain_mesh import terrain_meshes
from walking_robots.viewer.vehicle import Vehicle

__all__ = ['Scene']

_ROOT = '/odom'


class Scene:
    """The three-dimensional part of the page, in the frame odom."""

    def __init__(self, scene: viser.SceneApi, description: str, model: HexapodModel) -> None:
        """Add the robot of a URDF text and everything that goes with it."""
        self._scene = scene
        scene.set_up_direction('+z')
        # The environment maps of the library are pictures from the internet.
        scene.configure_environment_map(None)
        scene.configure_default_lights(cast_shadow=True)
        scene.add_light_hemisphere(
            '/sky', sky_color=(255, 255, 255), ground_color=(214, 206, 190), intensity=1.6
        )
        scene.set_background_image(np.full((2, 2, 3), colours.BACKGROUND, dtype=np.uint8))
        self._root = scene.add_frame(_ROOT, show_axes=False)
        self._vehicle = Vehicle(scene, description, _ROOT)
        self._ground: list[viser.SceneNodeHandle] = []
        self._follow = True
        self._position = self._start = model.start_position
        self.overlay = Overlay(scene, model, _ROOT, self._vehicle.path)

    def follow(self, wanted: bool) -> None:
        """Keep the vehicle in the middle of the picture, or the ground still."""
        self._follow = wanted
        self._centre()

    def show_terrain(self, terrain: TernaryTerrain) -> None:
        """Replace the ground."""
        for layer in self._ground:
            layer.remove()
        self._ground = [
            self._scene.add_mesh_simple(
                f'{_ROOT}/terrain/{mesh.name}',
                mesh.vertices,
                mesh.faces,
                color=mesh.colour,
                flat_shading=True,
                side='double',
                cast_shadow=False,
            )
            for mesh in terrain_meshes(terrain)
        ]

    def show(self, state: ViewState) -> None:
        """Draw a state."""
        self._vehicle.move(state.position, state.quaternion, state.joints)
        for leg, name in enumerate(state.leg_states, start=1):
            self._vehicle.paint(leg, LegPhase.of(name))
        self.overlay.show(state)
        self._position = state.position
        self._centre()

    def _centre(self) -> None:
        """Move the ground so that the vehicle stays in the middle, if that is wanted."""
        if self._follow:
            # Moving the ground instead of the camera leaves the camera to the person.
            x, y, z = self._position
            self._root.position = (-x, -y, self._start[2] - z)
