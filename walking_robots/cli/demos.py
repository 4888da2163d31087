"""The demonstrations, each of them the same command with another system."""

import sys

import click

from walking_robots.cli.options import ros_needed

__all__ = ['DEMOS']


def _demo(system: str, what: str, end: str) -> click.Command:
    """Give the command that shows a system; ``end``: when it ends with --once."""

    @click.command(system, help=what)
    @click.option('--once', is_flag=True, help=f'End after {end}.')
    @click.option('--port', default=8080, type=click.IntRange(0, 65535), help='Port of the page.')
    def show(once: bool, port: int) -> None:
        with ros_needed():
            from walking_robots.nodes.demo import run_demo
        sys.exit(run_demo(system, once=once, port=port))

    return show


DEMOS = (
    _demo('asv', 'Let the Adaptive Suspension Vehicle cross a ditch by rules.', 'one crossing'),
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
