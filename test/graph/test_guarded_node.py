"""An exception in a callback halts the robot and is reported; the node goes on, or ends."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.graph


@pytest.fixture
def stage(local: Any) -> Any:
    """Return a node that fails on command, with a client of it, and how to spin both."""
    from diagnostic_msgs.msg import DiagnosticArray
    from rclpy.node import Node
    from std_msgs.msg import String
    from std_srvs.srv import Trigger

    from walking_robots.nodes.common.node import GraphNode

    found = SimpleNamespace(heard=[], halts=[], reports=[], ticks=0, fails=False)

    class Robot(GraphNode):
        def __init__(self) -> None:
            super().__init__('robot', context=local.context)
            self.slope = self.parameter('slope', 0.0, 'slope', any_type=True)
            self.listen(String, 'text', self._hear)
            self.provide(Trigger, 'fail', lambda request, response: [][0])
            self.create_timer(0.05, self._tick, clock=self.steady)

        def _hear(self, message: Any) -> None:
            found.heard.append(int(message.data) if message.data else None.nothing)

        def _tick(self) -> None:
            found.ticks += 1
            assert not found.fails

        def changing(self, values: Any) -> None:
            values['slope'] + 1.0

        def rest(self, why: str) -> None:
            found.halts.append(why)

    found.robot, found.person = Robot(), Node('person', context=local.context)
    found.text = found.person.create_publisher(String, 'text', 10)
    found.fail = found.person.create_client(Trigger, 'fail')
    found.person.create_subscription(
        DiagnosticArray, '/diagnostics', lambda m: found.reports.extend(m.status), 10
    )
    local.add(found.robot, found.person)
    found.until = local.until
    return found


def test_an_exception_in_any_callback_halts_the_robot_and_the_node_goes_on(stage: Any) -> None:
    from rclpy.parameter import Parameter
    from std_msgs.msg import String
    from std_srvs.srv import Trigger

    stage.until(lambda: stage.text.get_subscription_count() and stage.fail.service_is_ready())
    stage.text.publish(String())
    stage.until(lambda: len(stage.halts) == 1)
    assert 'AttributeError' in stage.halts[0] and 'test_guarded_node.py:' in stage.halts[0]
    answer = stage.fail.call_async(Trigger.Request())
    stage.until(answer.done)
    assert not answer.result().success and 'IndexError' in answer.result().message
    refused = stage.robot.set_parameters([Parameter('slope', value='steep')])[0]
    assert not refused.successful and 'TypeError' in refused.reason
    stage.fails = True
    stage.until(lambda: len(stage.halts) > 5)
    stage.fails = False
    ticks = stage.ticks
    stage.text.publish(String(data='7'))
    stage.until(lambda: stage.heard == [7] and stage.ticks > ticks)
    stage.reports.clear()
    stage.until(lambda: any(status.name == 'robot' for status in stage.reports))
    status = next(status for status in stage.reports if status.name == 'robot')
    assert status.level == b'\2' and 'internal error in test_guarded_node.py:' in status.message


def test_a_message_that_makes_no_sense_is_no_exception(stage: Any) -> None:
    from std_msgs.msg import String

    stage.until(stage.text.get_subscription_count)
    stage.text.publish(String(data='seven'))
    stage.text.publish(String(data='7'))
    stage.until(lambda: stage.heard == [7])
    assert stage.halts == []


def test_nothing_moves_a_robot_that_has_been_halted_for_good(stage: Any) -> None:
    from std_msgs.msg import String
    from std_srvs.srv import Trigger

    stage.until(lambda: stage.text.get_subscription_count() and stage.fail.service_is_ready())
    stage.robot.end()
    ticks = stage.ticks
    stage.text.publish(String(data='7'))
    answer = stage.fail.call_async(Trigger.Request())
    stage.until(answer.done)
    assert not answer.result().success and answer.result().message == 'the node ends'
    assert stage.heard == [] and stage.ticks == ticks and stage.halts == ['the node ends']


def test_a_node_ends_after_an_exception_where_its_parameter_says_so(graph: Any) -> None:
    code = (
        'import sys\n'
        'from walking_robots.nodes.common.node import GraphNode\n'
        'from walking_robots.nodes.common.running import run_node\n'
        'class Robot(GraphNode):\n'
        '    def __init__(self, **options):\n'
        '        super().__init__("robot", **options)\n'
        '        self.create_timer(0.05, lambda: 1 / 0, clock=self.steady)\n'
        'sys.exit(run_node(Robot))\n'
    )
    process = graph.run_alone(
        sys.executable, '-c', code, '--ros-args', '-p', 'exit_on_error:=true'
    )
    _, errors = process.communicate()
    assert process.returncode == 1
    assert 'ZeroDivisionError' in errors and 'Traceback' not in errors


def test_two_publishers_of_what_must_be_single_are_reported(stage: Any) -> None:
    from nav_msgs.msg import Odometry

    stage.robot.expect_single('odom')
    stage.robot.create_publisher(Odometry, 'odom', 10)
    stage.until(lambda: stage.reports)
    assert 'odom' not in stage.reports[-1].message
    stage.person.create_publisher(Odometry, 'odom', 10)
    stage.until(lambda: '/odom is published by /person and /robot' in stage.reports[-1].message)
    assert stage.reports[-1].level == b'\1'
