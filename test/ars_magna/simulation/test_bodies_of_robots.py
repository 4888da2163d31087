"""Robots with bodies see, block and bump into one another."""

import math

import pytest

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator

WORLD = """
ars_schema: 1
world: {name: field, size: [30, 30]}
robots:
  - {name: anna, at: [10, 10], cameras: [{fov: 90deg, resolution: 3}], hands: [{strength: 10}],
     body: {size: 12, color: red, weight: 50, obsmove: true}}
  - {name: bert, at: [15, 10], cameras: [{fov: 90deg, resolution: 3}], hands: [{strength: 10}],
     body: {size: 20, color: blue, weight: 50, obsmove: true}}
"""


@pytest.fixture
def simulator():
    found = Simulator(parse_design(WORLD, 'field'), 1)
    found.world.parameters = found.world.parameters.cleaned()
    return found


def outcome(simulator, command):
    while not command.done:
        simulator.tick()
    return command.result()


def test_a_robot_sees_the_other_and_not_itself(simulator):
    anna = connect(simulator, 'anna')
    found = outcome(simulator, anna.cameras[0].get_all_object_designators('non-local'))
    assert [one.data['color'] for one in found.value] == ['blue']
    assert outcome(simulator, anna.cameras[0].get_object_designator('local')).code == (
        'DESIGNATOR-NOT-FOUND'
    )


def test_a_robot_is_stopped_by_the_other_and_not_by_itself(simulator):
    anna = connect(simulator, 'anna')
    outcome(simulator, anna.set_speed(0.5))
    assert outcome(simulator, anna.go_forward(20)).code == 'ROBOT-BLOCKED'
    truth = simulator.world.robots['anna']
    assert (truth.x, truth.y) == pytest.approx((14.5, 10.0))


def test_where_a_robot_went_it_is_seen(simulator):
    anna, bert = connect(simulator, 'anna'), connect(simulator, 'bert')
    outcome(simulator, bert.set_speed(0.5))
    outcome(simulator, bert.turn(math.pi / 2))
    outcome(simulator, bert.go_forward(6))
    found = outcome(simulator, anna.cameras[0].get_object_designator('non-local')).value
    assert found.angle == pytest.approx(math.atan2(3, 5), abs=1e-6)
    Experimenter(simulator).set_position('bert', 15, 8)
    found = outcome(simulator, anna.cameras[0].get_object_designator('non-local')).value
    assert found.angle == pytest.approx(math.atan2(-2, 5), abs=1e-6)


def test_a_robot_is_too_heavy_for_the_hand_of_another(simulator):
    anna = connect(simulator, 'anna')

    async def embrace():
        camera = anna.cameras[0]
        found = await camera.get_object_designator('non-local')
        await camera.track(found.value).started
        assert (await anna.goto_designator(camera)).code == 'ROBOT-BLOCKED'
        await camera.untrack()
        local = await camera.get_object_designator('local')
        await camera.track(local.value).started
        return (await anna.hands[0].grasp(camera, local.value)).code

    assert outcome(simulator, Task(embrace())) == 'INSUFFICIENT-STRENGTH'


def test_robots_without_bodies_pass_through_one_another():
    text = WORLD.replace('obsmove: true', 'obsmove: false')
    simulator = Simulator(parse_design(text, 'field'), 1)
    anna = connect(simulator, 'anna')
    outcome(simulator, anna.set_speed(0.5))
    assert outcome(simulator, anna.go_forward(20)).ok


@pytest.mark.parametrize(
    ('body', 'sentence'),
    [
        ('obsview: true', 'must be false: a robot would hide everything from itself'),
        ('colour: red', 'no attribute'),
    ],
)
def test_a_body_that_cannot_be_is_refused(body, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_design(WORLD.replace('color: blue', body), 'field')
