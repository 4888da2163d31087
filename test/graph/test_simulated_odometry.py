"""Odometry of simulations has variances that filters accept."""

from typing import Any

import pytest

from walking_robots.systems import SYSTEMS

pytestmark = pytest.mark.graph


@pytest.mark.parametrize(
    ('system', 'nodes', 'topic'),
    [
        ('hexapod', {'terrain', 'hexapod_sim'}, 'odom'),
        ('hexapod', {'terrain', 'hexapod_sim'}, 'ground_truth/odom'),
        ('biped', {'biped_sim'}, 'odom'),
        ('scout', {'scout_emulator'}, 'ground_truth/odom'),
    ],
)
def test_its_variances_are_small_but_not_zero(
    system: str, nodes: set[str], topic: str, graph: Any, tmp_path: Any
) -> None:
    from nav_msgs.msg import Odometry
    from rclpy.node import Node

    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.qos import LOOP

    composition = Composition(
        system,
        {'scout_emulator': {'link': f'{tmp_path}/scout'}} if system == 'scout' else {},
        without=SYSTEMS[system].nodes.keys() - nodes,
        domain=graph.private_domain(),
    )
    found: list[Any] = []
    try:
        person = composition.add('person', lambda **options: Node('person', **options))
        person.create_subscription(Odometry, topic, found.append, LOOP)
        composition.spin(lambda: bool(found))
    finally:
        composition.close()
    for part in (found[0].pose, found[0].twist):
        assert all(0.0 < part.covariance[7 * index] <= 1e-6 for index in range(6))


def test_an_inertial_unit_is_published_with_forces(graph: Any) -> None:
    from rclpy.node import Node
    from sensor_msgs.msg import Imu

    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.qos import LOOP

    composition = Composition(
        'hexapod',
        {'hexapod_sim': {'physics': 'mujoco', 'odometry': 'legs'}},
        without=SYSTEMS['hexapod'].nodes.keys() - {'terrain', 'hexapod_sim'},
        domain=graph.private_domain(),
    )
    found: list[Any] = []
    try:
        person = composition.add('person', lambda **options: Node('person', **options))
        person.create_subscription(Imu, 'imu', found.append, LOOP)
        composition.spin(lambda: bool(found))
    finally:
        composition.close()
    assert found[0].header.frame_id == 'base_link'
    assert found[0].linear_acceleration.z == pytest.approx(9.81, abs=0.5)
    assert found[0].orientation.w == pytest.approx(1.0, abs=0.01)
