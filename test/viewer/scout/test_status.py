"""Test the texts of the Scout's page."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
import viser

from walking_robots.geometry.se2 import Twist2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.scout import faults
from walking_robots.viewer.common.board import left_panel
from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.dial import dial_html
from walking_robots.viewer.scout.page import scout_board
from walking_robots.viewer.scout.state import FAULTS, ScoutControls, ScoutView
from walking_robots.viewer.scout.status import (
    battery_html,
    direction,
    heading_html,
    legend_html,
    link_html,
    motion_words,
    place_html,
)

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ('velocity', 'words'),
    [
        (None, 'Waiting for the robot'),
        (Twist2(0.0, 0.0), 'Stands still'),
        (Twist2(0.2, 0.0), 'Drives ahead'),
        (Twist2(-0.2, 0.0), 'Backs up'),
        (Twist2(0.0, 0.5), 'Turns left on the spot'),
        (Twist2(0.0, -0.5), 'Turns right on the spot'),
        (Twist2(0.2, -0.5), 'Drives ahead, turning right'),
    ],
)
def test_motion_is_said_in_words(velocity: Twist2 | None, words: str) -> None:
    assert motion_words(velocity) == words


def test_directions_are_those_of_a_driver() -> None:
    assert direction(0.0) == 'ahead'
    assert direction(math.radians(60.0)) == 'ahead on the left'
    assert direction(math.radians(180.0)) == direction(math.radians(-180.0)) == 'behind'
    assert direction(math.radians(300.0)) == 'ahead on the right'


def test_heading_names_bumpers_and_warnings(driving: ScoutView) -> None:
    state = replace(driving, bumper=(True, True) + (False,) * 4, diagnostic='<no> cable')
    text = heading_html(state, SUPER_SCOUT)
    assert 'pressed ahead and ahead on the left' in text
    assert '&lt;no&gt; cable' in text
    assert 'Connected' in text
    assert 'pressed' not in heading_html(driving, SUPER_SCOUT)
    assert 'The state of the link is unknown' in heading_html(ScoutView(), SUPER_SCOUT)


def test_place_shows_drift_in_centimetres(driving: ScoutView) -> None:
    text = place_html(driving)
    for part in ('0.20 m/s', '0.25 m/s, 0.10 rad/s', '1.00 m', '90°', '7.0 s', '5.0 cm', '2.0°'):
        assert part in text
    assert 'only an emulated robot' in place_html(replace(driving, truth=None))


def test_battery_is_graded_by_charge_or_else_by_voltage(driving: ScoutView) -> None:
    model = SUPER_SCOUT.battery
    text = battery_html(driving, model)
    assert '12.1 V' in text and 'discharging' in text
    assert css(Grade.GOOD.value) in text
    assert css(Grade.BAD.value) in battery_html(replace(driving, charge=0.05), model)
    assert css(Grade.TIGHT.value) in battery_html(replace(driving, voltage=11.6), model)
    assert '–' in battery_html(ScoutView(), model)


def test_link_lists_what_the_driver_counts(driving: ScoutView) -> None:
    assert '814' in link_html(driving)
    assert 'Nothing from the driver' in link_html(ScoutView())


def test_dial_shows_each_sonar_and_switch(driving: ScoutView) -> None:
    ranges = (0.5, -math.inf, math.nan, *driving.ranges[3:])
    text = dial_html(ranges, (True,) + (False,) * 5, SUPER_SCOUT)
    for part in ('0.50', '>near<', '>?<', '>–<', '2.50', css(colours.PRESSED)):
        assert part in text
    assert text.count('<text') == 16
    assert text.count(f'fill="{css(colours.BUMPER)}"') == 5
    assert 'nan' not in text


def test_legend_explains_every_colour() -> None:
    text = legend_html()
    for colour in (colours.ECHO, colours.TOO_NEAR, colours.ODOMETRY, colours.TRUTH):
        assert css(colour) in text


def test_board_changes_only_as_often_as_one_can_read(
    server: viser.ViserServer, driving: ScoutView
) -> None:
    board = scout_board(server.gui, SUPER_SCOUT, left_panel(server.gui))
    board.show(driving, 100.0)
    assert '7.0 s' in board.texts[1].content
    later = replace(driving, time=7.1)
    board.show(later, 100.1)
    assert '7.0 s' in board.texts[1].content
    assert board.is_behind(later)
    board.show(later, 100.3)
    assert '7.1 s' in board.texts[1].content
    assert not board.is_behind(later)


def test_faults_are_those_of_the_service() -> None:
    service = ROOT / 'interfaces' / 'walking_robots_interfaces' / 'srv' / 'InjectFault.srv'
    line = next(
        line for line in service.read_text().splitlines() if line.startswith('string fault')
    )
    assert re.findall(r'\w+', line.split('#')[1]) == list(FAULTS) == list(faults.FAULTS)


def test_controls_nobody_listens_to_do_nothing() -> None:
    controls = ScoutControls()
    controls.drive(0.1, 0.0)
    controls.inject('nak', 1.0)
