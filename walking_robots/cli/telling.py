"""Return what came of a trial, for people as a table or for programs as JSON."""

import json
from collections.abc import Mapping

import click
from rich.console import Console
from rich.table import Table


def tell(found: Mapping[str, object], as_json: bool) -> None:
    """Print figures by name."""
    if as_json:
        click.echo(json.dumps(dict(found)))
        return
    table = Table(show_header=False, box=None)
    table.add_column()
    table.add_column(overflow='fold')
    for name, value in found.items():
        table.add_row(name, f'{value:.4g}' if isinstance(value, float) else str(value))
    Console().print(table)
