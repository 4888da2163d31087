"""What was decided in one run of a biped is not shown in the next."""

from types import SimpleNamespace
from typing import Any

import pytest

from walking_robots.robots.kwalk import JOINTS

pytestmark = pytest.mark.graph


def test_nothing_of_a_run_is_left_after_it() -> None:
    from nav_msgs.msg import Odometry
    from sensor_msgs.msg import JointState
    from walking_robots_interfaces.msg import BipedLegs

    from walking_robots.nodes.biped.page import BipedPage
    from walking_robots.nodes.biped.page_conversions import joints_from_msg

    node: Any = SimpleNamespace(
        offer=lambda *_: None, offer_commands=lambda: None, now=lambda: 1.0, warning=str
    )
    shown: list[Any] = []
    view = BipedPage(node)
    view._page = SimpleNamespace(show=shown.append)

    def see(seconds: int, state: int | None) -> Any:
        joints, odom, legs = JointState(), Odometry(), BipedLegs()
        joints.name, joints.position = list(JOINTS), [0.0] * len(JOINTS)
        odom.pose.pose.orientation.w = 1.0
        odom.header.stamp.sec = legs.header.stamp.sec = seconds
        if state is not None:
            legs.state = state
            view._decided(legs)
        view._shown = 0.0
        view._moved(odom)
        view._seen.update(joints_from_msg(joints))
        view._moved(odom)
        return shown[-1]

    see(6, 4)
    late = see(7, 5)
    assert (late.time, late.state, late.left[0].state) == (7.0, 5, 4)
    early = see(0, None)
    assert (early.time, early.state, early.left) == (0.0, None, ())
