"""Messages that make no sense are dropped and reported, and the walk goes on."""

import math
from array import array
from typing import Any

import pytest

pytestmark = pytest.mark.graph


def _wrong_messages() -> list[tuple[Any, str, Any]]:
    from geometry_msgs.msg import Point
    from nav_msgs.msg import Odometry
    from sensor_msgs.msg import JointState
    from walking_robots_interfaces.msg import (
        BodyCommand,
        FootContacts,
        GaitDecision,
        GaitDecisions,
        GaitState,
        JointCommand,
        LegState,
        LegStates,
        TerrainPatch,
    )

    nowhere = Point(x=math.nan, y=math.nan, z=math.nan)
    far = Point(x=1e300, y=math.inf, z=0.0)
    odom = Odometry()
    odom.pose.pose.position = far
    legs = [LegState(leg=leg, foot=nowhere) for leg in range(1, 7)]
    odd = [LegState(leg=leg, plan_state=77, foot=Point()) for leg in range(1, 7)]
    flat = BodyCommand()
    flat.pose.orientation.w = 0.0
    body = BodyCommand()
    body.twist.linear.x = math.inf
    body.pose.orientation.w = 1.0
    return [
        (JointCommand, 'joint_command', JointCommand(name=['knee'], position=array('d', [1.0]))),
        (JointCommand, 'joint_command', JointCommand(name=['leg1_lift'])),
        (JointCommand, 'joint_command', JointCommand()),
        (JointState, 'joint_states', JointState(name=['a', 'b'], position=array('d', [0.0]))),
        (FootContacts, 'foot_contacts', FootContacts(contact=[True] * 5)),
        (Odometry, 'odom', odom),
        (LegStates, 'legs/state', LegStates(legs=legs)),
        (LegStates, 'legs/state', LegStates(legs=odd)),
        (LegStates, 'legs/state', LegStates()),
        (GaitDecisions, 'gait/decisions',
         GaitDecisions(decisions=[GaitDecision(kind=9, leg=1)])),
        (GaitDecisions, 'gait/decisions',
         GaitDecisions(decisions=[GaitDecision(kind=1, leg=200)])),
        (GaitDecisions, 'gait/decisions',
         GaitDecisions(decisions=[GaitDecision(kind=3, leg=1, foothold=far)])),
        (BodyCommand, 'body/command', body),
        (BodyCommand, 'body/command', flat),
        (TerrainPatch, 'terrain/local', TerrainPatch(rows=4_000_000_000, columns=4_000_000_000)),
        (TerrainPatch, 'terrain/local', TerrainPatch(resolution=math.nan, rows=1, columns=1,
                                                     cells=array('b', [0]))),
        (TerrainPatch, 'terrain/elevation', TerrainPatch(resolution=-1.0)),
        (GaitState, 'gait/state', GaitState(kinematic_margin=array('d', [math.nan]))),
    ]  # fmt: skip


def test_no_node_falls_and_the_walk_goes_on(world: Any) -> None:
    from geometry_msgs.msg import Twist

    from walking_robots.nodes.common.qos import LATCHED, LOOP

    with world({'hexapod_sim': {'real_time_factor': 2.0}}) as there:
        there.graph.start('viewer')

        velocity = Twist()
        velocity.linear.x = 0.12
        there.start_walk(velocity=velocity)
        there.walks()
        for kind, topic, message in _wrong_messages():
            publisher = there.person.create_publisher(
                kind, topic, LATCHED if topic == 'terrain/elevation' else LOOP
            )
            there.until(lambda p=publisher: p.get_subscription_count() > 0, topic)
            newest = there.person.x[-1][0]
            for stamp in (newest, newest + 10**8, 10**18):
                message.header.stamp.sec = stamp // 10**9
                message.header.stamp.nanosec = stamp % 10**9
                if topic != 'odom' or stamp != 10**18:
                    publisher.publish(message)
            there.wait(0.1)
            there.person.destroy_publisher(publisher)
            assert there.graph.fallen() == '', topic
        there.walks()
        assert there.graph.fallen() == ''
