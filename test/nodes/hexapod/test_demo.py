"""The demonstration of a hexapod: which scenes there are, and that a person ends them."""

from collections.abc import Iterator
from typing import Any

import pytest

from walking_robots.robots.hexapod_files import find_hexapod

pytestmark = pytest.mark.graph

INSECT = find_hexapod('insect18')


@pytest.fixture
def make() -> Iterator[Any]:
    """Return what makes a demonstration that has begun its first scene, and what it says."""
    import rclpy
    from rclpy.context import Context

    from walking_robots.nodes.hexapod.demo import HexapodDemo

    context, nodes = Context(), []
    rclpy.init(args=[], context=context)

    def made() -> Any:
        said: list[str] = []
        nodes.append(HexapodDemo(said.append, INSECT, 'tripod', context=context))
        see(nodes[-1], 1)
        return nodes[-1], said

    yield made
    for node in nodes:
        node.destroy_node()
    context.try_shutdown()


def see(demo: Any, seconds: int) -> None:
    """Show it a robot that stands, at a time."""
    from walking_robots_interfaces.msg import GaitState

    state = GaitState(mode='tripod')
    state.header.stamp.sec = seconds
    state.pose.orientation.w = 1.0
    demo._see(state)


class Ended:
    """A walk that has ended."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        from walking_robots_interfaces.action import Walk

        return Walk.Impl.GetResultService.Response(result=Walk.Result(reason=self._reason))


@pytest.mark.parametrize('reason', ['cancelled', 'superseded', 'superseded: a reset', 'halted'])
def test_a_walk_that_ends_otherwise_than_by_itself_is_the_last(reason: str, make: Any) -> None:
    demo, said = make()
    demo._goal = Ended(reason)
    see(demo, 1000)
    assert demo.ended and demo.succeeded is (reason != 'halted')
    see(demo, 2000)
    assert not any('ripple' in line for line in said) and any('rive' in line for line in said)


def test_a_walk_that_has_had_its_time_is_followed_by_the_next(make: Any) -> None:
    demo, said = make()
    demo._goal = Ended('timeout')
    see(demo, 1000)
    assert not demo.ended and any('ripple' in line for line in said)


def test_a_time_that_begins_afresh_and_a_velocity_are_a_person(make: Any) -> None:
    from geometry_msgs.msg import TwistStamped

    for interrupt in ('reset', 'rest'):
        demo, said = make()
        if interrupt == 'rest':
            demo._drive(TwistStamped())
        see(demo, 0 if interrupt == 'reset' else 2)
        assert demo.ended and 'You drive.' in said


def test_a_gait_that_a_robot_cannot_walk_in_is_left_out(monkeypatch: Any) -> None:
    from walking_robots.nodes.hexapod import demo as hexapod_demo

    plan = hexapod_demo.plan_gait

    def lame(robot: Any, pattern: Any) -> Any:
        if pattern.name == 'wave':
            raise ValueError('it cannot')
        return plan(robot, pattern)

    monkeypatch.setattr(hexapod_demo, 'plan_gait', lame)
    words = [scene.words for scene in hexapod_demo.scenes(INSECT, 'tripod')]
    assert not any('wave' in line for line in words) and any('ripple' in line for line in words)


def test_a_demonstration_of_no_robot_is_refused_in_one_sentence() -> None:
    from walking_robots.nodes.demo import run_demo

    with pytest.raises(ValueError, match='give the path of a robot file'):
        run_demo('hexapod', options={'robot': ''})


def test_options_of_the_command_reach_the_nodes() -> None:
    from walking_robots.nodes.hexapod.demo import show

    shown = show('insect18', 'free', 'kinematic', forbidden=0.2, output='both')
    values = shown.overrides(1.0)
    assert values['terrain']['forbidden_share'] == 0.2
    assert values['leg_servo']['output'] == 'both'
    values = show('insect18', 'free', 'kinematic').overrides(1.0)
    assert (values['terrain']['forbidden_share'], values['leg_servo']['output']) == (
        0.15,
        'joint_command',
    )
