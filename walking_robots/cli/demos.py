"""The demo of each system: one command each, made from the systems' records."""

import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from walking_robots.cli.options import (
    RECORD,
    ROBOT,
    FiniteNumber,
    eyes_options,
    ros_needed,
    take_eyes,
)
from walking_robots.systems import SYSTEMS, DemoSpec, System

_OPTIONS: dict[str, dict[str, Any]] = {
    'robot': {'shell_complete': ROBOT, 'help': 'A shipped hexapod, or the file of one.'},
    'gait': {'help': 'How it walks.'},
    'physics': {'help': 'Whether forces are simulated (mujoco).'},
    'forbidden': {
        'type': FiniteNumber(0.0, 0.99),
        'help': 'Share of forbidden cells; the gait is free where none is given.',
    },
    'output': {'help': 'Messages that drive the joints; both: a joint_trajectory, too.'},
    'plan': {'help': 'follow: a moving object; explore: an office, by the planner.'},
}
"""Options of a demo that only some systems have."""


def demo_command(system: System) -> click.Command:
    """Return the command that demonstrates a system."""
    demo = system.demo

    @click.pass_context
    def show(
        context: click.Context,
        /,
        once: bool,
        port: int,
        open_to_network: bool,
        record: Path | None,
        **options: Any,
    ) -> None:
        if demo.eyes:
            take_eyes(context, options)
            _choose_gait(context, demo, options)
        with ros_needed():
            from walking_robots.nodes.demo import run_demo
        sys.exit(
            run_demo(
                system.name,
                once=once,
                port=port,
                open_to_network=open_to_network,
                record=record,
                options=options,
            )
        )

    own = [
        click.Option(
            [f'--{name}'],
            **{
                'default': values[0],
                'type': click.Choice(values) if len(values) > 1 else str,
                **_OPTIONS[name],
            },
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
        click.Option(['--record'], **RECORD),
    ]
    shown = eyes_options(show) if demo.eyes else show
    return click.command(system.name, params=[*own, *shared], help=demo.summary)(shown)


def _choose_gait(context: click.Context, demo: DemoSpec, options: dict[str, Any]) -> None:
    """Walk by a gait that looks for footholds; refuse one that steps blindly."""
    needs = 'eyes' if 'eyes' in options else 'forbidden'
    if options.get(needs) is None or options['gait'] in demo.eyes:
        return
    if context.get_parameter_source('gait') is ParameterSource.COMMANDLINE:
        raise click.UsageError(
            f'--{needs} has no effect on the gait {options["gait"]}; choose --gait '
            f'{", ".join(demo.eyes[:-1])} or {demo.eyes[-1]}'
        )
    options['gait'] = demo.eyes[0]


def demo_commands() -> dict[str, click.Command]:
    """Return the commands of all systems by name."""
    return {name: demo_command(system) for name, system in SYSTEMS.items()}
