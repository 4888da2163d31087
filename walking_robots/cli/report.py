"""Report the result of a trial: a table for people, one line of JSON for programs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

_NOT_SETTINGS = {'graph', 'record', 'trace', 'plot', 'as_json'}
"""Options that say how a trial is run and reported, not what is tried."""


def settings(context: click.Context) -> dict[str, Any]:
    """Return all settings of a trial by the names of its options, in SI units."""
    return {
        name: _plain(value) for name, value in context.params.items() if name not in _NOT_SETTINGS
    }


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def flat(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result with the figures of forces beside the others, none where there are none."""
    values = dict(result)
    return values | (values.pop('forces', None) or {})


def report(result: Mapping[str, Any], as_json: bool, *, reached: bool = True) -> None:
    """Print the result of a trial; exit with code 1 where it did not reach its goal."""
    if as_json:
        values = settings(click.get_current_context()) | flat(result)
        click.echo(json.dumps(values, allow_nan=False))
    else:
        print_table(flat(result))
    if not reached:
        click.get_current_context().exit(1)


def print_table(values: Mapping[str, Any]) -> None:
    """Print names and values, each value on one line, so that it can be copied whole."""
    width = max(map(len, values))
    for name, value in values.items():
        click.echo(f'{name:{width}}  {_text(value)}')


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ', '.join(f'{key} {_text(one)}' for key, one in value.items())
    return f'{value:.4g}' if isinstance(value, float) else '–' if value is None else str(value)
