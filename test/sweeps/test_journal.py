"""Test that a sweep loses no finished run."""

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
    sentence = r'a\.csv\.runs holds something else than runs of this sweep; remove it, or choose'
    with pytest.raises(ValueError, match=sentence):
        SweepJournal(written, 'another sweep')
    assert written.read_bytes() == content


@pytest.mark.parametrize(
    'content', ['{"sweep": "a sweep"}\nnonsense\n', '[1]\n', 'notes of a person', 'notes\nmore\n']
)
def test_a_file_that_is_no_journal_is_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / 'a.csv.runs'
    path.write_text(content)
    with pytest.raises(ValueError, match='holds something else'):
        SweepJournal(path, 'a sweep')
    assert path.read_text() == content


@pytest.mark.parametrize('rest', ['', '{"run": 3, "res'])
def test_a_sweep_of_which_no_run_is_finished_makes_way(tmp_path: Path, rest: str) -> None:
    path = tmp_path / 'a.csv.runs'
    with SweepJournal(path, 'a sweep that the trial refuses'):
        pass
    path.write_text(path.read_text() + rest)
    with SweepJournal(path, 'a sweep') as journal:
        assert journal.results == {}
        journal.add(0, {'success': True})
    with SweepJournal(path, 'a sweep') as journal:
        assert list(journal.results) == [0]


def test_two_sweeps_do_not_write_one_journal(written: Path) -> None:
    with (
        SweepJournal(written, 'a sweep'),
        pytest.raises(ValueError, match='is written by another'),
    ):
        SweepJournal(written, 'a sweep')
