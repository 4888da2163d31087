"""Bars and spinners: on a terminal only, and never in the output."""

import json
import os
import pty
import subprocess
import sys

import pytest

SWEEP = ['sweep', 'asv', '--goal', '8ft', '--repeat', '3', '--jobs', '1', '--out', 'runs.csv']
CHECK = ['robot', 'check', 'insect18', '--json']


def run(*arguments: str) -> tuple[list[str], str]:
    """Run a command with a terminal for stderr; return the lines of stdout, and the terminal."""
    terminal, stderr = pty.openpty()
    with subprocess.Popen(
        [sys.executable, '-m', 'walking_robots', *arguments],
        stdout=subprocess.PIPE, stderr=stderr, text=True, env=os.environ | {'TERM': 'xterm'},
    ) as process:  # fmt: skip
        os.close(stderr)
        assert process.stdout is not None
        shown = b''
        try:
            while part := os.read(terminal, 4096):
                shown += part
        except OSError:
            # The other end is closed.
            pass
        lines = process.stdout.read().splitlines()
    os.close(terminal)
    assert process.returncode == 0
    return lines, shown.decode()


@pytest.mark.parametrize(('command', 'word'), [(SWEEP, 'running'), (CHECK, 'examining')])
def test_it_is_on_the_terminal_and_results_on_stdout(command, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out, terminal = run(*command)
    assert word in terminal and not any(word in line for line in out)
    assert '3 of 3' in '\n'.join(out) or json.loads(out[0])


@pytest.mark.parametrize('command', [SWEEP, CHECK])
def test_a_pipe_sees_none_of_it(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(
        [sys.executable, '-m', 'walking_robots', *command], capture_output=True, text=True
    )
    assert not {'running', 'examining'} & set(done.stderr.split())
    assert '\x1b' not in done.stdout + done.stderr
