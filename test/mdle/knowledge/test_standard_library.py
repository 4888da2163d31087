"""Every element of the standard library, in simulation (mdle.md §4.16)."""

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.catalogue import catalogue
from walking_robots.mdle.knowledge.functions import deviation
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.robot import Observation, OutputSpec
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.trials.program_robots import program_robot
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.moving_disc import Jump

HEAD = 'mdle 1;\nimport std.body2;\nimport std.body3 as legs;\nimport std.scout as scout;\n'
CORRIDOR = str(Path(__file__).resolve().parents[3] / 'config/worlds/corridor.yaml')
MIDDLE = 0.85
"""Of the corridor, y in m."""
RING = 0.2
AT_THE_WALL = Pose2(5.5, MIDDLE, 0.0)
ASKEW = Pose2(0.8, MIDDLE, 0.3)


@dataclass
class Ran:
    """A run: its result, how each element ended and after how long, and where the robot was."""

    result: Any
    ended: dict = field(default_factory=dict)
    took: dict = field(default_factory=dict)
    way: list = field(default_factory=list)

    @property
    def end(self):
        return self.way[-1]


def go(steps, robot=None, **fields):
    """Run steps as a plan; a contact ends it."""
    fields = {'limit': 200.0} | fields
    trial = MdleTrial(f'{HEAD}plan p {{ do {{ {steps} }} }}', **fields)
    ran, entered = Ran(None), {}

    def watch(loop, events):
        ran.way.append(robot.true_pose)
        for event in events:
            name = event.path.rsplit('.', 1)[-1]
            if event.kind == 'enter':
                entered[event.path] = event.stamp
            elif event.kind == 'exit':
                ran.ended[name] = event.name or event.cause
                ran.took[name] = (event.stamp - entered[event.path]) * 1e-9

    robot = robot or trial.build_robot()
    ran.result = run(trial, robot=robot, watch=watch)
    return ran


def near(pose, x, y, heading, tolerance=1e-6):
    return all(
        math.isclose(a, b, abs_tol=tolerance) for a, b in zip(pose, (x, y, heading), strict=True)
    )


def standing(steps, seconds, **fields):
    ran = go(steps, **fields)
    return near(ran.end, 0.0, 0.0, 0.0) and abs(ran.result.duration_s - seconds) <= 0.05


RIGHT = math.pi / 2


def ends_at(steps, x, y, heading, tolerance=1e-6, **fields):
    ran = go(steps, **fields)
    return ran.result.outcome == 'DONE' and near(ran.end, x, y, heading, tolerance)


def ends_by(steps, name, why, seconds, tolerance=0.06, **fields):
    """Tell whether an element ends for a reason after a time."""
    ran = go(steps, **fields)
    return ran.ended[name] == why and abs(ran.took[name] - seconds) <= tolerance


def said(steps, *lines):
    result = go(steps).result
    return result.outcome == 'DONE' and result.log == lines


def absent(steps):
    return go(steps).result.code == 'E808'


JUMP = {'object_script': (Jump(0.0, 2.0, 0.0), Jump(1.0, 2.0, 1.0))}
WALK = 'path(point(0 m, 0 m), point(2 m, 0 m), point(2 m, 1 m))'


class Channels(KinematicRobot):
    """A Scout with channels of other robots, whose values change after two seconds."""

    def __init__(self, before, after, **outputs):
        spec = scout_spec()
        super().__init__(replace(spec, outputs={**spec.outputs, **outputs}))
        self.before, self.after = before, after

    def read(self, now):
        seen = super().read(now)
        more = self.after if now >= 2_000_000_000 else self.before
        stamps = {**seen.stamps, **dict.fromkeys(more, now)}
        return Observation({**seen.values, **more}, stamps)


def steps_aside(steps, left):
    """Return whether a hexapod comes so far to its left, and not ahead."""
    robot = program_robot(MdleTrial('', robot='insect18'))
    start = robot.true_pose
    ran = go(steps, robot=robot)
    moved = (ran.end.x - start.x, ran.end.y - start.y, ran.end.heading - start.heading)
    return ran.result.outcome == 'DONE' and near(moved, 0.0, left, 0.0, 0.02)


def after_two_seconds(condition, robot, late=0.0):
    return ends_by(
        f'hold() until {condition} timeout 9 s;',
        'hold',
        condition.split('(')[0],
        2.0 + late,
        robot=robot,
    )


def tilts():
    before, after = ({'imu.roll': 0.1, 'imu.pitch': pitch} for pitch in (0.0, -0.5))
    outputs = {name: OutputSpec('rad') for name in before}
    return after_two_seconds('tilt(0.4 rad)', Channels(before, after, **outputs), 0.1)


def battery():
    robot = Channels({'battery': 0.9}, {'battery': 0.1})
    return after_two_seconds('battery_below(0.2)', robot, 1.0)


def landmark():
    spec = {'landmark.id': OutputSpec('num')}
    return after_two_seconds(
        'landmark_seen(7)', Channels({'landmark.id': 0.0}, {'landmark.id': 7.0}, **spec)
    )


def stuck():
    # The wall ahead is at x = 5.95 m, the robot's rim 0.205 m before its middle.
    steps = 'ahead(0.2 m/s) until stuck();'
    start = Pose2(5.5, MIDDLE, 0.0)
    ran = go(steps, world=CORRIDOR, start=start, default_guards=False)
    return ran.ended['ahead'] == 'stuck' and 2.1 < ran.took['ahead'] < 2.3


def bumped(steps, start):
    """Run into the wall ahead; give how steps go on from there."""
    text = f"""{HEAD}
    behavior bump {{ until contact => fail "contact"; timeout 9 s; do {{ ahead(); }} }}
    plan p {{ on fail("contact") => run {steps} then done; do {{ bump(); }} }}"""
    trial = MdleTrial(text, world=CORRIDOR, start=start, limit=20.0)
    robot = trial.build_robot()
    result = run(trial, robot=robot)
    return result, robot.true_pose


def backs_off(steps, turned):
    result, pose = bumped(steps, Pose2(5.5, MIDDLE, 0.0))
    touching = 5.95 - 0.205
    return result.outcome == 'DONE' and near(pose, touching - 0.2, MIDDLE, turned, 0.02)


def contact_behind(steps):
    """Back into a wall: an element that goes backwards says so."""
    start = Pose2(0.4, MIDDLE, 0.0)
    result = go(steps, world=CORRIDOR, start=start, default_guards=False).result
    return (result.outcome, result.message) == ('FAIL', 'contact behind')


def touches(condition, steps='ahead(0.2 m/s)', start=AT_THE_WALL):
    ran = go(f'{steps} until {condition};', world=CORRIDOR, start=start, default_guards=False)
    return ran.ended['ahead'] == condition and 1.15 < ran.took['ahead'] < 1.3


def hears(condition, x):
    """Drive at the wall ahead until a guard on distance is true; gives whether it was at x, m."""
    ran = go(f'ahead(0.1 m/s) until {condition};', world=CORRIDOR, start=Pose2(4.6, MIDDLE, 0.0))
    # A round of the ring is 0.96 s, the sonars tell whole inches.
    return ran.result.outcome == 'DONE' and x - 0.03 <= ran.end.x <= x + 0.13


def parallel(steps, heading, noise=0.0):
    ran = go(
        f'{steps} timeout 9 s;', world=CORRIDOR, start=Pose2(2.8, MIDDLE, heading), noise=noise
    )
    return abs(ran.end.heading) < math.radians(12.0) and ran.end[:2] == (2.8, MIDDLE)


def ends_parallel(heading, noise=0.0):
    """Tell whether a robot that turns along a wall ends by itself, soon, and along it."""
    ran = go('align_wall(0.45 m);', world=CORRIDOR, start=Pose2(2.8, MIDDLE, heading), noise=noise)
    soon = ran.ended['align_wall'] == 'aligned' and ran.took['align_wall'] < 8.0
    return soon and abs(ran.end.heading) < math.radians(12.0)


def along(steps, wall, gap, start=ASKEW, noise=0.0):
    """Tell whether a robot is led along a wall, y in m, from x = 0.8 to beyond 3.5."""
    ran = go(f'{steps} timeout 22 s;', world=CORRIDOR, start=start, noise=noise)
    beyond = [pose for pose in ran.way if 2.3 < pose.x < 3.5]
    return (
        ran.result.outcome == 'DONE'
        and ran.end.x > 3.5
        and all(abs(abs(wall - pose.y) - RING - gap) < 0.12 for pose in beyond)
        and all(abs(pose.heading) < 0.35 for pose in beyond)
    )


def round_the_edge():
    """Follow the inner wall past its corner, and on beside it."""
    for seed in range(3):
        ran = go(
            'follow_wall(0.35 m, "left") timeout 50 s;',
            world=CORRIDOR, start=ASKEW, noise=0.02, seed=seed,
        )  # fmt: skip
        if ran.result.outcome != 'DONE' or not (ran.end.y > 3.0 and 4.7 < ran.end.x < 5.1):
            return False
    return True


def cuts_no_corner():
    ran = go(f'track({WALK}, 0.2 m/s);')
    return max(deviation(((0, 0), (2, 0), (2, 1)), pose) for pose in ran.way) < 0.2


def wanders():
    ran = go('scout.wander() timeout 120 s;', world=CORRIDOR, noise=0.02)
    way = ran.result.way_m
    return ran.ended['wander'] == 'timeout' and way > 8.0


CASES = {
    'stop': lambda: standing('stop();', 0.5),
    'hold': lambda: standing('hold() timeout 2 s;', 2.0),
    'wait': lambda: standing('wait(1.5 s);', 1.5),
    'ahead': lambda: ends_at('ahead(0.3 m/s) timeout 2 s;', 0.6, 0.0, 0.0),
    'twist': lambda: ends_at(
        'twist(0.2 m/s, 0.5 rad/s) timeout 2 s;',
        0.4 * math.sin(1.0),
        0.4 * (1 - math.cos(1.0)),
        1.0,
    ),
    'drive': lambda: ends_at('drive(1 m); drive(-0.31 m, 0.3 m/s);', 0.69, 0.0, 0.0),
    'spin': lambda: ends_at('spin(90 deg); spin(-30 deg, 1 rad/s);', 0.0, 0.0, math.radians(60.0)),
    'arc': lambda: ends_at('arc(0.5 m, 90 deg); arc(0.5 m, -90 deg);', 1.0, 1.0, 0.0),
    # Closed on odometry: near, not exact; and what slips is not seen by odometry.
    'drive_fb': lambda: (
        ends_at('drive_fb(1 m);', 1.0, 0.0, 0.0, 0.006)
        and ends_at('drive_fb(-0.5 m);', -0.5, 0.0, 0.0, 0.006)
    ),
    'drive_straight': lambda: ends_at(
        'spin(10 deg); wait(0.5 s); drive_fb(2 m);',
        2 * math.cos(math.radians(10)),
        2 * math.sin(math.radians(10)),
        math.radians(10),
        0.01,
        latency=0.1,
    ),
    'spin_fb': lambda: ends_at('spin_fb(-90 deg); spin_fb(270 deg);', 0.0, 0.0, math.pi, 0.02),
    'orient': lambda: ends_by('orient(point(0 m, 2 m));', 'orient', 'facing', 3.97, 0.1),
    'face': lambda: ends_at('face(-90 deg);', 0.0, 0.0, -RIGHT, math.radians(3.0)),
    'go_to': lambda: ends_by('go_to(point(2 m, 0 m));', 'go_to', 'at', 9.5, 0.1),
    'go_to_pose': lambda: ends_at('go_to_pose(pose(1 m, 1 m, 180 deg));', 1.0, 1.0, math.pi, 0.11),
    'track': lambda: ends_at(f'track({WALK});', 2.0, 1.0, RIGHT, 0.25),
    'follow_path': cuts_no_corner,
    'left_tube': lambda: ends_by(
        f'arc(1 m, 90 deg) until left_tube({WALK}, 0.5 m);', 'arc', 'left_tube', 5.25, 0.06
    ),
    'path_done': lambda: ends_by(f'track({WALK});', 'track', 'path_done', 14.5, 1.0),
    'wait_motion': lambda: ends_at(
        'target = wait_motion(); go_to(target);', 1.9, 0.0, 0.0, 0.02, **JUMP
    ),
    'moved': lambda: ends_by('hold() until moved(0.5 m);', 'hold', 'moved', 1.2, **JUMP),
    'align_wall': lambda: all(
        parallel(f'align_wall(0.45 m, "{side}")', heading)
        for side in ('left', 'right')
        for heading in (-1.0, -0.4, 0.0, 0.4, 1.0)
    ),
    'aligned': lambda: all(ends_parallel(heading) for heading in (-0.6, 0.0, 0.6)),
    'along_the_wall': lambda: ends_parallel(0.4, noise=0.01),
    'align_to_wall': lambda: parallel('align_wall(0.45 m, "left")', 0.5, noise=0.02),
    'follow_wall': round_the_edge,
    'along_wall': lambda: all(
        along(f'follow_wall(0.4 m, "{side}")', wall, 0.4, noise=noise)
        for side, wall in (('left', 1.65), ('right', 0.05))
        for noise in (0.0, 0.02)
    ),
    'trace': lambda: along('trace("right", 0.2 m/s)', 0.05, 0.45),
    'center_corridor': lambda: along('center_corridor()', 1.65, 0.6),
    'along_corridor': lambda: along('center_corridor()', 1.65, 0.6, noise=0.02),
    'back_off': lambda: (
        backs_off('back_off(0.2 m)', 0.0)
        and backs_off('scout.back_off(0.2 m)', 0.0)
        and contact_behind('back_off(1 m);')
        and contact_behind('scout.back_off(1 m);')
    ),
    'bounce': lambda: backs_off('bounce(0.2 m, 120 deg)', math.radians(120.0)),
    'contact': lambda: touches('contact'),
    'front_contact': lambda: touches('front_contact'),
    'rear_contact': lambda: touches('rear_contact', 'ahead(-0.2 m/s)', Pose2(0.5, MIDDLE, 0.0)),
    'near': lambda: hears('near(0.5 m)', 5.95 - RING - 0.5),
    'clear': lambda: ends_by(
        'wait(1 s); twist(0 m/s, 0.5 rad/s) until clear(0.9 m) timeout 20 s;',
        'twist',
        'clear',
        2.5,
        1.0,
        world=CORRIDOR,
        start=Pose2(5.1, MIDDLE, 0.0),
    ),
    'beam_near': lambda: hears('scout.beam_near(0, 0.5 m)', 5.95 - RING - 0.5),
    'corner': lambda: hears('corner(0.7 m)', 5.95 - RING - 0.7 + 0.03),
    'at': lambda: ends_by('ahead() until at(point(1 m, 0 m), 0.2 m);', 'ahead', 'at', 4.0),
    'facing': lambda: ends_by(
        'twist(0 m/s, 0.5 rad/s) until facing(point(0 m, 1 m), 10 deg);', 'twist', 'facing', 2.8
    ),
    'heading_is': lambda: ends_by(
        'twist(0 m/s, -0.5 rad/s) until heading_is(-90 deg, 10 deg);', 'twist', 'heading_is', 2.8
    ),
    # From the entry of the element, not from the beginning.
    'travelled': lambda: ends_by(
        'drive(-1 m); ahead(-0.2 m/s) until travelled(0.5 m);', 'ahead', 'travelled', 2.5
    ),
    'turned': lambda: ends_by(
        'spin(1 rad); twist(0 m/s, -0.5 rad/s) until turned(400 deg);',
        'twist',
        'turned',
        13.95,
        0.1,
    ),
    'stuck': stuck,
    'tilt': tilts,
    'battery_below': battery,
    'landmark_seen': landmark,
    'signal': lambda: said('signal("a"); await_signal("a") timeout 1 s => fail "not heard";'),
    'await_signal': lambda: ends_by(
        'await_signal("b") timeout 1 s => next;', 'await_signal', 'timeout', 1.0
    ),
    'log': lambda: said('log("one"); log("two");', 'one', 'two'),
    'set': lambda: ends_by(
        'set("n", 3); hold() until bb.n == 3 and t > 0.5 s timeout 2 s;', 'hold', 'condition', 0.55
    ),
    'publish': lambda: absent('publish("/x", "{}");'),
    'call_action': lambda: absent('call_action("/x");'),
    'call_service': lambda: absent('call_service("/x");'),
    'ask_operator': lambda: absent('answer = ask_operator("well?");'),
    'sidestep': lambda: (
        steps_aside('legs.sidestep(0.3 m, 0.03 m/s);', 0.3)
        and steps_aside('legs.sidestep(-0.2 m, 0.02 m/s);', -0.2)
    ),
    'wheels': lambda: ends_at('scout.wheels(0.1 m/s, 0.1 m/s, 2 s);', 0.2, 0.0, 0.0),
    'wander': wanders,
}


def test_every_element_has_a_test():
    assert CASES.keys() == {found.name for found in catalogue(standard_library())}


def test_a_wait_claims_nothing_so_that_something_may_drive_beside_it():
    ran = go('par all { drive(0.4 m); wait(1 s); };')
    assert ran.result.outcome == 'DONE' and ran.end.x == pytest.approx(0.4)
    assert ran.took['wait'] == pytest.approx(1.0)


def test_every_law_in_python_states_its_greatest_speeds():
    found = [law for module in standard_library().values() for law in module.laws.values()]
    assert len(found) == 5
    for law in found:
        assert len(law.fastest) == 2
        names = {parameter.name for parameter in law.parameters}
        assert all(not isinstance(most, str) or most in names for most in law.fastest)


@pytest.mark.parametrize('name', CASES)
def test_an_element_does_what_its_name_says(name):
    assert CASES[name]()


BLOCK = """
ars_schema: 1
world:
  name: block
  size: [7m, 7m]
  cell: 5cm
  y_axis: up
  walls:
    - rect: {from: [0m, 0m], to: [7m, 7m]}
    - rect: {from: [2.5m, 3m], to: [4.5m, 4m]}
  start: {at: [3m, 2.3m], heading: 10deg}
"""


@pytest.mark.parametrize('seed', range(3))
def test_a_block_is_followed_all_round(tmp_path, seed):
    (tmp_path / 'block.yaml').write_text(BLOCK)
    ran = go(
        'follow_wall(0.5 m, "left") timeout 100 s;',
        world=str(tmp_path / 'block.yaml'), noise=0.02, seed=seed,
    )  # fmt: skip
    assert ran.result.outcome == 'DONE'
    assert ran.end.heading > 2.0 * math.pi * 0.95
    # From the faces of the block to the middle of the robot.
    off = [max(2.5 - x, x - 4.5, 3.0 - y, y - 4.0) for x, y, _ in ran.way]
    assert min(off) > 0.4 and max(off) < 1.4


@pytest.mark.parametrize('side', ['left', 'right'])
@pytest.mark.parametrize('off', [-40.0, 40.0, -50.0])
def test_align_wall_finds_a_wall_from_within_40_degrees_of_it(side, off):
    steps = f'align_wall(0.45 m, "{side}") timeout 6 s;'
    ran = go(steps, world=CORRIDOR, start=Pose2(2.8, MIDDLE, math.radians(off)))
    if abs(off) <= 40.0:
        assert abs(ran.end.heading) < math.radians(12.0)
    else:
        assert ran.end.heading == pytest.approx(math.radians(off))


@pytest.mark.parametrize('off', [-40.0, 40.0])
def test_align_wall_finds_a_wall_that_is_alone(tmp_path, off):
    (tmp_path / 'block.yaml').write_text(BLOCK)
    ran = go(
        'align_wall(0.45 m, "left") timeout 6 s;',
        world=str(tmp_path / 'block.yaml'), start=Pose2(3.5, 2.3, math.radians(off)),
    )  # fmt: skip
    assert abs(ran.end.heading) < math.radians(12.0)


@pytest.mark.parametrize('law', ['align_to_wall', 'along_wall'])
def test_a_side_is_left_or_right(law):
    known = standard_library()['std.body2'].laws[law]
    given = {parameter.name: 0.5 for parameter in known.parameters} | {'side': 'up'}
    with pytest.raises(ValueError, match="a side is 'left' or 'right', not 'up'"):
        known.function(0.0, {'sonar': (1.0,) * 16}, **given)
