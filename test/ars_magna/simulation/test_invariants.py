"""Whatever robots are reported, the world stays in order: random programs over all commands."""

import math
from itertools import chain

import pytest
from ars_orders import KICKERS, QUICK, WORLD, aimed, programs
from ars_stage import BOXES, Stage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.simulation.things import Thing


class Watch:
    """A world under random orders, looked through after every tick."""

    def __init__(self, seed):
        self.stage = Stage(
            WORLD,
            definitions=KICKERS,
            seed=seed,
            clean=False,
            **QUICK,
        )
        self.ended = {}
        self.open = {}
        self.stage.simulator.sinks['robbie'] = self.hear
        self.things = len(self.stage.world.scene.things)
        self.count = 0

    def hear(self, report):
        if report.kind == 'done':
            self.ended[report.number] = self.ended.get(report.number, 0) + 1
            self.open.pop(report.number, None)

    def order(self, name, part, arguments):
        arguments = aimed(self.stage.truth, name, part, arguments)
        request = CommandRequest('robbie', self.count, name, part, arguments)
        self.stage.simulator.submit(request)
        self.open[self.count] = (name, part)
        self.count += 1

    def tick(self):
        self.stage.tick()
        self.look_at_things()
        self.look_at_parts()
        self.look_at_odometer()
        self.look_at_commands()

    def look_at_things(self):
        scene = self.stage.world.scene
        robot = self.stage.truth
        holders = [*scene.things.values(), *robot.hands, *robot.bins]
        held = [id(thing) for holder in holders for thing in holder.contents]
        lying = [id(thing) for thing in scene.lying()[0]]
        indexed = [id(thing) for things in scene._cells.values() for thing in things]
        assert sorted(lying) == sorted(indexed)
        assert sorted(held + lying) == sorted(map(id, scene.things.values()))
        assert len(scene.things) == self.things
        for thing in scene.things.values():
            assert (thing.holder is None) or thing in thing.holder.contents
            depth, holder = 0, thing.holder
            while isinstance(holder, Thing):
                depth, holder = depth + 1, holder.holder
                assert depth < 10

    def look_at_parts(self):
        robot = self.stage.truth
        assert all(len(hand.contents) <= 1 for hand in robot.hands)
        assert all(store.free >= -1e-6 for store in robot.bins)
        for camera in robot.cameras:
            track = camera.track
            assert track is None or camera.index in track.cameras
            assert track is None or robot.designations[track.number] is track
        for designation in robot.designations.values():
            for index in designation.cameras:
                assert robot.cameras[index].track is designation
        assert not self.stage.world.ground.is_filled(*robot.cell)

    def look_at_odometer(self):
        robot, odometer = self.stage.truth, self.stage.truth.main_odometer
        position = odometer.position().grow(1e-6)
        assert position.x.contains(robot.x - 20)
        assert position.y.contains(robot.y - 20)
        assert odometer.angle().grow(1e-6).contains(robot.heading)

    def look_at_commands(self):
        assert all(count == 1 for count in self.ended.values())
        running = [run.request.number for run in self.stage.simulator._running.values()]
        assert sorted(running) == sorted(self.open)
        seats = [
            ('track' if name == 'camera_track' and self.tracks(part, number) else name, part)
            for number, (name, part) in self.open.items()
        ]
        by_resource = {}
        for name, part in seats:
            kind = COMMANDS.get(name)
            where = (
                'track'
                if kind is None
                else 'sense'
                if kind.senses
                else 'hand'
                if name == 'manipulate'
                else kind.part
            )
            key = where, 0 if where in ('robot', 'sense') else part
            by_resource[key] = by_resource.get(key, 0) + 1
        assert all(count == 1 for count in by_resource.values())

    def tracks(self, part, number):
        run = self.stage.simulator._running.get(f'robbie/camera/{part}/track')
        return run is not None and run.request.number == number


def carry_out(program, seed):
    watch = Watch(seed)
    for name, part, arguments, ticks in chain.from_iterable(program):
        watch.order(name, part, arguments)
        for _ in range(ticks):
            watch.tick()
    watch.tick()
    for part in (0, 1):
        for kind in ('robot', 'camera', 'hand', 'bin'):
            watch.order(f'{kind}_grab', part, ())
    for _ in range(3):
        watch.tick()
    assert set(watch.ended) == set(range(watch.count)) - set(watch.open)
    assert all(name == 'place' for name, _ in watch.open.values())
    assert math.isfinite(watch.stage.truth.x)


SLOW = [HealthCheck.too_slow]


@pytest.mark.slow
def test_ten_thousand_random_programs_keep_the_world_in_order(acceptance):
    @settings(max_examples=10_000 if acceptance else 500, suppress_health_check=SLOW)
    @given(programs, st.integers(0, 3999))
    def check(program, seed):
        carry_out(program, seed)

    check()


def test_nobody_reaches_the_truth_by_what_is_public():
    stage = Stage(BOXES)
    found = stage.designate(0, 'local', [('color', 'red')])
    with pytest.raises(TypeError):
        found.data['color'] = 'blue'
    public = [name for name in dir(stage.robot.port) if not name.startswith('_')]
    reached = [getattr(stage.robot.port, name) for name in public]
    assert not any(hasattr(one, '__self__') and one.__self__ is stage.simulator for one in reached)
