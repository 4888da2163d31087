"""Open the page of Aquarobot in a real browser: its gait, its body, its views, its wire frame."""

import io
import math
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from benchmarks.own_clock import wait_until
from walking_robots.geometry.pose import to_quaternion
from walking_robots.geometry.se2 import Screw2
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.urdf.description import articulated_description
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.periodic import HexapodLoop, HexapodTrial, PeriodicLoopStep
from walking_robots.viewer.hexapod.page import hexapod_page
from walking_robots.viewer.hexapod.state import Controls, ViewState

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DT = 0.02
# A label of the panel stands beside what it names, in the nearest element that holds both.
NAMED = """(() => {{
  let e = [...document.querySelectorAll("*")].find(
    e => !e.children.length && e.innerText?.trim() == {label!r});
  while (e && !e.querySelector({kind!r})) e = e.parentElement;
  return e?.querySelector({kind!r});
}})()"""


class Walk:
    """A walk in plain Python on its page."""

    def __init__(self) -> None:
        self.requests: list[tuple[Any, ...]] = []
        terrain = build(rows=60, columns=60, cell=AQUAROBOT.cell)
        self.page = hexapod_page(
            articulated_description(AQUAROBOT),
            hexapod_machine(AQUAROBOT, 'tripod'),
            Controls(
                gait=lambda *values: self.requests.append(('gait', *values)),
                body=lambda *values: self.requests.append(('body', *values)),
                walk=lambda *values: self.requests.append(('walk', *values)),
            ),
            port=0,
        )
        self.page.show_terrain(replace(terrain, first_column=-30))
        trial = HexapodTrial(AQUAROBOT, speed=0.05, terrain=terrain, start=2.0)
        self._loop = HexapodLoop(trial.plan(), terrain, DT, x=2.0)
        self._twist = Screw2(*trial.command)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        count = 0
        while not self._over.wait(DT):
            count += 1
            self.page.show(_seen(self._loop.step(self._twist), count))

    def eye(self) -> tuple[float, float, float]:
        """Return where the only visitor stands."""
        (client,) = self.page._server.get_clients().values()
        return tuple(client.camera.position.tolist())

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.page.close()


def _seen(walked: PeriodicLoopStep, count: int) -> ViewState:
    after, gait = walked.after, walked.walked.gait
    stands = [leg.stands for leg in gait.state.legs]
    feet = [
        after.pose.apply(foot) if on else (math.nan,) * 3
        for foot, on in zip(after.feet, stands, strict=True)
    ]
    return ViewState(
        time=count * DT,
        step=count,
        position=after.pose.position,
        quaternion=to_quaternion(after.pose),
        joints=dict(zip(AQUAROBOT.joint_names(), after.joints.ravel().tolist(), strict=True)),
        leg_states=tuple('support' if on else 'advance' for on in stands),
        footholds=np.array(feet),
        support=tuple(number for number, on in enumerate(stands, start=1) if on),
        margin=gait.margin,
        planned_margin=gait.margin,
        mode='tripod',
    )


@pytest.fixture
def walk() -> Iterator[Walk]:
    walk = Walk()
    # A page on a busy machine answers late.
    walk.page.set_timeout(10.0)
    yield walk
    walk.close()


def test_a_person_moves_the_body_and_looks_from_all_sides(
    walk: Walk, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(walk.page.url)
    for words in ('Aquarobot', 'Tripod gait', 'Leg 6', 'least to go on', 'Set the body back'):
        tab.wait_for(f'document.body && document.body.innerText.includes("{words}")')
    assert not tab.evaluate('document.body.innerText.includes("New terrain")')

    slider = NAMED.format(label='Pitch, °', kind='[role=slider]')
    tab.evaluate(f'{slider}.setAttribute("id", "pitch")')
    tab.press('#pitch', 'ArrowRight')
    _until(tab, lambda: bool(walk.requests))
    assert walk.requests[-1] == ('body', 0, 0, 0, 0, pytest.approx(math.radians(0.5)), 0)
    tab.click('Set the body back')
    _until(tab, lambda: walk.requests[-1] == ('body', 0, 0, 0, 0, 0, 0))

    reach = 1.15 / 0.775
    for name, wanted in (
        ('Above', (0.0, 0.0, 3.75 * reach)),
        ('Behind', (-3.125 * reach, 0.0, 0.5 * reach)),
        ('Left', (0.0, 3.125 * reach, 0.3 * reach)),
        ('Right', (0.0, -3.125 * reach, 0.5 * reach)),
    ):
        tab.click(name)
        _until(tab, lambda wanted=wanted: math.dist(walk.eye(), wanted) < 0.05)

    assert _share_of_blue(tab) == 0.0
    box = NAMED.format(label='Wire frame', kind='input[type=checkbox]')

    def is_blue() -> bool:
        # A page that has lost its connection shows the box of the server again, unchecked.
        tab.evaluate(f'{box}.checked || {box}.click()')
        return _share_of_blue(tab) > 0.3

    _until(tab, is_blue)
    assert tab.complaints() == []


def _share_of_blue(tab: Any) -> float:
    """Return how much of the page is the pure blue of the thesis's window."""
    picture = imageio.imread(
        io.BytesIO(b64decode(tab.call('Page.captureScreenshot', format='png')['data']))
    )
    red, green, blue = (picture[..., part].astype(int) for part in range(3))
    return float(((red < 5) & (green < 5) & (blue > 250)).mean())


def _until(tab: Any, done: Callable[[], bool]) -> None:
    """Let the page work until something has come of it."""
    wait_until(lambda: tab.evaluate('0') == 0 and done())
