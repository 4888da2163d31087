"""Each kind of task that the action `plan_task` takes, on the graph in simulated time."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.graph

ROOM = """
ars_schema: 1
world:
  name: room
  size: [80, 60]
  cell: 5cm
  y_axis: up
  start: {at: [1.0m, 1.5m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 60], type: bricks, params: [1]}
"""
START, CORNER = (1.0, 1.5), (1.0, 1.2)
"""Of the robot, and the place `corner` of the scene, m."""
FIRST, SECOND = (2.3, 1.5), (2.2, 0.7)
"""Where an object is, and where to it moves, m."""


@pytest.fixture
def scene(planning: Any, tmp_path: Path) -> Iterator[Any]:
    there = planning.Scene(tmp_path, ROOM)
    yield there
    there.close()


def off(scene: Any, place: tuple[float, float]) -> float:
    return math.dist(scene.scout.pose[:2], place)


def test_poses_places_and_patrols(scene: Any) -> None:
    turned = scene.result(scene.send('2.4,1.5,90deg'))
    assert turned.succeeded, turned.reason
    assert off(scene, (2.4, 1.5)) < 0.15
    assert abs(math.remainder(scene.scout.pose.heading - 0.5 * math.pi, math.tau)) < 0.15
    place = scene.result(scene.send('corner'))
    assert place.succeeded and off(scene, CORNER) < 0.15
    patrol = scene.result(scene.send('patrol 2.4,1.5; corner; return'))
    assert patrol.succeeded and patrol.reason == 'all 3 places were visited'
    assert off(scene, START) < 0.15
    away = scene.result(scene.send('3.0,2.0'))
    assert away.succeeded and off(scene, START) > 1.0
    home = scene.result(scene.send('return'))
    assert home.succeeded and off(scene, START) < 0.15


def test_all_is_explored(scene: Any) -> None:
    result = scene.result(scene.send('explore'))
    assert result.succeeded and 'the robot is back' in result.reason
    assert off(scene, START) < 0.15


def test_an_object_that_moves_is_found(scene: Any) -> None:
    scene.scout.robot.move_object(*FIRST)
    handle = scene.send('find')
    scene.wait(6.0)
    scene.scout.robot.move_object(*SECOND)
    result = scene.result(handle)
    assert result.succeeded and result.reason == 'the object that was moved is here'
    assert off(scene, SECOND) < 1.0
