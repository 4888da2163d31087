"""Commands about hexapods on articulated legs: what a file comes to, from a URDF and to one."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from walking_robots.cli.options import ROBOT, Quantity
from walking_robots.cli.progress import working
from walking_robots.geometry.units import parse_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from walking_robots.gaits.periodic.speed_limit import SpeedLimit
    from walking_robots.legs.findings import Findings

WRONG = 1
"""Exit code for a robot that cannot stand as it should."""
HARDWARE = ('mock', 'topic')
PERIOD = Quantity('time', parse_time, 0.1, 1000.0)


@click.command()
@click.argument('robot', shell_complete=ROBOT)
@click.option('--period', type=PERIOD, help='Time of a cycle; that of the fastest walk without.')
@click.option(
    '--picture',
    type=click.Path(dir_okay=False, path_type=Path),
    help='Draw the robot and what it reaches into this file, .png or .svg.',
)
@click.option('--json', 'as_json', is_flag=True, help='Print JSON.')
def check(robot: str, period: float | None, picture: Path | None, as_json: bool) -> None:
    """Print the reach, stances and speeds of a ROBOT, a file or a name, and what limits them.

    The exit code is 1 when it cannot stand as its file says.
    """
    from walking_robots.gaits.periodic.patterns import PATTERNS
    from walking_robots.gaits.periodic.speed_limit import speed_limit
    from walking_robots.legs.findings import examine
    from walking_robots.robots.hexapod_files import find_hexapod

    described = find_hexapod(robot)
    with working('examining'):
        found = examine(described)
        speeds = {
            name: speed_limit(described, pattern, period) for name, pattern in PATTERNS.items()
        }
    if picture is not None:
        from walking_robots.trials.hexapod.robot_figure import draw_robot

        with working('drawing'):
            draw_robot(found.robot, picture)
    if as_json:
        click.echo(json.dumps({**_plain(found), 'speeds': _plain_speeds(speeds)}))
    else:
        _tell(found)
        _tell_speeds(speeds)
        for problem in found.problems:
            click.echo(f'\n{problem}')
    click.get_current_context().exit(WRONG if found.problems else 0)


@click.command()
@click.argument('robot', shell_complete=ROBOT)
@click.option(
    '--ros2-control',
    type=click.Choice(HARDWARE),
    help='Add joints for ros2_control: mock ones, or those behind topics of JointState.',
)
@click.option(
    '-o',
    '--output',
    type=click.Path(dir_okay=False, path_type=Path),
    help='Write into this file, not to the screen.',
)
def urdf(robot: str, ros2_control: str | None, output: Path | None) -> None:
    """Write the URDF of a ROBOT, a file or a name, with joints as the robot counts them."""
    from walking_robots.robots.hexapod_files import find_hexapod
    from walking_robots.robots.urdf.description import articulated_description

    text = articulated_description(find_hexapod(robot), ros2_control)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)


@click.command('import')
@click.argument('file', type=click.Path(path_type=Path))
@click.option(
    '--legs',
    default='',
    metavar='A,B,C,D,E,F',
    help='The first joints of legs 1 to 6; as they are found without.',
)
@click.option(
    '--out',
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help='Write the description into this file, .yaml.',
)
@click.option(
    '--urdf',
    type=click.Path(dir_okay=False, path_type=Path),
    help='Write the URDF with its meshes, by which the page and RViz show the robot.',
)
def import_urdf(file: Path, legs: str, out: Path, urdf: Path | None) -> None:
    """Describe a hexapod of a URDF or xacro FILE, so that --robot takes it.

    What the file does not say is told in a sentence each.
    """
    from walking_robots.gaits.periodic.patterns import find_pattern
    from walking_robots.gaits.periodic.speed_limit import fastest_stance
    from walking_robots.legs.findings import examine
    from walking_robots.robots.urdf.hexapod_import import import_hexapod
    from walking_robots.robots.urdf.urdf_tree import read_urdf

    names = [name.strip() for name in legs.split(',') if name.strip()]
    with working('importing'):
        found = import_hexapod(read_urdf(file), names)
        reach = examine(found.robot())
        tripod = find_pattern('tripod')
        stance = fastest_stance(found.robot(), tripod, reach.heights, reach.reaches)
        robot = found.robot(stance)
        error = found.greatest_error(robot)
    shown = '' if urdf is None else os.path.relpath(urdf, out.parent)
    _write(out, found.text(stance, shown))
    if urdf is not None:
        _write(urdf, found.urdf())
    click.echo(f'{out}: {robot.name}, its feet within {1000.0 * error:.2g} mm of those of {file}')
    for note in found.notes:
        click.echo(note)
    click.echo(f"See 'walking_robots robot check {out}'.")


def _write(output: Path, text: str) -> None:
    """Write a file; raises ValueError, one sentence, where that does not work."""
    try:
        output.write_text(text, 'utf-8')
    except OSError as error:
        reason = (error.strerror or 'not a file').lower()
        raise ValueError(
            f'{output}: cannot be written ({reason}); name a file in a folder that there is'
        ) from None


def _plain(found: 'Findings') -> dict[str, object]:
    """Return findings for JSON, SI units."""
    best = found.best
    return {
        'robot': found.robot.name,
        'problems': list(found.problems),
        'reach': found.reach._asdict(),
        'neutral_feet': [list(foot) for foot in found.robot.neutral_feet],
        'tripod_margin': found.margin,
        'heights': list(found.heights),
        'reaches': list(found.reaches),
        'strokes': [list(row) for row in found.strokes],
        'best': best and {**asdict(best.stance), 'stroke': best.stroke},
    }


def _plain_speeds(speeds: 'Mapping[str, SpeedLimit]') -> dict[str, object]:
    """Return speeds for JSON, SI units; without a gait that the robot cannot walk by."""
    return {
        gait: {
            'speed': plan and plan.speed,
            'turn_rate': plan and plan.turn_rate,
            'period': plan and plan.period,
            'stride': plan and plan.stride,
            'limits': limits,
            'remedies': remedies,
        }
        for gait, (plan, limits, remedies) in speeds.items()
    }


def _tell(found: 'Findings') -> None:
    """Print findings as tables."""
    robot, reach = found.robot, found.reach
    guessed = ' (guessed)' if robot.masses.guessed else ''
    click.echo(
        f'{robot.name}: {len(robot.joint_names())} joints, {robot.masses.total:.3g} kg{guessed}'
    )
    click.echo(
        f'a foot reaches {reach.outer:.3f} m out from its hip axis, '
        f'{-reach.lowest:.3f} m below its hip and {reach.highest:.3f} m above'
    )
    margin = 'tips' if found.margin is None else f'is {found.margin:.3f} m from tipping'
    click.echo(f'it stands {robot.height:.3f} m high, and on three feet {margin}')
    click.echo('\nlongest stroke of all feet at once, m, by height (rows) and reach (columns)')
    click.echo('       ' + ''.join(f'{column:7.3f}' for column in found.reaches))
    for height, row in zip(found.heights, found.strokes, strict=True):
        cells = ''.join('      -' if stroke is None else f'{stroke:7.3f}' for stroke in row)
        click.echo(f'{height:7.3f}{cells}')
    if found.best is not None:
        stance = found.best.stance
        click.echo(
            f'best of these: height {stance.height:.3f} m, reach {stance.reach:.3f} m, '
            f'stroke {found.best.stroke:.3f} m'
        )


def _tell_speeds(speeds: 'Mapping[str, SpeedLimit]') -> None:
    """Print the fastest walks as a table, and what limits and would raise their speeds."""
    click.echo('\nfastest walks on level ground')
    click.echo('            m/s  turn rad/s  period s  stride m')
    for gait, (plan, _, _) in speeds.items():
        if plan is not None:
            click.echo(
                f'{gait:8}{plan.speed:7.3f}{plan.turn_rate:12.3f}{plan.period:10.2f}'
                f'{plan.stride:10.3f}'
            )
    for gait, (plan, limits, remedies) in speeds.items():
        click.echo(f'\n{gait}' + ' is limited by' * (plan is not None))
        for line in limits:
            click.echo(f'  {line}')
        if remedies:
            click.echo('and would be faster with')
            for line in remedies:
                click.echo(f'  {line}')
