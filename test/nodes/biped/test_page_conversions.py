"""What comes from the graph of a biped is read for its page, or refused."""

import math
from array import array
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from geometry_msgs.msg import Point, PoseStamped, Vector3
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import JointState
from walking_robots_interfaces.msg import BipedLegs, FootForces

from walking_robots.geometry.pitch import pitch_quaternion
from walking_robots.nodes.biped.conversions import profile_to_msg
from walking_robots.nodes.biped.page_conversions import (
    biped_view_from_msgs,
    feet_from_msg,
    joints_from_msg,
    legs_from_msg,
    profile_from_msg,
    settings_from_parameters,
)
from walking_robots.robots.kwalk import JOINTS
from walking_robots.terrain.profile import HeightProfile
from walking_robots.trials.biped.ground import find_ground
from walking_robots.viewer.biped.state import BipedSettings, BipedView


def joints(**values: object) -> JointState:
    return JointState(name=list(JOINTS), position=array('d', (0.1, 0.2, 0.3, 0.4)), **values)


def feet(*rows: tuple[float, float, float, float]) -> FootForces:
    """Return feet by x, z and the force along x and z."""
    return FootForces(
        feet=[Point(x=x, z=z) for x, z, _, _ in rows],
        force=[Vector3(x=fx, z=fz) for _, _, fx, fz in rows],
    )


def path(*points: tuple[float, float]) -> Path:
    found = Path()
    for x, z in points:
        pose = PoseStamped()
        pose.pose.position.x, pose.pose.position.z = x, z
        found.poses.append(pose)
    return found


def odometry(x: float, z: float, pitch: float, ahead: float, up: float) -> Odometry:
    found = Odometry()
    found.header.stamp.sec = 3
    pose = found.pose.pose
    pose.position.x, pose.position.z = x, z
    q = pose.orientation
    q.w, q.x, q.y, q.z = pitch_quaternion(pitch)
    found.twist.twist.linear.x, found.twist.twist.linear.z = ahead, up
    return found


def test_joints_are_read_in_any_order() -> None:
    message = JointState(
        name=list(reversed(JOINTS)),
        position=array('d', (0.4, 0.3, 0.2, 0.1)),
        effort=array('d', (4.0, 3.0, 2.0, 1.0)),
    )
    found = joints_from_msg(message)
    assert found['joints'] == {'rhip': 0.1, 'rknee': 0.2, 'lhip': 0.3, 'lknee': 0.4}
    assert found['efforts'] == (1.0, 2.0, 3.0, 4.0)
    assert 'efforts' not in joints_from_msg(joints())


def test_joints_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match='4 joints but 1 efforts'):
        joints_from_msg(joints(effort=array('d', (1.0,))))
    with pytest.raises(ValueError, match='efforts are out of range'):
        joints_from_msg(joints(effort=array('d', (1.0, math.nan, 1.0, 1.0))))
    with pytest.raises(ValueError, match="joint 'lknee' is missing"):
        joints_from_msg(JointState(name=list(JOINTS[:3]), position=array('d', (0.0,) * 3)))


def test_legs_without_sense_are_refused() -> None:
    found = legs_from_msg(BipedLegs(state=7, length=[0.5, 0.6], angle=[0.1, -0.1], slip=0.012))
    assert (found['state'], found['lengths'], found['felt_slip']) == (7, (0.5, 0.6), 0.012)
    with pytest.raises(ValueError, match='no state 17'):
        legs_from_msg(BipedLegs(state=17))
    with pytest.raises(ValueError, match='out of range'):
        legs_from_msg(BipedLegs(length=[0.5, math.nan]))


def test_friction_is_that_along_the_line_between_the_feet() -> None:
    found, slope = feet_from_msg(feet((0.2, 0.1, 0.0, 50.0), (0.0, 0.0, 0.0, 45.0)), 0.0)
    assert slope == pytest.approx(math.atan(0.5))
    assert found['friction'] == pytest.approx((0.5, 0.5)), 'as steep as the slope'
    found, slope = feet_from_msg(feet((0.2, 0.1, 20.0, 50.0), (0.1, 0.2, 0.0, 0.0)), 0.0)
    assert slope == 0.0, 'one foot has no line'
    assert found['contacts'] == (True, False)
    assert found['friction'][0] == pytest.approx(0.4)
    assert math.isnan(found['friction'][1])


def test_feet_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match='1 feet and 1 forces instead of two each'):
        feet_from_msg(feet((0.0, 0.0, 0.0, 0.0)), 0.0)
    with pytest.raises(ValueError, match='a force is out of range'):
        feet_from_msg(feet((0.0, 0.0, math.nan, 0.0), (0.0, 0.0, 0.0, 0.0)), 0.0)
    with pytest.raises(ValueError, match='a foot is not finite'):
        feet_from_msg(feet((math.nan, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)), 0.0)


def test_ground_without_sense_is_refused() -> None:
    assert profile_from_msg(path((0.0, 0.0), (1.0, 0.2))).height(0.5) == pytest.approx(0.1)
    with pytest.raises(ValueError, match='at least two points'):
        profile_from_msg(path((0.0, 0.0)))
    with pytest.raises(ValueError, match='must grow'):
        profile_from_msg(path((0.0, 0.0), (0.0, 1.0)))
    with pytest.raises(ValueError, match='point 1 of the ground is out of range'):
        profile_from_msg(path((0.0, 0.0), (1.0, math.nan)))


def test_speed_and_height_are_those_over_the_ground() -> None:
    ground = HeightProfile((0.0, 2.0), (0.0, 0.2))
    pitch, v = 0.1, 0.4
    stands = feet((0.2, 0.1, 0.0, 50.0), (0.0, 0.0, 0.0, 45.0))

    def seen(odom: Any, ground: HeightProfile | None) -> BipedView:
        return biped_view_from_msgs(odom, joints(), stands, ground=ground, slope=0.0)[0]

    view = seen(odometry(1.0, 0.65, pitch, v * math.cos(pitch), v * math.sin(pitch)), ground)
    assert (view.time, view.pitch) == (3.0, pytest.approx(pitch))
    assert view.speed == pytest.approx(v), 'ahead, however the body is pitched'
    assert view.height == pytest.approx(0.55)
    assert math.isnan(seen(odometry(1.0, 0.65, 0.0, 0.0, 0.0), None).height)
    with pytest.raises(ValueError, match='a velocity is not finite'):
        seen(odometry(1.0, 0.65, 0.0, math.inf, 0.0), None)


def test_settings_are_shown_as_far_as_they_are_known() -> None:
    sim = {'robot': 'a', 'terrain': 'rough', 'seed': 3}
    gait = {'robot': 'b', 'params': 'tuned', 'ground': 'rough'}
    assert settings_from_parameters(sim, gait) == BipedSettings('a', 'rough', 3, 'tuned', 'rough')
    assert settings_from_parameters({}, gait) == BipedSettings('b', '', 0, 'tuned', 'rough')
    assert settings_from_parameters({'robot': None}, {}) == BipedSettings()


@pytest.mark.parametrize('words', ['level', 'rough', 'very-rough', 'slope:25deg', 'slope:-10deg'])
@pytest.mark.parametrize('x', [0.0, 0.37, 8.0, 24.45])
def test_every_ground_that_is_published_can_be_shown(words: str, x: float) -> None:
    profile = find_ground(words, 3).profile
    shown = profile_from_msg(profile_to_msg(profile, x - 4.0, x + 16.0))
    assert shown.x[0] == pytest.approx(x - 4.0, abs=0.05)
    assert shown.x[-1] == pytest.approx(x + 16.0, abs=0.05)
    assert shown.z == tuple(map(profile.height, shown.x))
    assert {at for at in profile.x if x - 4.0 <= at <= x + 16.0} <= set(shown.x)


def test_cells_arrive_as_they_were_sent():
    from walking_robots.nodes.biped.conversions import cells_to_msg
    from walking_robots.nodes.biped.page_conversions import cells_from_msg
    from walking_robots.terrain.step_field import StepField

    field = StepField(((0.01, 0.0), (0.02, 0.03)), (-0.2, 0.4))
    found = cells_from_msg(cells_to_msg(field))
    assert found.side == 0.2
    for x, y, z in found.tops:
        assert field.height(x, y) == pytest.approx(z, abs=1e-12)
    assert cells_from_msg(cells_to_msg(None)) is None
