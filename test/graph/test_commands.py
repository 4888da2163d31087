"""Stick, walks, and what the simulation offers."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from walking_robots.robots.asv import ASV

pytestmark = pytest.mark.graph

SPEED = 0.12


@pytest.fixture(scope='module')
def fast(graph: Any) -> Iterator[Any]:
    """Return one graph ten times as fast as the world."""
    with graph.world({'hexapod_sim': {'real_time_factor': 10.0}}) as found:
        yield found


@pytest.fixture
def robot(fast: Any) -> Any:
    """Return the graph with the robot back at the start."""
    from builtin_interfaces.msg import Time
    from std_srvs.srv import Trigger

    fast.person.hold = None
    fast.until(lambda: fast.person.x and fast.person.gait, 'odometry and gait')
    fast.person.x.clear()
    fast.person.gait.clear()
    assert fast.call(fast.person.reset, Trigger.Request()).success
    # Messages from before the reset may be on their way still.
    fast.until(lambda: 0 in [at for at, _ in fast.person.x], 'the start')
    fast.until(lambda: Time() in [gait.header.stamp for gait in fast.person.gait], 'its gait')
    fast.person.gait.clear()
    return fast


def _goal(speed: float = SPEED, **more: Any) -> dict[str, Any]:
    from geometry_msgs.msg import Twist

    velocity = Twist()
    velocity.linear.x = speed
    return {'velocity': velocity, **more}


def test_a_walk_ends_at_its_distance_and_at_rest(robot: Any) -> None:
    result = robot.result(robot.start_walk(**_goal(distance=0.6)))
    assert result.reached and result.reason == 'reached'
    # Stability may push a body that comes to rest a little further.
    assert result.distance == pytest.approx(0.6, abs=0.1)
    assert result.steps == pytest.approx(result.duration / 0.1)
    assert result.min_margin > 0.0
    # The last gait state may be on its way still when the result is in.
    robot.until(lambda: robot.person.gait[-1].velocity.linear.x == 0.0, 'rest', 0.5)


def test_a_walk_ends_at_its_time(robot: Any) -> None:
    result = robot.result(robot.start_walk(**_goal(max_time=3.0)))
    assert not result.reached and result.reason == 'timeout'
    assert 3.0 <= result.duration < 6.0


def test_a_walk_reaches_a_pose(robot: Any) -> None:
    from geometry_msgs.msg import Pose2D

    robot.until(lambda: robot.person.gait, 'the gait')
    start = robot.person.gait[-1].pose.position
    target = Pose2D(x=start.x + 0.5, y=start.y + 0.2, theta=0.1)
    result = robot.result(robot.start_walk(**_goal(to_pose=True, target=target)))
    assert result.reason == 'reached'
    here = robot.person.gait[-1].pose.position
    assert math.hypot(here.x - target.x, here.y - target.y) < 0.15


def test_a_cancelled_walk_is_confirmed_at_rest(robot: Any) -> None:
    handle = robot.start_walk(**_goal())
    robot.walks()
    robot.until(handle.cancel_goal_async().done, 'the cancellation')
    assert robot.result(handle).reason == 'cancelled'
    # The last gait state may be on its way still when the result is in.
    robot.until(lambda: robot.person.gait[-1].velocity.linear.x == 0.0, 'rest', 0.5)


def test_a_new_walk_supersedes_the_old(robot: Any) -> None:
    first = robot.start_walk(**_goal())
    second = robot.start_walk(**_goal(distance=0.2))
    assert robot.result(first).reason == 'superseded'
    assert robot.result(second).reached


def test_only_a_stick_that_is_pushed_supersedes_a_walk(robot: Any) -> None:
    handle = robot.start_walk(**_goal())
    robot.person.push(0.0)
    robot.walks()
    robot.person.hold = (SPEED, 0.0, 0.0)
    assert robot.result(handle).reason == 'superseded'


def test_a_stick_that_is_let_go_stops_the_body(robot: Any) -> None:
    from rcl_interfaces.srv import GetParameters
    from std_srvs.srv import SetBool

    robot.person.hold = (SPEED, 0.0, 0.0)
    robot.walks()
    # The last odometry may be on its way still.
    paused = robot.call(robot.person.pause, SetBool.Request(data=True)).message
    let_go = round(int(paused.removeprefix('paused at step ')) * ASV.timing.dt * 1e9)
    robot.wait(0.2)
    robot.person.hold = None
    # Velocities are best effort, so that none is acknowledged: the gait answers after the last.
    gait = robot.person.create_client(GetParameters, 'free_gait/get_parameters')
    robot.call(gait, GetParameters.Request(names=['command_timeout']))
    robot.person.destroy_client(gait)
    assert robot.call(robot.person.pause, SetBool.Request(data=False)).success
    robot.until(lambda: robot.person.x[-1][0] > let_go + 3e9, 'three seconds')
    commands = {
        gait.command.linear.x
        for gait in robot.person.gait
        if gait.header.stamp.sec + gait.header.stamp.nanosec * 1e-9 > let_go * 1e-9 + 0.7
    }
    assert commands == {0.0}
    # Stability may push the body for 3.6 s after the last command, by the step at which it came.
    robot.until(lambda: robot.person.gait[-1].velocity.linear.x == 0.0, 'rest')


def test_speeds_beyond_the_limits_are_clipped_and_nan_is_refused(robot: Any) -> None:
    robot.person.hold = (5.0, 0.0, 0.0)
    robot.walks()
    assert max(gait.command.linear.x for gait in robot.person.gait) == 2.0 * 0.3048
    robot.person.hold = (math.nan, 0.0, 0.0)
    robot.until(lambda: robot.person.gait[-1].command.linear.x == 0.0, 'a command of zero')
    assert not robot.start_walk(**_goal(math.nan)).accepted
    assert not robot.start_walk(**_goal(0.0)).accepted
    assert robot.graph.fallen() == ''


def test_a_reset_ends_the_walk_and_no_motion_is_resumed(robot: Any) -> None:
    from std_srvs.srv import Trigger

    handle = robot.start_walk(**_goal())
    robot.walks()
    robot.call(robot.person.reset, Trigger.Request())
    result = robot.result(handle)
    assert not result.reached and result.reason.startswith('superseded')
    robot.wait(0.3)
    start = robot.person.here
    robot.wait(0.5)
    assert robot.person.here == start


def test_pause_and_step(robot: Any) -> None:
    from std_srvs.srv import SetBool, Trigger

    assert robot.call(robot.person.pause, SetBool.Request(data=True)).success
    robot.wait(0.3)
    at = robot.person.x[-1][0]
    robot.wait(0.5)
    assert robot.person.x[-1][0] == at
    assert robot.call(robot.person.step, Trigger.Request()).success
    robot.until(lambda: robot.person.x[-1][0] > at, 'a step')
    robot.wait(0.5)
    assert robot.person.x[-1][0] == at + 10**8
    assert robot.call(robot.person.pause, SetBool.Request(data=False)).success
    assert not robot.call(robot.person.step, Trigger.Request()).success
    robot.until(lambda: robot.person.x[-1][0] > at + 10**9, 'time')
