"""Walks of the shipped hexapods by periodic gaits."""

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from walking_robots.gaits.periodic.patterns import PATTERNS
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_files import load_hexapod, parse_hexapod
from walking_robots.simulation.hexapod.articulated import start_place
from walking_robots.terrain.files import load_terrain
from walking_robots.trials.hexapod.periodic import HexapodResult, HexapodTrial, run

FOLDER = Path(__file__).resolve().parents[3] / 'config' / 'robots'
ROBOTS = {path.stem: load_hexapod(path) for path in sorted(FOLDER.glob('*.yaml'))}
FASTEST = 10.0


def check(result: HexapodResult) -> None:
    """Require what holds in every walk on level ground."""
    assert result.max_drift_m < 1e-6
    assert result.min_limit_room_rad > 0.0
    assert result.max_joint_effort <= 1.0
    assert result.min_static_margin_m is not None and result.min_static_margin_m > 0.0
    assert result.min_energy_margin_j > 0.0
    assert result.stopped_s == 0.0
    assert result.speed_m_s == pytest.approx(result.limit_m_s)


@pytest.mark.parametrize('gait', PATTERNS)
@pytest.mark.parametrize('robot', ROBOTS)
def test_the_fastest_walk_of_every_robot(robot, gait):
    result = run(HexapodTrial(ROBOTS[robot], gait, speed=FASTEST, time=25.0, step=0.05))
    check(result)
    assert result.distance_m > 0.5 * 25.0 * result.limit_m_s


def tutorial() -> ArticulatedHexapod:
    """Return the robot of the tutorial, whose servos count from elsewhere and the other way."""
    page = (FOLDER.parents[1] / 'docs' / 'your_hexapod.md').read_text()
    [file] = re.findall(r'^```yaml\n(hexapod_schema.*?)^```$', page, re.MULTILINE | re.DOTALL)
    return parse_hexapod(file)


@pytest.mark.slow
@pytest.mark.parametrize(('number', 'robot'), enumerate([*ROBOTS, 'my_hexapod']))
def test_ten_minutes_of_every_robot(number, robot, acceptance):
    walker = ROBOTS[robot] if robot in ROBOTS else tutorial()
    gaits = list(PATTERNS)
    for gait in gaits if acceptance else [gaits[number % len(gaits)]]:
        time = 600.0 if acceptance else 120.0
        result = run(HexapodTrial(walker, gait, speed=FASTEST, time=time, step=0.05))
        check(result)
        assert result.distance_m == pytest.approx(time * result.limit_m_s, rel=0.04)


@pytest.mark.slow
def test_a_walk_in_a_circle_with_a_tilted_body_comes_round():
    trial = HexapodTrial(
        ROBOTS['insect18'], 'tripod', speed=0.02, turn=0.2, pitch=0.05, time=40.0, height=0.09
    )
    places = []
    result = run(trial, watch=lambda done, _: places.append(done.after.position))
    # On a circle of 0.1 m radius about a point to the left, once the speed is reached.
    left = [y - trial.place[1] for _, y, _ in places]
    assert [max(left), min(left)] == pytest.approx([0.2, 0.0], abs=0.01)
    assert places[-1][2] == pytest.approx(0.09, abs=1e-3)
    assert result.max_drift_m < 1e-6 and result.min_static_margin_m > 0.05


def test_the_speed_of_the_thesis_is_walked_in_every_gait():
    for gait in PATTERNS:
        result = run(HexapodTrial(ROBOTS['aquarobot'], gait, speed=1 / 60, time=20.0, step=0.1))
        assert result.speed_m_s == 1 / 60


def test_the_same_walk_gives_the_same_figures():
    trial = HexapodTrial(ROBOTS['rectangular'], 'ripple', speed=0.03, turn=0.1, time=5.0)
    assert run(trial) == run(replace(trial))


def test_a_posture_out_of_reach_is_refused():
    trial = HexapodTrial(ROBOTS['insect18'], height=0.3)
    with pytest.raises(ValueError, match=r'insect18 cannot walk in tripod .* another posture'):
        run(trial)


@pytest.mark.slow
@pytest.mark.parametrize('robot', ROBOTS)
def test_a_walk_up_the_slope_of_the_default_profile(robot):
    terrain = load_terrain(FOLDER.parent / 'terrain' / 'default_profile.yaml')
    trial = HexapodTrial(ROBOTS[robot], 'ripple', speed=FASTEST, time=60.0, start=5.0)
    result = run(replace(trial, terrain=terrain, step=0.03))
    assert result.distance_m > 1.3
    assert result.max_drift_m < 1e-6 and result.min_limit_room_rad >= 0.0
    assert result.min_static_margin_m is not None and result.min_static_margin_m > 0.05
    assert result.max_joint_effort <= 1.0


@pytest.mark.parametrize('twist', [(-0.04, -0.02, 0.0), (-0.04, 0.01, 0.3), (0.02, 0.0, 0.0)])
def test_a_walk_on_level_ground_begins_as_far_from_the_edges_as_it_may_lead(twist):
    speed, lateral, turn = twist
    trial = HexapodTrial(ROBOTS['insect18'], speed=speed, lateral=lateral, turn=turn, time=6.0)
    places = []
    result = run(trial, watch=lambda done, _: places.append(done.after.position))
    edge = start_place(trial.robot)
    far = max(trial.place) + trial.way + edge
    assert all(edge - 1e-6 <= part <= far for place in places for part in place[:2])
    gone = sum(
        math.dist(a[:2], b[:2]) for a, b in itertools.pairwise([(*trial.place, 0), *places])
    )
    assert result.distance_m == pytest.approx(gone, rel=1e-6)
    assert result.mean_speed_m_s == result.distance_m / result.sim_time_s
