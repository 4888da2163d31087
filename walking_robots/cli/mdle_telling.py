"""How the commands of the motion language tell what became of a run."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from walking_robots.mdle.execution.endings import Event
from walking_robots.trials.mdle import MdleLoop, MdleResult

__all__ = ['Teller', 'report', 'tabulate']


class Teller:
    """Tells events while a program runs."""

    def __init__(self, as_json: bool) -> None:
        """Tell them as lines of JSON, or to people."""
        self._as_json = as_json

    def __call__(self, loop: MdleLoop, events: Sequence[Event]) -> None:
        """Tell the events of a tick."""
        for event in events:
            if self._as_json:
                click.echo(json.dumps(event._asdict()))
                continue
            why = ' '.join(filter(None, (event.cause, event.name, event.text)))
            click.echo(f'{event.stamp * 1e-9:9.2f} s  {event.kind:8} {event.path}  {why}'.rstrip())


def report(result: MdleResult, as_json: bool, **more: Any) -> None:
    """Tell the result of a run, and more; empty fields are for programs only."""
    plain = result.plain() | more
    if as_json:
        click.echo(json.dumps(plain))
    else:
        # Without the minus sign of a zero.
        x, y, heading = (round(part, 4) + 0.0 for part in result.end_pose)
        tabulate(
            {name: value for name, value in plain.items() if value not in ('', 0, [])}
            | {'end_pose': f'x {x:.3f} m, y {y:.3f} m, heading {heading:.4f} rad'}
        )


def tabulate(rows: Mapping[str, Any]) -> None:
    """Show names and values, one a line, however long."""
    for name, value in rows.items():
        text = f'{value:.6g}' if isinstance(value, float) else str(value)
        click.echo(f'{name:15}{text}')
