"""The bus by the SDK against emulated servos, in simulated time."""

import math

import pytest

from walking_robots.servos.bus import ServoBus
from walking_robots.servos.models import MODELS
from walking_robots.simulation.servos.bus import EmulatedBus
from walking_robots.simulation.servos.port import SimulatedBusPort
from walking_robots.simulation.servos.servo import EmulatedServo


def bus_of(model: str, count: int = 18, seed: int = 1) -> tuple[ServoBus, EmulatedBus]:
    found = MODELS[model]
    emulated = EmulatedBus([EmulatedServo(found, n) for n in range(1, count + 1)], seed=seed)
    return ServoBus(SimulatedBusPort(emulated), found.protocol), emulated


@pytest.mark.parametrize('model', MODELS)
def test_all_servos_are_found(model: str) -> None:
    bus, _ = bus_of(model)
    assert bus.scan() == {number: MODELS[model].number for number in range(1, 19)}


@pytest.mark.parametrize('model', MODELS)
@pytest.mark.parametrize('angle', [-1.2, 0.0, 0.7])
def test_a_goal_is_reached_and_measured(model: str, angle: float) -> None:
    bus, emulated = bus_of(model)
    found = MODELS[model]
    for servo in range(1, 19):
        assert bus.write(servo, found['torque_enable'], 1)
    bus.write_each(found['goal'], {servo: angle for servo in range(1, 19)})
    emulated.advance(2.0)
    start, length = found.block('position', 'velocity', 'load')
    replies = bus.read_each(range(1, 19), start, length)
    assert sorted(replies) == list(range(1, 19))
    for reply in replies.values():
        position = found.pick('position', start, reply.data)
        assert position == pytest.approx(angle, abs=2.0 * found['position'].unit)
        assert abs(found.pick('velocity', start, reply.data)) < 0.05


def test_a_sync_read_needs_the_time_of_its_bytes() -> None:
    bus, emulated = bus_of('XM430-W350')
    found = MODELS['XM430-W350']
    for servo in range(1, 19):
        assert bus.write(servo, found['return_delay'], 0)
    begun = emulated.now
    bus.read_each(range(1, 19), *found.block('position', 'velocity', 'load'))
    bytes_on_line = (14 + 18) + 18 * (11 + 10)
    assert emulated.now - begun == pytest.approx(bytes_on_line * 1e-5 + 0.001, abs=0.001)


def test_silent_and_broken_replies_cost_neither_the_others_nor_much_time() -> None:
    bus, emulated = bus_of('XL430-W250')
    found = MODELS['XL430-W250']
    emulated.inject('dead:7', math.inf)
    emulated.inject('twin:9', math.inf)
    emulated.advance(0.01)
    begun = emulated.now
    replies = bus.read_each(range(1, 19), *found.block('position', 'velocity', 'load'))
    assert sorted(replies) == [n for n in range(1, 19) if n not in (7, 9)]
    assert emulated.now - begun < 0.035


def test_noise_without_end_does_not_hold_a_request_up() -> None:
    bus, emulated = bus_of('XL430-W250')

    class Babble(SimulatedBusPort):
        def receive(self, until: float) -> bytes:
            emulated.advance(1e-5)
            return b'\xff'

    bus.port = Babble(emulated)
    begun = emulated.now
    bus.port.setPacketTimeout(0)
    assert bus.read(1, 0, 2) is None
    assert emulated.now - begun < 0.1


@pytest.mark.parametrize('model', ['AX-12A', 'XL430-W250'])
def test_a_late_reply_to_an_earlier_request_is_not_taken_for_the_next_one(model: str) -> None:
    found = MODELS[model]
    emulated = EmulatedBus([EmulatedServo(found, 1, 0.2)])
    bus = ServoBus(SimulatedBusPort(emulated), found.protocol)

    class Late(SimulatedBusPort):
        """A port from which the state of the servo comes just after it was cleared."""

        def clearPort(self) -> None:  # noqa: N802
            """Drop nothing."""

    def miss_a_reply() -> None:
        bus.port = SimulatedBusPort(emulated, -1.0)
        assert bus.read(1, *found.block('position', 'velocity', 'load')) is None
        emulated.advance(0.1)
        bus.port = Late(emulated)

    miss_a_reply()
    assert bus.read_value(1, found['position']) == pytest.approx(0.2, abs=0.01)
    miss_a_reply()
    assert bus.ping(1) == found.number
    miss_a_reply()
    assert bus.write(1, found['torque_enable'], 1)
    assert emulated.servos[0].holds
    assert bus.counters.missed == bus.counters.broken == 3
