"""A port to an emulated bus in simulated time, for trials and tests of hundreds of faults."""

from walking_robots.servos.port import REPLY_TIMEOUT, BusPort
from walking_robots.simulation.servos.bus import EmulatedBus

GRAIN = 0.0005
"""Time, s, between two looks at an emulated bus of which nothing arrives."""


class SimulatedBusPort(BusPort):
    """A port whose time is that of an emulated bus, which passes while it waits."""

    # ruff: noqa: N802

    def __init__(self, bus: EmulatedBus, reply_timeout: float = REPLY_TIMEOUT) -> None:
        """Plug in."""
        super().__init__(bus.settings.baud, reply_timeout)
        self.bus = bus

    def now(self) -> float:
        """Return the simulated time, s."""
        return self.bus.now

    def receive(self, until: float) -> bytes:
        """Wait for bytes; raises OSError where the cable is cut."""
        while True:
            if not self.bus.connected:
                raise OSError('the cable is cut')
            found = self.bus.take()
            left = until - self.bus.now
            if found or left <= 0.0:
                return found
            self.bus.advance(min(max(self.bus.due(), 1e-6), GRAIN, left))

    def writePort(self, packet: list[int]) -> int:
        """Send a packet."""
        self.bus.feed(bytes(packet))
        return len(packet)

    def close(self) -> None:
        """Unplug."""
