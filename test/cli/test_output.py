"""What the command does with its files, its output and the signals that end it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from walking_robots.cli import main

COMMAND = [sys.executable, '-m', 'walking_robots']
PLAY = [*COMMAND, 'aquarobot', 'play', 'session_1993']


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.mark.parametrize('number', ['nan', 'inf', '-inf', '1e999'])
@pytest.mark.parametrize(
    ('command', 'option'),
    [
        ('asv', '--turn'),
        ('asv', '--forbidden'),
        ('asv', '--speed'),
        ('hexapod', '--forbidden'),
        ('biped', '--friction'),
        ('biped', '--noise'),
        ('scout', '--slip'),
    ],
)
def test_a_number_that_is_not_finite_is_refused(capsys, command, option, number):
    code, out, err = call(capsys, 'trial', command, f'{option}={number}')
    assert (code, out) == (2, '')
    assert err.count('\n') == 1 and option in err


def test_a_push_that_is_no_number_is_refused(capsys):
    code, _, err = call(capsys, 'trial', 'biped', '--push', '1.0', 'nan')
    assert code == 2 and "'nan' is not a force" in err


def test_mujoco_warns_without_a_file(tmp_path, monkeypatch):
    from walking_robots.robots.kwalk import KWALKS
    from walking_robots.simulation.biped.simulation import BipedSimulation
    from walking_robots.simulation.biped.state import SimulationSettings
    from walking_robots.terrain.profile import LEVEL

    monkeypatch.chdir(tmp_path)
    joints = (0.0, 0.0, 0.0, 0.0)
    settings = SimulationSettings('native')
    robot = BipedSimulation.standing(KWALKS['b'], LEVEL, settings, joints)
    with pytest.warns(RuntimeWarning, match='unstable'):
        robot.advance(push=1e300)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    'arguments',
    [
        ['aquarobot', 'play', '{}/pipe.csv'],
        ['mdle', 'replay', '{}/pipe.csv', 'follow'],
        ['mdle', 'check', '{}/pipe.csv'],
        ['mdle', 'check', 'follow', '--library', '{}/pipe.csv'],
        ['trial', 'asv', '--terrain', '{}/pipe.csv'],
        ['trial', 'biped', '--terrain', '{}/pipe.csv'],
        ['robot', 'check', '{}/pipe.csv'],
        ['ars_magna', 'check', '{}/pipe.csv'],
        ['ars_magna', 'cli', '--script', '{}/pipe.csv'],
    ],
)
def test_a_named_pipe_is_refused(capsys, tmp_path, arguments):
    os.mkfifo(tmp_path / 'pipe.csv')
    code, out, err = call(capsys, *[word.format(tmp_path) for word in arguments])
    assert (code, out) == (2, '')
    assert 'cannot be read (it is no regular file); give the path of ' in err


def test_deep_json_in_a_recording_is_one_sentence(capsys, tmp_path):
    path = tmp_path / 'deep.json'
    head = json.dumps({'kind': 'walking_robots.recording', 'version': 1})
    for text, line in (('[' * 100_000, 1), (f'{head}\n{"[" * 100_000}', 2)):
        path.write_text(text)
        code, _, err = call(capsys, 'mdle', 'replay', path, 'follow')
        assert code == 2 and f'line {line}: is not a recording' in err and err.count('\n') == 1


@pytest.mark.parametrize(
    'arguments',
    [
        ['aquarobot', 'play'],
        ['robot', 'check'],
        ['mdle', 'run'],
        ['trial', 'biped', '--terrain'],
        ['trial', 'asv', '--speed'],
        ['dance'],
    ],
)
@pytest.mark.parametrize('name', ['a' * 5000, 'a b ' * 1250])
def test_a_long_name_is_repeated_in_part(capsys, arguments, name):
    code, _, err = call(capsys, *arguments, name)
    assert code == 2 and err.count('\n') == 1 and len(err) < 2500


def test_an_encoding_without_a_letter_breaks_nothing():
    ascii_only = os.environ | {'PYTHONIOENCODING': 'ascii', 'LC_ALL': 'C'}
    done = subprocess.run(PLAY, env=ascii_only, capture_output=True, text=True)
    assert done.returncode == 0 and 'turned ?' in done.stdout and not done.stderr


@pytest.mark.parametrize('options', [[], ['--json']], ids=['table', 'json'])
def test_a_full_or_closed_output_is_one_sentence(options):
    with Path('/dev/full').open('w') as full:
        done = subprocess.run([*PLAY, *options], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert 'cannot be written (no space left on device)' in done.stderr
    assert done.stderr.count('\n') == 1
    closed = ['sh', '-c', 'exec "$@" >&-', 'sh', *PLAY, *options]
    done = subprocess.run(closed, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, '')
    assert 'standard output is closed' in done.stderr and done.stderr.count('\n') == 1


def test_a_reader_that_leaves_is_no_message():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, 'w') as stream:
        done = subprocess.run([*PLAY, '--json'], stdout=stream, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b'')


def test_a_table_has_each_value_on_one_line(capsys):
    _, out, _ = call(capsys, 'trial', 'asv', '--max-time', '1s')
    [digest] = [row.split() for row in out.splitlines() if row.startswith('trace_sha256')]
    assert len(digest[1]) == 64
