"""The whole way of a program: browser, page, executor, driver, emulated Scout, and back."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.graph]

PORT = 8499
ROWS = 'document.querySelectorAll("#log div[title]").length'
CHOSEN = '[...document.querySelectorAll("input")].some(field => field.value == "follow")'


def says(element: str, words: str) -> str:
    """Return a script that tells whether an element contains words."""
    return f'(document.querySelector("{element}")||{{innerText:""}}).innerText.includes("{words}")'


def sees(tab: Any, element: str, words: str) -> None:
    """Wait until an element contains words."""
    try:
        tab.wait_for(says(element, words))
    except AssertionError:
        page = tab.evaluate('document.body.innerText')[:600]
        raise AssertionError(f'no {words!r} in {element}; the page says: {page}') from None


def turn_to(tab: Any, label: str) -> None:
    """Turn to a tab of the panel at the left edge; it is no button and wants a mouse."""
    leaves = '[...document.querySelectorAll("*")].filter(leaf => !leaf.children.length)'
    found = f'{leaves}.find(leaf => leaf.innerText == "{label}")'
    tab.wait_for(f'!!{found}')
    centre = 'box => [box.x + box.width / 2, box.y + box.height / 2]'
    x, y = tab.evaluate(f'({centre})({found}.getBoundingClientRect())')
    for kind in ('mousePressed', 'mouseReleased'):
        tab.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)


def test_a_person_runs_pauses_and_stops_programs_from_the_browser(
    open_tab: Callable[[str], Any], page_of: Callable[[Any], str], tmp_path: Path
) -> None:
    from walking_robots.nodes.common.processes import Processes

    line = str(tmp_path / 'scout')
    overrides = {
        'viewer': {'port': PORT, 'page_timeout': 10.0},
        'scout_emulator': {'link': line},
        'scout_driver': {'port': line},
        # A machine that also draws the page may be late; this is no test of how fast it is.
        'mdle_executor': {'tick_period': 0.2, 'tick_budget': 1.0},
    }
    with Processes('mdle', overrides, namespace=f'/plans_{os.getpid()}') as graph:
        tab = open_tab(page_of(graph))
        sees(tab, '#phase', 'No program has run yet')
        tab.wait_for(CHOSEN)
        turn_to(tab, 'What it does and hears')
        sees(tab, '#heading', 'Connected')
        turn_to(tab, 'Plan')
        # The first plan that is shipped waits for something to move.
        tab.click('Run')
        sees(tab, '#phase', 'Runs follow')
        sees(tab, '.innermost', 'wait_motion')
        tab.wait_for('document.querySelectorAll(".active").length == 3')
        sees(tab, '.innermost .guards', 'moved false')
        sees(tab, '#log', 'wait_motion')
        began = tab.evaluate(ROWS)
        tab.click('Pause')
        sees(tab, '#phase', 'follow pauses')
        tab.click('Resume')
        sees(tab, '#phase', 'Runs follow')
        tab.wait_for(f'{ROWS} >= {began} + 2')
        # Who drives by hand takes the robot over.
        tab.hold('KeyW')
        sees(tab, '#phase', 'CANCELED')
        turn_to(tab, 'What it does and hears')
        sees(tab, '#heading', 'Drives ahead')
        tab.let_go('KeyW')
        # And who runs a program gives it back.
        turn_to(tab, 'Program text')
        tab.click('Run this text')
        turn_to(tab, 'Plan')
        sees(tab, '#phase', 'Runs there_and_back')
        sees(tab, '.innermost', 'spin')
        tab.click('Stop')
        sees(tab, '#phase', 'CANCELED')
        turn_to(tab, 'What it does and hears')
        sees(tab, '#heading', 'Stands still')
        assert tab.complaints() == []
        assert graph.fallen() == ''
