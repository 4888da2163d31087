"""Test the controls of the Scout."""

from collections.abc import Callable
from typing import Any

import pytest
import viser

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.report import LinkPhase
from walking_robots.viewer.scout.panel import ScoutPanel
from walking_robots.viewer.scout.state import CONNECTED, ScoutControls, ScoutView
from walking_robots.viewer.scout.status import link_fault


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def panel(server: viser.ViserServer, requested: list[tuple[Any, ...]]) -> ScoutPanel:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    controls = ScoutControls(drive=note('drive'), stop=note('stop'), wander=note('wander'))
    return ScoutPanel(server.gui, controls, SUPER_SCOUT, {})


def test_a_motion_ends_with_the_page(panel: ScoutPanel, requested: list[tuple[Any, ...]]) -> None:
    panel.leave()
    assert requested == [], 'what others have started goes on'
    panel.drive(1.0, 0.0, 0.0)
    panel.leave()
    panel.leave()
    assert requested == [('drive', SUPER_SCOUT.default_speed, 0.0), ('stop',)]


def test_wandering_that_was_started_on_the_page_ends_with_it(
    panel: ScoutPanel, requested: list[tuple[Any, ...]]
) -> None:
    panel._choose_to_wander(True)
    panel.leave()
    assert requested == [('wander', True), ('stop',)]
    panel._choose_to_wander(True)
    panel._choose_to_wander(False)
    panel.leave()
    assert requested[2:] == [('wander', True), ('wander', False)]


def test_keys_and_pad_drive_by_shares_of_the_limits(
    panel: ScoutPanel, requested: list[tuple[Any, ...]]
) -> None:
    panel._choose_to_wander(True)
    panel.drive(0.5, 0.0, -1.0)
    speed, turn = SUPER_SCOUT.default_speed, SUPER_SCOUT.default_turn
    assert requested[1:] == [('drive', 0.5 * speed, -turn)]
    panel.drive(0.0, 0.0, 0.0)
    panel.leave()
    assert requested[2:] == [('stop',)]


def test_stop_ends_also_what_others_have_started(
    panel: ScoutPanel, requested: list[tuple[Any, ...]]
) -> None:
    panel.stop()
    assert requested == [('stop',)]


@pytest.mark.parametrize(
    ('link', 'fault'), [('connected', ''), ('', 'unknown link'), ('port closed', 'port closed')]
)
def test_the_badge_of_the_robot_shows_its_link(link: str, fault: str) -> None:
    assert LinkPhase.RUNNING.value == CONNECTED
    assert link_fault(ScoutView(link=link)) == fault
