"""Put together the page of the bipeds."""

from collections.abc import Mapping

import viser

from walking_robots.viewer.biped.board import biped_board
from walking_robots.viewer.biped.panel import BipedPanel
from walking_robots.viewer.biped.scene import SIDE_VIEW, BipedScene
from walking_robots.viewer.biped.state import BipedControls, BipedView, Ground
from walking_robots.viewer.common.page import Content, Page

TITLE = 'Blind biped'


def biped_page(
    descriptions: Mapping[str, str],
    controls: BipedControls | None = None,
    *,
    host: str = '127.0.0.1',
    port: int = 8080,
) -> Page[BipedView, Ground]:
    """Serve the page of the bipeds with these URDF texts, by the letters of the robots.

    A taken port makes way for the next one, port 0 for any free one.
    """

    def fill(server: viser.ViserServer) -> Content[BipedView]:
        scene = BipedScene(server.scene, descriptions)
        switches = {
            'Follow the robot': scene.follow,
            'Virtual legs': scene.overlay.show_legs,
            'Forces': scene.overlay.show_forces,
        }
        panel = BipedPanel(server.gui, controls or BipedControls(), switches)
        return Content(scene, biped_board(server.gui), panel)

    return Page(TITLE, fill, SIDE_VIEW, host=host, port=port)
