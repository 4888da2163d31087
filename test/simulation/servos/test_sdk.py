"""The Dynamixel SDK with a port of its own on the emulated bus, by the steps of its examples."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dynamixel_sdk import (
    COMM_SUCCESS,
    DXL_HIBYTE,
    DXL_HIWORD,
    DXL_LOBYTE,
    DXL_LOWORD,
    GroupBulkRead,
    GroupBulkWrite,
    GroupSyncRead,
    GroupSyncWrite,
    PacketHandler,
    PortHandler,
    port_handler,
)

from benchmarks.own_clock import wait_until
from walking_robots.servos.models import MODELS
from walking_robots.simulation.servos.bus import EmulatedBus
from walking_robots.simulation.servos.servo import EmulatedServo
from walking_robots.simulation.terminal import PseudoTerminal

TORQUE, GOAL, POSITION, LED, ERRORS = 64, 116, 132, 65, 70
Plug = Callable[..., tuple[PortHandler, EmulatedBus]]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    # A busy machine may keep the emulated bus waiting; ms, twice of which is the patience.
    monkeypatch.setattr(port_handler, 'LATENCY_TIMER', 500)
    ends = []

    def connect(model: str, ids: tuple[int, ...]) -> tuple[PortHandler, EmulatedBus]:
        emulated = EmulatedBus([EmulatedServo(MODELS[model], number) for number in ids])
        terminal = PseudoTerminal(emulated, tmp_path / 'servos')
        terminal.start()
        ends.append(terminal.close)
        port = PortHandler(str(terminal.path))
        assert port.openPort() and port.setBaudRate(1_000_000)
        ends.append(port.closePort)
        return port, emulated

    yield connect
    for end in reversed(ends):
        end()


def four(value: int) -> list[int]:
    low, high = DXL_LOWORD(value), DXL_HIWORD(value)
    return [DXL_LOBYTE(low), DXL_HIBYTE(low), DXL_LOBYTE(high), DXL_HIBYTE(high)]


def test_read_and_write(plug: Plug) -> None:
    port, _ = plug('XM430-W350', (1,))
    packets = PacketHandler(2.0)
    assert packets.write1ByteTxRx(port, 1, TORQUE, 1) == (COMM_SUCCESS, 0)
    for goal in (1500, 2600):
        assert packets.write4ByteTxRx(port, 1, GOAL, goal) == (COMM_SUCCESS, 0)

        def there(goal: int = goal) -> bool:
            position, result, error = packets.read4ByteTxRx(port, 1, POSITION)
            assert (result, error) == (COMM_SUCCESS, 0)
            return abs(position - goal) <= 20

        wait_until(there, f'position {goal}')
    assert packets.write1ByteTxRx(port, 1, TORQUE, 0) == (COMM_SUCCESS, 0)


def test_read_and_write_by_protocol_1(plug: Plug) -> None:
    port, _ = plug('AX-12A', (1,))
    packets = PacketHandler(1.0)
    assert packets.ping(port, 1) == (12, COMM_SUCCESS, 0)
    assert packets.write1ByteTxRx(port, 1, 24, 1) == (COMM_SUCCESS, 0)
    assert packets.write2ByteTxRx(port, 1, 30, 300) == (COMM_SUCCESS, 0)
    wait_until(lambda: abs(packets.read2ByteTxRx(port, 1, 36)[0] - 300) <= 10, 'position')


def test_ping_one_and_all(plug: Plug) -> None:
    port, _ = plug('XL430-W250', (1, 2, 9))
    packets = PacketHandler(2.0)
    assert packets.ping(port, 2) == (1060, COMM_SUCCESS, 0)
    assert packets.ping(port, 3)[1] != COMM_SUCCESS
    found, result = packets.broadcastPing(port)
    assert result == COMM_SUCCESS
    assert {servo: number for servo, (number, _) in found.items()} == dict.fromkeys(
        (1, 2, 9), 1060
    )


def test_sync_read_and_write(plug: Plug) -> None:
    port, _ = plug('XM430-W350', (1, 2))
    packets = PacketHandler(2.0)
    for servo in (1, 2):
        assert packets.write1ByteTxRx(port, servo, TORQUE, 1) == (COMM_SUCCESS, 0)
    write, read = GroupSyncWrite(port, packets, GOAL, 4), GroupSyncRead(port, packets, POSITION, 4)
    goals = {1: 1800, 2: 2300}
    for servo, goal in goals.items():
        assert read.addParam(servo) and write.addParam(servo, four(goal))
    assert write.txPacket() == COMM_SUCCESS

    def there() -> bool:
        assert read.txRxPacket() == COMM_SUCCESS
        assert all(read.isAvailable(servo, POSITION, 4) for servo in goals)
        return all(abs(read.getData(n, POSITION, 4) - goal) <= 20 for n, goal in goals.items())

    wait_until(there, 'positions')


def test_bulk_read_and_write(plug: Plug) -> None:
    port, _ = plug('XM430-W350', (1, 2))
    packets = PacketHandler(2.0)
    assert packets.write1ByteTxRx(port, 1, TORQUE, 1) == (COMM_SUCCESS, 0)
    write, read = GroupBulkWrite(port, packets), GroupBulkRead(port, packets)
    assert write.addParam(1, GOAL, 4, four(1900)) and write.addParam(2, LED, 1, [1])
    assert read.addParam(1, POSITION, 4) and read.addParam(2, LED, 1)
    assert write.txPacket() == COMM_SUCCESS

    def there() -> bool:
        assert read.txRxPacket() == COMM_SUCCESS
        return abs(read.getData(1, POSITION, 4) - 1900) <= 20 and read.getData(2, LED, 1) == 1

    wait_until(there, 'position and LED')


def test_write_later_and_act(plug: Plug) -> None:
    port, _ = plug('XM430-W350', (1,))
    packets = PacketHandler(2.0)
    packets.write1ByteTxRx(port, 1, TORQUE, 1)
    before = packets.read4ByteTxRx(port, 1, GOAL)[0]
    assert packets.regWriteTxRx(port, 1, GOAL, 4, four(2500)) == (COMM_SUCCESS, 0)
    assert packets.read4ByteTxRx(port, 1, GOAL)[0] == before
    assert packets.action(port, 1) == COMM_SUCCESS
    wait_until(lambda: packets.read4ByteTxRx(port, 1, GOAL)[0] == 2500, 'the action')


def test_what_a_servo_refuses(plug: Plug) -> None:
    port, _ = plug('XL430-W250', (1,))
    packets = PacketHandler(2.0)
    assert packets.write4ByteTxRx(port, 1, POSITION, 7) == (COMM_SUCCESS, 7)
    packets.write1ByteTxRx(port, 1, TORQUE, 1)
    assert packets.write1ByteTxRx(port, 1, 9, 0) == (COMM_SUCCESS, 7)
    assert packets.write4ByteTxRx(port, 1, GOAL, 9000) == (COMM_SUCCESS, 6)
    assert packets.write1ByteTxRx(port, 1, 68, 1)[0] == COMM_SUCCESS
    assert packets.write1ByteTxRx(port, 1, LED, 1)[0] != COMM_SUCCESS
    assert packets.read1ByteTxRx(port, 1, LED) == (1, COMM_SUCCESS, 0)


def test_a_hot_servo_alerts_and_forgets_it_by_a_reboot(plug: Plug) -> None:
    port, emulated = plug('XL430-W250', (1,))
    packets = PacketHandler(2.0)
    emulated.inject('hot:1', 0.3)
    wait_until(lambda: packets.read1ByteTxRx(port, 1, LED)[2] == 0x80, 'the alert')
    assert packets.read1ByteTxRx(port, 1, ERRORS)[0] == 1 << 2
    wait_until(lambda: not emulated.faults.names(emulated.now), 'the end of the heat')
    emulated.servo(1).heat = 40.0
    assert packets.reboot(port, 1)[0] == COMM_SUCCESS
    assert packets.read1ByteTxRx(port, 1, ERRORS) == (0, COMM_SUCCESS, 0)


def test_bytes_that_look_like_a_header_are_stuffed(plug: Plug) -> None:
    port, emulated = plug('XM430-W350', (1,))
    packets = PacketHandler(2.0)
    marks = [7, 0xFF, 0xFF, 0xFD, 0x00, 9]
    assert packets.writeTxRx(port, 1, 224, len(marks), marks) == (COMM_SUCCESS, 0)
    assert list(emulated.servo(1).table[224:230]) == marks
    assert packets.readTxRx(port, 1, 224, len(marks)) == (marks, COMM_SUCCESS, 0)
