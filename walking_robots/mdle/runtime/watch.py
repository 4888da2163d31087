"""What is looked at in every tick besides the program: can the channels be trusted, is it safe."""

import math
from collections.abc import Mapping
from typing import Any

from walking_robots.mdle.robot import Observation, RobotSpec
from walking_robots.mdle.runtime.faults import RunError

__all__ = ['check_driving', 'check_safety', 'suspects_of']

FUTURE = 0.5
"""Time, s, by which the clock of a robot may be ahead."""


def suspects_of(observation: Observation, spec: RobotSpec, now: int) -> dict[str, str]:
    """Give the channels that cannot be trusted at ``now``, ns, each with why."""
    suspects: dict[str, str] = {}
    stamps = observation.stamps
    for name, value in observation.values.items():
        output = spec.outputs.get(name)
        limit = output.stale if output else 0.5
        age = (now - stamps.get(name, 0)) * 1e-9
        if age > limit:
            suspects[name] = f'is {age:.2f} s old (limit {limit:g} s)'
        elif age < -FUTURE:
            suspects[name] = f'is of a time {-age:.2f} s ahead: do both clocks agree?'
        elif _is_nan(value):
            suspects[name] = 'nan'
    for name in spec.outputs:
        if name not in observation.values:
            suspects[name] = 'was never received'
    return suspects


def _is_nan(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    if isinstance(value, tuple) and value:
        total = sum(value) if isinstance(value[0], (int, float)) else 0.0
        # Infinities of both signs sum to NaN too, so that what looks wrong is looked at closely.
        return total != total and any(math.isnan(item) for item in value)
    return False


def check_safety(values: Mapping[str, Any]) -> None:
    """Raise RunError where the robot must not go on, whatever the program says."""
    if values.get('estop'):
        raise RunError('ESTOP', 'the emergency stop is pressed')


def check_driving(suspects: Mapping[str, str]) -> None:
    """Raise RunError where nobody knows where a robot that is to drive is."""
    if 'pose' in suspects:
        text = 'is not a number' if suspects['pose'] == 'nan' else suspects['pose']
        raise RunError('E804', f'pose {text}')
