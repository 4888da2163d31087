"""Commands of ARS MAGNA: its command line, what is in a world, and mazes."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from walking_robots.cli.options import WORLD
from walking_robots.documents.files import read_text
from walking_robots.documents.shipped_worlds import A_WORLD, find_world

if TYPE_CHECKING:
    from walking_robots.ars_magna.console.console import Console
    from walking_robots.ars_magna.design.model import WorldDesign

LARGEST_SCRIPT = 1_000_000
"""Bytes."""
SEED = click.IntRange(0, 2**31 - 1)


@click.command('cli')
@click.argument('world', default=A_WORLD, shell_complete=WORLD)
@click.option('--robot', default='', help='Its name; otherwise the first of the world.')
@click.option('--seed', type=SEED, default=1, help='Seed of all chance.')
@click.option('--clean', is_flag=True, help='Begin without noise.')
@click.option('--script', type=click.Path(), help='Read the lines of a file, - for stdin.')
def command_line(world: str, robot: str, seed: int, clean: bool, script: str | None) -> None:
    """Command a robot line by line, in a WORLD file or a shipped one; 'help' helps."""
    from walking_robots.ars_magna.console.console import Console
    from walking_robots.ars_magna.simulation.simulator import Simulator

    design = _design(world)
    if not design.robots:
        raise ValueError(f'{world}: there is no robot in this world; add one under robots')
    console = Console(Simulator(design, seed), robot or design.robots[0].name)
    if clean:
        console.execute('clean')
    interactive = script is None and sys.stdin.isatty()
    lines: Iterable[str] = sys.stdin
    if script not in (None, '-'):
        text = read_text(script, 'a script', largest=LARGEST_SCRIPT, shorter='split it up')
        lines = text.splitlines()
    for line in console.news():
        click.echo(line)
    _converse(console, _typed() if interactive else _read(lines))


def _converse(console: 'Console', lines: Iterator[str]) -> None:
    """Carry out lines until there are no more; an interrupt ends the one under way."""
    for line in lines:
        try:
            for answer in console.lines(line):
                click.echo(answer)
        except KeyboardInterrupt:
            click.echo('stopped waiting; the robot goes on with what it does until you stop it')
        if console.finished:
            return


def _typed() -> Iterator[str]:
    """Yield what somebody types, until the end of input."""
    from walking_robots.ars_magna.console.console import PROMPT

    with suppress(ImportError):
        # To import it is to have input() edit lines and remember them.
        import readline  # noqa: F401
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            click.echo()
            return


def _read(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a file, shown as if somebody typed them."""
    from walking_robots.ars_magna.console.console import PROMPT

    for line in lines:
        text = line.rstrip('\n')
        if text.strip():
            click.echo(f'{PROMPT}{text}')
        yield text


@click.command('check')
@click.argument('world', shell_complete=WORLD)
@click.argument('definitions', nargs=-1, type=click.Path())
@click.option('--json', 'as_json', is_flag=True, help='One line of JSON.')
def check(world: str, definitions: tuple[str, ...], as_json: bool) -> None:
    """Return what is in a WORLD file or a shipped one, with further files of DEFINITIONS."""
    found = _summary(_design(world, *definitions))
    if as_json:
        click.echo(json.dumps(found))
        return
    for warning in found.pop('warnings'):
        click.echo(f'warning: {warning}')
    for name, value in found.items():
        click.echo(f'{name}: {_told(value)}')


@click.command('maze')
@click.option('--columns', type=click.IntRange(1), default=8, help='Chambers side by side.')
@click.option('--rows', type=click.IntRange(1), default=8, help='Chambers one below the other.')
@click.option('--seed', type=SEED, default=1, help='Of which maze; the same gives the same.')
def maze(columns: int, rows: int, seed: int) -> None:
    """Write a world file of a maze, with things to fetch in its dead ends."""
    from walking_robots.ars_magna.design.mazes import maze as made

    click.echo(made(columns, rows, seed), nl=False)


def _design(world: str, *definitions: str) -> 'WorldDesign':
    """Load a world by its path, or a shipped one by its name."""
    from walking_robots.ars_magna.design.files import load_design

    return load_design(find_world(world), *definitions)


def _summary(design: 'WorldDesign') -> dict[str, Any]:
    """Count what is in a world."""
    from walking_robots.ars_magna.design.things import all_things
    from walking_robots.ars_magna.simulation.ground import GroundMap

    ground = GroundMap(design.grid, design.definitions.place_types)
    places = {name: len(ground.places_of(name)) for name in design.definitions.place_types}
    things = Counter(thing.name for thing in all_things(design.things))
    return {
        'world': design.name,
        'columns': ground.columns,
        'rows': ground.rows,
        'walls': int(design.grid.filled.sum()),
        'places': {name: number for name, number in places.items() if number},
        'things': dict(things),
        'robots': {
            robot.name: {
                'cameras': len(robot.cameras),
                'hands': len(robot.hands),
                'bins': len(robot.bins),
            }
            for robot in design.robots
        },
        'kickers': sorted(design.definitions.kickers),
        'manipulations': sorted(design.definitions.manipulations),
        'warnings': [*design.warnings, *ground.places.warnings],
    }


def _told(value: Any) -> str:
    """Write counts as 4 concave, 2 beak."""
    if isinstance(value, dict):
        parts = (
            f'{name} with {_told(entry)}' if isinstance(entry, dict) else f'{entry} {name}'
            for name, entry in value.items()
        )
        return ', '.join(parts) or 'none'
    return ', '.join(value) or 'none' if isinstance(value, list) else str(value)
