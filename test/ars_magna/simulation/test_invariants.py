"""Whatever robots are reported, the world stays in order: random programs over all commands."""

import math
from itertools import chain

import pytest
from ars_stage import BOXES, Stage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walking_robots.ars_magna.agent.messages import CommandRequest
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.simulation.things import Thing

WORLD = """
  walls:
    - rect: {from: [12, 12], to: [28, 28]}
    - wall: {from: [23, 12], to: [23, 18]}
  objects:
    - name: crate
      at: [20, 20]
      attrs: {size: 9, capacity: 8, weight: 1, color: red}
      contents:
        - name: cup
          attrs: {size: 2, capacity: 2, weight: 1, color: blue}
          contents: [{name: pea}]
    - {name: ball, at: [20.2, 20], attrs: {size: 1, color: green, weight: 2}}
    - {name: lamp, at: [25, 21], attrs: {size: 2, color: violet, obsview: true}}
    - {name: post, at: [20, 16], attrs: {obsmove: true}}
  kickers: [{use: roll, on: ball}, {use: swing, on: crate}]
"""
KICKERS = """
kickers:
  roll:
    prob: 0.05
    body: [{kick: {dx: 'uniform(-1, 1)', dy: 'uniform(-1, 1)', kick_if_wall: true}}]
  swing: {prob: 0.05, test: 'not in_hand', body: [{set: {self: {closed: "not attr('closed')"}}}]}
manipulations:
  paint:
    - {objects: {it: {size: [0, 100]}}, by: hand, success: 0.8, delay: 2,
       body: [{set: {it: {color: red}}}, {return: hand}]}
"""

whole = st.integers(0, 12)
angle = st.floats(-4, 4)
place = st.sampled_from(['bin', 'designator'])
ARGUMENTS = {
    'set_speed': st.tuples(st.floats(-1, 2)),
    'set_turn_angle': st.tuples(st.floats(-1, 2)),
    'turn': st.tuples(angle),
    'go_forward': st.tuples(whole),
    'follow_wall': st.tuples(st.sampled_from(['left', 'right']), whole),
    'goto_designator': st.tuples(st.integers(0, 1)),
    'find_object': st.tuples(
        st.sampled_from(['local', 'local', 'non-local']),
        st.sampled_from([(), (('size', 2, 3),), (('color', ('red', 'blue')),)]),
        st.booleans(),
    ),
    'find_place': st.tuples(st.sampled_from(['concave', 'doorway', 'nook']), st.booleans()),
    'camera_track': st.tuples(whole),
    'camera_turn': st.tuples(angle),
    'camera_insert': st.tuples(place, st.integers(0, 1)),
    'hand_grasp': st.tuples(st.integers(0, 1), whole),
    'hand_insert': st.tuples(place, st.integers(0, 1)),
    'manipulate': st.tuples(
        st.just('paint'), st.lists(whole, max_size=2), st.just('hand'), st.just(())
    ),
}
NAMES = list(COMMANDS)


@st.composite
def orders(draw):
    """Draw a command, its part, its arguments, and how many ticks pass before the next."""
    name = draw(st.sampled_from(NAMES))
    arguments = draw(ARGUMENTS.get(name, st.just(())))
    return name, draw(st.integers(0, 1)), arguments, draw(st.integers(0, 7))


@st.composite
def handlings(draw):
    """Draw what hands are for: find, track and grasp, and then something with it."""
    eye, hand, pause = draw(st.integers(0, 1)), draw(st.integers(0, 1)), st.integers(2, 5)
    kind = draw(st.sampled_from(['local', 'local', 'non-local']))
    then = {
        'local': ['hand_grasp', 'hand_insert', 'camera_insert', 'manipulate'],
        'non-local': ['goto_designator'],
    }[kind]
    steps = [
        ('find_object', eye, (kind, (), False), draw(pause)),
        ('camera_track', eye, (0,), draw(pause)),
    ]
    for name in draw(st.lists(st.sampled_from(then), min_size=1, max_size=3)):
        arguments = {
            'hand_grasp': (eye, 0),
            'goto_designator': (eye,),
            'manipulate': ('paint', [0], 'hand', ()),
        }.get(name, ('designator', 0))
        part = eye if name == 'camera_insert' else hand
        steps.append((name, part, arguments, draw(pause)))
    for name in draw(st.lists(st.sampled_from(['hand_insert', 'hand_track', 'hand_ungrasp']))):
        arguments = ('bin', draw(st.integers(0, 1))) if name == 'hand_insert' else ()
        steps.append((name, hand, arguments, draw(pause)))
    return steps


class Watch:
    """A world under random orders, looked through after every tick."""

    def __init__(self, seed):
        # Short times, so that commands come to something before the next one.
        self.stage = Stage(
            WORLD,
            definitions=KICKERS,
            seed=seed,
            clean=False,
            camera_desig_delay=1,
            robot_move_delay=1,
            hand_grasp_delay=1,
            hand_move_delay=1,
            numeric_noise_form='reciprocal',
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

    def aimed(self, name, part, arguments):
        """Return arguments that name designators that there are, if there are any."""
        valid = sorted(self.stage.truth.designations)
        if not valid:
            return arguments
        if name == 'camera_track':
            return (valid[-1 - arguments[0] % len(valid)],)
        if name in ('camera_insert', 'hand_insert') and arguments[0] == 'designator':
            track = self.stage.truth.cameras[part].track
            return 'designator', valid[-1] if track is None else track.number
        if name == 'hand_grasp':
            track = self.stage.truth.cameras[arguments[0]].track
            return arguments[0], arguments[1] if track is None else track.number
        if name == 'manipulate':
            return arguments[0], [valid[n % len(valid)] for n in arguments[1]], *arguments[2:]
        return arguments

    def order(self, name, part, arguments):
        arguments = self.aimed(name, part, arguments)
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
programs = st.lists(
    st.one_of(st.lists(orders(), min_size=1, max_size=6), handlings()), min_size=2, max_size=6
)


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
