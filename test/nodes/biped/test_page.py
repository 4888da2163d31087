"""What was decided in one run of a biped is not shown in the next."""

from types import SimpleNamespace
from typing import Any

import pytest

from walking_robots.robots.kwalk import JOINTS

pytestmark = pytest.mark.graph


def test_nothing_of_a_run_is_left_after_it() -> None:
    from geometry_msgs.msg import Point, Vector3
    from nav_msgs.msg import Odometry
    from sensor_msgs.msg import JointState
    from walking_robots_interfaces.msg import BipedLegs, FootForces, GaitState

    from walking_robots.nodes.biped.page import BipedPage

    node: Any = SimpleNamespace(
        offer=lambda *_: None, offer_commands=lambda: None, now=lambda: 1.0, warning=str
    )
    shown: list[Any] = []
    view = BipedPage(node)
    view._page = SimpleNamespace(show=shown.append)

    def see(seconds: int, state: int | None) -> Any:
        odom, joints, forces = Odometry(), JointState(name=JOINTS), FootForces()
        joints.position = [0.0] * len(JOINTS)
        odom.pose.pose.orientation.w = 1.0
        forces.feet, forces.force = [Point(), Point()], [Vector3(), Vector3()]
        messages: dict[str, Any] = {'odom': odom, 'joint_states': joints, 'feet/forces': forces}
        if state is not None:
            messages |= {'gait/legs': BipedLegs(state=state), 'gait/state': GaitState()}
        for topic, message in messages.items():
            message.header.stamp.sec = seconds
            view._shown = 0.0
            view._received(topic, message)
        return shown[-1]

    see(6, 4)
    late = see(7, 5)
    assert (late.time, late.state, late.left[0].state) == (7.0, 5, 4)
    with pytest.raises(ValueError, match='no state 200'):
        view._received('gait/legs', BipedLegs(state=200))
    assert see(8, 5).left == (), 'a message that is refused was no state'
    early = see(0, None)
    assert (early.time, early.state, early.left) == (0.0, None, ())
