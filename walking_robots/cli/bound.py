"""Commands that say what a hexapod can cross at all."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walking_robots.cli.asv import terrain_options
from walking_robots.cli.hexapod import DISTANCE, DITCH, START
from walking_robots.cli.options import ROBOT, FiniteNumber
from walking_robots.cli.progress import working
from walking_robots.cli.report import report
from walking_robots.gaits.planned.freedoms import FREEDOMS

if TYPE_CHECKING:
    from walking_robots.robots.model import HexapodModel
    from walking_robots.terrain.cells import TernaryTerrain

FREEDOM = click.option(
    '--freedom',
    type=click.Choice(FREEDOMS),
    default='anywhere',
    help='What the body may do: keep to its line, go up to two cells aside, go anywhere; there '
    'also turn; also pitch and sink.',
)
JSON = click.option('--json', 'as_json', is_flag=True, help='Print JSON, with the path.')


@click.command('asv')
@terrain_options
@FREEDOM
@JSON
def bound_asv(
    *, terrain: Path | None, freedom: str, as_json: bool, goal: float, **settings: Any
) -> None:
    """Say whether the Adaptive Suspension Vehicle can cross a terrain at all.

    It is possible, impossible (all that it could do was tried) or undecided.
    """
    from walking_robots.robots.asv import ASV
    from walking_robots.trials.hexapod.asv import AsvTrial

    ground = AsvTrial(**settings, terrain=_loaded(terrain)).build_terrain()
    _say(ASV, ground, goal, freedom, as_json)


@click.command('hexapod')
@click.option('--robot', default='insect18', shell_complete=ROBOT, help='A robot, or its file.')
@click.option('--terrain', type=click.Path(path_type=Path), help='A terrain file; level without.')
@click.option('--start', type=START, help='The x at which it starts on a terrain, such as 2m.')
@click.option('--distance', type=DISTANCE, help='How far to go; 40 cells without.')
@click.option(
    '--forbidden', type=FiniteNumber(0.0, 0.99), default=0.0, help='Share of forbidden cells.'
)
@click.option(
    '--seed', type=click.IntRange(0, 2**31 - 1), default=123, help='Seed of the forbidden cells.'
)
@click.option('--ditch', type=DITCH, default=0.0, help='Width of a ditch half-way.')
@FREEDOM
@JSON
def bound_hexapod(
    *, robot: str, terrain: Path | None, freedom: str, as_json: bool, **settings: Any
) -> None:
    """Say whether a hexapod can cross a terrain at all.

    It is possible, impossible (all that it could do was tried) or undecided.
    """
    from walking_robots.gaits.free.articulated_model import find_free_gait_model
    from walking_robots.trials.hexapod.free import FreeGaitTrial

    trial = FreeGaitTrial(find_free_gait_model(robot), terrain=_loaded(terrain), **settings)
    ground, model = trial.ground()
    _say(model, ground, trial.goal(model.start_position[0]), freedom, as_json)


def _loaded(terrain: Path | None) -> 'TernaryTerrain | None':
    if terrain is None:
        return None
    from walking_robots.terrain.files import load_terrain

    return load_terrain(terrain)


def _say(
    model: 'HexapodModel', terrain: 'TernaryTerrain', goal: float, freedom: str, as_json: bool
) -> None:
    """Report whether a goal, x in m, can be reached."""
    from walking_robots.gaits.planned.bound import bound
    from walking_robots.geometry.compiled import load

    load()
    began = time.process_time()
    with working('searching'):
        found = bound(model, terrain, complex(goal, model.start_position[1]), freedom)
    answer = {
        'possible': found.possible,
        'moves': max(len(found.path) - 1, 0),
        'stances': found.stances,
        'cpu_s': time.process_time() - began,
    }
    if as_json:
        answer['path'] = [
            {
                **stance.posture._asdict(),
                'feet': {leg + 1: [foot.real, foot.imag] for leg, foot in stance.feet.items()},
            }
            for stance in found.path
        ]
    report(answer, as_json)
