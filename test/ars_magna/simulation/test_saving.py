"""A world returns to any state that it was in, and time skips to where something happens."""

from itertools import chain

import pytest
from ars_orders import KICKERS, QUICK, WORLD, aimed, programs
from ars_stage import BOXES, TWO_ROBOTS, Stage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.agent.trace import line_of
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.local import connect

SLOW = [HealthCheck.too_slow]


class Course:
    """A world under orders, and all that can be observed of it."""

    def __init__(self, seed, definitions=KICKERS, world=WORLD, skips=False):
        self.stage = Stage(world, definitions=definitions, seed=seed, clean=False, **QUICK)
        self.simulator = self.stage.simulator
        self.heard, self.count, self.skips = [], 0, skips
        self.simulator.sinks['robbie'] = lambda report: self.heard.append(line_of(report))

    def carry_out(self, orders):
        """Carry out orders; return all that was reported and all that is so at the end."""
        for name, part, arguments, ticks in orders:
            arguments = aimed(self.stage.truth, name, part, arguments)
            self.simulator.submit(CommandRequest('robbie', self.count, name, part, arguments))
            self.count += 1
            left = ticks
            while left:
                left -= self.simulator.skip(left) if self.skips else self.simulator.tick() or 1
        told, self.heard = self.heard, []
        return told, self.look()

    def look(self):
        experimenter = Experimenter(self.simulator)
        return (
            self.simulator.now,
            experimenter.status('robbie'),
            experimenter.things(),
            self.stage.truth.main_odometer.position(),
            [stream.getstate() for stream in self.stage.truth.streams],
            self.stage.world.kickers.getstate(),
            self.stage.world.messages.take(),
        )


def test_what_follows_a_return_is_what_followed_before(acceptance):
    @settings(max_examples=5000 if acceptance else 50, suppress_health_check=SLOW)
    @given(programs, programs, programs, st.integers(0, 3999))
    def check(before, after, other, seed):
        course = Course(seed)
        course.carry_out(chain.from_iterable(before))
        saved, count, known = course.simulator.save(), course.count, course.look()
        follows = course.carry_out(chain.from_iterable(after))
        for between in (after, other):
            course.simulator.restore(saved)
            course.count = count
            assert course.look()[:-1] == known[:-1]
            again = course.carry_out(chain.from_iterable(between))
            if between is after:
                assert again == follows
        course.simulator.restore(saved)
        course.count = count
        assert course.carry_out(chain.from_iterable(after)) == follows

    check()


@pytest.mark.parametrize('kickers', [True, False])
def test_skipped_ticks_leave_no_trace(kickers, acceptance):
    definitions = KICKERS if kickers else 'manipulations:' + KICKERS.partition('manipulations:')[2]
    world = WORLD if kickers else WORLD.partition('  kickers:')[0]

    @settings(max_examples=5000 if acceptance else 50, suppress_health_check=SLOW)
    @given(programs, st.integers(0, 3999), st.integers(1, 40))
    def check(program, seed, slower):
        orders = [(*order[:3], order[3] * slower) for order in chain.from_iterable(program)]
        plain = Course(seed, definitions, world)
        skipping = Course(seed, definitions, world, skips=True)
        assert plain.carry_out(orders) == skipping.carry_out(orders)

    check()


def test_time_skips_to_what_a_program_waits_for():
    stage = Stage(BOXES)

    async def program():
        await stage.robot.wait(1000)
        return (await stage.robot.go_forward(3)).ok

    task, steps = Task(program()), 0
    while not task.done:
        stage.simulator.skip(10_000)
        steps += 1
    assert (task.result(), stage.now, steps) == (True, 1008, 6)
    assert stage.simulator.skip(500) == 500


def test_what_somebody_looks_at_is_not_skipped():
    stage, seen = Stage(BOXES), []
    stage.simulator.ticked.append(lambda: seen.append(stage.now))
    for _ in range(3):
        stage.simulator.skip(100)
    assert seen == [1, 2, 3]


def test_a_thing_that_was_made_or_destroyed_is_as_before_after_a_return():
    stage = Stage(BOXES)
    experimenter, saved = Experimenter(stage.simulator), stage.simulator.save()
    experimenter.new_thing('cup', (5, 5), {'size': 1})
    experimenter.destroy_thing('tin')
    experimenter.move_thing('box', (7, 7))
    stage.simulator.restore(saved)
    names = [thing.name for thing in stage.world.scene.things.values()]
    assert names == ['box', 'tin', 'pen']
    assert stage.world.scene.position(stage.thing('box')) == (20, 20)
    stage.find_and_follow()


def test_a_state_of_another_world_is_refused():
    saved = Stage(BOXES).simulator.save()
    with pytest.raises(ValueError, match='in the world in which it was saved'):
        Stage(BOXES).simulator.restore(saved)


def test_a_return_of_one_robot_is_one_of_all():
    stage = Stage(BOXES, robots=TWO_ROBOTS)
    other = connect(stage.simulator, 'bobbie')
    stage.robot.go_forward(100)
    stage.tick(9)
    saved, x = stage.simulator.save(), [robot.x for robot in stage.world.robots.values()]
    other.go_forward(4)
    stage.tick(15)
    stage.simulator.restore(saved)
    assert [robot.x for robot in stage.world.robots.values()] == x
    stage.tick(2)
    assert stage.truth.x == pytest.approx(x[0] + 2)
