"""One program on every robot: wheels, six legs, two legs (mdle.md §2.3 and AC-40)."""

import math
from pathlib import Path

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.trials.program_robots import ROBOTS, program_robot

HEAD = 'mdle 1;\nimport std.body2;\n'
PATROL = (Path(__file__).resolve().parents[2] / 'config/plans/patrol.mdle').read_text()
TOUR = """
plan tour {
  do {
    drive_fb(1 m);
    spin_fb(90 deg);
    go_to_pose(pose(0 m, 1 m, 180 deg), tol = 0.05 m);
    face(0 deg, tol = 1 deg);
  }
}
"""
COASTS = {'aquarobot': 0.30}
"""How far from its goal, m, a robot may come to rest that needs more than two seconds for it."""
WEAVES = {'kwalkb3d': 15.0}
"""Degrees beside straight ahead with which a robot may end that corrects its way with a delay."""


def ran(robot: str, source: str, **fields):
    """Run a program on a robot; return the result and the robot."""
    trial = MdleTrial(source, robot=robot, **fields)
    there = program_robot(trial)
    return run(trial, robot=there), there


@pytest.mark.parametrize(
    'robot', ['scout-sim', 'aquarobot', 'asv', 'insect18', 'rectangular', 'kwalkb3d']
)
def test_ac40_a_tour_ends_at_one_pose_on_every_robot_that_turns(robot: str) -> None:
    result, _ = ran(robot, HEAD + TOUR)
    assert result.outcome == 'DONE', result
    assert math.dist(result.end_pose[:2], (0.0, 1.0)) < COASTS.get(robot, 0.10)
    assert abs(result.end_pose.heading) < math.radians(5.0)


@pytest.mark.parametrize('robot', ROBOTS)
def test_ac40_all_walk_straight_ahead(robot: str) -> None:
    program = 'plan ahead_of_it { do { go_to(point(2 m, 0 m)); stop(); } }'
    result, _ = ran(robot, HEAD + program)
    assert result.outcome == 'DONE', result
    assert math.dist(result.end_pose[:2], (2.0, 0.0)) <= 0.10 + 1e-9
    assert abs(result.end_pose.heading) < math.radians(WEAVES.get(robot, 5.0))


@pytest.mark.parametrize('robot', ['scout-sim', 'aquarobot', 'insect18'])
def test_patrol_ends_alike_on_wheels_and_legs(robot: str) -> None:
    result, there = ran(robot, PATROL, arguments={'span': '90 s'})
    assert (result.outcome, result.message) == ('DONE', 'done')
    x, y, _ = there.true_pose
    assert -0.3 < x < 1.8 and -0.3 < y < 1.8


@pytest.mark.parametrize('robot', ['kwalka', 'kwalkb'])
def test_what_a_biped_cannot_do_is_an_error_before_it_moves(robot: str) -> None:
    for program in (PATROL, HEAD + 'plan p { do { spin(90 deg); } }'):
        with pytest.raises(ProgramError) as found:
            ran(robot, program)
        said = {(each.code, each.text, each.hint) for each in found.value.diagnostics}
        assert ('E202', f"robot '{robot}' has no output 'limit.w'", 'it cannot turn') in said


def test_sideways_is_for_hexapods() -> None:
    program = 'mdle 1; atom aside() on body3 { control [0 m/s, 0.02 m/s, 0 rad/s] for 5 s; }'
    result, there = ran('insect18', program + ' plan p { do { aside(); } }')
    assert result.outcome == 'DONE', result
    assert there.true_pose == pytest.approx((0.0, 0.1, 0.0), abs=0.01)
    with pytest.raises(ProgramError, match='does not offer'):
        ran('scout-sim', program + ' plan p { do { aside(); } }')


def test_a_walk_begins_where_it_is_told() -> None:
    start = Pose2(1.0, 2.0, math.pi / 2.0)
    _, there = ran('insect18', HEAD + 'plan p { do { drive(0.3 m); } }', start=start)
    assert there.true_pose == pytest.approx((1.0, 2.3, math.pi / 2.0), abs=0.02)


WORLD = """
ars_schema: 1
world:
  name: step
  size: [4m, 2m]
  cell: 5cm
  y_axis: up
  walls:
    - rect: {from: [0m, 0m], to: [3.95m, 1.95m], type: plaster}
    - wall: {from: [1.8m, 0.05m], to: [1.8m, 1.9m], type: step, params: [0.01]}
  start: {at: [1m, 1m], heading: 0deg}
"""
OVER = HEAD + 'plan over(x: m) { do { go_to(point(x, 1 m)); stop(); } }'


@pytest.fixture
def step(tmp_path: Path) -> str:
    file = tmp_path / 'step.yaml'
    file.write_text(WORLD)
    return str(file)


def test_legs_walk_over_a_step_and_wheels_do_not(step: str) -> None:
    result, _ = ran('insect18', OVER, world=step, arguments={'x': '2.4 m'})
    assert result.outcome == 'DONE' and result.end_pose.x > 2.2, result
    result, _ = ran('scout-sim', OVER, world=step, arguments={'x': '2.4 m'})
    assert (result.outcome, result.message) == ('FAIL', 'contact')


def test_a_wall_holds_legs_and_is_felt(step: str) -> None:
    result, there = ran('insect18', OVER, world=step, arguments={'x': '3.9 m'})
    assert (result.outcome, result.message) == ('FAIL', 'contact')
    assert 3.95 - 0.30 < there.true_pose.x < 3.95 - 0.25
    with pytest.raises(ValueError, match=r'does not fit at x 0\.3 m, y 1 m: a wall'):
        ran('insect18', OVER, world=step, start=Pose2(0.3, 1.0), arguments={'x': '2 m'})
    with pytest.raises(ValueError, match='begins looking along x'):
        ran('insect18', OVER, world=step, start=Pose2(1.0, 1.0, 1.0), arguments={'x': '2 m'})


def test_settings_of_wheels_are_refused_on_legs() -> None:
    with pytest.raises(ValueError, match='--noise, --slip: has no effect on aquarobot'):
        program_robot(MdleTrial('', robot='aquarobot', slip=0.1, noise=0.1))
    with pytest.raises(ValueError, match='--gait: has no effect on scout-sim'):
        program_robot(MdleTrial('', gait='wave'))
