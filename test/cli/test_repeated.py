"""Trials over many seeds: one line of JSON a run, in order, whatever the number of jobs."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress

import pytest

from walking_robots.cli import main

BIPED = ('biped', '--terrain', 'rough', '--seed', '3', '--time', '1s')


def ran(capsys, *words):
    """Return stdout, stderr and exit code of a trial."""
    with pytest.raises(SystemExit) as end:
        main(['trial', *words])
    out, err = capsys.readouterr()
    return out, err, end.value.code


def test_many_seeds_are_one_line_each_and_a_summary(capsys):
    out, err, code = ran(capsys, *BIPED, '--repeat', '2', '--json')
    assert code == 0 and '2 of 2 succeeded' in err
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line['seed'] for line in lines] == [3, 4]
    alone, _, _ = ran(capsys, *BIPED, '--json')
    assert lines[0] == json.loads(alone)


@pytest.mark.slow
def test_runs_side_by_side_are_the_same_runs(capsys):
    words = (*BIPED, '--repeat=3', '--json')
    one, _, _ = ran(capsys, *words)
    two, _, _ = ran(capsys, *words, '--jobs', '2')
    assert one == two


@pytest.mark.slow
@pytest.mark.parametrize(('number', 'code'), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_terminal_stops_runs_side_by_side_without_a_traceback(number, code):
    """It sends the signal to the workers, too. The port of another cluster is no obstacle."""
    words = ('trial', 'asv', '--forbidden', '0.3', '--repeat', '500', '--jobs', '2', '--json')
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(socket.create_server(('127.0.0.1', 8787)))
        process = subprocess.Popen(
            [sys.executable, '-m', 'walking_robots', *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        assert process.stdout.readline().startswith('{')
        os.killpg(process.pid, number)
        _, errors = process.communicate()
    assert process.returncode == code
    assert errors.strip() == ('walking_robots: stopped' if number == signal.SIGINT else '')


def test_people_get_the_share_that_succeeds(capsys):
    out, _, code = ran(capsys, 'ars_magna', 'big_room', '--plan', 'persistent', '--repeat', '3')
    assert code == 0 and ' of 3, ' in out and '95 % interval' in out


@pytest.mark.parametrize(
    ('words', 'sentence'),
    [
        (('asv', '--jobs', '2'), 'leave out --jobs, or add --repeat'),
        (('biped', '--repeat', '2', '--plot', 'a.png'), '--plot is for a single run'),
        (('asv', '--repeat', '2', '--trace', 'a.jsonl'), '--trace is for a single run'),
        (('biped', '--repeat', '0'), '0 is not in the range'),
    ],
)
def test_what_cannot_be_repeated_is_one_sentence(capsys, words, sentence):
    out, err, code = ran(capsys, *words)
    assert (out, code) == ('', 2)
    assert sentence in err and len(err.splitlines()) == 1
