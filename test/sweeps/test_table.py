"""Tables of sweeps as files: what is read back is what was written."""

import csv
import sys
from pathlib import Path

import pytest

from walking_robots.sweeps.table import check_format, rows_of, write_table

RESULTS = [
    {'success': True, 'seed': 1, 'gait': 'rules', 'ditch': 0.5, 'eyes': None, 'cpu_s': 1.0},
    {'success': False, 'seed': 2, 'gait': 'rules', 'ditch': 1.5, 'eyes': None, 'more': [1, 'a']},
]
ROWS = [
    {'success': True, 'seed': 1, 'gait': 'rules', 'ditch': 0.5, 'eyes': None, 'more': None},
    {'success': False, 'seed': 2, 'gait': 'rules', 'ditch': 1.5, 'eyes': None, 'more': '[1, "a"]'},
]


def test_rows_have_the_same_columns_without_times_of_computing() -> None:
    assert rows_of(RESULTS) == ROWS


def test_csv_is_read_back(tmp_path: Path) -> None:
    write_table(tmp_path / 'runs.csv', RESULTS)
    with (tmp_path / 'runs.csv').open(newline='') as stream:
        assert list(csv.DictReader(stream)) == [
            {name: '' if value is None else str(value) for name, value in row.items()}
            for row in ROWS
        ]
    assert [path.name for path in tmp_path.iterdir()] == ['runs.csv']


@pytest.mark.usefixtures('optional_libraries')
def test_parquet_is_read_back(tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / 'runs.parquet'
    check_format(path)
    write_table(path, RESULTS)
    assert parquet.read_table(path).to_pylist() == ROWS
    assert [path.name for path in tmp_path.iterdir()] == ['runs.parquet']


def test_without_pyarrow_parquet_is_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    with pytest.raises(ValueError, match=r'^[^\n]*pyarrow[^\n]*walking_robots\[parquet\]'):
        check_format(Path('runs.parquet'))
