"""The command ``walking_robots``: demos, headless trials, and tools for real robots."""

import errno
import os
import signal
import sys
from collections import UserDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import Any, NoReturn

import click

from walking_robots.cli.demos import demo_commands
from walking_robots.documents.sentences import one_line
from walking_robots.systems import SYSTEMS, load

UNWRITTEN, USAGE_ERROR = 1, 2
"""Exit codes."""
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


class LazyCommands(UserDict[str, Any]):
    """Commands by name, each imported when it is used, from 'module:command' below ``cli/``."""

    def __getitem__(self, name: str) -> click.Command:
        """Import and return a command, but for those that are there already."""
        found = self.data[name]
        command: click.Command = load(f'cli.{found}') if isinstance(found, str) else found
        return command


@click.group(
    commands=LazyCommands(sweep='sweep:sweep', record='records:record', replay='records:replay'),
    context_settings={'help_option_names': ['-h', '--help'], 'show_default': True},
)
@click.version_option(package_name='walking_robots', message='%(version)s')
def main_group() -> None:
    """Classic legged and mobile robot control on ROS 2."""


@main_group.group(commands=demo_commands())
def demo() -> None:
    """Show a system in the browser, driven by its node graph."""


def trial_commands() -> LazyCommands:
    """Return the trials of all systems."""
    return LazyCommands({name: system.trial for name, system in SYSTEMS.items() if system.trial})


@main_group.group(commands=trial_commands())
def trial() -> None:
    """Run an experiment without a screen and print its result."""


@main_group.group(commands=LazyCommands(asv='bound:bound_asv', hexapod='bound:bound_hexapod'))
def bound() -> None:
    """Say what a hexapod can cross at all, whichever gait it walks."""


@main_group.group(commands=LazyCommands(biped='learn:learn_biped'))
def learn() -> None:
    """Learn the parameters of a controller by simulated walks."""


@main_group.group(commands=LazyCommands(probe='scout:probe', emulate='scout:emulate'))
def scout() -> None:
    """Look at a Nomad Super Scout, or stand in for one."""


@main_group.group(
    commands=LazyCommands(
        scan='servos:scan',
        move='servos:move',
        calibrate='servos:calibrate',
        emulate='servos:emulate',
    )
)
def servo() -> None:
    """Look at the servos of a real hexapod, or stand in for them."""


@main_group.group(
    commands=LazyCommands(
        check='mdle:check',
        fmt='mdle:fmt',
        convert='mdle:convert',
        run='mdle_runs:run_program',
        sim='mdle_sim:simulate',
        replay='mdle_runs:replay_recording',
        elements='mdle:elements',
        plan='mdle_planner:plan_way',
        route='mdle_planner:plan_route',
    )
)
def mdle() -> None:
    """Write programs of the motion language MDLe, check them and run them."""


@main_group.group(
    'ars_magna',
    commands=LazyCommands(
        cli='ars_magna:command_line', check='ars_magna:check', maze='ars_magna:maze'
    ),
)
def abstract() -> None:
    """Command the abstract robots of ARS MAGNA, and look at their worlds."""


@main_group.group(commands=LazyCommands(play='aquarobot:play'))
def aquarobot() -> None:
    """Move the stick figure of Aquarobot as the programs of its thesis did."""


@main_group.group(
    commands=LazyCommands(
        {'check': 'robots:check', 'urdf': 'robots:urdf', 'import': 'robots:import_urdf'}
    )
)
def robot() -> None:
    """Look at the file of a hexapod on articulated legs, or make one of a URDF."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its code.

    Bad input is one sentence on stderr and exit code 2, output that cannot be written exit code
    1. SIGTERM and SIGHUP end the command in order, with exit codes 143 and 129.
    """
    if not sys.stdout:
        _complain('standard output is closed; redirect it to a file or to /dev/null')
        sys.exit(UNWRITTEN)
    if isinstance(sys.stdout, TextIOWrapper):
        # An encoding such as ASCII lacks letters that commands print.
        sys.stdout.reconfigure(errors='replace')
    try:
        with _ended_by_signals():
            code = _run(arguments)
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            reason = (error.strerror or 'an error').lower()
            _complain(f'the output cannot be written ({reason}); write it somewhere else')
        # What it still holds would fail again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = UNWRITTEN
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    """Run the command and return its exit code; raise OSError where output finds no space."""
    try:
        code = main_group.main(
            args=None if arguments is None else list(arguments),
            prog_name='walking_robots',
            standalone_mode=False,
        )
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        _complain(f'{error.format_message()}{_commands(error)}')
        return USAGE_ERROR
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno in NO_SPACE:
            raise
        _complain(str(error))
        return USAGE_ERROR
    except (KeyboardInterrupt, click.Abort):
        _complain('stopped')
        return 130
    return code if isinstance(code, int) else 0


def _commands(error: click.ClickException) -> str:
    """Name the commands that there are where a wrong one was given."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or not isinstance(context.command, click.Group):
        return ''
    return f' Commands: {", ".join(context.command.list_commands(context))}.'


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit, so that what runs is closed; nohup is obeyed."""

    def end(number: int, frame: FrameType | None) -> None:
        # A terminal that closes may send it twice.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        raise SystemExit(128 + number)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _complain(sentence: str) -> None:
    click.echo(f'walking_robots: {one_line(sentence)}', err=True)
