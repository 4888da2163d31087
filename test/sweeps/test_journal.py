"""Test that a sweep loses no finished run."""

import json
from pathlib import Path

import pytest

from walking_robots.sweeps.journal import SweepJournal


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return the journal of three runs."""
    path = tmp_path / 'a.csv.runs'
    with SweepJournal(path, 'a sweep') as journal:
        for number in (0, 2, 1):
            journal.add(number, {'success': True, 'of': number})
    return path


def test_runs_are_read_back(written: Path) -> None:
    with SweepJournal(written, 'a sweep') as journal:
        assert journal.results == {k: {'success': True, 'of': k} for k in range(3)}


def test_a_journal_cut_at_any_byte_has_all_whole_runs(written: Path) -> None:
    content = written.read_bytes()
    for length in range(len(content)):
        written.write_bytes(content[:length])
        with SweepJournal(written, 'a sweep') as journal:
            whole = max(0, content[:length].count(b'\n') - 1)
            assert list(journal.results) == [0, 2, 1][:whole]
            journal.add(7, {'success': False})
        with SweepJournal(written, 'a sweep') as journal:
            assert list(journal.results) == [*[0, 2, 1][:whole], 7]


def test_the_journal_of_another_sweep_is_kept(written: Path) -> None:
    content = written.read_bytes()
    with pytest.raises(ValueError, match=r'a\.csv\.runs holds the runs of another sweep; remove'):
        SweepJournal(written, 'another sweep')
    written.write_text('{"sweep": "a sweep"}\nnonsense\n')
    with pytest.raises(ValueError, match='another sweep'):
        SweepJournal(written, 'a sweep')
    written.write_bytes(json.dumps([1]).encode() + b'\n')
    with pytest.raises(ValueError, match='another sweep'):
        SweepJournal(written, 'a sweep')
    assert content


def test_two_sweeps_do_not_write_one_journal(written: Path) -> None:
    with (
        SweepJournal(written, 'a sweep'),
        pytest.raises(ValueError, match='is written by another'),
    ):
        SweepJournal(written, 'a sweep')
