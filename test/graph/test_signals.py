"""How a node ends by signals whenever they come: at once while it loads, in order later."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, time_to_end
from walking_robots.systems import executables

pytestmark = pytest.mark.graph

ROBOT = """
import atexit, signal, sys, time
from walking_robots.nodes.common import running
from walking_robots.nodes.common.node import GraphNode

def reach(place):
    print(place, flush=True)
    time.sleep(0.5)

class Robot(GraphNode):
    def __init__(self, **options):
        super().__init__('robot', **options)
        reach('construction')
        self.create_timer(0.05, self.tick, clock=self.steady)

    def tick(self):
        reach('callback')

    def halt(self):
        reach('halt')
        super().halt()
        print('at rest', flush=True)

    def destroy_node(self):
        reach('destruction')
        super().destroy_node()

atexit.register(reach, 'exit')
"""
RUN = 'sys.exit(running.run_node(Robot))\n'


def _until(process: Any, place: str) -> None:
    """Read the output of a process until it reaches a place."""
    for line in process.stdout:
        if line.strip() == place:
            return
    raise AssertionError(f'never reached: {place}; {process.stderr.read()}')


@pytest.mark.parametrize('place', ['construction', 'callback', 'halt', 'destruction', 'exit'])
def test_more_signals_do_not_cut_off_the_end(place: str, graph: Any) -> None:
    process = graph.run_alone(sys.executable, '-c', ROBOT + RUN)
    if place not in ('construction', 'callback'):
        _until(process, 'callback')
        process.send_signal(signal.SIGINT)
    _until(process, place)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
        process.send_signal(number)
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, '')
    assert place in ('destruction', 'exit') or 'at rest' in output


def test_a_node_that_hangs_is_ended_by_the_kernel(graph: Any) -> None:
    hangs = """
running.ENDING = 1

def hang(robot):
    while True:
        reach('callback')

Robot.tick = hang
"""
    process = graph.run_alone(sys.executable, '-c', ROBOT + hangs + RUN)
    _until(process, 'callback')
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == -signal.SIGALRM


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_node_that_is_still_imported_ends_at_once(
    number: signal.Signals, graph: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / 'rclpy.py').write_text(
        "import time\nprint('import', flush=True)\ntime.sleep(60.0)\n"
    )
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)
    process = graph.run_alone(sys.executable, '-m', 'walking_robots.nodes', 'leg_servo')
    _until(process, 'import')
    watch = Stopwatch(process.pid)
    process.send_signal(number)
    assert time_to_end(process, watch) < 10.0
    assert process.communicate() == ('', '')
    assert process.returncode == 0


def test_a_page_that_is_still_being_made_ends_at_once(graph: Any) -> None:
    code = (
        'import time\n'
        'from walking_robots.nodes import viewer\n'
        'class Page:\n'
        '    def __init__(self, node):\n'
        '        self.controls = lambda: None\n'
        '    def open(self, controls, host, port):\n'
        "        print('page', flush=True)\n"
        '        time.sleep(60.0)\n'
        'viewer.page_of = lambda robot: Page\n'
        'viewer.main()\n'
    )
    process = graph.run_alone(sys.executable, '-c', code)
    _until(process, 'page')
    watch = Stopwatch(process.pid)
    process.send_signal(signal.SIGINT)
    assert time_to_end(process, watch) < 10.0
    assert process.communicate() == ('', '')
    assert process.returncode == 0


def test_the_name_of_a_node_that_does_not_exist_is_answered_with_those_that_do(graph: Any) -> None:
    process = graph.run_alone(sys.executable, '-m', 'walking_robots.nodes', 'leg_server')
    errors = process.communicate()[1]
    assert process.returncode == 2
    assert errors == f"there is no node 'leg_server'; use {', '.join(executables())}.\n"
