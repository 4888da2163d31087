"""Drive in a real browser by keys, pad and gamepad, stop, and use a narrow or dark page."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.own_clock import wait_until
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.common.page import Page
from walking_robots.viewer.mdle.part import PlanPart
from walking_robots.viewer.mdle.state import PlanControls, PlanView
from walking_robots.viewer.scout.page import scout_page
from walking_robots.viewer.scout.state import CONNECTED, ScoutControls, ScoutView, Walls

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FAST, TURN = SUPER_SCOUT.default_speed, SUPER_SCOUT.default_turn
VIEW = ScoutView(link=CONNECTED, programs=PlanView(plans=('follow',)))


class Drive:
    """A page of a Scout with programs, in a browser, and what was requested there."""

    def __init__(self, open_tab: Callable[[str], Any]) -> None:
        self.requested: list[Any] = []
        self._plans = PlanControls(run=lambda program: self.requested.append(program.name))
        controls = ScoutControls(
            drive=lambda *velocity: self.requested.append(velocity),
            stop=lambda: self.requested.append('stop'),
        )
        self.page: Page[ScoutView, Walls] = scout_page(
            robot_description(SUPER_SCOUT.name), controls, port=0, part=self._part
        )
        # Patient, since a busy machine may draw for longer than a held velocity lasts.
        self.page._page_server.heartbeat._clock = lambda: 0.1 * time.monotonic()
        self.page.show(VIEW)
        self.tab = open_tab(self.page.url)
        self.tab.wait_for('document.body?.innerText.includes("Browser connected")')
        self.tab.settle()

    def _part(self, *where: Any) -> PlanPart:
        server, panel, root, begin = where
        return PlanPart(server, panel, root, self._plans, begin)

    def comes(self, *wanted: Any) -> None:
        """Wait until exactly this was requested since the last time, and forget it."""
        wait_until(
            lambda: self.tab.evaluate('0') == 0 and len(self.requested) >= len(wanted),
            lambda: (wanted, self.requested),
        )
        assert self.requested == [pytest.approx(one) for one in wanted]
        self.requested.clear()

    def middle(self, element: str) -> tuple[float, float]:
        """Return the middle of an element, pixels."""
        box = f'document.querySelector("{element}").getBoundingClientRect()'
        x, y = self.tab.evaluate(f'(b => [b.x + b.width / 2, b.y + b.height / 2])({box})')
        return x, y

    def is_in_reach(self, element: str) -> bool:
        """Return whether nothing covers the middle of an element on the page."""
        x, y = self.middle(element)
        return bool(
            self.tab.evaluate(f'!!document.elementFromPoint({x}, {y})?.closest("{element}")')
        )


@pytest.fixture
def drive(open_tab: Callable[[str], Any]) -> Iterator[Drive]:
    drive = Drive(open_tab)
    yield drive
    drive.page.close()


def test_keys_drive_while_they_are_held(drive: Drive) -> None:
    tab = drive.tab
    tab.hold('KeyW')
    drive.comes((0.5 * FAST, 0.0))
    tab.hold('ArrowLeft')
    drive.comes((0.5 * FAST, 0.5 * TURN))
    tab.let_go('KeyW')
    drive.comes((0.0, 0.5 * TURN))
    tab.let_go('ArrowLeft')
    drive.comes('stop')
    tab.hold('KeyS')
    drive.comes((-0.5 * FAST, 0.0))
    tab.hold('ShiftLeft', shift=True)
    drive.comes((-FAST, 0.0))
    # Space would press the button that has the focus.
    tab.evaluate("""
        [...document.querySelectorAll('button')].find(b => b.innerText == 'Reset odometry').focus()
    """)
    tab.hold('Space')
    tab.let_go('Space')
    drive.comes('stop')
    # What is still held drives no more.
    tab.hold('KeyD')
    drive.comes((0.0, -0.5 * TURN))
    tab.beside('about:blank', window=False)
    drive.comes('stop')
    assert tab.complaints() == []


def test_keys_in_a_text_field_do_not_drive_and_escape_stops_there_too(drive: Drive) -> None:
    tab = drive.tab
    for kind in ('[inputmode]', '[role=combobox]'):
        tab.evaluate(f'[...document.querySelectorAll("input{kind}")].at(-1).focus()')
        for key in ('KeyW', 'Space', 'ArrowUp'):
            tab.hold(key)
            tab.let_go(key)
        tab.hold('Escape')
        tab.let_go('Escape')
        drive.comes('stop')
    tab.evaluate('document.activeElement.blur()')
    tab.hold('KeyW')
    drive.comes((0.5 * FAST, 0.0))
    # Whoever begins to write has let go.
    tab.evaluate('[...document.querySelectorAll("input[inputmode]")].at(-1).focus()')
    drive.comes('stop')


def test_the_pad_drives_while_it_is_dragged(drive: Drive) -> None:
    x, y = drive.middle('#page-pad')
    drive.tab.mouse('mousePressed', x, y)
    drive.tab.mouse('mouseMoved', x, y - 28.0)
    drive.comes((0.5 * FAST, 0.0))
    drive.tab.mouse('mouseMoved', x - 500.0, y)
    drive.comes((0.0, TURN))
    drive.tab.mouse('mouseReleased', x - 500.0, y)
    drive.comes('stop')


def test_a_gamepad_drives_and_stops(drive: Drive) -> None:
    tab = drive.tab
    tab.call('Emulation.setFocusEmulationEnabled', enabled=True)

    def hold(turn: float, ahead: float, stops: bool = False) -> None:
        """Hold the left stick and the button, until the page has looked at them twice."""
        pad = f'{{ mapping: "standard", axes: [{turn}, {ahead}, 0, 0], buttons: [{{}}, button] }}'
        tab.evaluate(f"""
            looks = 0;
            button = {{ pressed: {str(stops).lower()} }};
            navigator.getGamepads = () => (looks++, [null, {pad}])
        """)
        tab.wait_for('looks >= 2')

    hold(0.1, 0.1)
    hold(0.0, -1.0)
    drive.comes((FAST, 0.0))
    hold(0.0, -1.0, stops=True)
    hold(0.0, -1.0)
    drive.comes('stop')
    hold(0.5, -1.0)
    hold(0.0, 0.0)
    hold(1.0, 0.0)
    drive.comes((0.0, -TURN))
    assert tab.complaints() == []


@pytest.mark.parametrize(('width', 'height'), [(390, 800), (800, 600)])
def test_on_a_narrow_page_the_panels_are_drawers(drive: Drive, width: int, height: int) -> None:
    tab = drive.tab
    tab.resize(width, height)
    tab.wait_for(f'document.querySelector("canvas").getBoundingClientRect().width == {width}')
    tab.wait_for('document.querySelectorAll("[data-dock-region]").length == 2')
    region = '[data-dock-region={side}] [data-dock-column]'
    for side, words in (('left', 'Program text'), ('right', 'Reset odometry')):
        panel = region.format(side=side)
        assert not drive.is_in_reach(panel)
        tab.evaluate(f'document.getElementById("page-{side}").click()')
        assert drive.is_in_reach(panel)
        seen = tab.evaluate(f'document.querySelector("{panel}").innerText')
        assert words in seen
        assert tab.evaluate(f'document.querySelector("{panel}").clientWidth') >= width * 0.45
        for button in ('#page-stop', '#page-start', '#page-left', '#page-right', '#page-keys'):
            assert drive.is_in_reach(button), (side, button)
    tab.evaluate('document.getElementById("page-keys").click()')
    assert drive.is_in_reach('#page-help') and drive.is_in_reach('#page-stop')
    tab.wait_for('!document.getElementById("page-start").disabled')
    tab.evaluate('document.getElementById("page-start").click()')
    drive.comes('follow')
    tab.click('Stop')
    drive.comes('stop')
    tab.evaluate('document.getElementById("page-right").click()')
    assert not drive.is_in_reach(region.format(side='right'))


def test_the_page_follows_the_preference_for_dark_colours(drive: Drive) -> None:
    tab = drive.tab
    scheme = 'document.documentElement.dataset.mantineColorScheme'
    scene = 'getComputedStyle(document.querySelector("[data-dock-root] > div")).backgroundColor'
    assert tab.evaluate(scheme) == 'light'
    light = tab.evaluate(scene)
    dark = {'name': 'prefers-color-scheme', 'value': 'dark'}
    tab.call('Emulation.setEmulatedMedia', features=[dark])
    tab.wait_for(f'{scheme} == "dark" && {scene} != "{light}"')
    tab.evaluate('document.getElementById("page-colours").click()')
    tab.wait_for(f'{scheme} == "light" && {scene} == "{light}"')
    tab.call('Page.reload')
    tab.wait_for('document.body?.innerText.includes("Browser connected")')
    assert tab.evaluate(scheme) == 'light', 'what a person has chosen stays'


def test_the_links_of_the_browser_and_of_the_robot_are_two_things(drive: Drive) -> None:
    tab = drive.tab

    def shows(name: str, words: str, fine: bool, link: str | None = None) -> None:
        badge = f'document.getElementById("{name}")'
        shown = f'[{badge}.innerText, {badge}.dataset.fine == "true"]'

        def seen() -> bool:
            if link is not None:
                drive.page.show(replace(VIEW, link=link))
            return bool(tab.evaluate(shown) == [words, fine])

        wait_until(seen, words)

    shows('robot-link', 'Robot connected', True, CONNECTED)
    shows('robot-link', 'Robot: port closed', False, 'port closed')
    shows('page-link', 'Browser connected', True)
    shows('robot-link', 'Robot: no data', False)
    drive.page.close()
    shows('page-link', 'Browser: no connection', False)
    shows('robot-link', 'Robot: unknown', False)
