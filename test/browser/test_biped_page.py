"""Open the page of the bipeds in a real browser, and walk, push and change by its controls."""

import io
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from benchmarks.own_clock import wait_until
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.robots.kwalk import JOINTS, KWALKS
from walking_robots.robots.urdf.description import robot_description
from walking_robots.simulation.biped.friction import needed_friction
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.trial import BipedLoop, BipedTrial, LoopTick, Push, lies
from walking_robots.viewer.biped.page import biped_page
from walking_robots.viewer.biped.state import BipedControls, BipedSettings, BipedView, Left

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TICKS = 5
"""Of the controller, between two states that are shown."""
X = 'parseFloat((document.querySelector("#x")||{innerText:""}).innerText)'


class Walk:
    """A biped in plain Python on its page."""

    def __init__(self) -> None:
        self.requests: list[tuple[Any, ...]] = []
        self._settings = BipedSettings('b', 'level', 0, 'tuned', 'level')
        self._speed, self._pushes = 0.0, ()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.page = biped_page(
            {letter: robot_description(robot.name) for letter, robot in KWALKS.items()},
            BipedControls(
                walk=self._walk,
                robot=lambda letter: self._set(robot=letter),
                ground=lambda words, seed: self._set(terrain=words, seed=seed),
                push=self._push,
                reset=lambda: self._set(),
                stop=lambda: self.requests.append(('stop',)),
                pause=lambda held: self.requests.append(('pause', held)),
            ),
            port=0,
        )
        self._set()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _walk(self, speed: float, left: float, turn: float) -> None:
        self.requests.append(('walk', speed, left, turn))
        self._speed = speed

    def _set(self, **values: Any) -> None:
        """Set a robot up on a ground."""
        with self._lock:
            settings = replace(self._settings, **values)
            ground = find_ground(settings.terrain, settings.seed)
            robot = KWALKS[settings.robot]
            _, parameters = shipped_sets().find(settings.robot, settings.params, ground.kind)
            self._settings = replace(settings, ground=ground.kind)
            self._loop = BipedLoop(BipedTrial(robot, parameters, ground.profile))
            self._fallen, self._left, self._state = '', [], 0
            self.page.show_terrain(ground.profile.between(-4.0, 16.0))

    def _push(self, force: float) -> None:
        self.requests.append(('push', force))
        with self._lock:
            now = self._loop.simulation.state.time
            trial = self._loop.trial
            self._loop.trial = replace(trial, pushes=(Push(now, 0.1, force),))

    def _run(self) -> None:
        while not self._over.wait(0.004 * TICKS):
            with self._lock:
                self._loop.trial = replace(self._loop.trial, speed=self._speed)
                self.page.show(self._seen([self._loop.tick() for _ in range(TICKS)]))

    def _seen(self, ticks: list[LoopTick]) -> BipedView:
        left = []
        for tick in ticks:
            memory = tick.gait.memory
            if memory.state != self._state:
                left.append(Left(tick.state.time, self._state, memory.why))
                self._state = memory.state
        state, gait, height = ticks[-1]
        if lies(ticks[-1]):
            self._fallen = 'fell on its back'
        friction = [needed_friction(foot, gait.memory.slope) for foot in state.feet]
        return BipedView(
            time=state.time,
            settings=self._settings,
            x=state.x,
            z=state.z,
            pitch=state.pitch,
            joints=dict(zip(JOINTS, state.joints, strict=True)),
            efforts=state.efforts,
            height=height,
            speed=state.velocity[0],
            felt_height=gait.height,
            felt_speed=gait.speed,
            desired_speed=self._speed,
            felt_slip=gait.memory.slip.slip,
            state=gait.memory.state,
            left=tuple(left),
            lengths=tuple(leg.length for leg in gait.legs),
            angles=tuple(leg.angle for leg in gait.legs),
            contacts=state.contacts,
            feet=tuple((foot.x, foot.z) for foot in state.feet),
            forces=tuple((foot.force_x, foot.force_z) for foot in state.feet),
            friction=tuple(float('nan') if f is None else f for f in friction),
            fallen=self._fallen,
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


def test_a_person_walks_changes_and_pushes_the_biped(
    walk: Walk, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(walk.page.url)
    for words in (
        'Blind biped',
        'Both feet stand',
        'KWALKB, revolute knees',
        'Height of the hips',
        'at most 0 mm in 3 s',
    ):
        tab.wait_for(f'document.body && document.body.innerText.includes("{words}")')
    tab.click('Start walking')
    _until(tab, lambda: ('walk', 0.4, 0.0, 0.0) in walk.requests)
    tab.wait_for(f'{X} > 0.3')
    tab.wait_for('document.querySelector("#reasons").innerText.includes("landed")')
    assert tab.evaluate('document.querySelectorAll("#plots polyline").length') == 10
    _until(tab, lambda: _share_of_arrows(tab) > 1e-4)

    tab.click('A prismatic')
    tab.wait_for('document.querySelector("#settings").innerText.includes("KWALKA")')
    tab.wait_for('document.querySelector("#plots").textContent.includes("Knees, N:")')
    tab.click('Push')
    _until(tab, lambda: ('push', 20.0) in walk.requests)

    walk._push(-400.0)
    tab.wait_for('!!document.querySelector("#fallen")')
    assert 'Set it up again' in tab.evaluate('document.querySelector("#fallen").innerText')
    tab.click('Set up again')
    tab.wait_for('!document.querySelector("#fallen")')
    assert tab.complaints() == []


def _share_of_arrows(tab: Any) -> float:
    """Return how much of the page is of the hue of forces, in whatever light."""
    data = tab.call('Page.captureScreenshot', format='png')['data']
    picture = imageio.imread(io.BytesIO(b64decode(data))).astype(int)
    red, green, blue = np.moveaxis(picture[..., :3], -1, 0)
    return float(((red > blue) & (red > green + 60) & (blue > green + 40)).mean())


def _until(tab: Any, done: Callable[[], bool]) -> None:
    """Let the page work until something has come of it."""
    wait_until(lambda: tab.evaluate('0') == 0 and done())
