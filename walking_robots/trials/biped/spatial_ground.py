"""Find the ground of a biped in space by the words of the command line."""

from typing import NamedTuple

import numpy as np

from walking_robots.geometry.units import parse_length
from walking_robots.simulation.biped.spatial_build import SpatialGround
from walking_robots.terrain.step_field import random_steps
from walking_robots.trials.biped.ground import HIGHEST, bounded, find_ground

CELLS = 'cells'


class FoundGround(NamedTuple):
    """A ground and its class, by which parameters are chosen."""

    ground: SpatialGround
    kind: str


def find_spatial_ground(words: str, seed: int = 0) -> FoundGround:
    """Return a ground by its words, or that of a file.

    ``cells:HEIGHT`` are squares of 20 cm of random heights from zero on, other ones for another
    seed; everything else is ground of the planar robots, the same along y. Raises ValueError, one
    sentence, for words that name no ground.
    """
    if not is_cells(words):
        return FoundGround(*find_ground(words, seed))
    _, _, size = words.partition(':')
    highest = bounded(parse_length(size), HIGHEST, 'cells are at most 0.5 m high')
    if highest < 0.0:
        raise ValueError(f'cells are at least 0 m high, found {highest:g} m')
    return FoundGround(random_steps(np.random.default_rng(seed), highest), 'rough')


def is_cells(words: str) -> bool:
    """Return whether words are ground of cells."""
    name, _, size = words.partition(':')
    return name == CELLS and bool(size)
