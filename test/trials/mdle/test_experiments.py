"""The report's figures: AC-01 to AC-04, and the values of AC-45, of mdle.md §8."""

import math
from random import Random

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.trials.mdle.drives import Drive, Pulse, drive
from walking_robots.trials.mdle.experiments import EXPERIMENTS, run_experiment

ROUND = 2.0 * math.pi


def near(pose: Pose2, expected: tuple[float, float, float], within: float = 1e-9) -> bool:
    turn = math.remainder(pose.heading - expected[2], ROUND)
    return math.dist(pose[:2], expected[:2]) < within and abs(turn) < within


def at(result: Drive, time: float) -> Pose2:
    [place] = np.flatnonzero(np.isclose(result.times, time))
    return Pose2(*result.path[place].tolist())


@pytest.mark.parametrize('steps', [4, 63, 1000])
def test_ac01_a_circle(steps: int) -> None:
    result = run_experiment('F2', step=ROUND / steps)
    assert near(result.end, (0.0, 0.0, 0.0))
    assert result.end.heading == pytest.approx(ROUND)
    apart = np.hypot(result.path[:, 0], result.path[:, 1] - 1.0)
    assert np.abs(apart - 1.0).max() < 1e-9
    if steps % 4 == 0:
        assert near(at(result, 0.25 * ROUND), (1.0, 1.0, 0.5 * math.pi))
        assert near(at(result, 0.5 * ROUND), (0.0, 2.0, math.pi))


@pytest.mark.parametrize('step', [1.0, 0.05, 0.003])
def test_ac01_a_second_of_it(step: float) -> None:
    result = drive([Pulse(Twist2(1.0, 1.0), 1.0)], step=step)
    assert near(result.end, (0.841470985, 0.459697694, 1.0))


@pytest.mark.parametrize(
    ('steps', 'gap', 'scale'),
    [
        (63, 0.366644, 1.365844),
        (100, 0.217938, 1.217748),
        (628, 0.0319301, 1.031929),
        (1000, 0.0199351, 1.019935),
        (6283, 0.00314662, 1.003147),
        (10000, 0.00197587, 1.001976),
    ],
)
def test_ac02_a_circle_by_euler(steps: int, gap: float, scale: float) -> None:
    figures = run_experiment('F2e', step=ROUND / steps).figures()
    assert figures['steps'] == steps
    assert figures['gap_m'] == pytest.approx(gap, rel=1e-4)
    assert figures['scale'] == pytest.approx(scale, rel=1e-4)


@pytest.mark.parametrize('steps', [7, 100, 1000])
def test_ac03_nothing_turns_with_a1_as_printed(steps: int) -> None:
    result = run_experiment('F2p', step=ROUND / steps)
    assert not result.path[:, 1:].any()
    assert result.end.x == pytest.approx(6.283185, abs=1e-6)
    with pytest.raises(ValueError, match='euler_matrix'):
        run_experiment('F2p', 'exp')


@pytest.mark.parametrize(
    ('amplitude', 'end'),
    [
        (1.0, (-0.459697694, 0.841470985, 0.0)),
        (0.5, (-0.061208719, 0.239712769, 0.0)),
        (0.1, (-0.000499584, 0.009983342, 0.0)),
    ],
)
def test_ac04_parallel_parking(amplitude: float, end: tuple[float, float, float]) -> None:
    assert near(run_experiment('F3', turn=amplitude, way=amplitude).end, end)


@pytest.mark.parametrize(
    ('amplitude', 'end', 'scale'), [(1.0, (-1.0, 1.0), 2.0), (0.5, (-0.125, 0.25), 1.25)]
)
def test_ac04_deltas_by_euler(amplitude: float, end: tuple[float, float], scale: float) -> None:
    result = run_experiment('F3e', turn=amplitude, way=amplitude)
    assert result.end[:2] == pytest.approx(end, abs=1e-12)
    assert result.scale[-1] == pytest.approx(scale)


@pytest.mark.parametrize(
    ('amplitude', 'aside'), [(1.0, 1.682941970), (0.5, 0.479425539), (0.1, 0.019966683)]
)
def test_ac04_symmetric_parking(amplitude: float, aside: float) -> None:
    assert near(run_experiment('F3s', turn=amplitude, way=amplitude).end, (0.0, aside, 0.0))


def test_ac04_symmetric_parking_that_takes_its_time() -> None:
    for step in (0.5, 0.05, 0.013):
        result = run_experiment('F3t', step=step)
        assert near(result.end, (0.0, 0.479425539, 0.0))
        assert result.figures()['duration_s'] == pytest.approx(9.0)
    for step, x, y, scale in (
        (0.05, -0.005552, 0.485371, 1.025307),
        (0.01, -0.001100, 0.480622, 1.005012),
    ):
        result = run_experiment('F3t', 'euler_matrix', step)
        assert result.end[:2] == pytest.approx((x, y), abs=1e-6)
        assert result.scale[-1] == pytest.approx(scale, abs=1e-6)


def test_ac04_parking_like_a_car() -> None:
    result = run_experiment('F3c')
    assert near(result.end, (0.0, 1.0, 0.0))
    assert result.length == pytest.approx(3.826446, abs=1e-6)
    with pytest.raises(ValueError, match='radius'):
        run_experiment('F3c', way=-1.0)


def test_ac45_turning_round_in_place_with_cusps() -> None:
    third = math.pi / 3.0
    ahead, back = Pulse(Twist2(1.0, 1.0), third), Pulse(Twist2(-1.0, 1.0), third)
    result = drive([ahead, back, ahead])
    assert near(result.end, (0.0, 0.0, math.pi), 1e-6)
    assert result.length == pytest.approx(math.pi, abs=1e-6)


def test_ac45_turning_round_in_place_forward_only() -> None:
    third = math.pi / 3.0
    left, right = Twist2(1.0, 1.0), Twist2(1.0, -1.0)
    result = drive([Pulse(right, third), Pulse(left, 5.0 * third), Pulse(right, third)])
    assert near(result.end, (0.0, 0.0, math.pi), 1e-6)
    assert result.length == pytest.approx(7.330383, abs=1e-6)


def test_ac45_half_a_metre_sideways_in_five_pulses() -> None:
    way = 0.25 / math.sin(0.5)
    assert way == pytest.approx(0.521457, abs=1e-6)
    assert near(run_experiment('F3s', turn=0.5, way=way).end, (0.0, 0.5, 0.0), 1e-6)
    assert len(EXPERIMENTS['F3s'].pulses(0.5, way)) == 5


def test_slip_follows_the_generator_and_bends_a_straight_way() -> None:
    def end(seed: int, separation: float = 0.34519) -> Pose2:
        straight = [Pulse(Twist2(0.2, 0.0), 5.0)]
        return drive(straight, slip=0.05, separation=separation, rng=Random(seed)).end

    assert end(1) == end(1) != end(2)
    assert end(1).heading != 0.0
    # What one wheel goes farther turns a wider robot less.
    assert end(1, 0.69038).heading == pytest.approx(0.5 * end(1).heading)
    turns = [end(seed).heading for seed in range(300)]
    assert np.std(turns) == pytest.approx(0.05 * math.sqrt(2.0) / 0.34519, rel=0.15)


def test_latency_puts_the_robot_behind_and_changes_no_path() -> None:
    late, prompt = run_experiment('F3t', latency=0.3), run_experiment('F3t')
    assert late.end == pytest.approx(prompt.end)
    assert late.figures()['duration_s'] == pytest.approx(9.3)
    assert late.lag == pytest.approx(0.2 * 0.3, abs=1e-3)
    assert prompt.lag == 0.0


def test_the_convention_of_the_report_turns_the_other_way() -> None:
    ours, theirs = run_experiment('F2'), run_experiment('F2', convention='report')
    assert theirs.path[:, 1] == pytest.approx(-ours.path[:, 1])
    assert theirs.end.heading == pytest.approx(-ROUND)


@pytest.mark.parametrize(
    ('name', 'options', 'named'),
    [
        ('F9', {}, 'F2'),
        ('F2', {'integrator': 'rk4'}, 'midpoint'),
        ('F2', {'step': 0.0}, 'step'),
        ('F2', {'step': 1e-9}, 'longer step'),
        ('F2', {'slip': 0.1}, 'rng'),
        ('F2', {'slip': -0.1}, 'slip'),
        ('F2', {'latency': math.inf}, 'latency'),
        ('F3', {'turn': math.nan}, 'finite'),
    ],
)
def test_what_cannot_be_driven_is_refused(
    name: str, options: dict[str, float], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        run_experiment(name, **options)  # type: ignore[arg-type]
