"""The part of a biped's page that says what it does and why, and plots what it did."""

import viser

from walking_robots.robots.kwalk import KWALKS, Kwalk
from walking_robots.viewer.biped.history import FrictionHistory, WalkHistory
from walking_robots.viewer.biped.plots import plots_html
from walking_robots.viewer.biped.state import BipedView
from walking_robots.viewer.biped.status import feelings_html, legs_html, reasons_html, state_html
from walking_robots.viewer.biped.words import StateExitLog
from walking_robots.viewer.common.board import PLOT_PERIOD, Board, left_panel

WIDTH = 400


def biped_board(gui: viser.GuiApi) -> Board[BipedView]:
    """Return the board of a biped, at the left edge of the page."""
    history, exits, friction = WalkHistory(), StateExitLog(4), FrictionHistory()
    board: Board[BipedView] = Board(gui, left_panel(gui, WIDTH))
    board.record(history.add)
    board.record(lambda state: exits.add(state.time, state.left))
    board.record(lambda state: friction.add(state.time, state.friction))
    with board.tab('What it does'):
        board.text(state_html)
        board.text(lambda state: legs_html(state, friction.most()))
        board.text(lambda state: plots_html(history.moments(), _robot(state)), PLOT_PERIOD)
        board.text(feelings_html)
        board.text(lambda _: reasons_html(exits.latest()))
    return board


def _robot(state: BipedView) -> Kwalk:
    """Return the robot that walks, or the first one while none is known."""
    return KWALKS.get(state.settings.robot, next(iter(KWALKS.values())))
