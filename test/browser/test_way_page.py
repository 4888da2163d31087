"""The whole way of a task: browser, page, planner, executor, emulated Scout, and the files."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.graph]

PORT = 8496
ROOM = """
ars_schema: 1
world:
  name: room
  size: [80, 60]
  cell: 5cm
  y_axis: up
  start: {at: [1.5m, 1.5m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 60], type: bricks, params: [1]}
"""
SCENE = 'document.querySelector("[data-dock-root] > :first-child canvas").getBoundingClientRect()'
WAY = '(document.querySelector("#way") || {innerText: ""}).innerText'


def turn_to(tab: Any, label: str) -> None:
    """Turn to a tab of the panel at the left edge; it is no button and wants a mouse."""
    leaves = '[...document.querySelectorAll("*")].filter(leaf => !leaf.children.length)'
    found = f'{leaves}.find(leaf => leaf.innerText == "{label}")'
    tab.wait_for(f'!!{found}')
    centre = 'box => [box.x + box.width / 2, box.y + box.height / 2]'
    press(tab, *tab.evaluate(f'({centre})({found}.getBoundingClientRect())'))


def press(tab: Any, x: float, y: float) -> None:
    """Click on a place of the page."""
    tab.mouse('mousePressed', x, y)
    tab.mouse('mouseReleased', x, y)


def test_a_person_clicks_on_a_goal_stops_the_robot_and_saves_the_map(
    open_tab: Callable[[str], Any], page_of: Callable[[Any], str], tmp_path: Path
) -> None:
    from walking_robots.mdle.cartographer.map_files import load_map
    from walking_robots.nodes.common.processes import Processes

    (tmp_path / 'room.yaml').write_text(ROOM)
    line = str(tmp_path / 'scout')
    overrides = {
        'viewer': {'port': PORT, 'page_timeout': 10.0},
        'scout_emulator': {
            'link': line, 'world': str(tmp_path / 'room.yaml'), 'map_frame': False
        },
        'scout_driver': {'port': line},
        'mdle_executor': {'tick_period': 0.1, 'tick_budget': 1.0},
        'mdle_cartographer': {'start': [1.5, 1.5, 0.0], 'slip': 0.0},
    }  # fmt: skip
    also = ('mdle_cartographer', 'mdle_planner')
    with Processes('mdle', overrides, also=also, namespace=f'/way_{os.getpid()}') as graph:
        tab = open_tab(page_of(graph))
        turn_to(tab, 'Map and way')
        tab.wait_for(f'{WAY}.includes("No task")')
        tab.wait_for('document.querySelector("#figures").innerText.includes("m²")')
        tab.settle()
        left, top, width, height = tab.evaluate(
            f'(box => [box.x, box.y, box.width, box.height])({SCENE})'
        )
        press(tab, left + 0.5 * width + 60.0, top + 0.5 * height - 40.0)
        tab.wait_for(f'!{WAY}.includes("No task")')
        tab.click('Stop')
        tab.wait_for(f'{WAY}.includes("No task")')
        tab.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(tmp_path))
        tab.click('Download the map')
        files = [tmp_path / name for name in ('map.pgm', 'map.yaml')]
        # The browser keeps an empty file in the place of one that it has not yet written.
        wait_until(lambda: all(f.exists() and f.stat().st_size for f in files), 'the files')
        grid, *_ = load_map(files[1])
        assert (grid.classes() == 0).any()
        assert tab.complaints() == []
        assert graph.fallen() == ''
