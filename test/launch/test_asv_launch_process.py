"""How a launch of the ASV begins and ends."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.launch

Start = Callable[..., Any]
NODES = ('terrain', 'free_gait', 'leg_servo', 'hexapod_sim')


def _refusal(launch: Any) -> str:
    """Return the output of a launch that refuses its arguments and starts nothing."""
    output = launch.end()
    assert launch.process.returncode == 1
    assert 'process started' not in output
    return str(output)


def test_all_nodes_end_cleanly_on_interrupt(start: Start) -> None:
    launch = start('asv', 'viewer:=false', 'real_time_factor:=0.0')
    launch.until_nodes(*NODES)
    launch.interrupt()
    assert launch.end() and launch.ended_cleanly(*NODES), launch.output


def test_an_interrupt_while_nodes_are_imported_is_no_traceback(start: Start) -> None:
    launch = start('asv', 'viewer:=false')
    # robot_state_publisher handles them, too.
    launch.until_signals_are_handled(len(NODES) + 1)
    launch.interrupt()
    assert 'Traceback' not in launch.end() and launch.ended_cleanly(*NODES), launch.output


def test_an_unknown_rule_set_is_refused_with_the_known_ones(start: Start) -> None:
    output = _refusal(start('asv', 'rules:=wild'))
    assert 'faithful' in output and 'repaired' in output


@pytest.mark.parametrize(
    ('system', 'argument', 'sentence'),
    [
        ('asv', 'port:=abc', "viewer: 'port' must be a whole number, not 'abc'"),
        ('scout', 'viewer_port:=abc', "viewer: 'port' must be a whole number, not 'abc'"),
        ('mdle', 'viewer_port:=abc', "viewer: 'port' must be a whole number, not 'abc'"),
        ('ars_magna', 'seed:=x', "ars_magna: 'seed' must be a whole number, not 'x'"),
        ('hexapod', 'forbidden:=all', "terrain: 'forbidden_share' must be a number, not 'all'"),
        (
            'biped',
            'real_time_factor:=fast',
            "biped_sim: 'real_time_factor' must be a number, not 'fast'",
        ),
        ('aquarobot', 'robot:=insect18', 'aquarobot'),
    ],
)
def test_a_wrong_argument_starts_nothing(
    system: str, argument: str, sentence: str, start: Start
) -> None:
    assert sentence in _refusal(start(system, argument))


def test_rviz_that_is_not_installed_starts_nothing(start: Start) -> None:
    from ament_index_python import PackageNotFoundError, get_package_prefix

    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        assert "'rviz2' not found" in _refusal(start('asv', 'rviz:=true'))
    else:
        pytest.skip('There is an rviz2 here.')


def test_a_node_that_refuses_its_parameters_ends_the_launch(start: Start) -> None:
    launch = start('asv', 'terrain:=/missing.yaml', 'viewer:=false')
    output = launch.end()
    assert re.search(r'\[terrain-\d+\] .*/missing.yaml', output)
    assert 'terrain-2 ended with exit code 2' in output
    assert launch.process.returncode == 1
    assert 'Traceback' not in output
