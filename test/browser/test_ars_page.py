"""The whole way for ARS MAGNA: browser, page, world, program, and back."""

import os
import time
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.graph]

PORT = 8495
HEADING = '(document.querySelector("#heading")||{innerText:""}).innerText'
PLACE = '(document.querySelector("#place")||{innerText:""}).innerText'
TICK = rf'parseInt({HEADING}.split(/\btick\b/)[1])'


def sees(tab: Any, script: str, words: str) -> None:
    """Wait until a text contains words."""
    try:
        tab.wait_for(f'{script}.includes("{words}")')
    except AssertionError:
        page = tab.evaluate('document.body.innerText')[:900]
        raise AssertionError(f'no {words!r}; the page says: {page}') from None


def choose(tab: Any, now: str, then: str) -> None:
    """Choose something else in the first field that shows a choice."""
    field = f'[...document.querySelectorAll("input")].find(field => field.value == "{now}")'
    tab.wait_for(f'!!{field}')
    tab.evaluate(f'{field}.click()')
    leaf = f'[...document.querySelectorAll("[role=option]")].find(o => o.innerText == "{then}")'
    tab.wait_for(f'!!{leaf} && {leaf}.checkVisibility()')
    tab.evaluate(f'{leaf}.click()')


def click_on_the_floor(tab: Any, right: float, down: float) -> None:
    """Click so many pixels from the middle of the picture."""
    middle = 'box => [box.x + box.width / 2, box.y + box.height / 2]'
    canvas = 'document.querySelector("canvas").getBoundingClientRect()'
    x, y = tab.evaluate(f'({middle})({canvas})')
    for kind in ('mouseMoved', 'mousePressed', 'mouseReleased'):
        tab.call(
            'Input.dispatchMouseEvent',
            type=kind,
            x=x + right,
            y=y + down,
            button='none' if kind == 'mouseMoved' else 'left',
            clickCount=1,
        )


def test_a_person_changes_the_world_and_runs_programs_from_the_browser(
    open_tab: Callable[[str], Any], page_of: Callable[[Any], str]
) -> None:
    from walking_robots.nodes.common.processes import Processes

    overrides = {'viewer': {'port': PORT}, 'ars_magna': {'real_time_factor': 10.0}}
    with Processes('ars_magna', overrides, namespace=f'/ars_{os.getpid()}') as graph:
        tab = open_tab(page_of(graph))
        sees(tab, HEADING, 'No program runs')
        sees(tab, PLACE, 'x 10.00')
        sees(tab, 'document.body.innerText', 'stands in a wall')
        # Time is held, and goes on by single ticks.
        tab.click('Step')
        time.sleep(1.0)
        held = tab.evaluate(TICK)
        tab.click('Step')
        tab.wait_for(f'{TICK} == {held} + 1')
        # The robot stands in the middle of the picture.
        choose(tab, 'only looks', 'places the robot')
        click_on_the_floor(tab, 120.0, 0.0)
        tab.wait_for(f'parseFloat({PLACE}.split("x ")[1]) > 12.0')
        assert tab.evaluate(f'parseFloat({PLACE}.split("y ")[1])') == pytest.approx(5.0, abs=0.3)
        tab.click('Turn the robot there')
        sees(tab, PLACE, 'heading 0°')
        choose(tab, 'places the robot', 'makes a thing')
        click_on_the_floor(tab, 0.0, 100.0)
        choose(tab, 'makes a thing', 'moves the thing')
        choose(tab, 'LAMP#1', 'BOX#7')
        tab.click('Run')
        tab.wait_for(f'{TICK} > {held} + 5')
        choose(tab, 'fetch', 'persistent')
        tab.click('Clean')
        tab.click('Start')
        sees(tab, HEADING, 'Persistent runs')
        sees(tab, HEADING, 'camera 0: find')
        tab.click('Stop')
        sees(tab, HEADING, 'Persistent stopped')
        assert tab.complaints() == []
        assert graph.fallen() == ''
