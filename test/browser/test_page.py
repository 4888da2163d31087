"""Open the page in a real browser, walk by its controls, and see that it walked."""

import math
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import Stopwatch, wait_until
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.asv import ASV
from walking_robots.robots.urdf.description import robot_description
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.viewer.hexapod.machine import free_machine
from walking_robots.viewer.hexapod.page import hexapod_page
from walking_robots.viewer.hexapod.state import Controls, ViewState

pytestmark = [pytest.mark.browser, pytest.mark.slow]

X = r'parseFloat((document.querySelector("#motion")||{innerText:""}).innerText.split(/\bx\b/)[1])'


class Walk:
    """A walk in plain Python, with a page to steer it."""

    def __init__(self) -> None:
        self.requests: list[tuple[Any, ...]] = []
        self._command = (0.0, 0.0, 0.0)
        self._over = threading.Event()
        self._legs = leg_kinematics(ASV)
        self.page = hexapod_page(
            robot_description(),
            free_machine(ASV, 'Adaptive Suspension Vehicle'),
            Controls(
                walk=self._walk,
                stop=self._stop,
                new_terrain=lambda *values: self.requests.append(('terrain', *values)),
                pause=lambda values: self.requests.append(('pause', values)),
                step=lambda: self.requests.append(('step',)),
                speed_of_time=lambda factor: self.requests.append(('speed', factor)),
                reset=lambda: self.requests.append(('reset',)),
            ),
            port=0,
        )
        self._loop = ClosedLoop(ASV, build(share=0.2), REPAIRED)
        self.page.show_terrain(self._loop.terrain)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _walk(self, forward: float, lateral: float, turn: float) -> None:
        self._command = (forward, lateral, turn)
        self.requests.append(('walk', *self._command))

    def _stop(self) -> None:
        self._command = (0.0, 0.0, 0.0)
        self.requests.append(('stop',))

    def _run(self) -> None:
        step = 0
        while not self._over.wait(0.05):
            step += 1
            moment = self._loop.step(self._command)
            gait = moment.gait
            joints = self._legs.inverse(np.array(moment.servo.feet()))
            reports = self._loop.servo.state.reports(moment.after.contacts)
            self.page.show(
                ViewState(
                    time=step * 0.1,
                    step=step,
                    position=moment.after.pose.position,
                    joints=dict(zip(ASV.joint_names(), joints.ravel().tolist(), strict=True)),
                    leg_states=tuple(report.control.name for report in reports),
                    footholds=np.array([hold or (math.nan,) * 3 for hold in gait.footholds]),
                    support=gait.support,
                    margin=gait.margin,
                    planned_margin=gait.planned_margin,
                    mode=gait.mode,
                    fired=tuple(firing.sentence for firing in gait.fired),
                )
            )

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.page.close()


@pytest.fixture
def walk() -> Iterator[Walk]:
    walk = Walk()
    # A page on a busy machine answers late.
    walk.page.set_timeout(10.0)
    yield walk
    walk.close()


def test_person_walks_the_vehicle_by_the_page(walk: Walk, open_tab: Callable[[str], Any]) -> None:
    tab = open_tab(walk.page.url)
    start = tab.wait_for(X)
    assert tab.wait_for('document.querySelectorAll("canvas").length') >= 1
    for words in (
        'Adaptive Suspension Vehicle',
        'Free gait',
        'Stability margin',
        'Leg 6',
        'permitted cell',
        'Seed',
    ):
        tab.wait_for(f'document.body.innerText.includes("{words}")')

    tab.click('Start walking')
    tab.wait_for(f'{X} > {start} + 0.15')
    assert walk.requests[0] == ('walk', 0.12, 0.0, 0.0)

    tab.press('[role=slider]', 'ArrowRight')
    _until(tab, lambda: len(walk.requests) > 1)
    assert walk.requests[-1][:1] == ('walk',)
    assert walk.requests[-1][1] == pytest.approx(0.13)

    tab.click('Stop')
    _until(tab, lambda: walk.requests[-1] == ('stop',))
    tab.press('[role=slider]', 'ArrowRight')
    tab.click('New terrain')
    _until(tab, lambda: walk.requests[-1][0] == 'terrain')
    assert walk.requests[-2] == ('stop',), 'a slider moves nobody who has stopped'
    assert walk.requests[-1] == ('terrain', pytest.approx(2.1), pytest.approx(0.2), 77)
    tab.click('One step')
    _until(tab, lambda: walk.requests[-1] == ('pause', True))
    tab.click('One step')
    _until(tab, lambda: walk.requests[-1] == ('step',))
    tab.click('Back to the start')
    _until(tab, lambda: walk.requests[-1] == ('reset',))

    assert tab.complaints() == []
    own = walk.page.url.split('//')[1].rstrip('/')
    elsewhere = [
        address
        for address in tab.addresses()
        if not address.startswith(('data:', 'blob:', f'http://{own}', f'ws://{own}'))
    ]
    assert elsewhere == []


def test_a_page_that_somebody_looks_at_is_taken_down_at_once(
    walk: Walk, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(walk.page.url)
    tab.wait_for(X)
    watch = Stopwatch(os.getpid())
    walk.page.close()
    assert watch.elapsed() < 0.9


def test_a_motion_of_the_page_ends_with_its_last_visitor(
    walk: Walk, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(walk.page.url)
    start = tab.wait_for(X)
    tab.click('Start walking')
    tab.wait_for(f'{X} > {start} + 0.05')
    assert walk.requests == [('walk', 0.12, 0.0, 0.0)]
    tab.call('Page.navigate', url='about:blank')
    _until(tab, lambda: walk.requests[-1] == ('stop',))
    # Whoever comes next sees the robot, and moves nothing by looking.
    again = open_tab(walk.page.url)
    again.wait_for(f'{X} > {start}')
    assert len(walk.requests) == 2


def _until(tab: Any, done: Callable[[], bool]) -> None:
    """Let the page work until something has come of it."""
    wait_until(lambda: tab.evaluate('0') == 0 and done())


def test_a_browser_without_a_graphics_card_draws_few_pixels(
    walk: Walk, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab('about:blank')
    tab.resize(1600, 900)
    tab.call('Page.navigate', url=walk.page.url)
    drawn = '[...document.querySelectorAll("canvas")].find((c) => c.dataset.engine)'
    tab.wait_for(f'!!{drawn} && {drawn}.width > 400')
    width, height = tab.evaluate(f'[{drawn}.width, {drawn}.height]')
    assert width * height < 300_000, 'a fifth of the window, even before it has panels'
    options = tab.evaluate(f'{drawn}.getContext("webgl2").getContextAttributes().antialias')
    assert options is False
    assert tab.complaints() == []
