"""Learning by the command line: a file that trials take, the same when it was stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CASES = """
biped_learning: 1
robot: b
start: b_h41_mirrored
learn: {lowering_damping: 0.7, least_speed: 0.05}
training: {short: {time: 1s}}
tests: {level: {time: 2s, walks: 3}, fast: {speed: 2, time: 4s}}
"""


def command(*words: str) -> list[str]:
    return [sys.executable, '-m', 'walking_robots', *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, check=False)


@pytest.fixture(scope='module')
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp('cases') / 'cases.yaml'
    path.write_text(CASES)
    return path


@pytest.fixture(scope='module')
def learned(cases: Path) -> Path:
    """Return the file of three generations, learned in one go."""
    out = cases.with_name('mine.yaml')
    found = run('learn', 'biped', '--cases', str(cases), '--evaluations', '36', '--out', str(out),
                '--jobs', '1')  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert 'before 3 of 3, after 3 of 3' in found.stdout
    assert 'before 0 of 1' in found.stdout
    assert sorted(path.name for path in out.parent.iterdir()) == ['cases.yaml', 'mine.yaml']
    return out


@pytest.mark.slow
def test_a_search_that_was_killed_goes_on_where_it_was(cases: Path, learned: Path) -> None:
    out = cases.with_name('again') / 'mine.yaml'
    out.parent.mkdir()
    words = ('learn', 'biped', '--cases', str(cases), '--evaluations', '36', '--out', str(out),
             '--jobs', '1')  # fmt: skip
    search = subprocess.Popen(command(*words), stdout=subprocess.DEVNULL)
    journal = out.with_name('mine.yaml.runs')
    while not (journal.exists() and journal.read_bytes().count(b'\n') > 1):
        assert search.poll() is None
        time.sleep(0.01)
    os.kill(search.pid, signal.SIGKILL)
    search.wait()
    assert run(*words).returncode == 0
    assert out.read_text() == learned.read_text()


@pytest.mark.slow
def test_a_trial_and_another_search_take_the_file(cases: Path, learned: Path) -> None:
    walk = run('trial', 'biped', '--params', str(learned), '--time', '3s', '--json')
    assert walk.returncode == 0 and not json.loads(walk.stdout)['fell']
    other = run('trial', 'biped', '--robot', 'a', '--params', str(learned))
    assert other.returncode == 2 and 'has no set for robot a; give it one' in other.stderr
    test = run('learn', 'biped', '--cases', str(cases), '--params', str(learned),
               '--evaluations', '0', '--json')  # fmt: skip
    assert json.loads(test.stdout) == {'before': {'level': 3, 'fast': 0}}


def test_what_is_learned_needs_a_file() -> None:
    found = run('learn', 'biped')
    assert found.returncode == 2 and 'add --out my_biped.yaml' in found.stderr
