"""Put together the page of a six-legged robot."""

import viser

from walking_robots.robots.asv import ASV
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.hexapod.board import Board
from walking_robots.viewer.hexapod.panel import Panel, ViewOptions
from walking_robots.viewer.hexapod.scene import Scene
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.page import Content, Page

__all__ = ['hexapod_page']

CAMERA = ((-4.6, -5.6, 3.9), (0.5, 0.0, 0.8))


def hexapod_page(
    description: str,
    controls: Controls | None = None,
    *,
    host: str = '127.0.0.1',
    port: int = 8080,
    model: HexapodModel = ASV,
    title: str = 'Adaptive Suspension Vehicle',
) -> Page[ViewState, TernaryTerrain]:
    """Serve the page of the hexapod with this URDF text.

    A taken port makes way for the next one, port 0 for any free one.
    """

    def fill(server: viser.ViserServer) -> Content[ViewState, TernaryTerrain]:
        scene = Scene(server.scene, description, model)
        overlay = scene.overlay
        options = ViewOptions(scene.follow, overlay.show_volumes, overlay.show_numbers)
        Panel(server.gui, controls or Controls(), model, options)
        board = Board(server.gui, model)
        return Content(
            note=board.note,
            is_behind=board.is_behind,
            draw_terrain=scene.show_terrain,
            draw=scene.show,
            tell=board.show,
        )

    return Page(title, fill, CAMERA, host=host, port=port)
