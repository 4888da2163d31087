"""Test the controls of programs, and the part of the page that they belong to."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import viser

from walking_robots.viewer.mdle.part import NO_PLAN, Editor, PlanPanel, PlanPart
from walking_robots.viewer.mdle.state import ACTIVE, PlanControls, PlanView, ProgramText, Remark


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def controls(requested: list[tuple[Any, ...]]) -> PlanControls:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    return PlanControls(
        run=note('run'),
        check=note('check'),
        cancel=note('cancel'),
        answer=note('answer'),
    )


@pytest.fixture
def panel(
    server: viser.ViserServer, controls: PlanControls, requested: list[tuple[Any, ...]]
) -> PlanPanel:
    return PlanPanel(server.gui, controls, controls.run)


@pytest.fixture
def editor(server: viser.ViserServer, controls: PlanControls) -> Editor:
    return Editor(server.gui, server.gui.add_panel(), controls, controls.run)


def test_what_is_known_can_be_chosen_and_run(
    panel: PlanPanel, following: PlanView, requested: list[tuple[Any, ...]]
) -> None:
    assert panel._plan.value == NO_PLAN
    panel.run_chosen()
    assert requested == [], 'there is nothing to run'
    panel.show(following)
    assert tuple(panel._plan.options) == ('follow', 'park')
    panel.run_chosen()
    assert requested == [('run', ProgramText(name='follow'))]


def test_arguments_are_run_with_the_plan(
    panel: PlanPanel, following: PlanView, requested: list[tuple[Any, ...]]
) -> None:
    panel.show(following)
    panel._arguments.value = 'side = 0.5 m'
    panel.run_chosen()
    assert requested == [('run', ProgramText(name='follow', arguments='side = 0.5 m'))]


def test_a_question_of_a_program_can_be_answered_and_the_next_one_anew(
    panel: PlanPanel, following: PlanView, requested: list[tuple[Any, ...]]
) -> None:
    def offered() -> set[bool]:
        return {panel._answer.visible, panel._give.visible}

    panel.show(following)
    assert offered() == {False}
    panel.show(replace(following, message='go on?'))
    assert offered() == {True}
    panel._answer.value = 'yes'
    panel.show(replace(following, message='go on?', time=40.0))
    panel.give_answer()
    assert requested == [('answer', 'yes')]
    panel.show(replace(following, message='how far?'))
    assert (offered(), panel._answer.value) == ({True}, '')
    panel.show(replace(following, phase='TERMINATED', message='failed'))
    assert offered() == {False}, 'that is how it ended'


@pytest.mark.parametrize('phase', ['', 'NOTRUN', 'RUNNING', 'PAUSED', 'STOPPING', 'TERMINATED'])
def test_a_program_is_run_only_where_none_runs(
    panel: PlanPanel, editor: Editor, following: PlanView, phase: str
) -> None:
    panel.show(replace(following, phase=phase))
    editor.show(replace(following, phase=phase))
    assert panel._run.disabled == editor._run.disabled == (phase in ACTIVE)


def test_the_text_of_what_ran_can_be_taken(editor: Editor, following: PlanView) -> None:
    editor._text.value = 'mdle 1;'
    editor._form.value = 'yaml'
    editor.show(PlanView())
    editor.copy()
    assert editor.program() == ProgramText(text='mdle 1;', form='yaml'), 'nothing has run'
    editor.show(replace(following, source='mdle 1; # it'))
    editor.copy()
    assert editor.program().text == 'mdle 1; # it'


def test_what_is_wrong_is_said_below_the_text(editor: Editor, following: PlanView) -> None:
    editor.show(replace(following, remarks=(Remark('error', 'wrong', line=3),)))
    assert 'line 3' in editor._remarks.content
    editor.show(following)
    assert editor._remarks.content == ''


def test_part_rests_other_controls_when_a_program_begins_and_is_not_too_quick(
    server: viser.ViserServer,
    controls: PlanControls,
    requested: list[tuple[Any, ...]],
    following: PlanView,
) -> None:
    begun: list[int] = []
    left = server.gui.add_panel()
    part = PlanPart(server, left, '/map', controls, lambda: begun.append(len(requested)))
    part.write(PlanView(phase='NOTRUN'), 100.0)
    assert not begun
    part.write(following, 100.1)
    assert part.is_behind(following)
    part.write(following, 100.3)
    assert not part.is_behind(following)
    assert 'Runs follow' in part.board.texts[0].content
    part.write(replace(following, phase='PAUSED'), 101.0)
    assert len(begun) == 1
    part.write(replace(following, phase='TERMINATED'), 102.0)
    part.write(following, 103.0)
    assert len(begun) == 2
    part._panel.run_chosen()
    assert requested == [('run', ProgramText(name='follow'))]
    assert begun == [0, 0, 0], 'other controls rest before the program is run'


def test_controls_nobody_listens_to_do_nothing() -> None:
    nobody = PlanControls()
    nobody.run(ProgramText(name='follow'))
    nobody.steer('step')
    nobody.move_object(0.0, 0.0)
    nobody.answer('yes')


def test_a_program_that_was_started_on_the_page_ends_with_it(
    server: viser.ViserServer, controls: PlanControls, requested: list[tuple[Any, ...]]
) -> None:
    part = PlanPart(server, server.gui.add_panel(), '/odom', controls, lambda: None)
    part.leave()
    assert requested == [], 'what others have started goes on'
    part._run(ProgramText(name='follow'))
    part.leave()
    part.leave()
    assert requested == [('run', ProgramText(name='follow')), ('cancel',)]
