"""Test the texts and bars of the page."""

from dataclasses import replace

import numpy as np

from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.plots import MarginHistory
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.hexapod.status import (
    legend_html,
    legs_html,
    margin_html,
    mode_html,
    motion_html,
)
from walking_robots.viewer.hexapod.words import RuleLog, mode_words, purpose


def test_margins_are_graded() -> None:
    assert Grade.of(0.3, 0.1, 0.2) is Grade.GOOD
    assert Grade.of(0.15, 0.1, 0.2) is Grade.TIGHT
    assert Grade.of(0.05, 0.1, 0.2) is Grade.BAD
    assert Grade.of(float('nan'), 0.1, 0.2) is Grade.BAD


def test_every_control_state_has_a_phase() -> None:
    assert LegPhase.of('SUPPORT') is LegPhase.CARRIES
    assert LegPhase.of('descent') is LegPhase.PLACED
    assert LegPhase.of('return') is LegPhase.LIFTED
    assert LegPhase.of('ready') is LegPhase.of('no such state') is LegPhase.WAITS


def test_modes_are_said_in_words() -> None:
    assert mode_words('free_gait', 0) == 'Free gait'
    assert mode_words('ditch_crossing', 3) == 'Ditch crossing, part 3 of 5'
    assert mode_words('wobble_walk', 0) == 'Wobble walk'
    assert mode_words('', 0) == 'Waiting for the robot'
    assert 'behind the centre of gravity' in purpose('ditch_crossing', 'back_middle_legs')
    assert purpose('ditch_crossing', 'some_state') == 'Some state'


def test_reasons_are_remembered_newest_first() -> None:
    reasons = RuleLog(most=2)
    reasons.add(0.1, ('a',))
    reasons.add(0.2, ('a',))
    reasons.add(0.3, ())
    reasons.add(0.4, ('b', 'c'))
    assert reasons.latest() == ((0.4, 'c'), (0.4, 'b'))
    reasons.add(0.0, ('a',))
    assert reasons.latest() == ((0.0, 'a'),), 'a new walk begins'


def test_mode_shows_reasons_and_warnings(walking: ViewState, asv: HexapodMachine) -> None:
    state = replace(walking, stop_reason='a leg is at its limit', diagnostic='<lost> the servo')
    text = mode_html(state, ((12.3, 'leg 6 lifts'),), asv)
    for part in ('Free gait', '12.3 s', 'leg 6 lifts', 'at its limit', '&lt;lost&gt;'):
        assert part in text


def test_motion_names_units(walking: ViewState, asv: HexapodMachine) -> None:
    text = motion_html(replace(walking, quaternion=(np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))), asv)
    for part in ('12.3 s', '2.09 m', '0.12 m/s', 'rad/s', '90°'):
        assert part in text


def test_margin_bars(walking: ViewState, asv: HexapodMachine) -> None:
    text = margin_html(walking, asv)
    assert '0.40 m' in text
    assert css(Grade.GOOD.value) in text
    assert css(Grade.BAD.value) in text, 'planned margin of 0.1 m is below 0.4 ft'
    assert 'not stable' in margin_html(replace(walking, margin=-3.0), asv)
    assert '–' in margin_html(replace(walking, margin=float('nan')), asv)


def test_legs_are_named_with_state_and_reach(walking: ViewState, asv: HexapodMachine) -> None:
    text = legs_html(walking, asv)
    for part in ('Leg 1', 'advance', '3.0 s', 'at rest', css(LegPhase.LIFTED.colour)):
        assert part in text
    order = [text.index(f'Leg {number}') for number in range(1, 7)]
    assert order == sorted(order)


def test_legend_explains_every_phase(asv: HexapodMachine) -> None:
    text = legend_html(asv)
    for phase in LegPhase:
        assert phase.words in text
        assert css(phase.colour) in text


def test_history_keeps_a_minute_and_begins_anew() -> None:
    history = MarginHistory()
    for step in range(2000):
        history.add(step * 0.05, 0.3 if step % 2 == 0 else -1.0, float('nan'))
    times, margins, planned = history.arrays()
    assert len(times) == 601
    assert times[-1] - times[0] == 60.0
    assert not history.changed
    assert (margins >= 0.0).all()
    assert (planned == 0.0).all()
    history.add(0.0, 0.1, 0.2)
    assert len(history.arrays()[0]) == 1


def test_controls_nobody_listens_to_do_nothing() -> None:
    controls = Controls()
    controls.walk(0.1, 0.0, 0.0)
    controls.stop()
    controls.new_terrain(2.1, 0.2, 7)
