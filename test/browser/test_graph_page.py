"""The whole way: a browser, the page, the nodes as processes, and back to the browser."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.graph]

PORT = 8496
X = r'parseFloat((document.querySelector("#motion")||{innerText:""}).innerText.split(/\bx\b/)[1])'


def test_a_person_drives_the_real_graph_from_the_browser(
    open_tab: Callable[[str], Any], page_of: Callable[[Any], str]
) -> None:
    from walking_robots.nodes.common.processes import Processes

    overrides = {
        'viewer': {'port': PORT, 'page_timeout': 10.0},
        'terrain': {'forbidden_share': 0.0, 'ditch_width': 0.0},
        'hexapod_sim': {'real_time_factor': 5.0},
    }
    with Processes('asv', overrides, namespace=f'/page_{os.getpid()}') as graph:
        tab = open_tab(page_of(graph))
        start = tab.wait_for(X)
        tab.click('Start walking')
        tab.wait_for(f'{X} > {start} + 0.3')
        tab.wait_for('document.body && document.body.innerText.includes("replaces leg")')
        tab.click('Stop')

        def rests() -> bool:
            before = tab.evaluate(X)
            Stopwatch().sleep(2.0)
            return abs(tab.evaluate(X) - before) <= 0.02

        wait_until(rests, 'a robot at rest')
        assert tab.complaints() == []
        assert graph.fallen() == ''
