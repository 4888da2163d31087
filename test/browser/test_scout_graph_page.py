"""The whole way for the Scout: browser, page, driver, pseudo-terminal, emulator, and back."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.graph]

PORT = 8498


def _number(element: str, name: str) -> str:
    """Return a script for the number that follows a name in an element."""
    text = f'(document.querySelector("#{element}")||{{innerText:""}}).innerText'
    return rf'parseFloat({text}.split(/\b{name}\b/)[1])'


def test_a_person_drives_the_emulated_scout_from_the_browser(
    open_tab: Callable[[str], Any], page_of: Callable[[Any], str], tmp_path: Path
) -> None:
    from walking_robots.nodes.common.processes import Processes

    line = str(tmp_path / 'scout')
    overrides = {
        'viewer': {'port': PORT, 'page_timeout': 10.0},
        'scout_emulator': {'link': line},
        'scout_driver': {'port': line},
    }
    speed, x, drift = (
        _number('velocity', 'measured'),
        _number('place', 'x'),
        _number('drift', 'by'),
    )
    with Processes('scout', overrides, namespace=f'/page_{os.getpid()}') as graph:
        tab = open_tab(page_of(graph))
        tab.wait_for('document.body && document.body.innerText.includes("Connected")')
        tab.wait_for(f'{drift} < 1.0')
        start = tab.evaluate(x)
        tab.settle()
        tab.hold('KeyW')
        tab.wait_for(f'{x} > {start} + 0.3')
        tab.let_go('KeyW')
        tab.hold('KeyA')
        tab.wait_for('document.body.innerText.includes("Turns left on the spot")')
        tab.click('Stop')
        tab.let_go('KeyA')
        tab.wait_for(f'{speed} === 0')
        tab.wait_for('document.querySelector("#velocity").innerText.includes("nothing")')
        tab.click('On')
        tab.wait_for('document.body.innerText.includes("Drives ahead")')
        tab.hold('KeyS')
        tab.wait_for('document.body.innerText.includes("Backs up")')
        tab.let_go('KeyS')
        tab.wait_for(f'{speed} === 0')
        # A cut cable is no matter of the browser.
        links = (
            '[...document.querySelectorAll("#robot-link, #page-link")].map(e => e.dataset.fine)'
        )
        tab.wait_for(f'{links} == "true,true"')
        tab.click('Inject')
        tab.wait_for(f'{links} == "true,false"')
        tab.wait_for(f'{links} == "true,true"')
        tab.click('Back to the start')
        tab.wait_for(f'{drift} < 1.0 && Math.abs({x} - {start}) < 0.01')
        assert tab.complaints() == []
        assert graph.fallen() == ''
