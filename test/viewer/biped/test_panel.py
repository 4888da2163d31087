"""Test the controls of the bipeds."""

from collections.abc import Callable
from typing import Any

import pytest
import viser

from walking_robots.trials.biped.ground import find_ground
from walking_robots.viewer.biped.panel import KINDS, BipedPanel, GroundControls, ground_words
from walking_robots.viewer.biped.state import BipedControls, BipedSettings, BipedView


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def panel(server: viser.ViserServer, requested: list[tuple[Any, ...]]) -> BipedPanel:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    controls = BipedControls(walk=note('walk'), stop=note('stop'), reset=note('reset'))
    return BipedPanel(server.gui, controls, {})


def test_speed_is_requested_while_the_robot_walks(
    panel: BipedPanel, requested: list[tuple[Any, ...]]
) -> None:
    panel._speed.value = 0.2
    assert requested == []
    panel._start()
    panel._speed.value = 0.5
    panel.stop()
    panel._speed.value = 0.3
    panel._start()
    panel._reset()
    panel._speed.value = 0.4
    walks = [('walk', speed, 0.0, 0.0) for speed in (0.2, 0.5, 0.3)]
    assert requested == [*walks[:2], ('stop',), walks[2], ('reset',)]


def test_a_biped_is_driven_ahead_and_in_space_it_turns(
    panel: BipedPanel, requested: list[tuple[Any, ...]]
) -> None:
    assert panel.axes == ('ahead', 'turn')
    panel.follow(BipedView(settings=BipedSettings('b')))
    for ahead in (0.5, -1.0, 0.0):
        panel.drive(ahead, 0.0, ahead)
    walks = [('walk', pytest.approx(0.3), 0.0, 0.0), ('walk', 0.0, 0.0, 0.0)]
    assert requested == [*walks, ('stop',)]
    panel.follow(BipedView(settings=BipedSettings('b3d')))
    panel.drive(0.5, 0.0, -1.0)
    assert requested[-1] == ('walk', pytest.approx(0.3), 0.0, pytest.approx(-0.175))


def test_a_walk_ends_when_the_last_visitor_leaves(
    panel: BipedPanel, requested: list[tuple[Any, ...]]
) -> None:
    panel.leave()
    assert requested == [], 'what others asked for goes on'
    panel._start()
    panel.leave()
    assert requested[-1] == ('stop',)


def test_a_walk_of_others_that_was_taken_over_ends_with_the_page(
    panel: BipedPanel, requested: list[tuple[Any, ...]]
) -> None:
    set_robot = panel._carrying_on(lambda *values: requested.append(('robot', *values)))
    set_robot('a')
    panel.leave()
    panel.follow(BipedView(desired_speed=0.0))
    set_robot('b')
    panel.leave()
    assert requested == [('robot', 'a'), ('robot', 'b')], 'nobody walks'
    panel.follow(BipedView(desired_speed=0.4))
    panel.leave()
    set_robot('a')
    panel.leave()
    assert requested[2:] == [('robot', 'a'), ('stop',)]


@pytest.mark.parametrize('kind', KINDS)
def test_every_kind_of_ground_is_one(kind: str) -> None:
    words = ground_words(kind, -10.0, 4.0)
    assert find_ground(words, 3).kind in ('level', 'rough', 'very_rough', 'down')


def test_ground_is_offered_with_the_size_that_it_has(server: viser.ViserServer) -> None:
    requested: list[tuple[str, int]] = []
    ground = GroundControls(server.gui, lambda *wanted: requested.append(wanted))
    ground.follow(BipedSettings('b3d'))
    shown = {}
    for kind in (*KINDS, 'cells'):
        ground._kind.value = kind
        shown[kind] = [h.visible for h in (ground._angle, ground._height, ground._seed)]
        ground._ask()
    assert shown['level'] == [False, False, False]
    assert shown['slope'] == shown['hill'] == [True, False, False]
    assert shown['bump'] == shown['step'] == [False, True, False]
    assert shown['cells'] == [False, True, True]
    assert shown['rough'] == shown['very rough'] == [False, False, True]
    assert [words for words, _ in requested] == [
        'level', 'rough', 'very-rough', 'slope:10deg', 'mound:10deg', 'bump:4cm', 'step:4cm',
        'cells:4cm',
    ]  # fmt: skip


def test_ground_that_somebody_else_chose_is_shown(server: viser.ViserServer) -> None:
    requested: list[tuple[str, int]] = []
    ground = GroundControls(server.gui, lambda *wanted: requested.append(wanted))
    ground.follow(BipedSettings(terrain='slope:-20deg'))
    assert (ground._kind.value, ground._angle.value) == ('slope', -20)
    ground.follow(BipedSettings(terrain='bump:0.08m'))
    assert (ground._kind.value, ground._height.value) == ('bump', 8)
    ground._kind.value = 'level'
    ground.follow(BipedSettings(terrain='bump:0.08m'))
    assert ground._kind.value == 'level', 'not back, before the robot has answered'
    ground.follow(BipedSettings(terrain='config/profiles/hills.yaml'))
    assert ground._kind.value == 'level'
    assert requested == []


def test_the_robot_that_walks_is_named(panel: BipedPanel) -> None:
    panel.follow(BipedView(settings=BipedSettings('b', 'rough', 3, 'tuned', 'rough')))
    assert 'KWALKB' in panel._settings.content
    assert panel._ground._seed.value == 3
