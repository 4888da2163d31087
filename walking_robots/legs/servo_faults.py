"""Find legs whose joints do not follow their commands."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.articulated import ArticulatedHexapod, Servo
from walking_robots.robots.model import HexapodModel

Array = NDArray[np.float64]

LAG = 0.1
"""Time, s, by which a sound servo may be late, beyond its delay."""

PATIENCE = 0.25
"""Time, s, for which a joint may be astray before its leg has failed."""

ASTRAY = 0.75
"""How far, beyond its play, a joint is astray, in what a sound servo gives way at most."""

SUSPECT = 0.5
"""Share of that distance from which on a leg is suspected, and by which others move meanwhile."""

CYLINDER_ASTRAY = 0.1
"""The same of hydraulic cylinders, rad and m."""


class FaultDetector:
    """Compares measured joints with those commanded; ``failed`` are the legs found, from 0 on.

    A sound servo may be on its way to any of the last ``late`` commands.
    A joint may be late by `LAG`: it is astray where it is beyond all its commands of that time.
    A leg with a joint that is astray for `PATIENCE` while others move as commanded has failed,
    for ever. Where none moves, all legs wait for the same thing, such as a process or a switch.
    """

    def __init__(self, servo: Servo | None, dt: float) -> None:
        """Begin with sound legs; servo: of a joint, None of cylinders; dt: time of a step, s."""
        lag = LAG
        if servo is None:
            self._most = CYLINDER_ASTRAY
        else:
            give = max(servo.compliance, Servo.compliance)
            self._most, lag = ASTRAY * give + servo.backlash, LAG + servo.delay
        self._dt = dt
        self.late = 1 + round(lag / dt)
        self._commands: deque[Array] = deque(maxlen=self.late)
        self._away, self._astray = np.zeros((2, 6, 3))
        self._before = np.full((6, 3), np.nan)
        self.failed: tuple[int, ...] = ()

    @property
    def suspected(self) -> tuple[int, ...]:
        """Return the legs that may be about to fail, from 0 on."""
        return tuple(np.flatnonzero((self._away > SUSPECT * self._most).any(axis=1)).tolist())

    def add(self, commanded: Array, measured: Array) -> tuple[int, ...]:
        """Take in joints, (6, 3), commanded last and measured now; return legs newly failed."""
        self._commands.append(commanded)
        if float(np.abs(measured - commanded).max()) <= SUSPECT * self._most:
            self._before = measured
            self._away[:] = self._astray[:] = 0.0
            return ()
        commands = np.array(self._commands)
        self._away = np.maximum(commands.min(axis=0) - measured, measured - commands.max(axis=0))
        astray = self._away > self._most
        if not self.suspected:
            self._before = measured
        moved = np.abs(measured - self._before) > SUSPECT * self._most
        others = moved & ~astray.any(axis=1, keepdims=True)
        self._astray = (self._astray + self._dt * bool(others.any())) * astray
        found = np.flatnonzero((self._astray >= PATIENCE - 1e-9).any(axis=1)).tolist()
        new = tuple(leg for leg in found if leg not in self.failed)
        self.failed = tuple(sorted((*self.failed, *new)))
        return new


def fault_detector(model: HexapodModel) -> FaultDetector:
    """Return a detector for a robot that walks by the free gait."""
    links = model.kinematics
    servo = links.servo if isinstance(links, ArticulatedHexapod) else None
    return FaultDetector(servo, model.timing.dt)
