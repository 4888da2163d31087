"""The plans that are shipped: each is checked, and does in simulation what it says."""

import math
from pathlib import Path

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.program_store import load_program
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import check_program
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.moving_disc import Jump

CONFIG = Path(__file__).resolve().parents[3] / 'config'
PLANS = sorted((CONFIG / 'plans').iterdir())
CORRIDOR = str(CONFIG / 'worlds/corridor.yaml')
SLOW = 'W607'
"""Guards on sonars, which come round once in 0.96 s; the plan leaves room for it."""

ROOM = """
ars_schema: 1
world:
  name: room
  size: [4m, 4m]
  cell: 5cm
  y_axis: up
  walls:
    - rect: {from: [0m, 0m], to: [4m, 4m]}
  start: {at: [1m, 1m], heading: 0deg}
"""


def drive(name, **fields):
    """Run a plan; gives the result, where the robot was, and the events."""
    trial = MdleTrial((CONFIG / f'plans/{name}.mdle').read_text(), file=name, **fields)
    robot, way, events = trial.build_robot(), [], []

    def watch(loop, new):
        way.append(robot.true_pose)
        events.extend(new)

    return run(trial, robot=robot, watch=watch), way, events


def test_there_are_plans():
    assert {path.stem for path in PLANS} >= {'follow', 'hallway', 'park', 'square', 'patrol'}


@pytest.mark.parametrize('path', PLANS, ids=lambda path: path.name)
def test_a_plan_has_nothing_that_is_wrong_or_doubtful(path):
    program = load_program(path)
    report = check_program(program, standard_library(), scout_spec(), '', ExecutorSettings())
    assert [found.line(path.name) for found in report.diagnostics if found.code != SLOW] == []
    assert math.isfinite(report.bound.time)
    if path.suffix == '.mdle':
        assert format_program(program) == path.read_text()


def test_follow_goes_where_the_object_was():
    script = (Jump(0.0, 2.0, 0.0), Jump(1.0, 2.0, 1.0), Jump('rest', 1.0, 1.0))
    result, way, _ = drive('follow', object_script=script, limit=40.0)
    assert min(math.dist(pose[:2], (2.0, 0.0)) for pose in way) < 0.10
    assert math.dist(result.end_pose[:2], (2.0, 1.0)) < 0.10


def test_follow_backs_off_from_what_it_runs_into_and_looks_again(tmp_path):
    (tmp_path / 'room.yaml').write_text(ROOM)
    # The object stands in the way to the place that it has left.
    script = (Jump(0.0, 3.0, 1.0), Jump(1.0, 2.2, 1.1), Jump('rest', 3.4, 3.4, wait=2.0))
    result, way, events = drive(
        'follow', world=str(tmp_path / 'room.yaml'), object_script=script, limit=40.0
    )
    assert any(event.kind == 'enter' and 'back_off' in event.path for event in events)
    furthest = max(way, key=lambda pose: pose.x)
    assert furthest.x < 2.2
    assert result.outcome == 'CANCELED'


@pytest.mark.parametrize(
    ('start', 'noise', 'seed'),
    [
        (None, 0.0, 0),
        (None, 0.02, 1),
        (Pose2(0.8, 0.5, 0.0), 0.02, 2),
        (Pose2(0.8, 0.85, 0.5), 0.02, 3),
        (Pose2(1.2, 1.1, -0.9), 0.0, 4),
    ],
)
def test_hallway_is_followed_to_the_corner(start, noise, seed):
    result, way, _ = drive(
        'hallway', world=CORRIDOR, start=start, noise=noise, seed=seed, limit=150.0
    )
    assert (result.outcome, result.message) == ('DONE', 'done')
    assert 4.9 < result.end_pose.x < 5.4
    # Half a metre from the ring of sonars to the wall, whose face is at y = 1.65 m.
    assert all(0.7 < pose.y < 1.1 for pose in way if 2.5 < pose.x < 4.2)
    assert result.duration_s < 60.0


def test_hallway_without_a_corner_says_so():
    result, _, _ = drive('hallway', limit=150.0)
    assert (result.outcome, result.message) == ('FAIL', 'no corner')


def test_park_ends_beside_where_it_began():
    result, _, _ = drive('park')
    assert result.outcome == 'DONE' and result.duration_s == pytest.approx(9.0)
    assert result.end_pose == pytest.approx((0.0, 0.479425539, 0.0), abs=1e-9)
    # The second way that is reported in the plan.
    result, _, _ = drive('park', arguments={'a': '1 rad', 'b': '1 m'})
    assert result.end_pose == pytest.approx((0.0, 1.682941970, 0.0), abs=1e-9)


def test_square_closes():
    result, way, _ = drive('square')
    assert result.outcome == 'DONE'
    assert math.dist(result.end_pose[:2], (0.0, 0.0)) < 1e-9
    assert max(pose.x for pose in way) == pytest.approx(1.0, abs=0.02)
    assert result.way_m == pytest.approx(4.0)


def visited(way, *points):
    """Return at which tick the robot first came to each point, m."""
    return [
        next((i for i, pose in enumerate(way) if math.dist(pose[:2], point) < 0.11), None)
        for point in points
    ]


def test_patrol_goes_round_until_its_time_is_up():
    result, way, _ = drive('patrol', arguments={'span': '90 s'}, limit=120.0)
    assert result.outcome == 'DONE' and result.duration_s == pytest.approx(90.5, abs=0.1)
    times = visited(way, (1.5, 0.0), (1.5, 1.5), (0.0, 1.5))
    assert None not in times and times == sorted(times)
    again = visited(way[times[-1] :], (0.0, 0.0), (1.5, 0.0))
    assert None not in again


def test_patrol_backs_off_at_a_contact_and_goes_on(tmp_path):
    (tmp_path / 'room.yaml').write_text(ROOM)
    arguments = {'corner': 'point(1 m, 1 m)', 'span': '2 min'}
    result, way, events = drive(
        'patrol',
        world=str(tmp_path / 'room.yaml'),
        arguments=arguments,
        object_script=(Jump(0.0, 2.5, 1.9),),
        limit=130.0,
    )
    assert result.outcome == 'DONE'
    bumps = [event for event in events if event.kind == 'enter' and event.path.endswith('bounce')]
    assert bumps
    # The way from the first point to the second is barred; those after it are reached.
    times = visited(way, (2.5, 1.0), (1.0, 2.5), (1.0, 1.0))
    assert None not in times
