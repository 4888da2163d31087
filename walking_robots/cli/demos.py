"""The demonstrations, each of them the same command with another system."""

import sys

import click

from walking_robots.cli.hexapod import GAITS
from walking_robots.cli.options import ros_needed

__all__ = ['DEMOS']

FAST = 'time goes ten times as fast'


def _demo(system: str, what: str, end: str) -> click.Command:
    """Give the command that shows a system; ``end``: when it ends with --once."""

    @click.command(system, help=what)
    @click.option('--once', is_flag=True, help=f'End after {end}; {FAST}.')
    @click.option('--port', default=8080, type=click.IntRange(1, 65535), help='Port of the page.')
    def show(once: bool, port: int) -> None:
        with ros_needed():
            from walking_robots.nodes.demo import run_demo
        sys.exit(run_demo(system, once=once, port=port))

    return show


def _hexapod_demo(system: str, robot: str, what: str, *, any_robot: bool) -> click.Command:
    """Give the command that shows a hexapod; with ``any_robot`` the one of a file."""

    @click.command(system, help=what)
    @click.option('--gait', type=click.Choice(GAITS), default='tripod', help='How it walks.')
    @click.option('--once', is_flag=True, help=f'End after all gaits and postures; {FAST}.')
    @click.option('--port', default=8080, type=click.IntRange(1, 65535), help='Port of the page.')
    def show(gait: str, once: bool, port: int, robot: str = robot) -> None:
        with ros_needed():
            from walking_robots.nodes.demo import run_demo
        sys.exit(run_demo(system, once=once, port=port, robot=robot, gait=gait))

    if any_robot:
        show.params.insert(
            0,
            click.Option(
                ['--robot'], default=robot, help='A shipped hexapod, or the file of one.'
            ),
        )
    return show


DEMOS = (
    _demo('asv', 'Let the Adaptive Suspension Vehicle cross a ditch by rules.', 'one crossing'),
    _hexapod_demo(
        'aquarobot',
        'aquarobot',
        'Let Aquarobot walk in all its gaits, and move its body from the page.',
        any_robot=False,
    ),
    _hexapod_demo(
        'hexapod',
        'insect18',
        'Let any hexapod of a file walk, and move its body from the page.',
        any_robot=True,
    ),
    _demo(
        'biped',
        'Let blind bipeds walk over ground that they do not see, and push them from the page.',
        'five walks',
    ),
    _demo(
        'scout',
        'Let an emulated Super Scout roam through rooms, or drive it from the page.',
        'half a minute of roaming',
    ),
    _demo(
        'mdle',
        'Let a Scout follow a moving thing by a plan, and watch the plan beside it.',
        'it has followed to three places',
    ),
    _demo(
        'ars_magna',
        'Let an abstract robot fetch a thing by a program, and change its world from the page.',
        'it has brought the thing',
    ),
)
