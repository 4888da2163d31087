"""Put together the page of the Super Scout."""

import viser

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.page import Content, Page
from walking_robots.viewer.common.part import MakePart
from walking_robots.viewer.scout.board import Board, left_panel
from walking_robots.viewer.scout.panel import Panel
from walking_robots.viewer.scout.scene import ROOT, Scene
from walking_robots.viewer.scout.state import ScoutControls, ScoutView, Walls

CAMERA = ((-1.9, -1.5, 1.75), (0.3, 0.0, 0.1))


def scout_page(
    description: str,
    controls: ScoutControls | None = None,
    *,
    host: str = '127.0.0.1',
    port: int = 8080,
    model: WheeledModel = SUPER_SCOUT,
    part: MakePart | None = None,
) -> Page[ScoutView, Walls]:
    """Serve the page of the round robot with this URDF text; `part` adds to it.

    A taken port makes way for the next one, port 0 for any free one.
    """

    def fill(server: viser.ViserServer) -> Content[ScoutView, Walls]:
        scene = Scene(server.scene, description, model)
        switches = {
            'Follow the robot': scene.follow,
            'Sonar': scene.switch_sonar,
            'Trails': scene.switch_trails,
        }
        left = left_panel(server.gui)
        added = part(server, left, ROOT, lambda: panel.rest()) if part else None
        panel = Panel(server.gui, controls or ScoutControls(), model, switches)
        board = Board(server.gui, model, left)

        def is_behind(state: ScoutView) -> bool:
            late = added is not None and added.is_behind(state.programs)
            return late or board.is_behind(state)

        def draw(state: ScoutView) -> None:
            scene.show(state)
            if added is not None:
                added.draw(state.programs)

        def tell(state: ScoutView, now: float) -> None:
            scene.show_trails()
            board.show(state, now)
            if added is not None:
                added.tell(state.programs, now)

        return Content(
            note=scene.note,
            is_behind=is_behind,
            draw_terrain=scene.show_walls,
            draw=draw,
            tell=tell,
            leave=panel.leave,
        )

    return Page(model.title, fill, CAMERA, host=host, port=port)
