"""Time limits, repeated tries and second looks."""

from itertools import pairwise

import pytest

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.retrying import TimeLimitError, look_again, retry, within
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator

FIELD = parse_design(
    """
ars_schema: 1
world:
  name: field
  size: [60, 60]
  objects:
    - {name: lamp, at: [20, 10], attrs: {size: 2, color: red}}
    - {name: cup, at: [20, 14], attrs: {size: 1, color: red}}
robots:
  - {name: anna, at: [10, 10], cameras: [{fov: 90deg, resolution: 3}], hands: [{strength: 1}],
     bins: [{capacity: 5}]}
""",
    'field',
)


@pytest.fixture
def simulator():
    found = Simulator(FIELD, 1)
    found.world.parameters = found.world.parameters.cleaned()
    return found


@pytest.fixture
def robot(simulator):
    return connect(simulator, 'anna')


def finish(simulator, program):
    task = Task(program)
    while not task.done:
        simulator.tick()
    return task.result()


def test_a_program_that_takes_too_long_is_cancelled(simulator, robot):
    cleaned = []

    async def slow():
        try:
            await robot.wait(100)
        finally:
            cleaned.append(simulator.now)

    with pytest.raises(TimeLimitError, match='not done in 7 ticks'):
        finish(simulator, within(robot, 7, slow()))
    assert cleaned == [7]


def test_a_program_that_ends_in_time_gives_its_value(simulator, robot):
    async def quick():
        await robot.wait(3)
        return 'done'

    assert finish(simulator, within(robot, 7, quick())) == 'done'
    assert simulator.now == 3


def test_a_command_is_tried_again_after_growing_pauses(simulator, robot):
    ticks = []

    def issue():
        ticks.append(simulator.now)
        return robot.hands[0].remove()

    outcome = finish(simulator, retry(robot, issue, Code.NOT_INSIDE, tries=4, pause=2))
    assert outcome.code == Code.NOT_INSIDE
    apart = [later - sooner for sooner, later in pairwise(ticks)]
    assert [later - sooner for sooner, later in pairwise(apart)] == [2, 4]


@pytest.mark.parametrize('codes', [(Code.BIN_CLOSED,), ('NIL',)])
def test_a_command_that_ends_otherwise_is_not_tried_again(simulator, robot, codes):
    issued = []

    def issue():
        issued.append(robot.hands[0].remove())
        return issued[-1]

    finish(simulator, retry(robot, issue, *codes))
    assert len(issued) == 1


def test_a_second_look_finds_the_same_thing(simulator, robot):
    async def look_twice():
        camera = robot.cameras[0]
        first = (await camera.get_object_designator('non-local', {'size': (1.5, 2.5)})).value
        return first, await look_again(camera, first)

    first, second = finish(simulator, look_twice())
    assert second.number != first.number
    assert second.angle == pytest.approx(first.angle, abs=0.05)
    assert set(first.data) <= set(second.data)


def test_where_nothing_is_any_more_a_second_look_finds_nothing(simulator, robot):
    async def look_twice():
        camera = robot.cameras[0]
        first = (await camera.get_object_designator('non-local', {'size': (1.5, 2.5)})).value
        simulator.world.scene.destroy(next(simulator.world.scene.find('lamp')))
        return await look_again(camera, first)

    assert finish(simulator, look_twice()) is None
