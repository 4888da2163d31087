"""Read quantities that a person writes with or without a unit: lengths, speeds, forces ..."""

import math
import re
from collections.abc import Mapping

FOOT = 0.3048
"""One international foot in metres (exact, asv.md §2)."""

_LENGTHS: Mapping[str, float] = {
    'm': 1.0,
    'cm': 0.01,
    'mm': 0.001,
    'km': 1000.0,
    'ft': FOOT,
    'in': FOOT / 12.0,
}
_TIMES: Mapping[str, float] = {'s': 1.0, 'ms': 0.001, 'min': 60.0, 'h': 3600.0}
_ANGLES: Mapping[str, float] = {'rad': 1.0, 'deg': math.pi / 180.0, '°': math.pi / 180.0}
_CHARGES: Mapping[str, float] = {'Ah': 1.0, 'mAh': 0.001}
_FORCES: Mapping[str, float] = {'N': 1.0}
_TURNS: Mapping[str, float] = {f'{unit}/s': radians for unit, radians in _ANGLES.items()}
_SPEEDS: Mapping[str, float] = {
    **{f'{unit}/s': metres for unit, metres in _LENGTHS.items()},
    'km/h': 1000.0 / 3600.0,
}

# Bounded repetition keeps hostile input from costing more than its length.
_QUANTITY = re.compile(
    r'\s*([+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d{1,3})?)\s*(\S*)\s*'
)


def parse_length(value: object) -> float:
    """Return a length in metres.

    Takes a number (m) or text such as ``7ft``, ``2.1m``, ``80cm``, ``6in``. Raises ValueError
    with one sentence when the text is not a finite length.
    """
    return _parse(value, _LENGTHS, 'length', '2.1m or 7ft')


def parse_speed(value: object) -> float:
    """Return a speed in metres a second.

    Takes a number (m/s) or text such as ``0.12``, ``0.12m/s``, ``0.4ft/s``. Raises ValueError
    with one sentence when the text is not a finite speed.
    """
    return _parse(value, _SPEEDS, 'speed', '0.12m/s or 0.4ft/s')


def parse_angle(value: object) -> float:
    """Return an angle in radians.

    Takes a number (rad) or text such as ``20deg``, ``0.35rad``. Raises ValueError with one
    sentence when the text is not a finite angle.
    """
    return _parse(value, _ANGLES, 'angle', '0.35rad or 20deg')


def parse_angular_speed(value: object) -> float:
    """Return an angular speed in radians a second.

    Takes a number (rad/s) or text such as ``0.5``, ``0.5rad/s``, ``30deg/s``. Raises ValueError
    with one sentence when the text is not a finite angular speed.
    """
    return _parse(value, _TURNS, 'angular speed', '0.5rad/s or 30deg/s')


def parse_time(value: object) -> float:
    """Return a time in seconds.

    Takes a number (s) or text such as ``2.5s``, ``100ms``, ``3min``. Raises ValueError with one
    sentence when the text is not a finite time.
    """
    return _parse(value, _TIMES, 'time', '2.5s or 100ms')


def parse_force(value: object) -> float:
    """Return a force in newtons.

    Takes a number (N) or text such as ``20N``. Raises ValueError with one sentence when the text
    is not a finite force.
    """
    return _parse(value, _FORCES, 'force', '20N')


def parse_charge(value: object) -> float:
    """Return the charge of a battery in ampere-hours, as batteries are labelled.

    Takes a number (Ah) or text such as ``5Ah``, ``5000mAh``. Raises ValueError with one sentence
    when the text is not a finite charge.
    """
    return _parse(value, _CHARGES, 'charge', '5Ah or 5000mAh')


def _parse(value: object, units: Mapping[str, float], what: str, example: str) -> float:
    """Return `value` in SI units; a bare number is taken to be in SI units already."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _finite(value, 1.0, value, what, example)
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'{_shown(value)} is not a {what}, write for example {example}')
    unit = match[2]
    if unit and unit not in units:
        known = ', '.join(units)
        raise ValueError(f'{_shown(value)} has an unknown unit, use one of {known}')
    return _finite(float(match[1]), units[unit] if unit else 1.0, value, what, example)


def _finite(number: float, factor: float, value: object, what: str, example: str) -> float:
    """Return number * factor, or refuse what a double cannot hold."""
    try:
        result = float(number) * factor
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise ValueError(f'{_shown(value)} is not a finite {what}, write for example {example}')
    return result


def _shown(value: object) -> str:
    """Return a short one-line form of what the person wrote."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return 'a huge number'
    if isinstance(value, (str, int, float)) or value is None:
        text = repr(value)
    else:
        text = f'a {type(value).__name__}'
    return text if len(text) <= 40 else text[:37] + '...'
