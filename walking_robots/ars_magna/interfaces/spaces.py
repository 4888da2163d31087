"""Spaces of Gymnasium for what `macros` sees and does."""

import math
from collections.abc import Mapping

import numpy as np

from walking_robots.ars_magna.interfaces.macros import ACTIONS, CODES, NUMBERS, SLOTS
from walking_robots.ars_magna.sensing.attributes import Attribute
from walking_robots.documents.extras import extra_needed

with extra_needed('learning'):
    from gymnasium import spaces


def action_space() -> spaces.Discrete:
    """Return the numbers of all actions."""
    return spaces.Discrete(len(ACTIONS))


def observation_space(attributes: Mapping[str, Attribute]) -> spaces.Dict:
    """Return the space of observations.

    valid, local: of each slot, whether its designator is; direction: rad, relative to the heading,
    clockwise; has: which attributes are known, and ``attributes`` their values, words by their
    place in the domain; pose: x and y, cells, and angle, rad, by odometry since the start;
    camera: its angle, rad; holds: whether the hand felt something; code: of the last command.
    """
    numbers, angle = len(attributes), np.float32(math.pi)
    return spaces.Dict(
        {
            'valid': spaces.MultiBinary(SLOTS),
            'local': spaces.MultiBinary(SLOTS),
            'direction': spaces.Box(-angle, angle, (SLOTS,), np.float32),
            'has': spaces.MultiBinary((SLOTS, numbers)),
            'attributes': spaces.Box(-NUMBERS, NUMBERS, (SLOTS, numbers), np.float32),
            'pose': spaces.Box(-NUMBERS, NUMBERS, (3,), np.float32),
            'camera': spaces.Box(-angle, angle, (1,), np.float32),
            'holds': spaces.Discrete(2),
            'code': spaces.Discrete(CODES),
        }
    )
