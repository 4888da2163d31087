"""Packets on the wire: start, length, type, payload, checksum, end (scout_protocol.md §2)."""

from typing import NamedTuple

START, END = 0x01, 0x5C
SHORTEST, LONGEST = 2, 1024
"""Plausible values of the length field; it counts type, payload and checksum."""

_SIGN = 0x8000


class Packet(NamedTuple):
    """Type and payload of one packet, either way."""

    op: int
    payload: bytes = b''


def to_sign_magnitude(number: int) -> int:
    """Return the 16 bits that stand for a number on the wire: bit 15 is the sign (§2.2).

    Raises ValueError outside -32767 ... 32767.
    """
    if not -0x7FFF <= number <= 0x7FFF:
        raise ValueError(f'{number} does not fit the 16 bits of a packet (-32767 ... 32767)')
    return number if number >= 0 else -number | _SIGN


def from_sign_magnitude(bits: int) -> int:
    """Return the number that 16 bits of the wire stand for; minus zero is zero."""
    return -(bits ^ _SIGN) if bits & _SIGN else bits


def frame(packet: Packet) -> bytes:
    """Return the bytes of a packet.

    Raises ValueError where the payload is too long for the length field to be plausible.
    """
    length = len(packet.payload) + 2
    if length > LONGEST:
        raise ValueError(f'a payload of {len(packet.payload)} bytes is too long for a packet')
    body = bytes((START, length & 0xFF, length >> 8, packet.op)) + packet.payload
    return body + bytes((sum(body) & 0xFF, END))


class PacketReader:
    """Finds packets in a stream of bytes that may hold noise.

    What cannot be a packet is skipped one byte at a time, since a start byte may be noise, or
    data of a packet whose beginning was missed. ``skipped`` counts those bytes.
    """

    def __init__(self) -> None:
        """Begin with an empty stream."""
        self._buffer = bytearray()
        self.skipped = 0

    def feed(self, data: bytes) -> list[Packet]:
        """Take bytes and give the packets that are complete now."""
        self._buffer += data
        packets = []
        while (packet := self._next()) is not None:
            packets.append(packet)
        return packets

    def settle(self) -> list[Packet]:
        """Return packets behind a beginning that noise only pretended to be.

        For a stream that has fallen silent. Where there are none, the beginning may yet be
        completed, and nothing changes.
        """
        for begin in range(1, len(self._buffer)):
            if self._look(begin):
                self.skipped += begin
                del self._buffer[:begin]
                return self.feed(b'')
        return []

    def clear(self) -> int:
        """Forget what is incomplete and return how many bytes that were."""
        dropped = len(self._buffer)
        self.skipped += dropped
        self._buffer.clear()
        return dropped

    def _next(self) -> Packet | None:
        """Skip to the next packet, take it off the buffer and give it."""
        begin = 0
        while len(self._buffer) > begin:
            total = self._look(begin)
            if total is None:
                break
            if total:
                payload = bytes(self._buffer[begin + 4 : begin + total - 2])
                packet = Packet(self._buffer[begin + 3], payload)
                self.skipped += begin
                del self._buffer[: begin + total]
                return packet
            begin += 1
        self.skipped += begin
        del self._buffer[:begin]
        return None

    def _look(self, at: int) -> int | None:
        """Return the size of the packet that begins at a place, 0 for none, None for too early."""
        buffer = self._buffer
        if buffer[at] != START:
            return 0
        if len(buffer) < at + 3:
            return None
        length = buffer[at + 1] | buffer[at + 2] << 8
        if not SHORTEST <= length <= LONGEST:
            return 0
        total = length + 4
        if len(buffer) < at + total:
            return None
        end = at + total
        right = buffer[end - 1] == END and sum(buffer[at : end - 2]) & 0xFF == buffer[end - 2]
        return total if right else 0
