"""What the nodes hand to the page of ARS MAGNA, and what they do when a person requests it."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import wait_until

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from ros_domains import private_domain
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import ArsPart, ArsPicture, ArsPictureRobot, ArsThing

from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.simulation.world_state import WorldState
from walking_robots.documents.shared import shared_path
from walking_robots.nodes.ars_magna.demo import PRESENTER, ArsDemo
from walking_robots.nodes.ars_magna.ground_conversions import (
    ground_from_markers,
    ground_to_markers,
)
from walking_robots.nodes.ars_magna.page import picture_of
from walking_robots.nodes.common.composition import Composition
from walking_robots.viewer.ars_magna.state import (
    ArsControls,
    ArsView,
    NewThingForm,
    RobotView,
    ThingView,
)

pytestmark = pytest.mark.graph


@pytest.mark.parametrize('name', ['big_room', 'house'])
def test_the_ground_crosses_unchanged(name: str) -> None:
    world = WorldState(load_design(shared_path(f'config/worlds/{name}.yaml')), seed=0)
    found = ground_from_markers(ground_to_markers(world.ground, 'map'))
    filled = world.design.grid.filled[::-1]
    assert (found.filled == filled).all()
    stuff = world.design.grid.parameter[::-1][filled]
    share = (stuff - stuff.min()) / np.ptp(stuff)
    assert found.brightness[filled] == pytest.approx(share, abs=1e-6)
    kinds = {(column, row): places.type for places in found.places for column, row in places.cells}
    assert len(kinds) == int((world.ground.places.kind >= 0).sum())
    for (column, row), kind in kinds.items():
        place = world.ground.place(column, row)
        assert place is not None and place.type.name == kind


def test_markers_that_make_no_sense_are_refused() -> None:
    world = WorldState(load_design(shared_path('config/worlds/house.yaml')), seed=0)
    with pytest.raises(ValueError, match='no floor'):
        ground_from_markers(MarkerArray())
    for spoil, reason in (
        (lambda floor, walls: walls.points.pop(), 'differ in number'),
        (lambda floor, walls: setattr(walls.points[0], 'x', math.nan), 'nowhere'),
        (lambda floor, walls: setattr(walls.points[0], 'x', 99.0), 'beside the floor'),
        (lambda floor, walls: setattr(floor.scale, 'x', 1e9), 'too large'),
    ):
        message = ground_to_markers(world.ground, 'map')
        spoil(*message.markers[:2])
        with pytest.raises(ValueError, match=reason):
            ground_from_markers(message)


@pytest.mark.parametrize(
    ('message', 'reason'),
    [
        (ArsPicture(things=[ArsThing(x=math.nan)]), 'a thing is out of range'),
        (ArsPicture(robots=[ArsPictureRobot(y=math.inf)]), 'a robot is out of range'),
        (ArsPicture(robots=[ArsPictureRobot(heading=math.nan)]), 'a heading is no number'),
        (ArsPicture(robots=[ArsPictureRobot(denotations=['FALSE'])]), 'differ in number'),
        (ArsPicture(robots=[ArsPictureRobot(parts=[ArsPart(kind='leg')])]), "'leg'"),
        (
            ArsPicture(robots=[ArsPictureRobot(parts=[ArsPart(kind='camera', angle=math.nan)])]),
            'looks nowhere',
        ),
    ],
)
def test_pictures_that_make_no_sense_are_refused(message: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        picture_of(message)


class Bench:
    """The demonstration in one process, twenty times as fast, without a browser."""

    def __init__(self) -> None:
        self.said: list[str] = []
        overrides = {'viewer': {'port': 8476}, **ArsDemo.overrides(20.0)}
        self.graph = Composition('ars_magna', overrides, domain=private_domain())
        self.presenter = self.graph.add(
            PRESENTER, lambda **options: ArsDemo(self.said.append, **options)
        )
        self.viewer: Any = self.graph.nodes['viewer']

    @property
    def view(self) -> ArsView:
        return self.viewer.page._state or ArsView()

    @property
    def controls(self) -> ArsControls:
        return self.viewer._controls()

    @property
    def robot(self) -> RobotView:
        assert self.view.picture is not None
        return self.view.picture.robots[0]

    def thing(self, label: str) -> ThingView | None:
        assert self.view.picture is not None
        return next((thing for thing in self.view.picture.things if thing.label == label), None)

    def until(self, done: Callable[[], Any]) -> Any:
        def over() -> Any:
            self.graph.restart(self.presenter.changes())
            return done()

        return wait_until(over, lambda: self.view, spin=self.graph.spin)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    bench.until(lambda: bench.view.picture and bench.view.run.runs)
    yield bench
    bench.graph.close()


def test_the_thing_is_fetched_and_another_world_entered(bench: Bench) -> None:
    bench.until(lambda: bench.presenter.ended)
    assert bench.presenter.succeeded, bench.said
    assert bench.view.run.thing == 'color=lightblue'
    assert bench.said[-1].startswith('persistent done after ')
    bench.until(lambda: bench.view.run.phase == 'done')
    # The picture may be older than the end of the program.
    box = bench.until(lambda: bench.thing('SMALL-BOX#3'))
    assert math.dist((box.x, box.y), (10.0, 5.0)) < 2.0
    assert bench.view.worlds[1] == 'house'
    bench.controls.enter('house')
    bench.until(lambda: bench.thing('KITCHEN-TABLE#5') and not bench.view.run.phase)
    assert (bench.robot.x, bench.robot.y) == (4.0, 3.0)
    bench.controls.start('approach', 'color=lightred')
    bench.until(lambda: bench.view.run.runs)
    assert bench.view.run[::4] == ('approach', 'color=lightred')


def test_a_person_changes_what_there_is(bench: Bench) -> None:
    ask = bench.controls
    ask.stop()
    bench.until(lambda: bench.view.run.phase == 'stopped')
    ask.hold(True)
    ask.place_robot('robbie', 50.0, 60.0)
    ask.turn_robot('robbie', 1.25)
    bench.until(lambda: (bench.robot.x, bench.robot.y, bench.robot.heading) == (50.0, 60.0, 1.25))
    ask.move_thing('LAMP#1', 51.5, 60.0)
    bench.until(lambda: bench.thing('LAMP#1').x == 51.5)
    ask.new_thing(NewThingForm('crate', 'green', 7.0), 52.0, 61.0)
    bench.until(lambda: bench.thing('CRATE#7'))
    assert bench.thing('CRATE#7') == ThingView('CRATE#7', 52.0, 61.0, 7.0, 'green')
    tick = bench.view.picture.tick
    ask.step(3)
    bench.until(lambda: bench.view.picture.tick == tick + 3)
    ask.move_thing('HAT#9', 1.0, 1.0)
    bench.until(lambda: 'HAT' in bench.view.warning.upper())
    ask.clean(True)
    world: Any = bench.graph.nodes['ars_magna']
    bench.until(lambda: world.get_parameter('motion_noise').value == 0.0)
    ask.clean(False)
    bench.until(lambda: world.get_parameter('motion_noise').value > 0.0)
    ask.rate(7.0)
    bench.until(lambda: world.get_parameter('real_time_factor').value == 7.0)
    ask.hold(False)
    bench.until(lambda: bench.view.picture.tick > tick + 5)
    ask.start('fetch', 'colour=red')
    bench.until(lambda: "no attribute 'colour'" in bench.view.warning)
    ask.enter('moon')
    bench.until(lambda: "world 'moon' is unknown" in bench.view.warning)
