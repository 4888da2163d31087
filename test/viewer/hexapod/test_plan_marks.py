"""Test the drawing of planned footholds."""

from dataclasses import replace

import pytest
import viser

from walking_robots.robots.asv import ASV
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.hexapod.machine import HexapodMachine, free_machine
from walking_robots.viewer.hexapod.panel import HexapodPanel
from walking_robots.viewer.hexapod.plan_marks import MOST
from walking_robots.viewer.hexapod.scene import HexapodScene
from walking_robots.viewer.hexapod.state import Controls, SwingMark, ViewState
from walking_robots.viewer.hexapod.status import legend_html, mode_html

HORIZON = 5.2


@pytest.fixture(scope='module')
def machine() -> HexapodMachine:
    return free_machine(ASV, 'Adaptive Suspension Vehicle', HORIZON)


def plan(count: int, margin: float = 1.0) -> tuple[SwingMark, ...]:
    return tuple(
        SwingMark((5.0 + k, 4.0, 0.0), (3.0 + 0.3 * k, 6.0, 1.6), margin) for k in range(count)
    )


def drawn(scene: HexapodScene) -> list[int]:
    """Return the numbers of the footholds that are seen."""
    return [k for k, disc in enumerate(scene.overlay.plan._discs, 1) if disc.visible]


def test_footholds_are_numbered_and_the_path_shows_the_margin(
    server: viser.ViserServer, machine: HexapodMachine
) -> None:
    scene = HexapodScene(server.scene, robot_description(), machine)
    marks = scene.overlay.plan
    scene.show(ViewState(swings=plan(3)))
    assert drawn(scene) == [1, 2, 3] and marks._path.visible
    assert tuple(marks._discs[2].position[:2]) == (7.0, 4.0)
    assert tuple(marks._path.colors[0, 0]) == Grade.GOOD.value
    scene.show(ViewState(swings=plan(2, margin=0.0)))
    assert drawn(scene) == [1, 2] and tuple(marks._path.colors[0, 0]) == Grade.BAD.value
    scene.show(ViewState(swings=plan(MOST + 5)))
    assert drawn(scene) == list(range(1, MOST + 1))
    marks.switch(False)
    assert drawn(scene) == [] and not marks._path.visible
    marks.switch(True)
    scene.show(ViewState())
    assert drawn(scene) == [] and not marks._path.visible


def test_the_page_says_what_the_rules_would_do(machine: HexapodMachine) -> None:
    state = ViewState(mode='planned', swings=plan(3), otherwise='the rules would <stop>')
    assert 'The rules would &lt;stop&gt;.' in mode_html(state, (), machine)
    assert 'ules would' not in mode_html(replace(state, swings=()), (), machine)
    assert 'planned foothold' in legend_html(machine)
    assert 'planned foothold' not in legend_html(replace(machine, horizon=0.0))


def test_a_slider_says_how_far_ahead_to_plan(
    server: viser.ViserServer, machine: HexapodMachine
) -> None:
    asked: list[float] = []
    slider = HexapodPanel(server.gui, Controls(horizon=asked.append), machine, {})._horizon
    assert slider.value == HORIZON and slider.min < HORIZON < slider.max
    slider.value = 4.0
    assert asked == [4.0]
