"""Walks and who is obeyed, on the library's closed loop."""

import math

import pytest

from walking_robots.gaits.commands.operator import Operator
from walking_robots.gaits.commands.steering import Mobility
from walking_robots.gaits.commands.stick import Stick
from walking_robots.gaits.commands.walk import Walk, WalkGoal
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.generator import Ditch, build
from walking_robots.trials.hexapod.loop import ClosedLoop

MOBILITY = Mobility.of(ASV)
FORWARD = (0.12, 0.0, 0.0)


def _loop(**terrain: object) -> ClosedLoop:
    return ClosedLoop(ASV, build(**terrain), REPAIRED)  # type: ignore[arg-type]


def _follow(walk: Walk, loop: ClosedLoop, steps: int = 3000, cancel_at: int = -1) -> None:
    for count in range(steps):
        if count == cancel_at:
            walk.stop('cancelled')
        step = loop.step(walk.command(loop.backend.state.pose))
        walk.add(step.gait)
        if walk.ended:
            return
    raise AssertionError('the walk has no end')


@pytest.mark.parametrize('distance', [0.3, 1.0, 2.0])
def test_a_walk_ends_near_its_distance(distance: float) -> None:
    walk, loop = Walk(WalkGoal(FORWARD, distance=distance), MOBILITY), _loop()
    _follow(walk, loop)
    assert walk.ending == 'reached'
    assert walk.distance == pytest.approx(distance, abs=0.02)
    assert walk.remaining == pytest.approx(max(distance - walk.distance, 0.0))
    assert walk.duration == pytest.approx(walk.steps * ASV.timing.dt)


def test_a_walk_ends_at_its_pose() -> None:
    loop = _loop()
    x, y, _ = loop.backend.state.position
    walk = Walk(WalkGoal(FORWARD, target=(x + 0.6, y - 0.3, -0.2)), MOBILITY)
    _follow(walk, loop)
    assert walk.ending == 'reached'
    end = loop.backend.state.pose
    assert math.dist(end.position[:2], (x + 0.6, y - 0.3)) < 0.1
    assert end.yaw() == pytest.approx(-0.2, abs=0.08)


def test_a_walk_ends_at_its_time_and_when_cancelled() -> None:
    timed = Walk(WalkGoal(FORWARD, max_time=2.0), MOBILITY)
    _follow(timed, _loop())
    assert timed.ending == 'timeout' and timed.duration >= 2.0
    cancelled = Walk(WalkGoal(FORWARD), MOBILITY)
    _follow(cancelled, _loop(), cancel_at=20)
    assert cancelled.ending == 'cancelled' and cancelled.steps > 20


def test_a_walk_that_cannot_go_on_is_halted() -> None:
    walk = Walk(WalkGoal(FORWARD), MOBILITY)
    _follow(walk, _loop(ditches=(Ditch(ft(18.0), ft(12.0)),)))
    assert walk.ending in ('halted', 'unstable')


@pytest.mark.parametrize(
    ('goal', 'word'),
    [
        (WalkGoal((math.nan, 0.0, 0.0)), 'finite'),
        (WalkGoal((0.0, 0.0, 0.0)), 'zero'),
        (WalkGoal(FORWARD, distance=-1.0), 'negative'),
        (WalkGoal(FORWARD, target=(math.inf, 0.0, 0.0)), 'finite'),
    ],
)
def test_what_cannot_be_walked_is_reported(goal: WalkGoal, word: str) -> None:
    assert word in goal.fault()
    assert WalkGoal(FORWARD, distance=1.0).fault() == ''


def test_a_stick_expires_by_the_clock_and_by_steps() -> None:
    loop = _loop()
    operator = Operator(MOBILITY, 0.5)
    pose = loop.backend.state.pose
    assert operator.push_stick(FORWARD, 10.0)
    assert operator.command(pose, 10.4) == FORWARD
    assert operator.command(pose, 10.6) == (0.0, 0.0, 0.0)
    operator.push_stick(FORWARD, 20.0)
    for _ in range(5):
        assert operator.command(pose, 20.0) == FORWARD
        operator.add(loop.step(FORWARD).gait)
    assert operator.command(pose, 20.0) == (0.0, 0.0, 0.0)


def test_a_stick_is_clipped_or_refused() -> None:
    operator = Operator(MOBILITY, 0.5)
    assert not operator.push_stick((5.0, 0.0, 0.0), 0.0)
    with pytest.raises(ValueError, match='finite'):
        operator.push_stick((math.nan, 0.0, 0.0), 0.0)


def test_who_takes_over_from_whom() -> None:
    operator = Operator(MOBILITY, 0.5)
    first = operator.start(WalkGoal(FORWARD))
    operator.push_stick((0.0, 0.0, 0.0), 0.0)
    assert not first.ended
    second = operator.start(WalkGoal(FORWARD))
    assert first.ended and first.ending == 'superseded'
    operator.push_stick(FORWARD, 0.0)
    assert second.ended and operator.walk is None
    third = operator.start(WalkGoal(FORWARD))
    operator.drop('the time began afresh')
    assert third.ending == 'the time began afresh'
    assert operator.command(_loop().backend.state.pose, 0.0) == (0.0, 0.0, 0.0)


def test_keys_move_the_stick_by_the_increments_of_the_source() -> None:
    stick = Stick(ASV.command)
    stick.press_all('fffb' + 'l' + '=' + '\x1b[D\x1b[D' + '?')
    assert stick.command == pytest.approx((ft(0.4), ft(0.1), 0.01))
    stick.press_all('f' * 30 + '\x1b[C' * 30)
    assert stick.command == pytest.approx((ft(2.0), ft(0.1), -0.1))
    stick.press('q')
    assert stick.command == (0.0, 0.0, 0.0) and not stick.ended
    stick.press_all('fx')
    assert stick.ended and stick.command == (0.0, 0.0, 0.0)
