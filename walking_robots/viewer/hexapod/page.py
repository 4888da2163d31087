"""Put together the page of a six-legged robot."""

import viser

from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.common.page import Content, Page
from walking_robots.viewer.hexapod.board import hexapod_board
from walking_robots.viewer.hexapod.cameras import FIELD
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.panel import HexapodPanel
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import Controls, ViewState


def hexapod_page(
    description: str,
    machine: HexapodMachine,
    controls: Controls | None = None,
    *,
    host: str = '127.0.0.1',
    port: int = 8080,
) -> Page[ViewState, TernaryTerrain]:
    """Serve the page of the hexapod with this URDF text.

    A taken port makes way for the next one, port 0 for any free one.
    """

    def fill(server: viser.ViserServer) -> Content[ViewState]:
        scene = HexapodScene(server.scene, description, machine)
        overlay = scene.overlay
        switches = {
            'Follow the vehicle': scene.follow,
            'Working volumes': overlay.show_volumes,
            'Leg numbers': overlay.show_numbers,
        }
        if machine.outline:
            server.initial_camera.fov = FIELD
            switches['Wire frame'] = scene.show_wire_frame
        view = scene.view if machine.outline else None
        panel = HexapodPanel(server.gui, controls or Controls(), machine, switches, view)
        return Content(scene, hexapod_board(server.gui, machine), panel)

    return Page(machine.title, fill, machine.camera, host=host, port=port)
