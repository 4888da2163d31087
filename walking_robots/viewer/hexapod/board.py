"""The part of the page that says what the gait does and why."""

import viser

from walking_robots.viewer.common.board import Board, left_panel
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.plots import MarginHistory, MarginPlot
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.status import legs_html, margin_html, mode_html, motion_html
from walking_robots.viewer.hexapod.words import RuleLog, waiting


def hexapod_board(gui: viser.GuiApi, machine: HexapodMachine) -> Board[ViewState]:
    """Return the board of a hexapod, at the left edge of the page."""
    history, rules = MarginHistory(), RuleLog()
    board: Board[ViewState] = Board(gui, left_panel(gui))
    board.record(lambda s: history.add(s.time, s.margin, s.planned_margin))
    board.record(lambda s: rules.add(s.time, s.fired or waiting(s.state)))
    with board.tab('What it does and why'):
        board.text(lambda state: mode_html(state, rules.latest(), machine))
        board.text(lambda state: margin_html(state, machine))
        plot = MarginPlot(gui, machine)
        board.add(lambda _: plot.show(history))
        board.text(lambda state: legs_html(state, machine))
        board.text(lambda state: motion_html(state, machine))
    return board
