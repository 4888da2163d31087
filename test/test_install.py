"""Install the package with pip, without ROS, into an environment of its own."""

import json
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 3_000_000

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

Run = Callable[..., 'subprocess.CompletedProcess[str]']


def pip(*arguments: str | Path) -> 'subprocess.CompletedProcess[str]':
    command = (sys.executable, '-m', 'pip', '--disable-pip-version-check', '--quiet', *arguments)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope='module')
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp('wheel')
    if pip('download', '--no-deps', '--dest', folder / 'index', 'setuptools').returncode:
        pytest.skip('The package index cannot be reached, so nothing can be installed.')
    # Built from a copy, because setuptools leaves its work beside the sources.
    tracked = subprocess.run(('git', 'ls-files', '-z'), cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, tracked.stdout.decode().split('\0')):
        copy = folder / 'source' / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    built = pip('wheel', '--no-deps', '--wheel-dir', folder, folder / 'source')
    assert built.returncode == 0, built.stderr
    [path] = folder.glob('*.whl')
    return path


@pytest.fixture(scope='module')
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return what runs a program of an environment with the wheel and no extras."""
    folder = tmp_path_factory.mktemp('clean')
    venv.create(folder)
    python = folder / 'bin' / 'python'
    done = pip('--python', python, 'install', '--no-compile', wheel)
    assert done.returncode == 0, done.stderr

    def run(program: str, *arguments: str) -> 'subprocess.CompletedProcess[str]':
        command = (folder / 'bin' / program, *arguments)
        clean = {'PATH': '/usr/bin:/bin', 'HOME': str(folder)}
        return subprocess.run(
            command, cwd=folder, env=clean, capture_output=True, text=True, check=False
        )

    return run


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES


def test_trials_run_and_find_their_files(run: Run) -> None:
    done = run('walking_robots', 'trial', 'asv', '--speed', '1ft/s', '--goal', '8ft', '--json')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)['completed']
    done = run('walking_robots', 'mdle', 'check', 'square')
    assert done.returncode == 0, done.stderr
    done = run('walking_robots', 'robot', 'urdf', 'insect18')
    assert done.returncode == 0 and '<robot' in done.stdout, done.stderr


@pytest.mark.parametrize(
    ('extra', 'command'),
    [
        ('figures', 'robot check insect18 --picture reach.png'),
        ('physics', 'trial biped --robot b --json'),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(run: Run, extra: str, command: str) -> None:
    done = run('walking_robots', *command.split())
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert f'walking_robots[{extra}]' in done.stderr


def test_the_page_and_the_graph_say_what_they_need(run: Run) -> None:
    done = run('walking_robots', 'demo', 'asv', '--once')
    assert done.returncode == 2
    assert 'this needs ROS 2' in done.stderr
