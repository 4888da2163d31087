"""Packets of the servos' side: instructions in, status out, by protocol 1.0 or 2.0.

From the pages protocol1 and protocol2 of the ROBOTIS e-manual.
"""

from typing import NamedTuple

BROADCAST = 0xFE
STATUS = 0x55
HEADER = b'\xff\xff\xfd\x00'
_MARK = b'\xff\xff\xfd'
LONGEST = 1024
"""Bytes after the length; a packet that announces more is noise."""


class Instruction(NamedTuple):
    """A request to a servo, or to all."""

    servo: int
    code: int
    data: bytes


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte << 8
        for _ in range(8):
            value = (value << 1 ^ (0x8005 if value & 0x8000 else 0)) & 0xFFFF
        table.append(value)
    return tuple(table)


_CRC = _crc_table()


def crc16(data: bytes) -> bytes:
    """Return the CRC of a packet by protocol 2.0: polynomial 0x8005, first 0."""
    value = 0
    for byte in data:
        value = (value << 8 & 0xFFFF) ^ _CRC[value >> 8 ^ byte]
    return value.to_bytes(2, 'little')


def status(servo: int, error: int, data: bytes, protocol: int) -> bytes:
    """Return the packet of a reply."""
    if protocol == 1:
        body = bytes((servo, len(data) + 2, error)) + data
        return b'\xff\xff' + body + bytes((~sum(body) & 0xFF,))
    inside = (bytes((STATUS, error)) + data).replace(_MARK, _MARK + b'\xfd')
    packet = HEADER + bytes((servo,)) + (len(inside) + 2).to_bytes(2, 'little') + inside
    return packet + crc16(packet)


class InstructionReader:
    """Finds instructions in the bytes on a bus; what is broken is passed over."""

    def __init__(self, protocol: int) -> None:
        """Begin with an idle bus; protocol: 1 or 2."""
        self._protocol = protocol
        self._bytes = bytearray()

    def clear(self) -> None:
        """Forget the beginning of a packet."""
        self._bytes.clear()

    def feed(self, data: bytes) -> list[Instruction]:
        """Take bytes and return the instructions that they complete."""
        self._bytes += data
        found = []
        while (packet := self._next()) is not None:
            found.append(packet)
        return found

    def _next(self) -> Instruction | None:
        """Return the next whole instruction, None where more bytes are needed."""
        header = HEADER if self._protocol == 2 else HEADER[:2]
        head = len(header)
        while True:
            start = self._bytes.find(header)
            if start < 0:
                # The end may be the beginning of a header.
                del self._bytes[: -head + 1]
                return None
            del self._bytes[:start]
            if len(self._bytes) < head + 3:
                return None
            length = (
                int.from_bytes(self._bytes[5:7], 'little')
                if self._protocol == 2
                else self._bytes[3]
            )
            size = head + (3 if self._protocol == 2 else 2) + length
            if 2 <= length <= LONGEST:
                if len(self._bytes) < size:
                    return None
                found = self._parse(bytes(self._bytes[:size]))
                if found is not None:
                    del self._bytes[:size]
                    return found
            del self._bytes[:1]

    def _parse(self, packet: bytes) -> Instruction | None:
        """Return the instruction of a packet, None where its check is wrong."""
        if self._protocol == 1:
            if packet[-1] != ~sum(packet[2:-1]) & 0xFF:
                return None
            return Instruction(packet[2], packet[4], packet[5:-1])
        if crc16(packet[:-2]) != packet[-2:]:
            return None
        inside = packet[7:-2].replace(_MARK + b'\xfd', _MARK)
        return Instruction(packet[4], inside[0], inside[1:]) if inside else None
