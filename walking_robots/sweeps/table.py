"""The results of a sweep as a table: a file for other programs."""

import csv
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from walking_robots.documents.extras import extra_needed

FORMATS = ('.csv', '.parquet')
"""Suffixes of the files that can be written."""

COMPUTING = ('cpu_s', 'wall_s')
"""Ends of the names of times of computing, which differ from run to run."""

Row = Mapping[str, Any]


def check_format(path: Path) -> None:
    """Refuse a file that no table is written into; raises ValueError, one sentence."""
    if path.suffix not in FORMATS:
        raise ValueError(f'{path.name} must end in {" or ".join(FORMATS)}')
    if path.suffix == '.parquet':
        with extra_needed('parquet'):
            import pyarrow  # noqa: F401


def rows_of(results: Sequence[Row]) -> list[dict[str, Any]]:
    """Return results with the same columns each, without times of computing.

    What is no number, text or truth is written as JSON.
    """
    names = dict.fromkeys(name for result in results for name in result)
    columns = [name for name in names if not name.endswith(COMPUTING)]
    return [{name: _cell(result.get(name)) for name in columns} for result in results]


def write_table(path: Path, results: Sequence[Row]) -> None:
    """Write results, a line each, at once or not at all."""
    rows = rows_of(results)
    part = path.with_name(f'{path.name}.part')
    if path.suffix == '.parquet':
        with extra_needed('parquet'):
            import pyarrow
            from pyarrow import parquet
        parquet.write_table(pyarrow.Table.from_pylist(rows), part)
    else:
        with part.open('w', encoding='utf-8', newline='') as stream:
            writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
    os.replace(part, path)


def _cell(value: Any) -> Any:
    plain = value is None or isinstance(value, bool | int | float | str)
    return value if plain else json.dumps(value)
