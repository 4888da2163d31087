"""One request, one reply: who waits for what, what came of it, and what went wrong.

No port and no clock in here: bytes and the time go in, bytes and answers come out.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import STATE_REPLIES, Op, State, decode_state

QUIET = 0.03
"""Silence, s, after which an incomplete packet counts as noise (§7.20)."""


class RequestOutcome(Enum):
    """How an exchange ended."""

    ANSWERED = 'answered'
    REFUSED = 'refused'
    SILENT = 'silent'


class Reply(NamedTuple):
    """A request, how it ended, after how long (s), and the state in the reply, if any."""

    request: Packet
    outcome: RequestOutcome
    delay: float
    state: State | None = None


@dataclass
class Counters:
    """Packets since the start: sent, answered rightly, refused (NAK), without an answer.

    unasked: whole packets that answer nothing, such as late replies; noise: bytes outside of any
    packet.
    """

    sent: int = 0
    answered: int = 0
    refused: int = 0
    silent: int = 0
    unasked: int = 0
    noise: int = 0


class Link:
    """Strictly one request at a time, as the robot wants it (scout_protocol.md §2.4)."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.counters = Counters()
        self._reader = PacketReader()
        self._request: Packet | None = None
        self._sent = self._deadline = self._heard = 0.0

    @property
    def waiting(self) -> bool:
        """Return whether a reply is still due."""
        return self._request is not None

    def due(self) -> float:
        """Return the time of the next thing to do while waiting, s."""
        return min(self._deadline, self._heard + QUIET) if self._heard else self._deadline

    def send(self, request: Packet, now: float, timeout: float) -> bytes:
        """Return the bytes of a request; what came before it answers something else."""
        self._reader.clear()
        self._request, self._sent, self._deadline = request, now, now + timeout
        self._heard = 0.0
        self.counters.sent += 1
        return frame(request)

    def receive(self, data: bytes, now: float) -> Reply | None:
        """Take in bytes and return how the present exchange ended, None while it goes on."""
        packets = self._reader.feed(data)
        if data:
            self._heard = now
        elif self._heard and now >= self._heard + QUIET:
            packets = self._reader.settle()
            self._heard = 0.0
        answer = None
        for packet in packets:
            found = self._match(packet, now) if answer is None else None
            if found is None:
                self.counters.unasked += 1
            answer = answer or found
        self.counters.noise = self._reader.skipped
        if answer is None and self._request is not None and now >= self._deadline:
            self.counters.silent += 1
            answer = Reply(self._request, RequestOutcome.SILENT, now - self._sent)
        if answer is not None:
            self._request = None
        return answer

    def drop(self) -> None:
        """Forget the present exchange, whose line is gone."""
        self._request = None
        self._reader.clear()

    def _match(self, packet: Packet, now: float) -> Reply | None:
        request = self._request
        if request is None:
            return None
        if packet.op == Op.NAK:
            self.counters.refused += 1
            return Reply(request, RequestOutcome.REFUSED, now - self._sent)
        if packet.op != request.op:
            return None
        state = None
        if packet.op in STATE_REPLIES:
            try:
                state = decode_state(packet.payload)
            except ValueError:
                return None
        self.counters.answered += 1
        return Reply(request, RequestOutcome.ANSWERED, now - self._sent, state)
