"""Test what a person can ask of the planner, and what is said of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import viser

from walking_robots.geometry.se2 import Pose2
from walking_robots.viewer.mdle.part import PlanPart
from walking_robots.viewer.mdle.state import PlanControls, PlanView
from walking_robots.viewer.mdle.way_panel import way_html
from walking_robots.viewer.mdle.way_state import (
    FREE,
    UNKNOWN,
    MapCells,
    Spread,
    WayControls,
    WayView,
)


@pytest.fixture
def requested() -> list[tuple[Any, ...]]:
    return []


@pytest.fixture
def part(server: viser.ViserServer, requested: list[tuple[Any, ...]]) -> PlanPart:
    def note(name: str) -> Callable[..., None]:
        return lambda *values: requested.append((name, *values))

    controls = PlanControls(way=WayControls(ask=note('ask'), cancel=note('cancel')))
    return PlanPart(server, server.gui.add_panel(), '/map', controls, note('begin'))


def test_controls_are_there_while_the_planner_is(part: PlanPart) -> None:
    panel = part._way_panel
    assert not panel._folder.visible
    part.write(PlanView(way=WayView(offered=True)), 1.0)
    assert panel._folder.visible and not panel._explore.disabled
    part.write(PlanView(way=WayView(offered=True, active=True)), 2.0)
    assert panel._explore.disabled
    part.write(PlanView(), 3.0)
    assert not panel._folder.visible


def test_a_click_on_the_floor_is_a_goal_where_there_is_a_planner(
    part: PlanPart, requested: list[tuple[Any, ...]]
) -> None:
    part.click(1.0, 2.0)
    assert requested == []
    part.write(PlanView(way=WayView(offered=True)), 1.0)
    part.click(1.234, -2.0)
    assert requested == [('begin',), ('ask', '1.23,-2.00')]


def test_a_task_ends_with_the_page_it_was_given_on(
    part: PlanPart, requested: list[tuple[Any, ...]]
) -> None:
    part.leave()
    assert requested == [], 'a task of others goes on'
    part._ask('explore')
    part.leave()
    assert requested[-1] == ('cancel',)
    part.leave()
    assert requested.count(('cancel',)) == 1


def test_what_the_planner_does_is_said() -> None:
    view = WayView(
        offered=True, active=True, state='wait', reason='no <echo>', remaining=2.5,
        frontiers=((1.0, 1.0),), pose=Pose2(1.0, 2.0), spread=Spread(0.01, 0.01),
        map=MapCells(np.array(((FREE, UNKNOWN),), np.int8), 1.0, (0.0, 0.0)),
    )  # fmt: skip
    text = way_html(view)
    for words in ('The robot waits', 'no &lt;echo&gt;', '2.50 m', '1.00, 2.00 m', '1.0 m²'):
        assert words in text
    assert 'The pose is known to 0.20 m only' in text
    assert 'known to 0.20 m only' not in way_html(replace(view, spread=Spread()))
    assert 'No task' in way_html(replace(view, active=False))
    assert '--plan explore' in way_html(WayView())
