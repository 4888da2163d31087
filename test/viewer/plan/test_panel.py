"""Test the controls of programs, and the part of the page that they belong to."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import viser

from walking_robots.viewer.plan.panel import NO_PLAN, Panel
from walking_robots.viewer.plan.part import PlanPart
from walking_robots.viewer.plan.state import ACTIVE, PlanControls, PlanView, Program, Remark


@pytest.fixture
def asked() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def controls(asked: list[tuple[Any, ...]]) -> PlanControls:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: asked.append((name, *values))

    return PlanControls(run=note('run'), check=note('check'), stop=note('stop'))


@pytest.fixture
def panel(
    server: viser.ViserServer, controls: PlanControls, asked: list[tuple[Any, ...]]
) -> Panel:
    return Panel(server.gui, controls, lambda: asked.append(('begin',)))


def test_what_is_known_can_be_chosen_and_run(
    panel: Panel, following: PlanView, asked: list[tuple[Any, ...]]
) -> None:
    assert panel._plan.value == NO_PLAN
    panel._run_chosen()
    assert asked == [], 'there is nothing to run'
    panel.show(following)
    assert tuple(panel._plan.options) == ('follow', 'park')
    panel._run_chosen()
    assert asked == [('begin',), ('run', Program(name='follow'))]


@pytest.mark.parametrize('phase', ['', 'NOTRUN', 'RUNNING', 'PAUSED', 'STOPPING', 'TERMINATED'])
def test_a_program_is_run_only_where_none_runs(
    panel: Panel, following: PlanView, phase: str
) -> None:
    panel.show(replace(following, phase=phase))
    assert panel._run.disabled == panel._run_text.disabled == (phase in ACTIVE)


def test_a_text_is_run_as_it_is_written(
    panel: Panel, following: PlanView, asked: list[tuple[Any, ...]]
) -> None:
    panel._text.value = 'mdle 1;'
    panel._run_program(panel._written())
    assert asked[-1] == ('run', Program(text='mdle 1;', form='mdle'))
    panel.show(replace(following, source='mdle 1; # it'))
    panel._copy()
    assert panel._written() == Program(text='mdle 1; # it', form='mdle')
    panel.show(PlanView())
    panel._copy()
    assert panel._text.value == 'mdle 1; # it', 'nothing takes the place of what is written'


def test_remarks_take_room_only_while_there_are_some(panel: Panel, following: PlanView) -> None:
    panel.show(following)
    assert not panel._remarks.visible
    panel.show(replace(following, remarks=(Remark('error', 'wrong', line=3),)))
    assert panel._remarks.visible
    assert 'line 3' in panel._remarks.content


def test_part_rests_other_controls_when_a_program_begins_and_is_not_too_quick(
    server: viser.ViserServer, following: PlanView
) -> None:
    begun: list[int] = []
    left = server.gui.add_panel()
    part = PlanPart(server, left, '/map', PlanControls(), lambda: begun.append(1))
    part.tell(PlanView(phase='NOTRUN'), 100.0)
    assert not begun
    part.tell(following, 100.1)
    assert part.is_behind(following)
    part.tell(following, 100.3)
    assert not part.is_behind(following)
    assert 'Runs follow' in part._board._texts[0].content
    part.tell(replace(following, phase='PAUSED'), 101.0)
    assert begun == [1]
    part.tell(replace(following, phase='TERMINATED'), 102.0)
    part.tell(following, 103.0)
    assert begun == [1, 1]


def test_controls_nobody_listens_to_do_nothing() -> None:
    nobody = PlanControls()
    nobody.run(Program(name='follow'))
    nobody.steer('step')
    nobody.move_object(0.0, 0.0)
