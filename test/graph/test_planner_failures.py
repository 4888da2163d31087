"""Test what goes wrong on the way: each ends at rest or at the goal, with one sentence."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import Area

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
NEAR = (2.4, 1.5)
LONG = 'patrol ' + '; '.join(['3.2,2.2', 'corner'] * 20)
"""A task that does not end before a busy machine has delivered a request."""
MakeScene = Callable[..., Any]


@pytest.fixture
def scene_in(planning: Any, tmp_path: Path) -> Iterator[MakeScene]:
    """Return a function that makes a scene, which ends with the test."""
    made: list[Any] = []

    def make(world: str = ROOM, **options: Any) -> Any:
        made.append(planning.Scene(tmp_path, world, **options))
        return made[-1]

    yield make
    for scene in made:
        scene.close()


def off(scene: Any, place: tuple[float, float]) -> float:
    return math.dist(scene.scout.pose[:2], place)


def test_a_goal_is_reached(scene_in: MakeScene) -> None:
    scene = scene_in()
    result = scene.result(scene.send('2.4,1.5'))
    assert result.succeeded, result.reason
    assert off(scene, NEAR) < 0.15


def test_a_task_begins_by_itself(scene_in: MakeScene) -> None:
    scene = scene_in(task='corner')
    scene.drives(0.1)
    assert scene.planner._refusal() == 'another task runs; cancel it first'
    scene.until(lambda: scene.planner.health()[1] == 'waits for a task', 'the corner')
    assert off(scene, (1.0, 1.2)) < 0.15


def test_unknown_places_and_goals_in_walls_are_said(scene_in: MakeScene) -> None:
    scene = scene_in()
    result = scene.result(scene.send('bathroom'))
    assert not result.succeeded and "'bathroom' is not a place" in result.reason
    result = scene.result(scene.send('0.02,1.5'))
    assert not result.succeeded
    assert result.reason == 'the goal lies in a wall, or too near one'


def test_the_area_that_the_robot_may_not_leave(scene_in: MakeScene) -> None:
    scene = scene_in(area=(0.5, 0.5, 2.0, 2.5))
    result = scene.result(scene.send('2.4,1.5'))
    assert not result.succeeded
    assert result.reason == 'the goal lies beyond the area that the robot may not leave'
    assert scene.result(scene.send('1.5,1.5')).succeeded
    scene.planner._area = Area(1.8, 0.5, 3.5, 2.5)
    assert re.fullmatch(
        r'the robot stands at x 1\.[45]\d m, y 1\.[45]\d m, beyond the area that it may not '
        r"leave; bring it back, or change the parameter 'area'",
        scene.planner._refusal(),
    )


@pytest.mark.parametrize(
    ('area', 'words'),
    [
        ([1.0, 2.0], 'must be x, y of two corners'),
        ([0.0, 0.0, math.nan, 1.0], 'must be x, y of two corners'),
        ([2.0, 0.0, 1.0, 1.0], 'must be its lower left corner, then its upper right one'),
    ],
)
def test_a_wrong_area_is_refused(planning: Any, area: list[float], words: str) -> None:
    from walking_robots.nodes.common.node import ConfigurationError
    from walking_robots.nodes.mdle.planner import area_of

    with pytest.raises(ConfigurationError, match=words):
        area_of(area)


@pytest.mark.parametrize('way', ['mute', 'deaf'])
def test_without_echoes_the_robot_stops(scene_in: MakeScene, way: str) -> None:
    scene = scene_in()
    handle = scene.send('3.2,2.2')
    scene.drives()
    setattr(scene.scout, way, True)
    result = scene.result(handle)
    assert not result.succeeded
    assert result.reason.startswith('no echo was heard for 3') and 'sonars' in result.reason


def test_a_jump_of_odometry_does_not_keep_it_from_the_goal(scene_in: MakeScene) -> None:
    scene = scene_in()
    handle = scene.send('2.4,1.5')
    scene.drives()
    scene.scout.jump(Pose2(0.35, 0.35, 0.1))
    result = scene.result(handle)
    assert result.succeeded, result.reason
    assert off(scene, NEAR) < 0.15


def test_a_bumper_that_stays_pressed_ends_the_task(scene_in: MakeScene) -> None:
    scene = scene_in()
    handle = scene.send('2.4,1.5')
    scene.drives()
    scene.scout.stuck = 1
    scene.until(lambda: scene.planner.navigator._touches, 'the touch')
    (touch,) = scene.planner.navigator._touches
    assert off(scene, touch[:2]) < 0.15
    result = scene.result(handle)
    assert not result.succeeded
    assert re.match(r'\d+ programs in a row have failed, the last one by contact', result.reason)


def test_in_the_map_of_another_world_the_robot_stops(scene_in: MakeScene, tmp_path: Path) -> None:
    from walking_robots.mdle.cartographer.map_files import save_map
    from walking_robots.mdle.cartographer.occupancy_grid import OccupancyGrid

    other = OccupancyGrid(0.05, (0.0, 0.0), 60, 80)
    other.log_odds[:] = -2.0
    other.log_odds[:14], other.log_odds[46:], other.log_odds[:, 62:] = 3.0, 3.0, 3.0
    other.refresh()
    save_map(tmp_path / 'other.yaml', other, Pose2(1.0, 1.5))
    scene = scene_in(map_file=str(tmp_path / 'other.yaml'))
    result = scene.result(scene.send('patrol 2.2,1.5; 1.0,1.5; 2.2,1.5; 1.0,1.5'))
    assert not result.succeeded
    assert 'with a map of this world?' in result.reason
    assert 'of another world' in scene.cartographer.health()[1]


TWO_DOORS = """
ars_schema: 1
world:
  name: doors
  size: [80, 60]
  cell: 5cm
  y_axis: up
  start: {at: [1.2m, 0.9m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 60], type: bricks, params: [1]}
    - wall: {from: [44, 0], to: [44, 10], type: bricks, params: [1]}
    - wall: {from: [44, 28], to: [44, 34], type: bricks, params: [1]}
    - wall: {from: [44, 52], to: [44, 60], type: bricks, params: [1]}
"""
DOORS = (slice(10, 28), slice(34, 52))
BEYOND = (3.2, 0.9)


def shut(scene: Any, *doors: slice) -> None:
    """Close doors of the world."""
    filled = scene.world.filled.copy()
    for door in doors:
        filled[door, 44] = True
    scene.scout.rebuild(replace(scene.world, filled=filled))


def test_when_a_door_closes_the_robot_takes_another(scene_in: MakeScene) -> None:
    scene = scene_in(TWO_DOORS)
    handle = scene.send('3.2,0.9')
    scene.drives(0.2)
    shut(scene, DOORS[0])
    result = scene.result(handle)
    assert result.succeeded, result.reason
    assert off(scene, BEYOND) < 0.15


def test_when_all_doors_close_it_is_said(scene_in: MakeScene) -> None:
    scene = scene_in(TWO_DOORS)
    handle = scene.send('3.2,0.9')
    scene.drives(0.2)
    shut(scene, *DOORS)
    result = scene.result(handle)
    assert not result.succeeded
    assert result.reason == 'walls close every way to the goal'
    assert result.duration < 600.0


def test_while_the_planner_is_slow_the_last_program_goes_on_to_its_safe_end(
    scene_in: MakeScene,
) -> None:
    scene = scene_in()
    handle = scene.send('3.2,2.2')
    scene.drives(0.1)
    scene.until(lambda: scene.planner._run and not scene.planner._waits, 'a program')
    plan = scene.planner.navigator.plan
    # What a decision needs is not there.
    inputs = scene.planner._inputs
    ground, inputs.ground = inputs.ground, None
    scene.until(lambda: scene.planner._run is None, 'its end')
    assert scene.scout.pose.distance(plan.program.end) < 0.1
    inputs.ground = ground
    result = scene.result(handle)
    assert result.succeeded, result.reason


@pytest.mark.parametrize('is_early', [True, False])
def test_a_cartographer_that_was_killed_goes_on_from_its_saved_map(
    scene_in: MakeScene, tmp_path: Path, is_early: bool
) -> None:
    scene = scene_in(map_file=str(tmp_path / 'map.yaml'), save_interval=1.0)
    if not is_early:
        assert scene.result(scene.send('3.2,2.2')).succeeded
    handle = scene.send('1.0,0.8')
    scene.drives(0.5)
    # A node that is killed saves nothing at its end.
    scene.cartographer._file = ''
    scene.graph.restart({'mdle_cartographer': {}})
    assert (scene.cartographer._cartographer.grid.classes() == 1).any(), 'its walls are there'
    result = scene.result(handle)
    assert result.succeeded, result.reason
    assert off(scene, (1.0, 0.8)) < 0.15


def test_who_takes_the_robot_ends_the_task(scene_in: MakeScene) -> None:
    from std_srvs.srv import Trigger

    scene = scene_in()
    handle = scene.send(LONG)
    scene.drives(0.1)
    stop = scene.person.create_client(Trigger, 'mdle_executor/stop_all')
    scene.until(lambda: stop.service_is_ready() and scene.planner._run, 'a program')
    stop.call_async(Trigger.Request())
    result = scene.result(handle)
    assert not result.succeeded and result.reason.startswith('somebody else has taken the robot')


def test_a_task_is_canceled_at_any_time(scene_in: MakeScene) -> None:
    scene = scene_in()
    handle = scene.send(LONG)
    scene.until(lambda: scene.planner._run, 'a program')
    handle.cancel_goal_async()
    assert scene.result(handle).reason == 'canceled'
    assert handle.status == 5, 'canceled'
