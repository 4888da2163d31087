"""How the commands of the motion language report a run."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from walking_robots.mdle.analysis.report import Report
    from walking_robots.mdle.runtime.events import Event
    from walking_robots.trials.mdle.trial import MdleLoop, MdleResult


class EventPrinter:
    """Prints events while a program runs."""

    def __init__(self, as_json: bool) -> None:
        """Print lines of JSON, or text for people."""
        self._as_json = as_json

    def __call__(self, loop: 'MdleLoop', events: 'Sequence[Event]') -> None:
        """Print the events of a tick."""
        for event in events:
            if self._as_json:
                click.echo(json.dumps(event._asdict()))
                continue
            why = ' '.join(filter(None, (event.cause, event.name, event.text)))
            click.echo(f'{event.stamp * 1e-9:9.2f} s  {event.kind:8} {event.path}  {why}'.rstrip())


def bounded(found: 'Report') -> str:
    """Return in words how long a checked program runs at most, and how far it drives."""
    from walking_robots.mdle.analysis.report import NOTHING

    entry, (time, way) = found.entry, found.bound or (math.inf, math.inf)
    if time == way == math.inf:
        words = f'nothing bounds the time and the way of {entry}'
    elif time == math.inf:
        words = f'nothing bounds the time of {entry}, which drives at most {way:g} m'
    else:
        words = f'{entry} takes at most {time:g} s and {way:g} m'
    time, way = found.tidying
    if found.tidying == NOTHING:
        return words
    if time == math.inf:
        return f'{words}, and its finally a time that is not known'
    return f'{words}, and then {time:g} s and {way:g} m for its finally'


def report(result: 'MdleResult', as_json: bool, **more: Any) -> None:
    """Print the result of a run, and more; people do not see empty fields."""
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
