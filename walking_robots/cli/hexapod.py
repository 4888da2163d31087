"""Commands of hexapods on articulated legs: walks by a periodic gait."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from walking_robots.cli.options import Quantity
from walking_robots.geometry.units import (
    parse_angle,
    parse_angular_speed,
    parse_length,
    parse_speed,
    parse_time,
)

__all__ = ['trial_hexapod']

SPEED = Quantity('speed', parse_speed, -10.0, 10.0)
TURN = Quantity('angular speed', parse_angular_speed, -10.0, 10.0)
TIME = Quantity('time', parse_time, 0.001, 86400.0)
START = Quantity('length', parse_length, -1000.0, 1000.0)
STEP = Quantity('time', parse_time, 0.001, 0.5)
PERIOD = Quantity('time', parse_time, 0.1, 1000.0)
HEIGHT = Quantity('length', parse_length, 0.001, 10.0)
TILT = Quantity('angle', parse_angle, -0.8, 0.8)
GAITS = ('tripod', 'ripple', 'wave')
PATHS = ('cycloid', 'ellipse')


@click.command('hexapod')
@click.option('--robot', default='insect18', help='A shipped robot, or the file of one.')
@click.option('--gait', type=click.Choice(GAITS), default='tripod', help='Which legs go together.')
@click.option('--speed', type=SPEED, default='0.02m/s', help='Forward speed, such as 0.02m/s.')
@click.option('--lateral', type=SPEED, default=0.0, help='Speed to the left, such as 10mm/s.')
@click.option('--turn', type=TURN, default=0.0, help='Turn rate to the left, such as 5deg/s.')
@click.option('--time', type=TIME, default='60s', help='How long to walk, such as 10min.')
@click.option('--period', type=PERIOD, help='Time of a cycle; that of the fastest walk without.')
@click.option('--height', type=HEIGHT, help='Body over the ground; as its file says without.')
@click.option('--roll', type=TILT, default=0.0, help='Right side of the body down, such as 5deg.')
@click.option('--pitch', type=TILT, default=0.0, help='Nose of the body down, such as 5deg.')
@click.option(
    '--path', type=click.Choice(PATHS), default='cycloid', help='Way of a swinging foot.'
)
@click.option('--terrain', type=click.Path(path_type=Path), help='A terrain file; level without.')
@click.option('--start', type=START, default=0.0, help='The x at which it starts, such as 2m.')
@click.option('--step', type=STEP, default='20ms', help='Time of one step of the simulation.')
@click.option('--json', 'as_json', is_flag=True, help='Print JSON.')
def trial_hexapod(*, robot: str, terrain: Path | None, as_json: bool, **settings: Any) -> None:
    """Let a hexapod on articulated legs walk by a periodic gait.

    A speed past what its legs allow is lowered; limit_m_s tells how far.
    """
    from walking_robots.robots.hexapod_files import find_hexapod
    from walking_robots.terrain.files import load_terrain
    from walking_robots.trials.hexapod import HexapodTrial, run

    if terrain is not None:
        settings['terrain'] = load_terrain(terrain)
    found = asdict(run(HexapodTrial(find_hexapod(robot), **settings)))
    if as_json:
        click.echo(json.dumps(found))
        return
    table = Table(show_header=False, box=None)
    table.add_column()
    table.add_column(overflow='fold')
    for name, value in found.items():
        table.add_row(name, f'{value:.4g}' if isinstance(value, float) else str(value))
    Console().print(table)
