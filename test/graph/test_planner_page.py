"""Test the page of a robot that finds its way: what it shows, tasks, Stop, and the demo."""

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.graph

ROOMS = """
ars_schema: 1
world:
  name: rooms
  size: [80, 60]
  cell: 5cm
  y_axis: up
  start: {at: [1.0m, 0.9m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 60], type: bricks, params: [1]}
    - wall: {from: [40, 0], to: [40, 30], type: bricks, params: [1]}
    - wall: {from: [40, 50], to: [40, 60], type: bricks, params: [1]}
"""
PORT = 8497


class Page:
    """The page of a robot in two rooms."""

    def __init__(self, planning: Any, folder: Path) -> None:
        self.scene = planning.Scene(folder, ROOMS, PORT, area=(0.0, 0.0, 4.0, 3.0))
        self.viewer = self.scene.graph.nodes['viewer']
        self.controls = self.viewer._view._programs.controls()

    @property
    def way(self) -> Any:
        return self.viewer.page._state.programs.way

    def until(self, done: Any, what: str) -> None:
        self.scene.until(done, lambda: f'{what}; {self.way.state} {self.way.reason}')

    def off(self, x: float, y: float) -> float:
        return math.dist(self.scene.scout.pose[:2], (x, y))

    def rests(self) -> None:
        """Wait until no task runs, and see that nothing moves."""
        self.until(lambda: not self.way.active, 'the end of the task')
        self.scene.wait(1.5)
        at = self.scene.scout.pose
        self.scene.wait(2.0)
        assert self.scene.scout.pose == at


@pytest.fixture
def page(planning: Any, tmp_path: Path) -> Iterator[Page]:
    found = Page(planning, tmp_path)
    found.until(
        lambda: found.viewer.page._state and found.way.offered and found.way.map
        and not found.scene.planner._refusal(),
        'planner and map',
    )  # fmt: skip
    yield found
    found.scene.close()


def test_a_goal_from_the_page_shows_its_plan_and_the_growing_map(
    page: Page, tmp_path: Path
) -> None:
    from walking_robots.mdle.cartographer.map_files import load_map

    known = np.count_nonzero(page.way.map.classes == 0)
    page.controls.way.ask('1.0,2.0')
    page.until(lambda: page.way.tube and page.way.way and page.way.goal, 'a plan')
    assert page.way.active and page.way.goal == ((1.0, 2.0),)
    assert page.way.width == pytest.approx(0.2)
    assert page.way.area == ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0), (0.0, 0.0))
    assert math.dist(page.way.way[-1], (1.0, 2.0)) < 0.15
    page.until(lambda: not page.way.active, 'the goal')
    assert page.off(1.0, 2.0) < 0.15
    page.until(lambda: not (page.way.way or page.way.tube or page.way.goal), 'an empty floor')
    assert math.dist(page.way.pose[:2], page.scene.scout.pose[:2]) < 0.1
    assert np.count_nonzero(page.way.map.classes == 0) > known
    for name, content in page.controls.way.files().items():
        (tmp_path / name).write_bytes(content)
    grid, *_ = load_map(tmp_path / 'map.yaml')
    assert np.array_equal(grid.classes(), page.way.map.classes)


def test_another_goal_takes_over_and_stop_ends_it(page: Page) -> None:
    page.controls.way.ask('explore')
    page.until(lambda: page.way.active and page.way.frontiers, 'exploring')
    page.scene.drives(0.1)
    page.controls.way.ask('1.6,0.6')
    page.until(lambda: page.way.goal == ((1.6, 0.6),), 'the other goal')
    page.until(lambda: not page.way.active, 'its end')
    assert page.off(1.6, 0.6) < 0.15
    page.controls.way.ask('3.0,0.9')
    page.scene.drives(0.1)
    page.viewer._controls().stop()
    page.rests()
    assert page.off(3.0, 0.9) > 0.5


def test_stop_ends_a_task_between_two_programs(page: Page) -> None:
    page.controls.way.ask('3.0,0.9')
    page.scene.drives(0.1)
    page.scene.scout.mute = True
    page.until(lambda: page.way.state == 'wait' and 'no echo' in page.way.reason, 'silence')
    assert page.scene.planner._run is None
    page.viewer._controls().stop()
    page.scene.scout.mute = False
    page.rests()
    assert page.off(3.0, 0.9) > 0.5


def test_the_demonstration_explores_and_comes_home(page: Page) -> None:
    from walking_robots.nodes.mdle.demo_explore import ExploreDemo

    said: list[str] = []
    demo = page.scene.graph.add('presenter', partial(ExploreDemo, said.append))
    page.until(lambda: demo.ended, 'the end')
    assert demo.succeeded, said
    assert said[0].startswith('# ') and 'the robot is back' in said[-1]
    assert page.off(1.0, 0.9) < 0.15
    classes = page.way.map.classes
    assert 0.8 < np.count_nonzero(classes == 0) * 0.05**2 / (4.0 * 3.0) < 1.05
