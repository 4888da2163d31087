"""From messages of a Scout to what its page shows."""

import math
from typing import Any

import numpy as np
from sensor_msgs.msg import BatteryState

from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.viewer.scout.state import Walls

OCCUPIED = 50
"""Share, %, from which on a cell of an occupancy grid is a wall."""

_CHARGING = {
    BatteryState.POWER_SUPPLY_STATUS_CHARGING: 'charging',
    BatteryState.POWER_SUPPLY_STATUS_DISCHARGING: 'discharging',
    BatteryState.POWER_SUPPLY_STATUS_NOT_CHARGING: 'not charging',
    BatteryState.POWER_SUPPLY_STATUS_FULL: 'full',
}


def range_from_msg(message: Any) -> float:
    """Return the distance of a Range, m: inf without an echo, -inf too near (REP-117)."""
    value = float(message.range)
    if math.isnan(value):
        raise ValueError('the range is no number')
    # Consumers that know no infinity may be given the largest range in its place.
    if value >= message.max_range:
        return math.inf
    return value if value >= message.min_range else -math.inf


def battery_text(message: Any) -> str:
    """Return charge and state of a BatteryState in words, as far as they are known."""
    charge = '' if math.isnan(message.percentage) else f'{message.percentage:.0%}'
    state = _CHARGING.get(message.power_supply_status, '')
    return ', '.join(filter(None, (charge, state)))


def walls_from_msg(message: Any) -> Walls:
    """Return the walls of an OccupancyGrid; raise ValueError for one that makes no sense."""
    info = message.info
    if len(message.data) != info.width * info.height:
        raise ValueError(f'it has {len(message.data)} cells, not {info.width} by {info.height}')
    if not (math.isfinite(info.resolution) and info.resolution > 0.0):
        raise ValueError('the size of a cell is no positive number')
    share = np.array(message.data, dtype=np.int8).reshape(info.height, info.width)
    return Walls(share >= OCCUPIED, float(info.resolution), planar_pose_from_msg(info.origin))
