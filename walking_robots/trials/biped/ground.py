"""Find the ground of a biped's trial by the words of the command line."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from walking_robots.geometry.units import parse_angle, parse_length
from walking_robots.terrain.profile import (
    LEVEL,
    MOST_UNITS,
    VERY_ROUGH_UNIT,
    HeightProfile,
    bump,
    mound,
    random_rough,
    rough,
    slope,
    step,
)
from walking_robots.terrain.profile import ROUGH_UNIT as ROUGH
from walking_robots.terrain.profile_files import load_profile

GROUND_WORDS = (
    'level, rough, very-rough, slope:ANGLE, mound:ANGLE, bump:HEIGHT, step:HEIGHT, cells:HEIGHT'
)
CELLS, CELLS_POINTS = 'cells:', 300
_CELLS_LIMIT = 'cells are at most 0.5 m high'
STEEPEST, HIGHEST = math.radians(60.0), 0.5
GENTLE = math.radians(2.0)
"""Slopes up to this count as level when parameters are chosen."""
SLIPPERY = 0.25
"""Friction up to which ground counts as slippery, whatever its shape."""
ROUGH_FROM, VERY_ROUGH_FROM = 0.005, 0.045
"""Heights, m, of bumps and steps from which on ground counts as rough, and as very rough."""


class BipedGround(NamedTuple):
    """A profile of heights and its class, by which parameters are chosen."""

    profile: HeightProfile
    kind: str


def find_ground(words: str, seed: int = 0) -> BipedGround:
    """Return a ground by its words, or that of a file.

    seed: rough ground is the thesis's own for 0, and random by any other; slopes are positive up.
    The points of cells lie every 0.1 m, at random heights up to the one given.
    Raises ValueError, one sentence, for words that name no ground.
    """
    if words == 'level':
        return BipedGround(LEVEL, 'level')
    if words.startswith(CELLS):
        height = bounded(parse_length(words.removeprefix(CELLS)), HIGHEST, _CELLS_LIMIT)
        unit = abs(height) / MOST_UNITS
        profile = random_rough(np.random.default_rng(seed), unit, CELLS_POINTS)
        return BipedGround(profile, _rough_kind(abs(height)))
    if is_random(words):
        unit = ROUGH if words == 'rough' else VERY_ROUGH_UNIT
        profile = random_rough(np.random.default_rng(seed), unit) if seed else rough(unit)
        return BipedGround(profile, words.replace('-', '_'))
    if names_file(words):
        profile = load_profile(words)
        return BipedGround(profile, _rough_kind(max(profile.z) - min(profile.z)))
    name, _, size = words.partition(':')
    if not size or name not in _BUILDERS:
        raise ValueError(f"there is no ground '{words}'; write {GROUND_WORDS}, or name a file")
    return _BUILDERS[name](size)


def ground_class(shape: str, friction: float) -> str:
    """Return the class by which parameters are chosen, of ground of a shape and a friction."""
    return 'slippery' if friction <= SLIPPERY else shape


def is_random(words: str) -> bool:
    """Return whether the ground of these words is another one for another seed."""
    return words in ('rough', 'very-rough') or words.startswith(CELLS)


def names_file(words: str) -> bool:
    """Return whether words are the path of a file, which may lie elsewhere for another process."""
    name, _, size = words.partition(':')
    return (
        not (size and (name in _BUILDERS or words.startswith(CELLS))) and Path(words).suffix != ''
    )


def _slope(size: str) -> BipedGround:
    angle = bounded(parse_angle(size), STEEPEST, 'a slope has at most 60 degrees')
    kind = 'level' if abs(angle) < GENTLE else 'up' if angle > 0.0 else 'down'
    return BipedGround(slope(angle), kind)


def _mound(size: str) -> BipedGround:
    angle = abs(bounded(parse_angle(size), STEEPEST, 'a mound has at most 60 degrees'))
    return BipedGround(mound(min(angle, math.radians(20.0)), angle), 'down')


def _bump(size: str) -> BipedGround:
    height = bounded(parse_length(size), HIGHEST, 'a bump is at most 0.5 m high')
    return BipedGround(bump(height), _rough_kind(abs(height)))


def _step(size: str) -> BipedGround:
    height = bounded(parse_length(size), HIGHEST, 'a step is at most 0.5 m high')
    return BipedGround(step(height), _rough_kind(abs(height)))


def bounded(value: float, most: float, sentence: str) -> float:
    """Return a value within a bound to both sides; else raise ValueError with the sentence."""
    if abs(value) > most + 1e-9:
        raise ValueError(f'{sentence}, found {value:g} (SI units)')
    return value


def _rough_kind(height: float) -> str:
    """Return the class of ground of so many metres from its lowest to its highest point."""
    if height < ROUGH_FROM:
        return 'level'
    return 'rough' if height < VERY_ROUGH_FROM else 'very_rough'


_BUILDERS: dict[str, Callable[[str], BipedGround]] = {
    'slope': _slope,
    'mound': _mound,
    'bump': _bump,
    'step': _step,
}
