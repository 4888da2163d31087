"""Zero, direction and limits of joints from measured servo positions, kept in the robot's file."""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from walking_robots.robots.articulated import JOINTS, ArticulatedHexapod
from walking_robots.robots.hexapod_files import parse_hexapod

LEAST_TURN = math.radians(5.0)
"""Least angle, rad, from the zero to the positive end that tells the direction."""


class JointCalibration(NamedTuple):
    """How a servo counts: its position is direction * angle + offset; the angles it takes, rad."""

    direction: int
    offset: float
    low: float
    high: float


def calibrated(
    reference: float, positive: float, negative: float, angle: float = 0.0
) -> JointCalibration:
    """Return the calibration of a joint from three positions of its servo, rad.

    reference: where the joint is at ``angle``; positive, negative: at its two ends. Raises
    ValueError, one sentence, when it was not turned, or both ends are on one side.
    """
    turned = positive - reference
    if abs(turned) < LEAST_TURN:
        raise ValueError(
            f'it turned by {math.degrees(abs(turned)):.1f} degrees only; turn it to its end, at '
            f'least {math.degrees(LEAST_TURN):.0f} degrees away'
        )
    direction = 1 if turned > 0.0 else -1
    low, high = angle + direction * (negative - reference), angle + abs(turned)
    if low > angle + 1e-3:
        raise ValueError('both ends are on the same side of the reference; turn it the other way')
    return JointCalibration(direction, reference - direction * angle, low, high)


def calibrated_text(
    text: str, robot: ArticulatedHexapod, found: Mapping[str, JointCalibration], name: str
) -> str:
    """Return the text of a robot's file with new directions, offsets and ranges, nothing else.

    robot: as the text describes it; found: by joint, such as ``leg1_yaw``. A range becomes that
    which all legs have, mirrored for the yaw of right legs. Raises ValueError, one sentence,
    when the outcome is no robot.
    """
    for place, joint in enumerate(JOINTS):
        by_leg = {leg.number: found.get(f'leg{leg.number}_{joint}') for leg in robot.legs}
        if not any(by_leg.values()):
            continue
        directions, offsets, ranges = [], [], []
        for leg in robot.legs:
            new = by_leg[leg.number]
            if new is None:
                limits = leg.ranges[place]
                new = JointCalibration(
                    round(leg.directions[place]), leg.offsets[place], limits.low, limits.high
                )
            directions.append(new.direction)
            offsets.append(new.offset)
            mirrored = joint == 'yaw' and leg.number % 2 == 0 and _has_sides(text)
            ranges.append((-new.high, -new.low) if mirrored else (new.low, new.high))
        low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
        fields = {
            'range': f'[{_degrees(low)}, {_degrees(high)}]',
            'direction': f'[{", ".join(map(str, directions))}]',
            'offset': f'[{", ".join(map(_degrees, offsets))}]',
        }
        for field, value in fields.items():
            text = _with_field(text, ('legs', joint), field, value)
    parse_hexapod(text, name)
    return text


def write_file(path: Path, text: str) -> None:
    """Replace a file at once, so that none is left half written; raises OSError."""
    fresh = path.with_name(f'.{path.name}.{os.getpid()}')
    try:
        fresh.write_text(text, 'utf-8')
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _degrees(angle: float) -> str:
    return f'{math.degrees(angle):.2f}deg'


def _has_sides(text: str) -> bool:
    """Return whether right legs are mirror images of left ones, as where pairs are mounted."""
    return 'pairs' in yaml.safe_load(text)['legs']['mounts']


def _with_field(text: str, path: tuple[str, ...], field: str, value: str) -> str:
    """Return the text with a field of a mapping set; all else, comments too, stays as it is."""
    part: Any = yaml.compose(text)
    for name in path:
        part = _child(part, name)
    old = _child(part, field)
    if old is not None:
        return text[: old.start_mark.index] + value + text[old.end_mark.index :]
    last_key, last = part.value[-1]
    if part.flow_style:
        end = last.end_mark.index
        return f'{text[:end]}, {field}: {value}{text[end:]}'
    first = part.value[0][0].start_mark
    line = text.rfind('\n', 0, last_key.start_mark.index) + 1
    return f'{text[:line]}{" " * first.column}{field}: {value}\n{text[line:]}'


def _child(part: Any, name: str) -> Any:
    return next((value for key, value in part.value if key.value == name), None)
