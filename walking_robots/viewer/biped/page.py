"""Put together the page of the bipeds."""

from collections.abc import Mapping

import viser

from walking_robots.robots.kwalk import KWALKS, Kwalk
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.viewer.biped.history import LATELY, FrictionHistory, StateExitLog, WalkHistory
from walking_robots.viewer.biped.panel import BipedPanel
from walking_robots.viewer.biped.plots import plots_html
from walking_robots.viewer.biped.scene import BipedScene
from walking_robots.viewer.biped.state import BipedControls, BipedView, CellGround, Ground
from walking_robots.viewer.biped.status import feelings_html, legs_html, reasons_html, state_html
from walking_robots.viewer.common.board import PLOT_PERIOD, Board, left_panel
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.content import Content
from walking_robots.viewer.common.history import TimeSpan
from walking_robots.viewer.common.page import Page

TITLE = 'Blind biped'
BOARD_WIDTH = 400
SUBJECT = Subject((0.0, 0.0, 0.33), 0.65, (0.0, -1.0, 0.12))


def biped_page(
    descriptions: Mapping[str, str],
    controls: BipedControls | None = None,
    *,
    host: str = '127.0.0.1',
    port: int = 8080,
) -> Page[BipedView, Ground | CellGround]:
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

    return Page(TITLE, fill, SUBJECT, host=host, port=port)


def biped_board(gui: viser.GuiApi) -> Board[BipedView]:
    """Return the board of a biped, at the left edge of the page."""
    history, exits, friction = WalkHistory(), StateExitLog(4), FrictionHistory()
    slips: TimeSpan[float] = TimeSpan(LATELY)
    board: Board[BipedView] = Board(gui, left_panel(gui, BOARD_WIDTH))
    board.record(history.add)
    board.record(lambda state: exits.add(state.time, state.left))
    board.record(lambda state: friction.note(state.time, state.friction))
    board.record(lambda state: slips.note(state.time, state.felt_slip))
    with board.tab('What it does'):
        board.text(state_html)
        board.text(lambda state: legs_html(state, friction.most()))
        board.text(lambda state: plots_html(history.entries(), _robot(state)), PLOT_PERIOD)
        board.text(lambda state: feelings_html(state, slips.entries()))
        board.text(lambda _: reasons_html(exits.latest()))
    return board


def _robot(state: BipedView) -> Kwalk:
    """Return the robot that walks, or the first one while none is known."""
    known = KWALKS | {name: robot.planar for name, robot in SPATIAL_KWALKS.items()}
    return known.get(state.settings.robot, next(iter(KWALKS.values())))
