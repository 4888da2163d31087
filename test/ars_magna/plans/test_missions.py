"""Missions in the shipped office, judged by the truth."""

import math

import pytest

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.missions import deliver, report
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shipped_worlds import find_world

MOST_TICKS = 20_000


@pytest.fixture(params=[41, 42, 43])
def simulator(request):
    return Simulator(load_design(find_world('office')), request.param)


def finish(simulator, program):
    task = Task(program)
    while not task.done and simulator.now < MOST_TICKS:
        simulator.tick()
    return task.result()


def test_things_are_delivered_to_their_places(simulator):
    robot = simulator.world.robots['robbie']
    x, y = robot.x, robot.y
    key, letter = {'kind': 'key', 'color': 'lightred'}, {'kind': 'letter'}
    handle = connect(simulator, 'robbie')
    finish(simulator, deliver(handle, [(key, Point(2, 0)), (letter, Point(4, 0))]))
    for name, ahead in (('key', 2), ('lost_letter', 4)):
        at = simulator.world.scene.position(next(simulator.world.scene.find(name)))
        assert math.dist(at, (x + ahead, y)) < 1.0


def test_what_is_found_is_reported_where_it_lies(simulator):
    robot = simulator.world.robots['robbie']
    x, y = robot.x, robot.y
    handle = connect(simulator, 'robbie')
    places = finish(simulator, report(handle, [{'kind': 'letter'}, {'color': 'lightblue'}]))
    for name, place in zip(('lost_letter', 'other_key'), places, strict=True):
        at = simulator.world.scene.position(next(simulator.world.scene.find(name)))
        assert math.dist(at, (x + place.x, y + place.y)) < 1.0
