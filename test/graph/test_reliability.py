"""Sensors of real robots that publish best effort are heard where a parameter says so."""

import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.graph

OVERRIDE = 'qos_overrides./odom.subscription.reliability'


@pytest.mark.parametrize(('reliability', 'heard'), [('best_effort', True), ('reliable', False)])
def test_odometry_that_is_published_best_effort(local: Any, reliability: str, heard: bool) -> None:
    from nav_msgs.msg import Odometry
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.qos import qos_profile_sensor_data

    from walking_robots.nodes.common.node import GraphNode

    override = Parameter(OVERRIDE, value=reliability)
    listener = GraphNode('listener', context=local.context, parameter_overrides=[override])
    robot = Node('robot', context=local.context)
    seen: list[Any] = []
    reliably: list[Any] = []
    listener.listen(Odometry, 'odom', seen.append)
    # What one node overrides is its own affair: another hears the reliable publisher only.
    listener.listen(Odometry, 'ground_truth/odom', reliably.append)
    loose = robot.create_publisher(Odometry, 'odom', qos_profile_sensor_data)
    firm = robot.create_publisher(Odometry, 'ground_truth/odom', 10)
    local.add(listener, robot)
    for _ in range(1000):
        loose.publish(Odometry())
        firm.publish(Odometry())
        local.executor.spin_once(timeout_sec=0.01)
        if reliably and (seen or (not heard and len(reliably) > 20)):
            break
    assert bool(seen) == heard
    assert listener.get_parameter(OVERRIDE).value == reliability


def test_the_parameters_of_the_page_on_hexapods(graph: Any, tmp_path: Path) -> None:
    import rclpy
    from rclpy.context import Context
    from rclpy.qos import ReliabilityPolicy
    from rclpy.signals import SignalHandlerOptions

    from walking_robots.nodes.hexapod.leg_servo import LegServoNode

    page = (Path(__file__).parents[2] / 'docs/your_hexapod.md').read_text('utf-8')
    [block] = re.findall(r'^```yaml\n(/\*\*/leg_servo:.*?)^```$', page, re.MULTILINE | re.DOTALL)
    file = tmp_path / 'hexapod.yaml'
    file.write_text(block)
    context = Context()
    rclpy.init(
        args=[], context=context, domain_id=graph.private_domain(),
        signal_handler_options=SignalHandlerOptions.NO,
    )  # fmt: skip
    words = ['--ros-args', '--params-file', str(file), '-p', 'robot:=insect18']
    servo = LegServoNode(context=context, cli_args=words)
    heard = {
        topic: [
            info.qos_profile.reliability for info in servo.get_subscriptions_info_by_topic(topic)
        ]
        for topic in ('/joint_states', '/foot_contacts')
    }
    assert heard == {
        '/joint_states': [ReliabilityPolicy.BEST_EFFORT],
        '/foot_contacts': [ReliabilityPolicy.RELIABLE],
    }
    servo.destroy_node()
    context.try_shutdown()
