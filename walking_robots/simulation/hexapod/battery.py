"""The battery of a simulated hexapod."""

import math

from walking_robots.robots.articulated import Battery

REPORT = 1.0
"""Time, s, between two reports of the charge, to the nearest step."""

FULL = 1.0
"""Charge of a full battery."""


def report_steps(dt: float) -> int:
    """Return the number of steps of ``dt`` seconds from one report to the next."""
    return round(REPORT / dt)


def check_charge(charge: float, battery: Battery | None) -> None:
    """Raise ValueError, one sentence, for a charge, 0 ... 1, of a robot without a battery."""
    if battery is None and charge != FULL:
        raise ValueError(
            f'the robot has no battery that could begin at {charge:.0%}; add one to its file, '
            'such as battery: {voltage: 7.4, capacity: 5000mAh}'
        )


class SimulatedBattery:
    """Counts what a robot draws.

    ``power`` is what it drew in the last step, W; ``reported`` its charge as the robot knows it,
    0 ... 1 in whole per cent, NaN before the first report.
    """

    def __init__(self, battery: Battery, charge: float, dt: float) -> None:
        """Begin with a charge, 0 ... 1; dt: time of a step, s."""
        self.battery = battery
        self.power, self.reported = battery.idle_power, math.nan
        self._left = charge * battery.energy
        self._dt = dt
        self._steps, self._every = 0, report_steps(dt)

    @property
    def charge(self) -> float:
        """Return the share of its energy that is left, 0 ... 1."""
        return self._left / self.battery.energy

    @property
    def measured(self) -> float:
        """Return the charge as its gauge shows it, in whole per cent."""
        return round(self.charge, 2)

    @property
    def reports(self) -> bool:
        """Return whether the present state is one of those in which the charge is reported."""
        return self._steps % self._every == 0

    def draw(self, work: float) -> None:
        """Take the work of the servos in a step, J, and what the rest of the robot needs."""
        # A report takes its way through the graph: gaits know it one step later.
        if self.reports:
            self.reported = self.measured
        self._steps += 1
        self.power = work / self._dt + self.battery.idle_power
        self._left = max(0.0, self._left - self.power * self._dt)
