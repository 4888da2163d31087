"""One publisher of velocities drives at a time; people take over from programs."""

from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.graph

TIMEOUT = 1.5
STILL = 'may have waited while the node stood still'


@pytest.fixture
def stage(local: Any) -> Any:
    """Return publishers by name and the velocities that the robot follows."""
    from geometry_msgs.msg import TwistStamped
    from rclpy.node import Node

    from walking_robots.nodes.common.node import GraphNode
    from walking_robots.nodes.common.velocity_subscriber import VelocitySubscriber

    context, until = local.context, local.until
    robot = GraphNode('robot', context=context)
    found = SimpleNamespace(robot=robot, driven=[], ages=[])

    def drive(rates: Any, commanded: float) -> None:
        found.driven.append(rates.vx)
        found.ages.append(robot.now() - commanded)

    VelocitySubscriber(robot, TIMEOUT, drive, stamped=True)
    nodes = [robot]
    publishers = {}
    topics = {'planner': 'cmd_vel', 'stranger': 'cmd_vel'}
    topics |= {'keyboard': 'cmd_vel_teleop', 'page': 'cmd_vel_teleop'}
    for name, topic in topics.items():
        nodes.append(Node(name, context=context))
        publishers[name] = nodes[-1].create_publisher(TwistStamped, topic, 10)
    local.add(*nodes)

    def publish(name: str, speed: float, stamp: int = 0, frame: str = '') -> None:
        message = TwistStamped()
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, 10**9)
        message.header.frame_id, message.twist.linear.x = frame, speed
        publishers[name].publish(message)

    def follows(name: str, speed: float, **options: Any) -> bool:
        """Publish, and return whether the robot follows; it drives or warns.

        What comes after this process stood still is refused, so that it is published again.
        """
        before, robot.warning_now = len(found.driven), STILL
        while STILL in robot.warning_now:
            robot.warning_now = ''
            publish(name, speed, **options)
            until(lambda: len(found.driven) > before or robot.warning_now)
        return len(found.driven) > before

    def forget() -> None:
        """Let every command expire."""
        end = robot.now() + TIMEOUT + 0.1
        until(lambda: robot.now() > end)

    found.follows, found.forget = follows, forget
    until(lambda: all(each.get_subscription_count() for each in publishers.values()))
    return found


def test_a_second_program_is_refused_until_the_first_one_ends(stage: Any) -> None:
    for _ in range(3):
        assert stage.follows('planner', 0.1)
    assert not stage.follows('stranger', 0.2)
    assert 'stop it first' in stage.robot.warning_now
    assert stage.follows('planner', 0.0), 'a zero ends the drive of a program'
    for _ in range(4):
        assert stage.follows('stranger', 0.2)
    stage.forget()
    assert stage.follows('planner', 0.1)
    assert stage.driven == [0.1] * 3 + [0.0] + [0.2] * 4 + [0.1]


def test_people_take_over_from_programs(stage: Any) -> None:
    assert stage.follows('planner', 0.1)
    assert stage.follows('keyboard', 0.3)
    assert not stage.follows('planner', 0.1)
    assert stage.follows('keyboard', 0.0)
    assert not stage.follows('planner', 0.1), 'the stop of a person holds for a while'
    stage.forget()
    assert stage.follows('planner', 0.1)


def test_any_person_may_stop_the_robot(stage: Any) -> None:
    assert stage.follows('keyboard', 0.3)
    assert not stage.follows('page', 0.2)
    assert stage.follows('page', 0.0)
    assert not stage.follows('keyboard', 0.3)


def test_old_and_foreign_velocities_are_refused(stage: Any) -> None:
    now = stage.robot.get_clock().now().nanoseconds
    assert not stage.follows('planner', 0.1, stamp=now - 3600 * 10**9)
    assert '3600' in stage.robot.warning_now and 'old' in stage.robot.warning_now
    assert not stage.follows('planner', 0.1, stamp=now + 3600 * 10**9)
    assert not stage.follows('planner', 0.1, frame='camera_link')
    assert "use 'base_link' or leave it empty" in stage.robot.warning_now
    assert stage.follows('planner', 0.1, frame='base_link')
    now = stage.robot.get_clock().now().nanoseconds
    assert stage.follows('planner', 0.1, stamp=now - 10**8)
    assert stage.ages[-1] >= 0.1, 'a velocity counts from when it was commanded'
    assert stage.follows('planner', 0.1, stamp=5 * 10**9), 'a stamp of a simulated clock'
    assert not stage.follows('planner', float('nan'))
