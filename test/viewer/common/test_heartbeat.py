"""Test that a motion lives by the heartbeat of a page, without a browser."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
import viser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from benchmarks.own_clock import wait_until
from walking_robots.viewer.common.board import Board, left_panel
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.content import Content
from walking_robots.viewer.common.controls import AXES
from walking_robots.viewer.common.heartbeat import CHECK, LIMIT, Heartbeat
from walking_robots.viewer.common.page import Page

CAMERA = {
    'type': 'ViewerCameraMessage',
    'wxyz': [1, 0, 0, 0],
    'position': [1, 2, 3],
    'fov': 1.0,
    'near': 0.1,
    'far': 100,
    'image_height': 480,
    'image_width': 640,
    'look_at': [0, 0, 0],
    'up_direction': [0, 0, 1],
}


class Motion:
    """A motion that goes on until the page ends it; scene and panel in one."""

    def __init__(self) -> None:
        self.moves = True

        self.asked: list[tuple[float, ...] | str] = []

    axes = AXES

    def leave(self) -> None:
        self.moves = False

    def drive(self, *shares: float) -> None:
        self.asked.append(shares)

    def stop(self) -> None:
        self.asked.append('stop')

    def follow(self, state: object) -> None:
        pass

    show = show_terrain = follow


def page_with(motion: Motion) -> Page[Any, Any]:
    """Serve a page whose only motion has begun."""

    def fill(server: viser.ViserServer) -> Content[Any]:
        return Content(motion, Board(server.gui, left_panel(server.gui)), motion)

    return Page('Test', fill, Subject((0.0, 0.0, 0.0), 1.0), port=0)


class Visitor:
    """A page as the server sees it; it answers while `answers` is set."""

    def __init__(self, url: str) -> None:
        address = url.replace('http:', 'ws:').rstrip('/')
        self._page = connect(address, subprotocols=[f'viser-v{viser.__version__}'], max_size=None)  # type: ignore[list-item]
        self._page.send(msgspec.msgpack.encode(CAMERA))
        self._line = connect(f'{address}/heartbeat')
        self.answers = True
        self.drive = (0.0, 0.0, 0.0)
        self.late = 0.0
        self.count = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for question in self._line:
                time.sleep(self.late)
                if self.answers:
                    self.say(time=json.loads(question)['time'], drive=self.drive)
                    self.count += 1
        except ConnectionClosed:
            pass

    def say(self, **answer: Any) -> None:
        self._line.send(json.dumps(answer))

    def close(self) -> None:
        self._line.close()
        self._page.close()


def begin(page: Page[Any, Any], motion: Motion, *visitors: Visitor) -> None:
    """Begin the motion once all visitors have answered."""
    before = [visitor.count for visitor in visitors]
    heartbeat = page._page_server.heartbeat
    wait_until(lambda: all(v.count > n + 3 for v, n in zip(visitors, before, strict=True)))
    wait_until(lambda: heartbeat._checked - heartbeat._alive < LIMIT / 2)
    wait_until(lambda: len(page._server.get_clients()) == len(visitors))
    motion.moves = True


@pytest.fixture
def motion() -> Motion:
    return Motion()


class Clock:
    """The time of a heartbeat, which goes on by hand: no machine is too busy for it."""

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._now = 0.0
        heartbeat._clock = lambda: self._now

    def tick(self, answered: bool = True) -> None:
        """Advance when the page has been looked at, and has answered, in the present time."""
        wait_until(lambda: self._heartbeat._checked == self._now)
        wait_until(lambda: not answered or self._heartbeat._alive == self._now)
        self._now += CHECK

    def go_on(self, motion: Motion) -> None:
        """Check that the motion goes on for longer than a silent page may leave it."""
        for _ in range(int(1.5 * LIMIT / CHECK)):
            self.tick()
            assert motion.moves

    def end(self, motion: Motion) -> None:
        """Check that the motion ends within the time for which a page may be silent."""
        for _ in range(int(LIMIT / CHECK) + 2):
            self.tick(answered=False)
        wait_until(lambda: not motion.moves)


@pytest.fixture
def page(motion: Motion) -> Iterator[Page[Any, Any]]:
    page = page_with(motion)
    yield page
    page.close()


@pytest.fixture
def clock(page: Page[Any, Any]) -> Clock:
    return Clock(page._page_server.heartbeat)


def test_a_motion_goes_on_while_one_of_two_visitors_can_end_it(
    page: Page[Any, Any], motion: Motion, clock: Clock
) -> None:
    first, second = Visitor(page.url), Visitor(page.url)
    begin(page, motion, first, second)
    # The first is hidden; then its connections end.
    first.answers = False
    clock.go_on(motion)
    first.close()
    clock.go_on(motion)
    second.close()
    clock.end(motion)


def test_a_motion_ends_when_the_line_falls_silent(
    page: Page[Any, Any], motion: Motion, clock: Clock
) -> None:
    visitor = Visitor(page.url)
    begin(page, motion, visitor)
    # As when a laptop is closed: the connections stay open.
    visitor.answers = False
    clock.end(motion)
    assert len(page._server.get_clients()) == 1
    # Whoever can see the page again can move the robot again.
    visitor.answers = True
    begin(page, motion, visitor)
    clock.go_on(motion)
    visitor.close()


def test_answers_that_waited_do_not_count(page: Page[Any, Any], motion: Motion) -> None:
    visitor = Visitor(page.url)
    begin(page, motion, visitor)
    visitor.late = 1.2 * LIMIT
    count = visitor.count
    wait_until(lambda: not motion.moves and visitor.count > count + 2)
    motion.moves = True
    wait_until(lambda: not motion.moves)
    visitor.close()


def test_a_client_without_a_heartbeat_moves_nothing(page: Page[Any, Any], motion: Motion) -> None:
    address = page.url.replace('http:', 'ws:').rstrip('/')
    with connect(address, subprotocols=[f'viser-v{viser.__version__}'], max_size=None) as client:  # type: ignore[list-item]
        client.send(msgspec.msgpack.encode(CAMERA))
        wait_until(page._server.get_clients)
        motion.moves = True
        wait_until(lambda: not motion.moves)


def test_a_held_velocity_ends_with_the_visitor_who_holds_it(
    page: Page[Any, Any], motion: Motion, clock: Clock
) -> None:
    first, second = Visitor(page.url), Visitor(page.url)
    first.drive = (0.5, 0.0, -1.0)
    wait_until(lambda: motion.asked == [(0.5, 0.0, -1.0)])
    # The other page still answers.
    first.answers = False
    for _ in range(int(LIMIT / CHECK) + 2):
        clock.tick()
    wait_until(lambda: motion.asked[1:] == [(0.0, 0.0, 0.0)])
    count = first.count
    first.answers = True
    wait_until(lambda: first.count > count + 3)
    assert len(motion.asked) == 2, 'what is still held is not resumed'
    second.drive = (1.0, 0.0, 0.0)
    wait_until(lambda: len(motion.asked) == 3)
    second.close()
    wait_until(lambda: motion.asked[3:] == [(0.0, 0.0, 0.0)])
    first.close()


def test_a_stop_counts_at_any_age_and_a_velocity_does_not(
    page: Page[Any, Any], motion: Motion
) -> None:
    visitor = Visitor(page.url)
    visitor.say(time=0.0, drive=(1.0, 0.0, 0.0))
    visitor.say(time=0.0, stop=True)
    wait_until(lambda: motion.asked)
    assert motion.asked == ['stop']
    visitor.close()


@pytest.mark.parametrize(
    'answer',
    [
        {'drive': (1.01, 0.0, 0.0)},
        {'drive': (0.5, 0.0)},
        {'drive': 'ahead'},
        {'stop': 1},
        {'time': 'now'},
        {'more': 1},
    ],
)
def test_an_answer_that_no_page_gives_moves_nothing_and_ends_its_connection(
    page: Page[Any, Any], motion: Motion, answer: dict[str, Any]
) -> None:
    address = page.url.replace('http:', 'ws:')
    with connect(f'{address}heartbeat') as line, pytest.raises(ConnectionClosed):
        line.send(json.dumps({'time': json.loads(line.recv())['time'], 'stop': False} | answer))
        while True:
            line.recv(timeout=30.0)
    assert motion.asked == []


def test_pages_learn_what_is_wrong_with_the_link_of_the_robot(page: Page[Any, Any]) -> None:
    address = page.url.replace('http:', 'ws:')

    def says(words: str) -> None:
        while json.loads(line.recv(timeout=30.0))['robot'] != words:
            page.show(object())

    with connect(f'{address}heartbeat') as line:
        assert json.loads(line.recv(timeout=30.0))['robot'] == 'no data'
        says('')
        page._content = replace(page._content, link_fault=lambda _: 'cable cut')
        says('cable cut')


def test_nonsense_ends_its_own_connection_only(
    page: Page[Any, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    address = page.url.replace('http:', 'ws:')
    for nonsense in ('text', 'nan', 'inf', '1e400', b'\xff', ''):
        with connect(f'{address}heartbeat') as line:
            line.send(nonsense)
            line.recv()
    assert page._page_server.heartbeat.is_silent()
    visitor = Visitor(page.url)
    wait_until(lambda: visitor.count > 3)
    visitor.close()
    assert capfd.readouterr() == ('', '')


def test_half_a_second_of_silence_is_the_limit() -> None:
    now = 100.0
    heartbeat = Heartbeat(lambda: now)
    assert heartbeat.is_silent(), 'no page has answered yet'
    heartbeat._alive, silent = now, []
    for _ in range(20):
        now += CHECK
        silent.append(heartbeat.is_silent())
    assert silent.index(True) * CHECK == pytest.approx(0.5, abs=0.051)
    assert all(silent[silent.index(True) :])


def test_a_process_that_stood_still_has_watched_over_nothing() -> None:
    now = 100.0
    heartbeat = Heartbeat(lambda: now)
    heartbeat._alive = now
    heartbeat.is_silent()
    now += CHECK
    assert not heartbeat.is_silent()
    now += 7.0
    # An answer comes before the process looks.
    heartbeat._alive = now
    assert heartbeat.is_silent()
    now += CHECK
    assert not heartbeat.is_silent()


_SERVER = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location('test_heartbeat', sys.argv[1])
test = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test)
motion = test.Motion()
page = test.page_with(motion)
print(page.url, flush=True)
while True:
    input()
    motion.moves = True
    print('moves', flush=True)
    test.wait_until(lambda: not motion.moves)
    print('ended', flush=True)
"""


def test_a_motion_ends_after_the_process_of_the_page_was_held() -> None:
    command = [sys.executable, '-c', _SERVER, __file__]
    streams: dict[str, Any] = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE, 'text': True}
    with subprocess.Popen(command, **streams) as process:
        try:
            visitor = Visitor(process.stdout.readline().strip())  # type: ignore[union-attr]
            wait_until(lambda: visitor.count > 3)
            print(file=process.stdin, flush=True)
            assert process.stdout.readline() == 'moves\n'  # type: ignore[union-attr]
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(2.0 * LIMIT)
            os.kill(process.pid, signal.SIGCONT)
            assert process.stdout.readline() == 'ended\n'  # type: ignore[union-attr]
            assert visitor.answers
        finally:
            process.kill()
