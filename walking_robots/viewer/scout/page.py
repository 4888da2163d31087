"""Put together the page of the Super Scout."""

from collections.abc import Callable

import viser

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.board import Board, left_panel
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.content import Content, MakePart
from walking_robots.viewer.common.page import Page
from walking_robots.viewer.scout.dial import dial_html
from walking_robots.viewer.scout.panel import ScoutPanel
from walking_robots.viewer.scout.scene import ROOT, ScoutScene
from walking_robots.viewer.scout.state import ScoutControls, ScoutView, Walls
from walking_robots.viewer.scout.status import (
    battery_html,
    heading_html,
    link_fault,
    link_html,
    place_html,
)

SUBJECT = Subject((0.0, 0.0, 0.1), 1.4, (-0.6, -0.5, 0.6))


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

    def fill(server: viser.ViserServer) -> Content[ScoutView]:
        scene = ScoutScene(server.scene, description, model)
        switches = {
            'Follow the robot': scene.follow,
            'Sonar': scene.switch_sonar,
            'Trails': scene.switch_trails,
            'Walls in truth': scene.show_ground,
        }
        left = left_panel(server.gui)
        added = part(server, left, ROOT, lambda: panel.rest()) if part else None
        if added is not None:
            on_floor(server, scene, added.click)
        panel = ScoutPanel(server.gui, controls or ScoutControls(), model, switches)
        board = scout_board(server.gui, model, left)
        board.record(scene.note)
        board.add(lambda _: scene.show_trails(), 0.0)
        return Content(scene, board, panel, added, lambda state: state.programs, link_fault)

    return Page(model.title, fill, SUBJECT, host=host, port=port)


def on_floor(
    server: viser.ViserServer, scene: ScoutScene, act: Callable[[float, float], None]
) -> None:
    """Have clicks on the floor call `act` with the place, m in map."""

    @server.scene.on_click()
    def _(event: viser.SceneClickEvent) -> None:
        found = scene.floor_point(event.ray_origin, event.ray_direction)
        if found is not None:
            act(*found)


def scout_board(
    gui: viser.GuiApi, model: WheeledModel, panel: viser.PanelHandle
) -> Board[ScoutView]:
    """Return the board of a Scout, a tab of a panel."""
    board: Board[ScoutView] = Board(gui, panel)
    with board.tab('What it does and hears'):
        board.text(lambda state: heading_html(state, model))
        board.text(place_html)
        board.text(lambda state: dial_html(state.ranges, state.bumper, model))
        board.text(lambda state: battery_html(state, model.battery))
        board.text(link_html)
    return board
