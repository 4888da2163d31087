"""What is asked of servos on a bus, by the Dynamixel SDK."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from walking_robots.documents.extras import extra_needed
from walking_robots.servos.models import MODELS, Register, ServoModel
from walking_robots.servos.port import BusPort

ALERT = 0x80
"""The bit of a reply by protocol 2.0 that tells of an error in the register of errors."""
FAILED = 0x7F
"""The bits of a reply by protocol 2.0 that tell why a request was refused."""
HIGHEST_ID = 252
MODEL_NUMBER = Register(0, 2)


class _Layout(NamedTuple):
    """Places in a reply, and the value of its length where it brings no data."""

    id: int
    length: int
    error: int
    empty: int


_LAYOUTS = {1: _Layout(2, 3, 4, 2), 2: _Layout(4, 5, 8, 4)}


class ServoReply(NamedTuple):
    """What a servo answered: the byte of errors, and the data that were asked for."""

    error: int
    data: bytes


@dataclass
class BusCounters:
    """How many requests were sent, and how many of the replies came, failed to or were broken."""

    sent: int = 0
    answered: int = 0
    missed: int = 0
    broken: int = 0


class ServoBus:
    """Asks servos of one protocol; no request takes longer than the port allows for its reply."""

    def __init__(self, port: BusPort, protocol: int) -> None:
        """Begin to ask over a port; protocol: 1 or 2.

        Raises ValueError, one sentence, where the SDK is not installed.
        """
        with extra_needed('servos'):
            import dynamixel_sdk
        self._sdk = dynamixel_sdk
        self.port, self.protocol = port, protocol
        self.counters = BusCounters()
        self._packets = dynamixel_sdk.PacketHandler(float(protocol))
        self._layout = _LAYOUTS[protocol]

    def ping(self, servo: int) -> int | None:
        """Return the model number of a servo, None without an answer."""
        number = self.read_value(servo, MODEL_NUMBER)
        return None if number is None else int(number)

    def scan(self) -> dict[int, int]:
        """Return the model numbers of all servos that answer, by id."""
        if self.protocol == 2:
            found, _ = self._packets.broadcastPing(self.port)
            return {servo: number for servo, (number, _) in sorted(found.items())}
        numbers = {servo: self.ping(servo) for servo in range(HIGHEST_ID + 1)}
        return {servo: number for servo, number in numbers.items() if number is not None}

    def read(self, servo: int, address: int, length: int) -> ServoReply | None:
        """Return bytes of the control table of a servo, None without a whole answer."""
        self._packets.readTx(self.port, servo, address, length)
        return self._replies((servo,), length).get(servo)

    def read_value(self, servo: int, register: Register) -> float | None:
        """Return a value of a servo, None without an answer."""
        reply = self.read(servo, register.address, register.size)
        return None if reply is None else register.decode(reply.data)

    def read_each(
        self, servos: Collection[int], address: int, length: int
    ) -> dict[int, ServoReply]:
        """Return the same part of the control tables of servos, those that answer.

        By protocol 2.0 in one exchange, however many are silent or broken.
        """
        if self.protocol == 1:
            found = {servo: self.read(servo, address, length) for servo in servos}
            return {servo: reply for servo, reply in found.items() if reply is not None}
        wanted = list(servos)
        self._packets.syncReadTx(self.port, address, length, wanted, len(wanted), False)
        return self._replies(wanted, length)

    def write(self, servo: int, register: Register, value: float) -> bool:
        """Write a value to a servo; return whether the servo said that it took it."""
        data = list(register.encode(value))
        self._packets.writeTxOnly(self.port, servo, register.address, register.size, data)
        # The SDK sets this itself only where it also reads the reply: the bytes of an empty one.
        self.port.setPacketTimeout(self._layout.error + 3)
        reply = self._replies((servo,), 0).get(servo)
        return reply is not None and (self.protocol == 1 or not reply.error & FAILED)

    def write_each(self, register: Register, values: Mapping[int, float]) -> None:
        """Write values to servos by id in one packet, which none answers."""
        data = [b for servo, value in values.items() for b in (servo, *register.encode(value))]
        self.counters.sent += 1
        self._packets.syncWriteTxOnly(self.port, register.address, register.size, data, len(data))

    def reboot(self, servo: int) -> None:
        """Restart a servo, which forgets its errors; those of protocol 1.0 cannot."""
        self.counters.sent += 1
        self._packets.reboot(self.port, servo)

    def _replies(self, servos: Collection[int], length: int) -> dict[int, ServoReply]:
        """Return the replies to what was sent: so many bytes of each of these servos.

        The SDK by itself takes any packet of a servo for its reply: a late one to an earlier
        request, and a longer one, of which it cuts off the first bytes.
        """
        self.counters.sent += 1
        layout, replies = self._layout, dict[int, ServoReply]()
        success, size = self._sdk.COMM_SUCCESS, layout.empty + length
        option = () if self.protocol == 1 else (False,)
        while len(replies) < len(servos):
            packet, result = self._packets.rxPacket(self.port, *option)
            if result == success and packet[layout.length] == size and packet[layout.id] in servos:
                begin = layout.error + 1
                data = bytes(packet[begin : begin + length])
                replies.setdefault(packet[layout.id], ServoReply(packet[layout.error], data))
                continue
            self.counters.broken += result != self._sdk.COMM_RX_TIMEOUT
            if self.port.isPacketTimeout():
                break
        self.counters.answered += len(replies)
        self.counters.missed += len(servos) - len(replies)
        return replies


def model_of(number: int, known: Iterable[ServoModel] = MODELS.values()) -> ServoModel | None:
    """Return the model of a number, None for one that is not known."""
    return next((model for model in known if model.number == number), None)
