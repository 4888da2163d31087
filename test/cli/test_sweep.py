"""Sweeps by the command line: the same file by any workers, stopped, killed or not."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

WORDS = ('hexapod', '--robot', 'insect18', '--gait', 'tripod,wave', '--speed', '0.01m/s,0.02m/s',
         '--time', '1s', '--physics', 'mujoco', '--noise-height', '3mm')  # fmt: skip
RUNS = 4 * 4


def command(out: Path, *more: str) -> list[str]:
    """Return the command of a sweep of 16 runs."""
    return [
        sys.executable, '-m', 'walking_robots', 'sweep', *WORDS, '--repeat', '4',
        '--out', str(out), *more,
    ]  # fmt: skip


def run(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(out, *more), capture_output=True, text=True, check=False)


def finished(journal: Path) -> int:
    """Return how many runs a journal holds."""
    return max(0, journal.read_bytes().count(b'\n') - 1) if journal.exists() else 0


def wait_for(sweep: subprocess.Popen[bytes], journal: Path, runs: int) -> None:
    """Wait until a sweep has finished some runs."""
    while finished(journal) < runs:
        assert sweep.poll() is None
        time.sleep(0.01)


def workers_of(sweep: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the processes of a sweep that compute."""
    children = psutil.Process(sweep.pid).children(recursive=True)
    return [child for child in children if 'spawn_main' in ' '.join(child.cmdline())]


@pytest.fixture(scope='module')
def table(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the table of the sweep by one worker."""
    out = tmp_path_factory.mktemp('one') / 'runs.csv'
    more = ('--also', 'gait=ripple', '--median', 'distance_m')
    found = run(out, '--jobs', '1', '--plot', str(out.with_suffix('.svg')), *more)
    assert found.returncode == 0, found.stderr
    assert '4 of 4' in found.stdout and 'tripod and wave on the same runs' in found.stdout
    assert '0 of 4' in found.stdout and 'median distance_m' in found.stdout
    drawn = out.with_suffix('.svg').read_text()
    assert all(f'<!-- {label} -->' in drawn for label in ('gait', 'speed 0.01m/s', 'gait ripple'))
    assert [path.name for path in sorted(out.parent.iterdir())] == ['runs.csv', 'runs.svg']
    return out.read_bytes()


def test_a_table_has_a_line_for_each_run(table: bytes) -> None:
    rows = list(csv.DictReader(table.decode().splitlines()))
    assert len(rows) == RUNS
    assert [row['gait'] for row in rows] == ['tripod'] * 8 + ['wave'] * 8
    assert [int(row['seed']) for row in rows[:4]] == list(
        range(int(rows[0]['seed']), int(rows[0]['seed']) + 4)
    )
    assert {row['success'] for row in rows} == {'True'}
    assert len({row['trace_sha256'] for row in rows}) == RUNS


def test_the_table_is_the_same_though_a_worker_dies(table: bytes, tmp_path: Path) -> None:
    out = tmp_path / 'runs.csv'
    sweep = subprocess.Popen(command(out, '--jobs', '2'), stdout=subprocess.DEVNULL)
    wait_for(sweep, out.with_name('runs.csv.runs'), 2)
    victim = workers_of(sweep)[0]
    victim.kill()
    assert sweep.wait() == 0
    assert out.read_bytes() == table


@pytest.mark.parametrize(
    ('how', 'code'),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_a_sweep_that_is_stopped_goes_on(
    table: bytes, tmp_path: Path, how: signal.Signals, code: int
) -> None:
    out = tmp_path / 'runs.csv'
    journal = out.with_name('runs.csv.runs')
    sweep = subprocess.Popen(command(out, '--jobs', '2'), stdout=subprocess.DEVNULL)
    wait_for(sweep, journal, 3)
    workers = workers_of(sweep)
    sweep.send_signal(how)
    assert sweep.wait() == code
    psutil.wait_procs(workers)
    before = journal.read_bytes()
    assert not out.exists() and finished(journal) >= 3
    kept = before[: before.rfind(b'\n') + 1]
    # What is finished is not run again: the journal only grows.
    again = subprocess.Popen(command(out, '--jobs', '2'), stdout=subprocess.DEVNULL)
    grown = b''
    while again.poll() is None:
        if journal.exists():
            grown = max(grown, journal.read_bytes(), key=len)
        time.sleep(0.01)
    assert again.returncode == 0 and out.read_bytes() == table
    assert grown.startswith(kept)
    numbers = [line.split(b',')[0] for line in grown.splitlines()[1:]]
    assert len(numbers) == len(set(numbers))


def test_the_workers_of_a_scheduler_run(table: bytes, tmp_path: Path) -> None:
    from distributed import LocalCluster

    out = tmp_path / 'runs.csv'
    with LocalCluster(
        n_workers=1, threads_per_worker=1, host='127.0.0.1', dashboard_address=None
    ) as cluster:
        found = run(out, '--scheduler', cluster.scheduler_address)
    assert found.returncode == 0, found.stderr
    assert out.read_bytes() == table


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [
        (('asv', '--dich', '7ft'), 'trial asv has no option --dich'),
        (('asv', '--ditch', '7ft,8km'), '8km is outside'),
        (('asv', '--ditch', '7ft,x'), "'x'"),
        (('asv', '--ditch', '0ft:9ft:0ft'), 'never gets to its end'),
        (('asv', '--graph', 'composed'), '--graph is for a single run of trial asv; leave it out'),
        (('asv', '--ditch'), '--ditch needs a value'),
        (('asv', '--plot', 'x.png'), 'give one a list'),
        (('asv', '--ditch', '7ft,8ft', '--plot', 'x.txt'), 'must end in .png or .svg'),
        (('asv', '--seed', 'x'), '--seed'),
        (('asv', '--also', 'possible'), 'possible is not NAME=VALUE'),
        (('asv', '--scheduler', 'tcp://127.0.0.1:9'), 'no scheduler answers at'),
    ],
)
def test_wrong_words_are_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    out = tmp_path / 'runs.csv'
    found = subprocess.run(
        [sys.executable, '-m', 'walking_robots', 'sweep', *words, '--out', str(out)],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ},
    )  # fmt: skip
    assert found.returncode == 2 and sentence in found.stderr, found.stderr
    assert len(found.stderr.splitlines()) == 1 and not out.exists()


def test_a_table_needs_a_known_ending(tmp_path: Path) -> None:
    found = run(tmp_path / 'runs.txt')
    assert found.returncode == 2 and 'runs.txt must end in .csv or .parquet' in found.stderr
    found = run(tmp_path / 'no' / 'runs.csv')
    assert found.returncode == 2 and 'Traceback' not in found.stderr
