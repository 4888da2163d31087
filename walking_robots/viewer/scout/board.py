"""The part of the Scout's page that says what it does, hears and measures."""

import viser

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.board import Board
from walking_robots.viewer.scout.dial import dial_html
from walking_robots.viewer.scout.state import ScoutView
from walking_robots.viewer.scout.status import battery_html, heading_html, link_html, place_html


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
