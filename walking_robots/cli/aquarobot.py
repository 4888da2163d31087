"""Commands of Aquarobot's literal simulation."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walking_robots.cli.options import Quantity, shipped
from walking_robots.documents.files import read_text
from walking_robots.documents.shared import shared_path
from walking_robots.geometry.units import parse_length

if TYPE_CHECKING:
    from walking_robots.simulation.aquarobot.moves import Move
    from walking_robots.simulation.aquarobot.robot import (
        AquarobotState,
        IncrementFrame,
        InitialHeight,
        LimitMode,
    )

LARGEST_FILE = 4_000_000
"""Bytes; some ten thousand moves."""
A_MOTION = 'config/motions/session_1993.txt'
LENGTH = Quantity('length', parse_length, 0.0, 10.0)


@click.command('play')
@click.argument('motion', shell_complete=shipped(A_MOTION))
@click.option(
    '--view',
    type=click.Choice(['clos', 'initial', 'reset', 'above', 'behind', 'right', 'left']),
    default='clos',
    help='Camera of the picture.',
)
@click.option(
    '--picture',
    type=click.Path(path_type=Path),
    help='Draw the robot after the last move (.png or .svg).',
)
@click.option(
    '--limits',
    type=click.Choice(['clamp', 'reject']),
    default='clamp',
    help='Stop a joint at its limit, or move nothing.',
)
@click.option(
    '--increments',
    type=click.Choice(['body', 'earth']),
    default='body',
    help='Axes of what moves the body.',
)
@click.option(
    '--height',
    type=click.Choice(['literal', 'printed', 'analytic']),
    default='literal',
    help='First height of the body: that of the Lisp program, of the C++ program, or exact.',
)
@click.option('--as-printed', is_flag=True, help='Move as the C++ listing does, with its defects.')
@click.option('--sinkage', type=LENGTH, default='1cm', help='How deep a foot may be.')
@click.option('--slippage', type=LENGTH, default='1cm', help='How far one may slip in a move.')
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON a move.')
def play(
    *,
    motion: str,
    view: str,
    picture: Path | None,
    limits: 'LimitMode',
    increments: 'IncrementFrame',
    height: 'InitialHeight',
    as_printed: bool,
    sinkage: float,
    slippage: float,
    as_json: bool,
) -> None:
    """Carry out the moves of a MOTION file, or of a shipped one, from the reset pose.

    Values are in the frame of the thesis: z down, azimuth clockwise, centimetres.
    """
    from walking_robots.robots.aquarobot import LENGTH_UNIT
    from walking_robots.simulation.aquarobot.pictures import draw
    from walking_robots.simulation.aquarobot.printed import moved_as_printed, reset_as_printed
    from walking_robots.simulation.aquarobot.robot import moved, reset_state
    from walking_robots.simulation.aquarobot.views import VIEWS
    from walking_robots.simulation.aquarobot.wire_frame import vertices

    if as_printed and (limits, increments) != ('clamp', 'body'):
        raise click.UsageError(
            '--as-printed has ways of its own: leave out --limits, --increments'
        )
    state, printed = reset_state(height), reset_as_printed(height)
    entries = []
    for number, move in enumerate(_load(_find(motion)), 1):
        if as_printed:
            printed = moved_as_printed(printed, move)
            state = printed.robot
        else:
            state = moved(state, move, limits, increments)
        entries.append(_entry(number, state, sinkage / LENGTH_UNIT, slippage / LENGTH_UNIT))
    if picture is not None:
        figure = printed.vertices if as_printed else vertices(state.pose, state.points)
        draw(figure, VIEWS[view], picture)
    if as_json:
        for entry in entries:
            click.echo(json.dumps(entry))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table('move', 'x y z cm', 'turned °', 'stopped', 'on ground', 'feasible', box=None)
    for entry in entries:
        table.add_row(*_row(entry))
    Console().print(table)


def _find(motion: str) -> Path:
    """Return the path of a file, or of the shipped motion of a name."""
    path = Path(motion)
    if path.suffix or len(path.parts) != 1:
        return path
    shipped = sorted(shared_path(A_MOTION).parent.iterdir())
    for file in shipped:
        if file.stem == motion:
            return file
    known = ', '.join(file.stem for file in shipped)
    raise ValueError(f"there is no motion '{motion}'; give the path of a file, or one of {known}")


def _load(path: Path) -> 'tuple[Move, ...]':
    """Read a motion file; raises ValueError, one sentence, for what is wrong with it."""
    from walking_robots.simulation.aquarobot.motion_files import parse_motion

    text = read_text(path, 'a motion file', largest=LARGEST_FILE, shorter='write fewer moves')
    return parse_motion(text, str(path))


def _entry(
    number: int, state: 'AquarobotState', sinkage: float, slippage: float
) -> dict[str, Any]:
    """Return what is known of the robot after a move, in cm and rad, as JSON takes it."""
    from walking_robots.simulation.aquarobot.feasibility import legs_feasible, supports

    feasible = legs_feasible(state.previous_feet, state.feet, sinkage, slippage)
    return {
        'move': number,
        'position_cm': state.position.tolist(),
        'attitude_rad': list(state.attitude),
        'joints_rad': state.joints.tolist(),
        'points_cm': state.points.tolist(),
        'limit_flags': state.limit_flags.tolist(),
        'residual_rad': state.residual.joints.tolist(),
        'motion_complete': state.motion_complete.tolist(),
        'answer': state.answer,
        'support': supports(state.feet).tolist(),
        'feasible': feasible.tolist(),
    }


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    """Write what a person wants to see of a move; 3.2 is the second joint of leg 3."""
    import numpy as np

    stopped = [
        f'{leg}.{joint}'
        for leg, flags in enumerate(entry['limit_flags'], 1)
        for joint, flag in enumerate(flags, 1)
        if flag
    ]
    standing = ' '.join(str(leg) for leg, stands in enumerate(entry['support'], 1) if stands)
    barred = ' '.join(str(leg) for leg, may in enumerate(entry['feasible'], 1) if not may)
    return (
        str(entry['move']),
        # Without the minus sign of a zero.
        ' '.join(f'{part:.2f}' for part in np.round(entry['position_cm'], 2) + 0.0),
        ' '.join(f'{part:.2f}' for part in np.round(np.degrees(entry['attitude_rad']), 2) + 0.0),
        ' '.join(stopped) or '-',
        standing or '-',
        f'not {barred}' if barred else 'yes',
    )
