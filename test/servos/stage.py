"""A driver and an emulated bus in simulated time."""

import math
from collections.abc import Callable
from contextlib import suppress

from walking_robots.servos.driver import BusDriver
from walking_robots.servos.models import MODELS
from walking_robots.servos.port import BusPort
from walking_robots.servos.report import BusPhase, BusReport
from walking_robots.servos.settings import BusDriverSettings
from walking_robots.simulation.servos.bus import EmulatedBus
from walking_robots.simulation.servos.port import SimulatedBusPort
from walking_robots.simulation.servos.servo import EmulatedServo

JOINTS = {
    f'leg{leg}_{joint}': 3 * leg + place - 2
    for leg in range(1, 7)
    for place, joint in enumerate(('yaw', 'lift', 'knee'))
}
PERIOD = 0.02


class BusStage:
    """Steps both, and commands a gait of all joints while asked to."""

    def __init__(
        self, model: str = 'XL430-W250', seed: int = 1, settings: BusDriverSettings | None = None
    ) -> None:
        found = MODELS[model]
        servos = [EmulatedServo(found, number, 0.2) for number in JOINTS.values()]
        self.emulated = EmulatedBus(servos, seed=seed)
        self.settings = settings or BusDriverSettings(soft_start=0.5, reconnect_interval=0.5)
        self.driver = BusDriver(
            JOINTS, found, self.open_port, lambda: self.emulated.now, self.settings
        )
        self.refused: list[str] = []
        self._commanded = -math.inf
        self.moved_at = -math.inf

    def open_port(self) -> BusPort:
        if not self.emulated.connected:
            raise ValueError('port is not there: is the adapter plugged in?')
        return SimulatedBusPort(self.emulated)

    @property
    def now(self) -> float:
        return self.emulated.now

    def report(self) -> BusReport:
        return self.driver.report()

    def moves(self) -> bool:
        """Return whether a servo turns, one that was not pushed by gravity."""
        return max(abs(servo.speed) for servo in self.emulated.servos) > 0.1

    def tick(self, walking: bool = False) -> None:
        """Let two milliseconds pass, or as long as a step of the driver takes."""
        if walking and self.now - self._commanded >= PERIOD:
            self._commanded = self.now
            swing = 0.4 * math.sin(8.0 * self.now)
            with suppress(ValueError):
                self.driver.command([swing * (-1) ** place for place in range(len(JOINTS))])
        if self.now >= self.driver.due():
            self.driver.step()
        else:
            self.emulated.advance(0.002)
        if self.moves():
            self.moved_at = self.now

    def run(self, duration: float, walking: bool = False) -> None:
        end = self.now + duration
        while self.now < end:
            self.tick(walking)

    def until(
        self, done: Callable[[BusReport], bool], limit: float, walking: bool = False
    ) -> bool:
        end = self.now + limit
        while self.now < end and not done(self.report()):
            self.tick(walking)
        return done(self.report())

    def started(self) -> 'BusStage':
        assert self.until(lambda report: report.phase is BusPhase.HOLDING, 3.0), self.report()
        return self
