"""Open the Scout's page in a real browser, and drive by its controls."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import wait_until
from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.common.page import Page
from walking_robots.viewer.scout.page import scout_page
from walking_robots.viewer.scout.state import ScoutControls, ScoutView, Walls

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = ScoutView(
    pose=Pose2(0.5, 0.0, 0.1),
    truth=Pose2(0.5, 0.12, 0.1),
    ranges=(math.inf, -math.inf, *(1.0 + 0.1 * number for number in range(14))),
    bumper=(True,) + (False,) * 5,
    voltage=12.2,
    velocity=Twist2(0.2, 0.0),
    link='connected',
    counters=(('packets ok', '2841'),),
)


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def page(requested: list[tuple[Any, ...]]) -> Iterator[Page[ScoutView, Walls]]:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    controls = ScoutControls(
        drive=note('drive'),
        stop=note('stop'),
        wander=note('wander'),
        reset_odometry=note('reset_odometry'),
        motors=note('motors'),
        inject=note('inject'),
        restart=note('restart'),
    )
    page = scout_page(robot_description(SUPER_SCOUT.name), controls, port=0)
    page.show_terrain(Walls(np.eye(40, dtype=bool), 0.1, Pose2(-2.0, -2.0, 0.0)))
    yield page
    page.close()


def test_person_drives_the_scout_by_the_page(
    page: Page[ScoutView, Walls],
    requested: list[tuple[Any, ...]],
    open_tab: Callable[[str], Any],
) -> None:
    page.show(VIEW)
    tab = open_tab(page.url)
    assert tab.wait_for('document.querySelectorAll("canvas").length') >= 1
    for words in (
        'Nomad Super Scout',
        'Drives ahead',
        'The bumper is pressed ahead.',
        'off the',
        '12.0 cm',
        '12.2 V',
        'Connected',
        '2841',
        'Faults of the emulator',
    ):
        tab.wait_for(f'document.body.innerText.includes("{words}")')
    assert tab.evaluate('document.querySelectorAll("#dial text").length') == 16

    def comes(wanted: tuple[Any, ...]) -> None:
        wait_until(
            lambda: tab.evaluate('0') == 0 and requested and requested[-1] == wanted,
            lambda: (wanted, requested),
        )

    tab.click('On')
    comes(('wander', True))
    tab.click('Stop')
    comes(('stop',))
    tab.click('Reset odometry')
    comes(('reset_odometry',))
    tab.click('Inject')
    comes(('inject', 'cut_cable', 5.0))
    tab.click('Back to the start')
    comes(('restart',))
    assert tab.complaints() == []
    own = page.url.split('//')[1].rstrip('/')
    schemes = ('data:', 'blob:', f'http://{own}', f'ws://{own}')
    assert [address for address in tab.addresses() if not address.startswith(schemes)] == []


def test_page_follows_what_comes(
    page: Page[ScoutView, Walls], open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(page.url)
    page.show(ScoutView())
    tab.wait_for('document.body && document.body.innerText.includes("Waiting for the robot")')
    pose = ORIGIN
    for step in range(60):
        pose = pose.advance(Twist2(0.3, 0.5), 0.05)
        page.show(ScoutView(time=0.05 * step, pose=pose, truth=pose, velocity=Twist2(0.3, 0.5)))
        time.sleep(0.02)
    tab.wait_for(f'document.querySelector("#place").innerText.includes("{pose.x:.2f} m")')
    tab.wait_for('document.querySelector("#heading").innerText.includes("turning left")')
    assert tab.complaints() == []


def test_a_motion_ends_with_the_page(
    page: Page[ScoutView, Walls],
    requested: list[tuple[Any, ...]],
    open_tab: Callable[[str], Any],
) -> None:
    tab = open_tab(page.url)
    tab.click('On')
    while not requested:
        tab.evaluate('0')
    assert requested == [('wander', True)]
    tab.call('Page.close')
    wait_until(lambda: ('stop',) in requested, 'a stop, as nobody is left to press it')
