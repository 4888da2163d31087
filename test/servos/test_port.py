"""The driver in its thread on a pseudo-terminal, in real time."""

import os
import pty
import time
import tty
from pathlib import Path

import pytest
from servo_stage import JOINTS

from benchmarks.own_clock import wait_until
from walking_robots.servos.driver import BusDriver
from walking_robots.servos.models import MODELS
from walking_robots.servos.port import SerialBusPort
from walking_robots.servos.report import BusPhase
from walking_robots.servos.runner import BusRunner
from walking_robots.servos.settings import BusDriverSettings
from walking_robots.simulation.servos.bus import EmulatedBus
from walking_robots.simulation.servos.servo import EmulatedServo
from walking_robots.simulation.terminal import PseudoTerminal


def test_a_walk_a_cut_cable_and_the_end(tmp_path: Path) -> None:
    model = MODELS['XM430-W350']
    emulated = EmulatedBus([EmulatedServo(model, number) for number in JOINTS.values()])
    terminal = PseudoTerminal(emulated, tmp_path / 'servos')
    terminal.start()
    settings = BusDriverSettings(soft_start=0.1, reply_timeout=0.2, reconnect_interval=0.1)
    driver = BusDriver(
        JOINTS, model, lambda: SerialBusPort(str(terminal.path), 1_000_000, 0.2), time.monotonic,
        settings,
    )  # fmt: skip
    looks: list[None] = []
    runner = BusRunner(driver, lambda: looks.append(None))
    runner.start()

    def until(phase: BusPhase) -> None:
        wait_until(lambda: driver.report().phase is phase, lambda: driver.report())

    try:
        until(BusPhase.HOLDING)
        runner.command([0.5] * len(JOINTS))

        def there() -> bool:
            runner.command([0.5] * len(JOINTS))
            return all(abs(servo.angle - 0.5) < 0.05 for servo in emulated.servos)

        wait_until(there, 'the posture')
        assert looks
        with terminal.emulator_lock:
            emulated.inject('cut_cable', 1e9)
        until(BusPhase.CLOSED)
        with pytest.raises(ValueError, match='no command now'):
            runner.command([0.0] * len(JOINTS))
        with terminal.emulator_lock:
            emulated.inject('cut_cable', 0.0)
        until(BusPhase.HALTED)
        driver.resume()
        until(BusPhase.HOLDING)
    finally:
        runner.end()
        terminal.close()
    assert driver.report().phase is BusPhase.ENDED


def test_reading_ends_in_time_on_a_silent_port_and_says_when_it_hangs_up() -> None:
    near, far = pty.openpty()
    for end in (near, far):
        tty.setraw(end)
    port = SerialBusPort(os.ttyname(far), 1_000_000, 0.01)
    os.close(far)
    port.setPacketTimeout(11)
    assert port.readPort(11) == b'' and port.isPacketTimeout()
    os.close(near)
    port.setPacketTimeout(11)
    with pytest.raises(OSError):
        port.readPort(11)
    port.close()
