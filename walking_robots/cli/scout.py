"""Commands of the Nomad Super Scout: on a cable, or emulated."""

import signal
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.options import FiniteNumber, Quantity
from walking_robots.cli.report import report
from walking_robots.geometry.se2 import Twist2
from walking_robots.geometry.units import parse_angular_speed, parse_speed, parse_time

if TYPE_CHECKING:
    from walking_robots.trials.scout.trial import ScoutResult

TIME = Quantity('time', parse_time, 0.1, 86400.0)


def _twist(context: click.Context, option: click.Parameter, value: str) -> Twist2:
    """Read a velocity such as 0.2m/s,0.5rad/s."""
    parts = value.split(',')
    if len(parts) != 2:
        raise click.BadParameter(
            f"{value!r} is not a velocity; write for example '0.2m/s,0.5rad/s'"
        )
    try:
        return Twist2(parse_speed(parts[0].strip()), parse_angular_speed(parts[1].strip()))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command('scout')
@click.option(
    '--twist', callback=_twist, default='0.2m/s,0rad/s', help='Velocity: forward,turn to the left.'
)
@click.option('--for', 'duration', type=TIME, default='5s', help='How long, such as 5s.')
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=0, help='Seed of all noise.')
@click.option('--world', type=click.Path(), default='', help='World file; none: an open field.')
@click.option('--slip', type=FiniteNumber(0.0, 0.2), default=0.0, help='Greatest slip of a wheel.')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
def trial_scout(
    *, twist: Twist2, duration: float, seed: int, world: str, slip: float, as_json: bool
) -> None:
    """Drive an emulated Super Scout in simulated time and compare odometry with the truth."""
    from walking_robots.simulation.scout.settings import EmulatorSettings
    from walking_robots.trials.scout.trial import ScoutTrial, run

    settings = EmulatorSettings(slip=slip)
    result = run(ScoutTrial(twist, duration, seed, world, settings))
    if as_json:
        report(asdict(result), as_json)
    else:
        _print(result)


def _print(result: 'ScoutResult') -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None)
    for name, value in asdict(result).items():
        text = (
            f'x {value[0]:.3f} m, y {value[1]:.3f} m, heading {value[2]:.4f} rad'
            if isinstance(value, tuple)
            else f'{value:.4g}'
            if isinstance(value, float)
            else str(value)
        )
        table.add_row(name, text)
    Console().print(table)


@click.command('probe')
@click.argument('port', type=click.Path())
@click.option('--baud', default=38400, type=click.IntRange(300, 230400), help='Speed of the port.')
def probe(port: str, baud: int) -> None:
    """Look for a Super Scout on a serial PORT and print its state; nothing moves."""
    from rich.console import Console
    from rich.table import Table

    from walking_robots.scout.probe import probe_port

    table = Table(show_header=False, box=None)
    for name, value in probe_port(port, baud).items():
        table.add_row(name, value)
    Console().print(table)


@click.command('emulate')
@click.argument('world', type=click.Path(path_type=Path))
@click.option('--link', type=click.Path(path_type=Path), help='Symbolic link to keep at the port.')
@click.option('--seed', type=click.IntRange(0, 2**31 - 1), default=0, help='Seed of all noise.')
def emulate(world: Path, link: Path | None, seed: int) -> None:
    """Stand in for a Super Scout in a WORLD; prints the port to connect to."""
    from walking_robots.simulation.scout.emulator import Emulator
    from walking_robots.simulation.terminal import PseudoTerminal
    from walking_robots.worlds.files import load_world

    found = load_world(world)
    for warning in found.warnings:
        click.echo(warning, err=True)
    emulator = Emulator(found, seed=seed)
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    terminal = PseudoTerminal(emulator, link)
    terminal.start()
    try:
        click.echo(terminal.path)
        click.echo('Ctrl-C ends.', err=True)
        ended.wait()
    finally:
        terminal.close()
