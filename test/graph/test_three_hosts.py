"""Driver and emulator, executor, and page on three hosts: what a bad network does to the robot.

Motion is measured by the emulator's truth, on the host of the robot.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import Stopwatch, wait_until

pytestmark = [pytest.mark.graph, pytest.mark.slow]

CORRIDOR = """
ars_schema: 1
world:
  name: corridor
  size: [800, 80]
  cell: 5cm
  y_axis: up
  start: {at: [2m, 2m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [800, 80], type: bricks, params: [1]}
"""
PLAN = 'mdle 1; import std.body2; plan far { do { drive(30 m, 0.2 m/s); } }'
SPEED = 0.2
TIMEOUT, BRAKING = 0.5, SPEED / 0.5
"""s, for which the driver obeys a velocity that is not repeated, and s to rest from the speed."""
LATE = 1.0
"""s, for what was under way and the rate of the driver."""
IDLE = ('NOTRUN', 'TERMINATED')
NODES = ('scout_emulator', 'scout_driver', 'mdle_executor', 'viewer')


class Person:
    """A process of remote_person.py on a host; ``lines`` holds the words of what it wrote."""

    def __init__(self, host: Any) -> None:
        command = [sys.executable, str(Path(__file__).with_name('remote_person.py'))]
        self.process = host.run(
            subprocess.Popen, command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.lines: list[list[str]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.split(maxsplit=4))

    def say(self, line: str) -> None:
        self.process.stdin.write(f'{line}\n')
        self.process.stdin.flush()

    def poses(self, since: float = 0.0) -> list[tuple[float, float, float]]:
        """Return time, s, place, m, and speed, m/s, of the robot from a time on."""
        return [(float(t), float(x), float(v)) for _, t, x, v in self.said('pose', since)]

    def said(self, word: str, since: float) -> list[list[str]]:
        """Return the lines of a kind from a time, s, on."""
        lines = list(self.lines)
        return [line for line in lines if line[0] == word and float(line[1]) >= since]

    def program(self) -> tuple[str, ...]:
        """Return phase and outcome of the last program; empty before anything is heard."""
        heard = self.said('status', 0.0)
        return tuple(heard[-1][2:4]) if heard else ('', '')

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class Network:
    """Three hosts: the robot's, the one that drives it, and the one of the page."""

    def __init__(self, hosts: Any, folder: Path) -> None:
        from walking_robots.nodes.common.processes import Processes

        self.opened: list[Any] = []
        self.robot, self.driving, self.page = (self._open(hosts.Host(n)) for n in (1, 2, 3))
        self.switch = self._open(hosts.Switch([self.robot, self.driving, self.page]))
        (folder / 'corridor.yaml').write_text(CORRIDOR)
        line = str(folder / 'line')
        values = {
            'scout_emulator': {'link': line, 'world': str(folder / 'corridor.yaml')},
            'scout_driver': {'port': line},
            # A program ends where three of its ticks are late, as on a busy machine.
            'mdle_executor': {'tick_period': 0.2},
        }

        def start(host: Any, *own: str) -> Any:
            without = [name for name in NODES if name not in own]
            return self._open(host.run(Processes, 'mdle', values, without=without))

        self.nodes = {
            self.robot: start(self.robot, 'scout_emulator', 'scout_driver'),
            self.driving: start(self.driving, 'mdle_executor'),
            self.page: start(self.page, 'viewer'),
        }
        self.observer = self._open(Person(self.robot))
        self.person = self._open(Person(self.driving))
        self._watch = Stopwatch()
        self._times = [(time.monotonic(), 0.0)]

    def _open(self, found: Any) -> Any:
        self.opened.append(found)
        return found

    def until(self, done: Callable[[], Any], what: str) -> None:
        def watched() -> Any:
            for nodes in self.nodes.values():
                assert not nodes.fallen(), nodes.fallen()
            if time.monotonic() > self._times[-1][0] + 0.1:
                self._times.append((time.monotonic(), self._watch.elapsed()))
            return done()

        wait_until(watched, lambda: f'{what}; {self.person.said("status", 0.0)[-3:]}')

    def pause(self, seconds: float) -> None:
        """Let wall time go on."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, 'time')

    def drives(self, since: float = 0.0) -> None:
        """Wait until the robot is at speed."""
        self.until(
            lambda: any(pose[2] > 0.9 * SPEED for pose in self.observer.poses(since)[-1:]),
            'the robot drives',
        )

    def run_program(self) -> None:
        """Start a program, again if a late tick of a busy machine ended it, and wait for speed."""
        sent = 0.0

        def is_at_speed() -> bool:
            nonlocal sent
            if self.person.program()[0] in IDLE and time.monotonic() > sent + 5.0:
                sent = time.monotonic()
                self.person.say(f'plan {PLAN}')
            return any(pose[2] > 0.9 * SPEED for pose in self.observer.poses(sent)[-1:])

        self.until(is_at_speed, 'a program drives')

    def rest_after(self, begin: float) -> float:
        """Return how long after a time, s, the robot was at rest, and stayed so a second.

        Waits for a processor are not counted.
        """
        self.until(lambda: self._rested(begin) is not None, 'the robot rests')
        first, last = np.interp([begin, self._rested(begin)], *zip(*self._times, strict=True))
        return float(last - first)

    def _rested(self, begin: float) -> Any:
        poses = self.observer.poses(begin)
        moving = [pose[0] for pose in poses if abs(pose[2]) > 1e-3]
        last = moving[-1] if moving else begin
        return last if poses and poses[-1][0] > last + 1.0 else None

    def cut_for(self, seconds: float, meanwhile: Callable[[], None] = lambda: None) -> float:
        """Cut the robot's host off, call a function shortly before the end; return the begin."""
        begin = time.monotonic()
        self.switch.cut = {self.robot}
        self.pause(0.75 * seconds)
        meanwhile()
        self.pause(0.25 * seconds)
        self.switch.cut = set()
        return begin

    def die(self, host: Any) -> float:
        """Cut a host off, kill all that runs there, and return when."""
        died = time.monotonic()
        self.switch.cut = {host}
        self.killed = list(self.nodes[host].running)
        for name in self.killed:
            self.nodes[host].kill(name)
        if host is self.driving:
            self.person.close()
        return died

    def revive(self, host: Any) -> None:
        """Start anew what was killed."""
        self.switch.cut = set()
        for name in self.killed:
            host.run(self.nodes[host].start, name)
        if host is self.driving:
            self.opened.remove(self.person)
            self.person = self._open(Person(host))

    def close(self) -> None:
        for found in reversed(self.opened):
            if hasattr(found, '__exit__'):
                found.__exit__()
            else:
                found.close()


@pytest.fixture(scope='module')
def running(hosts: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """Return a network in which everything runs, as on hosts without any settings of DDS."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'):
            patch.delenv(name, raising=False)
        patch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SUBNET')
        try:
            found = Network(hosts, tmp_path_factory.mktemp('hosts'))
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f'Network namespaces cannot be made here, it takes root and ip: {error}')
        yield found
        found.close()


@pytest.fixture
def network(running: Network) -> Iterator[Network]:
    """Return the network with a robot at rest, whose driver hears the person."""
    start = time.monotonic()
    running.person.say('cancel')
    running.person.say('drive 0.0')
    running.until(lambda: running.observer.said('command', start), 'the network is there')
    running.until(lambda: running.person.program()[0] in IDLE, 'no program runs')
    running.person.say('release')
    running.rest_after(start)
    yield running
    running.switch.loss = running.switch.delay = 0.0
    running.switch.cut = set()


def test_a_cut_of_a_fifth_of_a_second_is_bridged(network: Network) -> None:
    network.person.say('drive 0.2')
    network.drives()
    begin = network.cut_for(0.2)
    network.drives(begin + 0.2)
    network.person.say('release')
    assert network.rest_after(time.monotonic()) < TIMEOUT + BRAKING + LATE


@pytest.mark.parametrize('seconds', [2.0, 20.0])
def test_after_a_cut_the_robot_rests_until_a_new_command(seconds: float, network: Network) -> None:
    network.person.say('drive 0.2')
    network.drives()
    # The stick is held during the cut, and no longer when the link is back.
    begin = network.cut_for(seconds, meanwhile=lambda: network.person.say('release'))
    assert network.rest_after(begin) < TIMEOUT + BRAKING + LATE
    rested = network.observer.poses()[-1][1]
    back = time.monotonic()
    network.until(lambda: network.person.poses(back), 'the link is back')
    network.pause(2.0)
    assert network.observer.poses()[-1][1] == rested
    again = time.monotonic()
    network.person.say('drive 0.2')
    network.drives(again)


@pytest.mark.parametrize(('loss', 'delay'), [(0.1, 0.0), (0.0, 0.2)])
def test_loss_and_delay_neither_stop_the_robot_nor_keep_it_going(
    loss: float, delay: float, network: Network
) -> None:
    network.switch.loss, network.switch.delay = loss, delay
    network.person.say('drive 0.2')
    network.drives()
    begin, start = time.monotonic(), network.observer.poses()[-1][1]
    network.until(lambda: network.observer.poses()[-1][1] > start + 1.0, 'a way of 1 m')
    speeds = [pose[2] for pose in network.observer.poses(begin)]
    assert sum(speed > 0.9 * SPEED for speed in speeds) > 0.6 * len(speeds)
    network.person.say('release')
    assert network.rest_after(time.monotonic()) < delay + TIMEOUT + BRAKING + LATE


def test_a_program_ends_in_a_cut_and_the_robot_rests(network: Network) -> None:
    network.run_program()
    begin = network.cut_for(2.0)
    assert network.rest_after(begin) < TIMEOUT + BRAKING + LATE
    network.until(lambda: network.person.program() == ('TERMINATED', 'FAULT'), 'the fault')
    rested = network.observer.poses()[-1][1]
    back = time.monotonic()
    network.until(lambda: network.person.poses(back), 'the link is back')
    network.pause(2.0)
    assert network.observer.poses()[-1][1] == rested


def test_when_the_host_of_the_page_dies_the_program_goes_on(network: Network) -> None:
    network.run_program()
    network.die(network.page)
    start = network.observer.poses()[-1][1]
    network.until(lambda: network.observer.poses()[-1][1] > start + 0.6, 'a way of 0.6 m')
    assert network.person.program()[0] == 'RUNNING'
    network.revive(network.page)


def test_when_the_host_that_drives_dies_the_robot_rests_until_a_new_command(
    network: Network,
) -> None:
    network.run_program()
    assert network.rest_after(network.die(network.driving)) < TIMEOUT + BRAKING + LATE
    rested = network.observer.poses()[-1][1]
    back = time.monotonic()
    network.revive(network.driving)
    network.until(lambda: network.person.poses(back), 'the host is back')
    network.until(lambda: network.person.said('status', back), 'the executor is back')
    network.pause(2.0)
    assert network.observer.poses()[-1][1] == rested
    network.run_program()
