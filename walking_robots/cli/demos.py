"""The demo of each system: one command each, made from the systems' records."""

import sys
from typing import Any

import click

from walking_robots.cli.options import ROBOT, ros_needed
from walking_robots.systems import SYSTEMS, System

_OPTIONS: dict[str, dict[str, Any]] = {
    'robot': {'shell_complete': ROBOT, 'help': 'A shipped hexapod, or the file of one.'},
    'gait': {'help': 'How it walks.'},
    'physics': {'help': 'Whether forces are simulated (mujoco).'},
}
"""Options of a demo that only some systems have."""


def demo_command(system: System) -> click.Command:
    """Return the command that demonstrates a system."""
    demo = system.demo

    def show(once: bool, port: int, open_to_network: bool, **options: str) -> None:
        with ros_needed():
            from walking_robots.nodes.demo import run_demo
        sys.exit(
            run_demo(
                system.name,
                once=once,
                port=port,
                open_to_network=open_to_network,
                options=options,
            )
        )

    own = [
        click.Option(
            [f'--{name}'],
            default=values[0],
            type=click.Choice(values) if len(values) > 1 else str,
            **_OPTIONS[name],
        )
        for name, values in demo.options.items()
    ]
    shared = [
        click.Option(
            ['--once'],
            is_flag=True,
            help=f'End after {demo.ends}; simulations run ten times as fast.',
        ),
        click.Option(
            ['--port'], default=8080, type=click.IntRange(1, 65535), help='Port of the page.'
        ),
        click.Option(
            ['--open-to-network'],
            is_flag=True,
            help='Serve the page to other machines, too; who has its address drives the robot.',
        ),
    ]
    return click.Command(system.name, callback=show, params=[*own, *shared], help=demo.summary)


def demo_commands() -> dict[str, click.Command]:
    """Return the commands of all systems by name."""
    return {name: demo_command(system) for name, system in SYSTEMS.items()}
