"""Put together the page of a six-legged robot."""

from dataclasses import replace
from xml.etree import ElementTree

import viser

from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.common.board import Board, left_panel
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.content import Content
from walking_robots.viewer.common.page import Page
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.panel import HexapodPanel
from walking_robots.viewer.hexapod.plots import MarginHistory, MarginPlot
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import Controls, ViewState, between
from walking_robots.viewer.hexapod.status import (
    battery_html,
    legs_html,
    margin_html,
    mode_html,
    motion_html,
)
from walking_robots.viewer.hexapod.words import RuleLog, waiting

STEP = 0.1
"""Least time, s, between two texts on what the scene shows too: a step of the slowest robot."""
ROOM = 1.75
"""Radius of what is first seen, times the distance of the feet from the middle."""


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
    machine = replace(machine, strengths=joint_strengths(description))

    def fill(server: viser.ViserServer) -> Content[ViewState]:
        scene = HexapodScene(server.scene, description, machine)
        overlay = scene.overlay
        switches = {
            'Follow the vehicle': scene.follow,
            'Working volumes': overlay.show_volumes,
            'Leg numbers': overlay.show_numbers,
        }
        if machine.horizon:
            switches['Planned footholds'] = overlay.plan.switch
        if machine.sees:
            switches |= {'True terrain': scene.show_truth, 'Rays of the sensor': scene.rays.switch}
        if machine.outline:
            switches['Wire frame'] = scene.show_wire_frame
        view = scene.thesis_view if machine.outline else None
        panel = HexapodPanel(server.gui, controls or Controls(), machine, switches, view)
        board = hexapod_board(server.gui, machine)
        return Content(scene, board, panel, between=between)

    middle = (0.0, 0.0, machine.start[2] / 2.0)
    subject = Subject(middle, ROOM * machine.radius)
    return Page(machine.title, fill, subject, host=host, port=port)


def hexapod_board(gui: viser.GuiApi, machine: HexapodMachine) -> Board[ViewState]:
    """Return the board of a hexapod, at the left edge of the page."""
    history, rules = MarginHistory(), RuleLog()
    board: Board[ViewState] = Board(gui, left_panel(gui))
    board.record(lambda s: history.add(s.time, s.margin, s.planned_margin))
    board.record(lambda s: rules.add(s.time, s.fired or waiting(s.state)))
    with board.tab('What it does and why'):
        board.text(lambda state: mode_html(state, rules.latest(), machine))
        board.text(lambda state: margin_html(state, machine), STEP)
        plot = MarginPlot(gui, machine)
        board.add(lambda _: plot.show(history))
        board.text(lambda state: legs_html(state, machine), STEP)
        board.text(lambda state: motion_html(state, machine))
        board.text(battery_html)
    return board


def joint_strengths(description: str) -> dict[str, float]:
    """Return the greatest torques and forces of the joints of a URDF text, N m and N, by name."""
    limits = {
        joint.get('name', ''): float(limit.get('effort', 'nan'))
        for joint in ElementTree.fromstring(description).iterfind('joint')
        for limit in joint.iterfind('limit')
    }
    return {name: limit for name, limit in limits.items() if limit > 0.0}
