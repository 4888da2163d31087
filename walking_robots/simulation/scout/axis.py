"""The servo of one wheel: a ramp towards a speed or a place (scout_protocol.md §3.2, §3.5)."""

import math
from enum import Enum

from walking_robots.robots.wheeled import WheeledModel

NOTHING_LEFT = 1e-9
"""Way, m, that is as good as none."""


class _Task(Enum):
    HOLD = 'hold'
    VELOCITY = 'velocity'
    PLACE = 'place'
    LIMP = 'limp'


class Axis:
    """Moves one wheel in steps; m, m/s, m/s².

    ``speed`` is what the encoder has seen in the last step, which is less than what was wanted
    where the body met something; the ramp goes on all the same. ``acceleration`` and ``cruise``
    are those of ``ac`` and ``sp``; at power-up the model's defaults, a choice.
    """

    def __init__(self, model: WheeledModel) -> None:
        """Begin at rest, holding."""
        self._top_speed, self._top_acceleration = model.top_speed, model.top_acceleration
        self.acceleration = model.default_acceleration
        self.cruise = model.default_speed
        self.speed = self._ramp = 0.0
        self._task = _Task.HOLD
        self._target = 0.0

    def drive(self, speed: float) -> None:
        """Turn at a speed until the next command; what the motor cannot do is cut off."""
        self._task = _Task.VELOCITY
        self._target = max(-self._top_speed, min(self._top_speed, speed))

    def move(self, way: float) -> None:
        """Turn by a way from the present place and stop there."""
        self._task, self._target = _Task.PLACE, way

    def hold(self) -> None:
        """Stop as hard as the motor can, and stay."""
        self._task, self._target = _Task.HOLD, 0.0

    def release(self) -> None:
        """Release the wheel; without the motor it rests at once, a choice."""
        self._task, self._target = _Task.LIMP, 0.0

    def set_acceleration(self, acceleration: float) -> None:
        """Set the slope of ramps, at most what the motor can."""
        self.acceleration = min(acceleration, self._top_acceleration)

    def set_cruise(self, speed: float) -> None:
        """Set the speed of moves to a place, at most what the motor can."""
        self.cruise = min(speed, self._top_speed)

    @property
    def busy(self) -> bool:
        """Return whether the wheel turns or is commanded to."""
        return self.speed != 0.0 or self._ramp != 0.0 or self._target != 0.0

    def wanted(self, dt: float) -> float:
        """Return the speed at which the wheel is to turn in the next step."""
        if self._task is _Task.LIMP:
            self._ramp = 0.0
            return 0.0
        slope, goal = self.acceleration, self._target
        if self._task is _Task.HOLD:
            slope = self._top_acceleration
        elif self._task is _Task.PLACE:
            goal = self._approach(dt)
        # What was in the way of a wheel must not be in the way of turning back.
        begin = self.speed if abs(goal - self.speed) < abs(goal - self._ramp) else self._ramp
        most = slope * dt
        self._ramp = max(begin - most, min(begin + most, goal))
        return self._ramp

    def turned(self, speed: float, dt: float) -> None:
        """Take in the speed at which the wheel turned in the step."""
        self.speed = speed
        if self._task is _Task.PLACE:
            self._target -= speed * dt
            if abs(self._target) < NOTHING_LEFT:
                self.hold()

    def _approach(self, dt: float) -> float:
        """Return the highest speed from which whole steps of braking end just at the place."""
        way, brake = abs(self._target), self.acceleration * dt
        steps = math.ceil(0.5 * (math.sqrt(1.0 + 8.0 * way / (brake * dt)) - 1.0) - 1e-9)
        steps = max(steps, 1)
        speed = way / (steps * dt) + 0.5 * brake * (steps - 1)
        return math.copysign(min(speed, self.cruise), self._target)
