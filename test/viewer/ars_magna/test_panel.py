"""Test what the page passes on of what a person does."""

from collections.abc import Callable
from typing import Any

import pytest
import viser

from walking_robots.viewer.ars_magna.panel import NOTHING, ArsPanel
from walking_robots.viewer.ars_magna.state import ArsControls, ArsView, NewThingForm


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def panel(server: viser.ViserServer, requested: list[tuple[Any, ...]]) -> ArsPanel:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    controls = ArsControls(**{name: note(name) for name in ArsControls.__dataclass_fields__})
    return ArsPanel(server.gui, controls, {}, lambda name: None)


def test_a_click_does_what_was_chosen(
    panel: ArsPanel, view: ArsView, requested: list[tuple[Any, ...]]
) -> None:
    panel.follow(view)
    panel.click(3.0, 4.0)
    assert requested == [], 'at first it does nothing'
    for chosen, wanted in (
        ('moves the thing', ('move_thing', 'LAMP#1', 3.0, 4.0)),
        ('makes a thing', ('new_thing', NewThingForm('box', 'red', 5.0), 3.0, 4.0)),
        ('places the robot', ('place_robot', 'robbie', 3.0, 4.0)),
    ):
        panel._click.value = chosen
        panel.click(3.0, 4.0)
        assert requested[-1] == wanted


def test_nothing_is_moved_that_nobody_knows(
    panel: ArsPanel, requested: list[tuple[Any, ...]]
) -> None:
    for chosen in ('moves the thing', 'places the robot'):
        panel._click.value = chosen
        panel.click(3.0, 4.0)
    panel._start_chosen()
    assert requested == []
    assert panel._program.value == NOTHING


def test_what_runs_is_what_is_chosen(
    panel: ArsPanel, view: ArsView, requested: list[tuple[Any, ...]]
) -> None:
    panel.follow(view)
    assert panel._program.value == 'persistent'
    assert 'again and again' in panel._words.content
    assert panel._start.disabled, 'while one runs'
    panel.follow(ArsView(view.picture, programs=view.programs))
    assert not panel._start.disabled
    panel._program.value = 'fetch'
    panel._start_chosen()
    assert requested == [('start', 'fetch', 'color=red')]
    panel._what.value = 'size=4..6'
    panel.follow(ArsView(view.picture, view.run, view.programs))
    panel._start_chosen()
    assert requested[-1] == ('start', 'fetch', 'size=4..6'), 'what a person has typed stays'
    panel.follow(ArsView(worlds=('big_room', 'house')))
    assert panel._world.options == ('big_room', 'house')
    assert not panel._enter.disabled
    panel.follow(ArsView())
    assert panel._enter.disabled
    assert panel._program.value == NOTHING
    assert panel._start.disabled


def test_a_program_that_begins_later_is_shown(panel: ArsPanel, view: ArsView) -> None:
    panel.follow(ArsView(view.picture, programs=view.programs))
    assert panel._program.value == 'fetch'
    panel.follow(view)
    assert panel._program.value == 'persistent'
    assert 'again and again' in panel._words.content


def test_the_first_step_holds_time(panel: ArsPanel, requested: list[tuple[Any, ...]]) -> None:
    for wanted in ('Step', 'Step', 'Run', 'Step', 'Pause', 'Step'):
        panel._run_time(wanted)
    assert requested == [
        ('hold', True),
        ('step', 1),
        ('hold', False),
        ('hold', True),
        ('hold', True),
        ('step', 1),
    ]


def test_stop_ends_the_program(panel: ArsPanel, requested: list[tuple[Any, ...]]) -> None:
    assert panel.axes == ()
    panel.leave()
    panel.stop()
    assert requested == [('stop',)]
