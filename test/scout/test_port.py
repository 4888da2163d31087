"""The driver on a port: a pseudo-terminal with an emulated robot, in real time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, wait_until
from walking_robots.geometry.se2 import Twist2
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.port import SerialRunner
from walking_robots.scout.probe import probe_port
from walking_robots.scout.report import DriverReport, LinkPhase
from walking_robots.scout.settings import DriverSettings
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.terminal import PseudoTerminal
from walking_robots.trials.scout.trial import OPEN_FIELD
from walking_robots.worlds.files import parse_world


class Bench:
    """A runner, and the robot at the other end where there is one."""

    def __init__(
        self,
        path: Path,
        tell: Callable[[DriverReport], None] = lambda report: None,
        settings: DriverSettings | None = None,
    ) -> None:
        self.emulator = Emulator(parse_world(OPEN_FIELD, 'open field'), seed=1)
        self.terminal = PseudoTerminal(self.emulator, path)
        self.runner = SerialRunner(ScoutDriver(settings), str(path), tell)

    def report(self) -> DriverReport:
        with self.runner.lock:
            return self.runner.driver.report()

    def until(self, done: Callable[[DriverReport], bool], limit: float = 8.0) -> DriverReport:
        wait_until(lambda: done(self.report()), self.report, limit)
        return self.report()

    def drive(self) -> None:
        """Command a velocity until the robot moves."""

        def moves() -> bool:
            with self.runner.lock, suppress(ValueError):
                self.runner.driver.command(Twist2(0.2, 0.0), time.monotonic())
            return self.rolls()

        wait_until(moves, 'motion')

    def rest(self, limit: float) -> None:
        wait_until(lambda: not self.rolls(), 'rest', limit)

    def rolls(self) -> bool:
        with self.terminal.emulator_lock:
            return max(map(abs, self.emulator.state.wheels)) > 0.0


@contextmanager
def bench(path: Path, **options: Any) -> Iterator[Bench]:
    found = Bench(path, **options)
    found.terminal.start()
    found.runner.start()
    try:
        yield found
    finally:
        found.runner.end()
        found.terminal.close()


def running(report: DriverReport) -> bool:
    return report.phase is LinkPhase.RUNNING


def test_a_drive_a_cut_cable_and_the_end(tmp_path: Path) -> None:
    counts: list[int] = []
    with bench(tmp_path / 'line', tell=lambda report: counts.append(report.count)) as there:
        there.until(running)
        there.drive()
        with there.terminal.emulator_lock:
            there.emulator.inject('cut_cable', 1.5)
        lost = there.until(lambda report: report.phase is LinkPhase.CLOSED)
        assert 'is the cable plugged in?' in lost.trouble
        there.until(running, 1.5 + 4.0)
        there.rest(0.5)
        there.drive()
        watch = Stopwatch()
        there.runner.end()
        there.until(lambda report: report.phase is LinkPhase.ENDED)
        assert watch.elapsed() < 0.9
        there.rest(0.3)
    assert counts == sorted(set(counts)) and len(counts) > 10
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {'scout', 'emulator'}


def test_a_listener_that_stumbles_does_not_disturb_the_link(tmp_path: Path) -> None:
    reports: list[DriverReport] = []

    def stumble(report: DriverReport) -> None:
        if running(report):
            reports.append(report)
            if len(reports) == 1:
                raise RuntimeError('a listener')

    with bench(tmp_path / 'line', tell=stumble) as there:
        there.until(lambda report: len(reports) > 1)
    assert reports[1].count == reports[0].count + 1


def test_a_driver_that_stumbles_says_stop_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without a watchdog nobody else stops the robot.
    with bench(tmp_path / 'line', settings=DriverSettings(watchdog=0)) as there:
        there.until(running)
        there.drive()
        step = ScoutDriver.step

        def stumble(driver: ScoutDriver, now: float, data: bytes = b'') -> bytes:
            monkeypatch.setattr(ScoutDriver, 'step', step)
            raise RuntimeError('a defect')

        monkeypatch.setattr(ScoutDriver, 'step', stumble)
        there.until(lambda report: 'a defect' in report.trouble)
        there.rest(0.5)
        there.until(running)


def test_a_port_that_is_none(tmp_path: Path) -> None:
    for port, word in ((tmp_path / 'none', 'no such file'), (tmp_path, 'directory')):
        runner = SerialRunner(ScoutDriver(), str(port))
        runner.start()
        wait_until(lambda runner=runner: runner.driver.report().trouble, 'a complaint')
        trouble = runner.driver.report().trouble
        assert str(port) in trouble and word in trouble
        runner.end()


def test_probing_shows_the_state_and_moves_nothing(tmp_path: Path) -> None:
    emulator = Emulator(parse_world(OPEN_FIELD, 'open field'), seed=1)
    terminal = PseudoTerminal(emulator, tmp_path / 'line')
    terminal.start()
    try:
        before = emulator.state.pose
        table = probe_port(str(tmp_path / 'line'))
        assert table['bumper'] == '0x000000, free' and table['battery'] == 'high'
        assert table['sonars 0 to 15, inches'].startswith('none, none')
        assert emulator.state.pose == before
        with terminal.emulator_lock:
            emulator.inject('silence', 10.0)
        with pytest.raises(ValueError, match='switched on'):
            probe_port(str(tmp_path / 'line'))
    finally:
        terminal.close()
    with pytest.raises(ValueError, match='no such file'):
        probe_port(str(tmp_path / 'line'))
