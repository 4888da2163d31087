"""However a command ends, its nodes end with it and no files stay."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.own_clock import descendants, wait_until

pytestmark = pytest.mark.graph

COMMAND = [sys.executable, '-m', 'walking_robots']
ENDLESS = ['--goal', '3000ft', '--max-time', '10h', '--json']


def threads_of(process: int) -> int:
    """Return the number of threads of a process, 0 where it has ended."""
    try:
        status = Path(f'/proc/{process}/status').read_text()
    except OSError:
        return 0
    found = dict(line.split(':', 1) for line in status.splitlines())
    return 0 if found['State'].split()[0] == 'Z' else int(found['Threads'])


@pytest.fixture
def start(graph, tmp_path, monkeypatch):
    """Return a function that starts a command, whose temporary files are below tmp_path."""
    monkeypatch.setenv('TMPDIR', str(tmp_path))
    started = []

    def begin(*arguments, **options):
        environment = os.environ | {'ROS_DOMAIN_ID': str(graph.private_domain())}
        process = subprocess.Popen(
            [*COMMAND, *arguments], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
        )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


CODES = {
    signal.SIGINT: 130,
    signal.SIGTERM: 143,
    signal.SIGHUP: 129,
    signal.SIGKILL: -signal.SIGKILL,
}


@pytest.mark.parametrize('number', CODES)
def test_nodes_of_a_trial_end_with_it(start, number, tmp_path):
    process = start('trial', 'asv', '--graph', 'distributed', *ENDLESS)
    wait_until(lambda: len(descendants(process.pid)) == 4, 'four nodes')
    nodes = descendants(process.pid)
    # Threads of DDS show that all of them are in the graph.
    wait_until(lambda: min(map(threads_of, {process.pid, *nodes})) > 4, 'nodes that run')
    process.send_signal(number)
    errors = process.communicate()[1]
    assert process.returncode == CODES[number]
    assert 'Traceback' not in errors
    wait_until(lambda: not any(map(threads_of, nodes)), 'the end of all nodes')
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP])
def test_a_trial_in_one_process_ends_in_order(start, number, tmp_path):
    process = start('trial', 'asv', '--graph', 'composed', *ENDLESS)
    wait_until(lambda: threads_of(process.pid) > 4, 'nodes that run')
    process.send_signal(number)
    errors = process.communicate()[1]
    assert process.returncode == CODES[number]
    assert 'Traceback' not in errors
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_demo_ends_in_order_also_where_its_terminal_closes(start, number):
    process = start('demo', 'asv', '--port', '8485')
    assert process.stdout.readline()
    # A terminal that closes sends it twice.
    for _ in range(2 if number == signal.SIGHUP else 1):
        process.send_signal(number)
    errors = process.communicate()[1]
    assert process.returncode == 0
    assert 'Traceback' not in errors


def test_a_demo_whose_lines_nobody_reads_any_more_ends(start):
    process = start('demo', 'asv', '--once', '--port', '8487')
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 0
    assert 'Traceback' not in process.stderr.read()


def test_nohup_is_obeyed(start):
    process = start(
        'demo', 'asv', '--port', '8486',
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1.0)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0
