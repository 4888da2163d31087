"""The emulated Scout on a pseudo-terminal, in real time."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from benchmarks.own_clock import Stopwatch, wait_until
from walking_robots.scout import protocol
from walking_robots.scout.framing import PacketReader, frame
from walking_robots.scout.protocol import Op, State, decode_state, plain
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.terminal import PseudoTerminal
from walking_robots.worlds.files import parse_world

ROOM = parse_world(
    'ars_schema: 1\nworld: {name: room, size: [80, 80], cell: 5cm, start: {at: [40, 40]}}'
)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PseudoTerminal]:
    terminal = PseudoTerminal(Emulator(ROOM), tmp_path / 'scout')
    terminal.start()
    yield terminal
    terminal.close()


def inject(terminal: PseudoTerminal, fault: str, duration: float) -> None:
    with terminal.emulator_lock:
        terminal.emulator.inject(fault, duration)


def ask(port: serial.Serial) -> State:
    port.write(frame(plain(Op.GET_STATE)))
    [packet] = PacketReader().feed(port.read(48))
    return decode_state(packet.payload)


def test_it_answers_at_the_pace_of_the_line(terminal: PseudoTerminal) -> None:
    with serial.Serial(str(terminal.path), 38400, timeout=2.0, exclusive=True) as port:
        begin = time.monotonic()
        first = ask(port)
        took = time.monotonic() - begin
        time.sleep(0.3)
        last = ask(port)
        pause = time.monotonic() - begin
    # 54 bytes and the controller's latency; the machine may be slower, the line is never faster.
    assert took > 0.015
    assert 300 <= last.clock - first.clock <= 1e3 * pause


def test_bytes_are_not_changed_on_the_way(terminal: PseudoTerminal) -> None:
    with serial.Serial(str(terminal.path), 38400, timeout=2.0) as port:
        for value in (0x0A0D, 0x0304, 0x1113, 0x1A1C, 0x7F00):
            port.write(frame(protocol.define_position(value, -value)))
            [packet] = PacketReader().feed(port.read(48))
            assert decode_state(packet.payload)[2:4] == (value, -value)


def test_a_cut_cable_hangs_up_and_comes_back_under_the_same_name(
    terminal: PseudoTerminal,
) -> None:
    with serial.Serial(str(terminal.path), 38400, timeout=2.0) as port:
        ask(port)
        own = os.readlink(terminal.path)
        inject(terminal, 'cut_cable', 1.0)
        wait_until(lambda: not os.path.lexists(terminal.path))
        with pytest.raises((serial.SerialException, OSError)):
            for _ in range(3):
                port.write(frame(plain(Op.GET_STATE)))
                port.read(48)
    wait_until(lambda: terminal.path.exists())
    assert terminal.path.is_symlink()
    with serial.Serial(str(terminal.path), 38400, timeout=2.0) as port:
        assert ask(port).clock > 300
    assert own.startswith('/dev/')


def test_after_a_cut_it_waits_for_its_place_to_be_free(
    terminal: PseudoTerminal, caplog: pytest.LogCaptureFixture
) -> None:
    inject(terminal, 'cut_cable', 1.0)
    wait_until(lambda: not os.path.lexists(terminal.path))
    terminal.path.write_text('mine')
    wait_until(lambda: terminal.emulator.connected)
    wait_until(lambda: caplog.records)
    assert terminal.path.read_text() == 'mine'
    assert [record.getMessage().count('not a link') for record in caplog.records] == [1]
    terminal.path.unlink()
    wait_until(terminal.path.exists)


def test_without_power_the_port_stays_and_is_silent(terminal: PseudoTerminal) -> None:
    inject(terminal, 'power_off', 1.0)
    with serial.Serial(str(terminal.path), 38400, timeout=0.2) as port:
        port.write(frame(plain(Op.GET_STATE)))
        assert port.read(48) == b''
        wait_until(lambda: terminal.emulator.powered)
        port.timeout = 2.0
        assert ask(port).clock < 1000


def test_nobody_has_to_read(terminal: PseudoTerminal) -> None:
    with serial.Serial(str(terminal.path), 38400, timeout=2.0) as port:
        inject(terminal, 'garbage', 60.0)
        with terminal.emulator_lock:
            terminal.emulator.advance(60.0)
            terminal.emulator.feed(frame(plain(Op.GET_STATE)) * 300)
        Stopwatch().sleep(0.5)
        inject(terminal, 'garbage', 0.0)
        port.write(frame(plain(Op.STOP)))
        wait_until(lambda: terminal.emulator.due() == float('inf'))
        port.reset_input_buffer()
        ask(port)


def test_an_old_link_is_replaced_and_anything_else_is_not(tmp_path: Path) -> None:
    link = tmp_path / 'scout'
    link.symlink_to('/dev/nothing')
    terminal = PseudoTerminal(Emulator(ROOM), link)
    assert link.exists() and terminal.path == link
    assert os.listdir(tmp_path) == ['scout']
    terminal.close()
    assert os.listdir(tmp_path) == []
    link.write_text('mine')
    with pytest.raises(ValueError, match='not a link'):
        PseudoTerminal(Emulator(ROOM), link)
    assert link.read_text() == 'mine'


def test_a_link_that_somebody_else_took_over_is_left_alone(terminal: PseudoTerminal) -> None:
    terminal.path.unlink()
    terminal.path.symlink_to('/dev/null')
    terminal.close()
    assert os.readlink(terminal.path) == '/dev/null'


def test_without_a_link_the_port_has_its_own_name() -> None:
    terminal = PseudoTerminal(Emulator(ROOM))
    terminal.start()
    own = terminal.path
    with serial.Serial(str(own), 38400, timeout=2.0) as port:
        ask(port)
    terminal.close()
    assert str(own).startswith('/dev/')
    assert not own.exists()


def test_it_ends_cleanly_and_sleeps_while_nothing_is_said() -> None:
    files = len(os.listdir('/proc/self/fd'))
    threads = threading.active_count()
    terminal = PseudoTerminal(Emulator(ROOM))
    terminal.start()
    before = time.process_time()
    time.sleep(1.0)
    spent = time.process_time() - before
    terminal.close()
    # Far above what it takes, far below what a loop that does not sleep would.
    assert spent < 0.3
    assert threading.active_count() == threads
    assert len(os.listdir('/proc/self/fd')) == files
