"""What goes wrong with robots and cables, for a while and by intention."""

import math
from random import Random
from typing import NamedTuple

FAULTS = {
    'cut_cable': 'nothing gets through either way, and the terminal hangs up',
    'half_packets': 'replies end before they are complete',
    'wrong_checksums': 'the checksum of replies is wrong',
    'silence': 'requests are carried out, but not answered',
    'nak': 'every request is refused, and feeds the watchdog nevertheless',
    'garbage': 'random bytes before, inside and between replies',
    'slow_replies': 'replies come 0.6 s late',
    'power_off': 'the robot is switched off, and forgets everything',
    'estop': 'the emergency stop is pressed',
}
"""Each fault and what it does."""

LATE = 600_000
"""Delay of slow replies, microseconds."""
CHATTER = 0.05
"""Probability that a step of garbage brings unsolicited bytes."""


class FaultyReply(NamedTuple):
    """Bytes for the host and their delay beside the usual one, microseconds."""

    wire: bytes
    delay: int = 0


class Faults:
    """Which faults there are until when, and what becomes of replies; times in microseconds."""

    def __init__(self, rng: Random) -> None:
        """Begin with a sound robot."""
        self._rng = rng
        self._until: dict[str, float] = {}

    def inject(self, fault: str, duration: float, now: int) -> str:
        """Begin a fault for a time, s, or end it with 0, and return it in words.

        Raises ValueError for one that is not known and for a time that is none.
        """
        if fault not in FAULTS:
            raise ValueError(f'{fault!r} is not a fault; known are {", ".join(FAULTS)}')
        if not duration >= 0.0:
            raise ValueError('the duration of a fault must not be negative, s')
        if duration == 0.0:
            self._until.pop(fault, None)
            return f'{fault} has ended'
        self._until[fault] = now + duration * 1e6
        return f'{fault} for {duration:g} s: {FAULTS[fault]}'

    def active(self, fault: str, now: float) -> bool:
        """Return whether there is a fault."""
        return now < self._until.get(fault, -math.inf)

    def names(self, now: float) -> tuple[str, ...]:
        """Return all faults that there are, in the order of the list."""
        return tuple(fault for fault in FAULTS if self.active(fault, now))

    def spoil(self, wire: bytes, now: float) -> FaultyReply:
        """Return what of a reply gets on the line."""
        rng = self._rng
        if self.active('silence', now):
            return FaultyReply(b'')
        if self.active('wrong_checksums', now):
            wrong = (wire[-2] + rng.randrange(1, 256)) & 0xFF
            wire = wire[:-2] + bytes((wrong,)) + wire[-1:]
        if self.active('half_packets', now):
            wire = wire[: rng.randrange(1, len(wire))]
        if self.active('garbage', now):
            place = rng.randrange(1, len(wire) + 1)
            inside = rng.randbytes(rng.randrange(0, 3))
            wire = self._noise() + wire[:place] + inside + wire[place:]
        return FaultyReply(wire, LATE if self.active('slow_replies', now) else 0)

    def chatter(self, now: float) -> bytes:
        """Return the unsolicited bytes of a step."""
        if self.active('garbage', now) and self._rng.random() < CHATTER:
            return self._noise()
        return b''

    def _noise(self) -> bytes:
        return self._rng.randbytes(self._rng.randrange(1, 9))
