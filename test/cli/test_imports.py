"""What the commands import: help no library at all, a trial only what it needs."""

import os
import subprocess
import sys
from collections.abc import Mapping

import click
import pytest

from walking_robots.cli import main_group
from walking_robots.cli.asv import FORWARD, LATERAL, TIME
from walking_robots.cli.options import Quantity

LIBRARIES = {
    'lark', 'matplotlib', 'mujoco', 'numpy', 'pydantic', 'rclpy', 'rich', 'scipy', 'serial',
    'transforms3d', 'viser', 'yaml',
}  # fmt: skip
HELP = f"""
import sys
import click
from walking_robots.cli import main_group

def open_help(command, path):
    context = click.Context(command, info_name=path)
    command.get_help(context)
    found = sorted({LIBRARIES} & sys.modules.keys())
    assert not found, f'{{path}} imports {{found}}'
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            open_help(command.get_command(context, name), f'{{path}} {{name}}')

open_help(main_group, 'walking_robots')
"""
TRIAL = f"""
import sys
from walking_robots.cli import main

try:
    main(sys.argv[1:])
finally:
    print(*sorted({LIBRARIES} & sys.modules.keys()), file=sys.stderr)
"""


def run(code: str, *arguments: str) -> str:
    """Run Python code in an interpreter that has imported nothing, and return its last line."""
    # Coverage of processes imports what it likes.
    environment = {name: text for name, text in os.environ.items() if 'COVERAGE' not in name}
    done = subprocess.run(
        [sys.executable, '-c', code, *arguments], capture_output=True, text=True, env=environment
    )
    assert done.returncode in (0, 1), done.stderr
    return (done.stderr.splitlines() or [''])[-1]


def test_help_of_every_command_imports_no_library() -> None:
    assert run(HELP) == ''


@pytest.mark.parametrize(
    ('arguments', 'needed'),
    [
        ('trial asv --max-time 1s', 'numpy transforms3d'),
        ('trial hexapod --time 1s', 'numpy pydantic transforms3d yaml'),
        ('trial biped --time 1s', 'mujoco numpy pydantic transforms3d yaml'),
        ('trial scout --for 1s', 'numpy pydantic yaml'),
        ('trial ars_magna --ticks 10', 'numpy pydantic yaml'),
        ('mdle run square --limit 1s', 'lark numpy pydantic yaml'),
        ('mdle run square --limit 1s --robot insect18', 'lark numpy pydantic transforms3d yaml'),
    ],
)
def test_a_trial_imports_only_what_it_needs(arguments: str, needed: str) -> None:
    assert run(TRIAL, *arguments.split(), '--json').split() == needed.split()


def choices(line: str) -> list[str]:
    """Return the choices of an option, as in 'trial asv --rules'."""
    *names, option = line.split()
    command: click.Command = main_group
    for name in names:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name) or pytest.fail(line)
    [kind] = [found.type for found in command.params if option in found.opts]
    assert isinstance(kind, click.Choice)
    return list(kind.choices)


def choices_of_the_library() -> Mapping[str, list[str]]:
    """Return what the library offers, by option."""
    from typing import get_args

    from walking_robots.ars_magna.plans.programs import PROGRAMS
    from walking_robots.gaits.free.repairs import RULE_SETS
    from walking_robots.gaits.periodic.patterns import PATTERNS
    from walking_robots.mdle.language.polarity import POLARITIES
    from walking_robots.simulation.aquarobot import robot
    from walking_robots.simulation.aquarobot.views import VIEWS
    from walking_robots.simulation.planar.integrators import POSE_INTEGRATORS
    from walking_robots.terrain.cells import KINDS
    from walking_robots.trials.mdle.experiments import EXPERIMENTS
    from walking_robots.trials.program_robots import ROBOTS

    return {
        'aquarobot play --view': list(VIEWS),
        'aquarobot play --limits': list(get_args(robot.LimitMode)),
        'aquarobot play --increments': list(get_args(robot.IncrementFrame)),
        'aquarobot play --height': list(get_args(robot.InitialHeight)),
        'trial asv --rules': list(RULE_SETS),
        'trial asv --forbidden-kind': list(KINDS),
        'trial hexapod --forbidden-kind': list(KINDS),
        'trial ars_magna --plan': list(PROGRAMS),
        'mdle check --robot': [*ROBOTS, 'none'],
        'mdle check --polarity': list(POLARITIES),
        'mdle run --robot': list(ROBOTS),
        'mdle run --gait': [*PATTERNS, 'free', 'planned', 'auto'],
        'mdle sim --experiment': list(EXPERIMENTS),
        'mdle sim --integrator': [*POSE_INTEGRATORS, 'euler_matrix'],
    }


@pytest.mark.parametrize('line', choices_of_the_library())
def test_choices_are_those_of_the_library(line: str) -> None:
    assert choices(line) == choices_of_the_library()[line]


def test_options_have_the_limits_of_the_asv() -> None:
    from walking_robots.robots.asv import ASV

    def limits(quantity: Quantity) -> tuple[float, float]:
        return quantity._least, quantity._most

    assert limits(FORWARD) == (-ASV.command.forward, ASV.command.forward)
    assert limits(LATERAL) == (-ASV.command.lateral, ASV.command.lateral)
    assert limits(TIME)[0] == ASV.timing.dt


def test_the_default_speed_of_the_port_is_that_of_the_robot() -> None:
    from walking_robots.cli.scout import probe
    from walking_robots.scout.port import BAUD

    [baud] = [found for found in probe.params if found.name == 'baud']
    assert baud.default == BAUD
