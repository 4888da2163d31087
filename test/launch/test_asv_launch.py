"""The launch file, run for real where launch_ros is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

LAUNCH = Path(__file__).parents[2] / 'launch' / 'asv.launch.py'

try:
    import launch_pytest
    from launch.actions import IncludeLaunchDescription
    from launch.launch_description_sources import PythonLaunchDescriptionSource

    import launch
except ImportError:
    launch_pytest = None


def _description(**arguments: str) -> Any:
    include = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(LAUNCH)), launch_arguments=list(arguments.items())
    )
    return launch.LaunchDescription([include, launch_pytest.actions.ReadyToTest()])


def _usable() -> bool:
    """Return whether this launch_pytest knows the fixtures of this pytest."""
    if launch_pytest is None:
        return False

    @launch_pytest.fixture
    def probe() -> Any:
        return None

    return hasattr(probe, '_pytestfixturefunction')


if not _usable():
    absent = 'There is no launch_pytest here: it comes with a ROS 2 distribution only.'
    old = 'The launch_pytest of this distribution is too old for this pytest.'

    @pytest.mark.skip(absent if launch_pytest is None else old)
    def test_the_launch_file_starts_a_walking_graph() -> None:
        raise AssertionError

else:

    @pytest.fixture
    def node() -> Iterator[Any]:
        import rclpy

        rclpy.init()
        yield rclpy.create_node('watcher')
        rclpy.shutdown()

    @launch_pytest.fixture
    def simulation() -> Any:
        return _description(viewer='false', lock_step='true', real_time_factor='0.0')

    @launch_pytest.fixture
    def real() -> Any:
        return _description(viewer='false', backend='real', rules='faithful')

    def _names(node: Any, wanted: set[str]) -> set[str]:
        wait_until(lambda: wanted <= set(node.get_node_names()), lambda: wanted)
        return set(node.get_node_names())

    @pytest.mark.launch(fixture=simulation)
    def test_the_launch_file_starts_a_walking_graph(node: Any) -> None:
        import rclpy
        from walking_robots_interfaces.msg import GaitState

        steps: list[int] = []
        node.create_subscription(GaitState, 'gait/state', lambda m: steps.append(m.step), 10)

        def spin(done: Any) -> None:
            while not done():
                rclpy.spin_once(node, timeout_sec=0.1)

        wait_until(lambda: len(steps) >= 5, 'five steps', spin=spin)
        _names(node, {'terrain', 'free_gait', 'leg_servo', 'hexapod_sim'})

    @pytest.mark.launch(fixture=real)
    def test_a_real_backend_leaves_the_simulation_out(node: Any) -> None:
        assert 'hexapod_sim' not in _names(node, {'terrain', 'free_gait', 'leg_servo'})
