"""Test what the board of the bipeds tells."""

import math
from dataclasses import replace

import pytest
import viser

from walking_robots.robots.kwalk import KWALKA, KWALKB
from walking_robots.viewer.biped import colours
from walking_robots.viewer.biped.colours import LegAction
from walking_robots.viewer.biped.history import SPAN, FrictionHistory, WalkHistory
from walking_robots.viewer.biped.page import biped_board
from walking_robots.viewer.biped.plots import plots_html
from walking_robots.viewer.biped.state import BipedSettings, BipedView
from walking_robots.viewer.biped.status import (
    feelings_html,
    legend_html,
    legs_html,
    settings_html,
    state_html,
)
from walking_robots.viewer.common.colours import Grade, css

NOTHING = (math.nan, math.nan)


def test_the_state_is_said_and_its_phase_coloured(lowering: BipedView) -> None:
    text = state_html(replace(lowering, diagnostic='<late>'))
    assert 'Lowers the left foot' in text and 'does not see the ground' in text
    assert text.count(css(LegAction.LOWERED.colour)) == 2, 'the heading, and one cell of eight'
    assert '&lt;late&gt;' in text
    assert 'fallen' not in text


def test_a_fall_is_reported_in_red(lowering: BipedView) -> None:
    text = state_html(replace(lowering, state=12, fallen='fell after 1.2 m in state 6'))
    assert 'The robot fell after 1.2 m in state 6. Set it up again.' in text
    assert f'background:{css(Grade.BAD.value)}' in text


def test_legs_show_virtual_legs_and_needed_friction(lowering: BipedView) -> None:
    text = legs_html(lowering, (0.93, math.nan))
    for part in ('0.560 m, +5.7°', '0.520 m, -8.6°', '0.61', 'at most 0.93', 'in the air'):
        assert part in text
    assert css(Grade.TIGHT.value) not in text
    assert css(Grade.TIGHT.value) in legs_html(replace(lowering, friction=(0.75, 0.1)), NOTHING)
    assert css(Grade.BAD.value) in legs_html(replace(lowering, friction=(1.01, 0.1)), NOTHING)
    assert 'nan' not in legs_html(BipedView(), NOTHING)


def test_what_is_felt_stands_beside_what_is_true(lowering: BipedView) -> None:
    text = feelings_html(lowering, (0.0,))
    for part in ('0.550 m', '0.540 m', '-0.010', '0.35 m/s', '0.33 m/s', '1.50 m', '+2.9°'):
        assert part in text
    assert 'nan' not in feelings_html(BipedView(), ())


def test_slip_that_was_felt_is_shown_for_three_seconds(lowering: BipedView) -> None:
    text = feelings_html(replace(lowering, felt_slip=0.0), (0.0,))
    assert 'at most 0 mm in 3 s' in text
    assert css(Grade.BAD.value) not in text
    text = feelings_html(replace(lowering, felt_slip=0.009), (0.0, 0.012, 0.009))
    assert '>9 mm' in text and 'at most 12 mm in 3 s' in text
    assert css(Grade.BAD.value) in text


def test_settings_name_robot_and_numbers() -> None:
    text = settings_html(BipedSettings('a', 'level', 0, 'literal', 'very_rough'))
    assert 'KWALKA</b>, prismatic knees; numbers: literal, for ground of the kind very' in text
    assert '–' in settings_html(BipedSettings())


def test_friction_is_forgotten_after_three_seconds() -> None:
    friction = FrictionHistory()
    friction.note(0.0, (0.9, 0.2))
    friction.note(2.0, (0.3, math.nan))
    assert friction.most() == (0.9, 0.2)
    friction.note(3.5, (0.1, math.nan))
    assert friction.most()[0] == 0.3
    assert math.isnan(friction.most()[1])
    friction.note(0.0, (0.5, 0.6))
    assert friction.most() == (0.5, 0.6)


def test_history_keeps_ten_seconds_of_one_robot(lowering: BipedView) -> None:
    history = WalkHistory()
    for step in range(1200):
        history.add(replace(lowering, time=0.01 * step))
    moments = history.entries()
    assert moments[-1].time - moments[0].time <= SPAN
    assert len(moments) == pytest.approx(334, abs=2)
    history.add(replace(lowering, time=12.5, settings=BipedSettings('a')))
    assert len(history.entries()) == 1
    history.add(replace(lowering, time=0.0, settings=BipedSettings('a')))
    assert [moment.time for moment in history.entries()] == [0.0]


def test_figures_are_those_of_the_robot(lowering: BipedView) -> None:
    history = WalkHistory()
    for step, state in enumerate((4, 4, 5, 6, 7)):
        history.add(replace(lowering, time=0.1 * step, state=state))
    text = plots_html(history.entries(), KWALKB)
    assert text.count('<polyline') == 10
    assert 'Knees, N m:' in text and '>20</text>' in text
    for action in (LegAction.CARRIES, LegAction.LIFTED, LegAction.SWINGS, LegAction.LOWERED):
        assert css(action.colour) in text
    assert 'Knees, N:' in plots_html(history.entries(), KWALKA)
    assert 'nan' not in plots_html(history.entries(), KWALKA)
    assert 'Nothing has been measured' in plots_html((), KWALKA)


def test_an_axis_grows_by_whole_steps(lowering: BipedView) -> None:
    history = WalkHistory()
    history.add(replace(lowering, speed=0.73))
    assert '>0.8</text>' in plots_html(history.entries(), KWALKB)
    history = WalkHistory()
    history.add(replace(lowering, speed=-0.01))
    assert '>-0.1</text>' not in plots_html(history.entries(), KWALKB)


def test_legend_explains_every_colour() -> None:
    text = legend_html()
    for colour in (*(action.colour for action in LegAction), colours.FORCE, colours.GROUND):
        assert css(colour) in text


def test_board_changes_only_as_often_as_one_can_read(
    server: viser.ViserServer, lowering: BipedView
) -> None:
    board = biped_board(server.gui)
    board.note(lowering)
    board.show(lowering, 100.0)
    assert 'until the foot was clear' in board.texts[4].content
    assert '4.2 s' in board.texts[3].content
    later = replace(lowering, time=4.3, left=())
    board.note(later)
    board.show(later, 100.1)
    assert '4.2 s' in board.texts[3].content
    assert board.is_behind(later)
    board.show(later, 100.6)
    assert '4.3 s' in board.texts[3].content
    assert not board.is_behind(later)
