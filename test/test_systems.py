"""One record enters a system everywhere."""

import runpy
from pathlib import Path

import click
import pytest

from walking_robots import systems
from walking_robots.cli.demos import demo_commands
from walking_robots.systems import SYSTEMS, DemoSpec, System, executables, overview, page_of

ROOT = Path(__file__).parents[1]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> System:
    """Enter a made-up system by one record."""
    record = System(
        'toy',
        nodes={'toy_gait': 'hexapod.free_gait:FreeGait', 'viewer': 'viewer:Viewer'},
        page='hexapod.page:page_of_asv',
        robots=('toy_robot',),
        demo=DemoSpec(
            'A toy walks.',
            'one walk',
            'hexapod.demo_asv:show',
            options={'gait': ('wave', 'tripod')},
        ),
        trial='asv:trial_asv',
    )
    monkeypatch.setitem(systems.SYSTEMS, 'toy', record)
    return record


def test_its_nodes_are_executables(toy: System) -> None:
    assert executables()['toy_gait'] == 'walking_robots.nodes.hexapod.free_gait'


def test_setup_installs_the_executables_of_the_records() -> None:
    of_setup = runpy.run_path(str(ROOT / 'walking_robots' / 'systems.py'))['executables']
    assert of_setup() == executables()
    assert "runpy.run_path(f'{NAME}/systems.py')['executables']" in (ROOT / 'setup.py').read_text()


def test_its_parameter_file_has_its_name(toy: System) -> None:
    assert toy.parameters == 'config/toy.yaml'


def test_it_has_a_demo_with_its_options(toy: System) -> None:
    command = demo_commands()['toy']
    assert command.help == 'A toy walks.'
    assert {option.name for option in command.params} == {
        'gait',
        'once',
        'open_to_network',
        'port',
        'record',
    }


def test_it_is_listed(toy: System) -> None:
    assert overview(list(SYSTEMS.values())).splitlines()[-1].split(maxsplit=1) == [
        'toy',
        'A toy walks.',
    ]


def test_its_trial_is_a_command(toy: System) -> None:
    from walking_robots.cli import trial_commands

    assert trial_commands()['toy'] is systems.load('cli.asv:trial_asv')
    assert all(isinstance(command, click.Command) for command in trial_commands().values())


@pytest.mark.graph
def test_its_page_is_found_by_its_robot(toy: System) -> None:
    pytest.importorskip('rclpy')
    from walking_robots.nodes.hexapod.page import page_of_asv, page_of_hexapod

    assert page_of('toy_robot') is page_of_asv
    assert page_of('a_robot_of_a_file') is page_of_hexapod


@pytest.mark.graph
def test_its_graph_is_composed_of_its_nodes(toy: System) -> None:
    pytest.importorskip('rclpy')
    from walking_robots.nodes.hexapod.free_gait import FreeGait

    assert toy.node_class('toy_gait') is FreeGait
