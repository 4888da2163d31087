"""The command ``walking_robots``: demos, headless trials, and tools for real robots."""

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from walking_robots.cli.aquarobot import play
from walking_robots.cli.ars_magna import check as check_world
from walking_robots.cli.ars_magna import command_line, maze
from walking_robots.cli.demos import demo_commands
from walking_robots.cli.mdle import check, convert, elements, fmt
from walking_robots.cli.mdle_runs import replay_recording, run_program
from walking_robots.cli.mdle_sim import simulate
from walking_robots.cli.robots import check as check_robot
from walking_robots.cli.robots import urdf
from walking_robots.cli.scout import emulate, probe
from walking_robots.systems import SYSTEMS, load

USAGE_ERROR = 2


@click.group(context_settings={'help_option_names': ['-h', '--help'], 'show_default': True})
@click.version_option(package_name='walking_robots', message='%(version)s')
def main_group() -> None:
    """Classic legged and mobile robot control on ROS 2."""


@main_group.group()
def demo() -> None:
    """Show a system in the browser, driven by its node graph."""


@main_group.group()
def trial() -> None:
    """Run an experiment without a screen and print its result."""


@main_group.group()
def scout() -> None:
    """Look at a Nomad Super Scout, or stand in for one."""


@main_group.group()
def mdle() -> None:
    """Write programs of the motion language MDLe, check them and run them."""


@main_group.group('ars_magna')
def abstract() -> None:
    """Command the abstract robots of ARS MAGNA, and look at their worlds."""


@main_group.group()
def aquarobot() -> None:
    """Move the stick figure of Aquarobot as the programs of its thesis did."""


@main_group.group()
def robot() -> None:
    """Look at the file of a hexapod on articulated legs."""


def trial_commands() -> list[click.Command]:
    """Return the trials of all systems."""
    return [load(f'cli.{system.trial}') for system in SYSTEMS.values() if system.trial]


for _group, _commands in (
    (demo, demo_commands()),
    (trial, trial_commands()),
    (scout, (probe, emulate)),
    (mdle, (check, fmt, convert, run_program, simulate, replay_recording, elements)),
    (abstract, (command_line, check_world, maze)),
    (robot, (check_robot, urdf)),
    (aquarobot, (play,)),
):
    for _command in _commands:
        _group.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command; bad input is one sentence on stderr and exit code 2."""
    try:
        code = main_group.main(
            args=None if arguments is None else list(arguments),
            prog_name='walking_robots',
            standalone_mode=False,
        )
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 0
    except click.ClickException as error:
        _complain(error.format_message())
        code = USAGE_ERROR
    except (ValueError, OSError) as error:
        _complain(str(error))
        code = USAGE_ERROR
    except (KeyboardInterrupt, click.Abort):
        _complain('stopped')
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _complain(sentence: str) -> None:
    click.echo(f'walking_robots: {" ".join(sentence.split())}', err=True)
