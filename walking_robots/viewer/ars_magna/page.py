"""Put together the page of ARS MAGNA."""

import viser

from walking_robots.viewer.ars_magna.board import ArsBoard
from walking_robots.viewer.ars_magna.panel import ArsPanel
from walking_robots.viewer.ars_magna.scene import ArsScene
from walking_robots.viewer.ars_magna.state import ArsControls, ArsView, GroundView
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.content import Content
from walking_robots.viewer.common.page import Page

TITLE = 'ARS MAGNA'
SUBJECT = Subject((0.0, 0.0, 0.0), 9.0, (0.0, -0.5, 0.78))


def ars_page(
    controls: ArsControls | None = None, *, host: str = '127.0.0.1', port: int = 8080
) -> Page[ArsView, GroundView]:
    """Serve the page of a world of abstract robots.

    A taken port makes way for the next one, port 0 for any free one.
    """

    def fill(server: viser.ViserServer) -> Content[ArsView]:
        scene = ArsScene(server.scene)
        board = ArsBoard(server.gui)
        switches = {
            'Follow the robot': scene.follow,
            'Fields of view': scene.switch_fans,
            'Names': scene.switch_labels,
        }
        panel = ArsPanel(server.gui, controls or ArsControls(), switches, board.choose)

        @server.scene.on_click()
        def _(event: viser.SceneClickEvent) -> None:
            found = scene.cell_point(event.ray_origin, event.ray_direction)
            if found is not None:
                panel.click(*found)

        return Content(scene, board, panel)

    return Page(TITLE, fill, SUBJECT, host=host, port=port)
