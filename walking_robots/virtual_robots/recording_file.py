"""Recordings of robots as files: one line of JSON for a reading, the first one says of what.

Numbers are written so that they are read back to the last bit.
"""

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from walking_robots.documents.files import read_text
from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.robot import Observation, Value
from walking_robots.virtual_robots.recorded import RecordedReading

KIND, VERSION = 'walking_robots.recording', 1
LARGEST_FILE = 200_000_000
"""Bytes; an hour of a Scout at 20 Hz takes about half of it."""


class RecordingFile(NamedTuple):
    """Readings, and what their writer noted about them, as plain JSON."""

    about: Mapping[str, Any]
    readings: tuple[RecordedReading, ...]


def save_recording(
    path: Path, about: Mapping[str, Any], readings: Iterable[RecordedReading]
) -> None:
    """Write a recording.

    Raises OSError where nothing can be written.
    """
    with path.open('w', encoding='utf-8') as file:
        file.write(_line({'kind': KIND, 'version': VERSION, **about}))
        for reading in readings:
            file.write(_line(_plain_reading(reading)))


def load_recording(path: Path) -> RecordingFile:
    """Read a recording.

    Raises ValueError, one sentence with the line, where it cannot be read or is none.
    """
    text = read_text(path, 'a recording', largest=LARGEST_FILE, shorter='record less')
    first, *lines = text.removesuffix('\n').split('\n')
    number = 1
    try:
        about = json.loads(first)
        if about.get('kind') != KIND or about.get('version') != VERSION:
            raise ValueError('no recording')
        readings = []
        for line in lines:
            number += 1
            readings.append(_reading(json.loads(line)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(
            f'{path}, line {number}: is not a recording of version {VERSION}; '
            "write one with 'walking_robots mdle run --record'"
        ) from None
    return RecordingFile(about, tuple(readings))


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(',', ':'), allow_nan=False) + '\n'


def _plain_reading(reading: RecordedReading) -> dict[str, Any]:
    now, (values, stamps) = reading.now, (reading.observation.values, reading.observation.stamps)
    ages: dict[str, int | None] = {name: None for name in values if name not in stamps}
    # Most channels are as old as the reading.
    ages |= {k: now - stamp for k, stamp in stamps.items() if stamp != now or k not in values}
    plain = {name: _plain(value) for name, value in values.items()}
    return {'now': now, 'rests': reading.rests, 'values': plain, 'ages': ages}


def _reading(data: Mapping[str, Any]) -> RecordedReading:
    now = int(data['now'])
    values = {name: _value(plain) for name, plain in data['values'].items()}
    ages = {**dict.fromkeys(values, 0), **data['ages']}
    stamps = {name: now - int(age) for name, age in ages.items() if age is not None}
    return RecordedReading(now, Observation(values, stamps), bool(data['rests']))


def _plain(value: Value) -> Any:
    """Return a value of a channel as JSON holds it; what JSON has no word for is named."""
    if isinstance(value, Pose2):
        return {'pose': [_plain(part) for part in value]}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {'number': str(value)}
    return value


def _value(plain: Any) -> Value:
    if isinstance(plain, list):
        return tuple(_value(part) for part in plain)
    if isinstance(plain, dict):
        if 'pose' in plain:
            return Pose2(*(_value(part) for part in plain['pose']))
        return float(plain['number'])
    return plain
