"""Messages of a planar world: a map for tools, and blocks to look at."""

import numpy as np
from geometry_msgs.msg import Point
from nav_msgs.msg import OccupancyGrid
from visualization_msgs.msg import Marker, MarkerArray

from walking_robots.nodes.common.conversions import header_to_msg
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.world import World

OCCUPIED, HEIGHT = 100, 0.4


def world_to_msg(world: World, frame: str) -> OccupancyGrid:
    """Return the filled cells of a world as a map."""
    found = OccupancyGrid(header=header_to_msg(0, frame))
    info = found.info
    info.resolution, info.width, info.height = world.cell, world.columns, world.rows
    info.origin.position.x, info.origin.position.y = world.origin
    info.origin.orientation.w = 1.0
    found.data = np.where(world.filled, OCCUPIED, 0).astype(np.int8).ravel().tolist()
    return found


def world_to_markers(world: World, frame: str) -> MarkerArray:
    """Return the walls of a world as blocks of 0.4 m."""
    marker = Marker(header=header_to_msg(0, frame), ns='walls', type=Marker.CUBE_LIST)
    marker.pose.orientation.w = 1.0
    marker.scale.x = marker.scale.y = world.cell
    marker.scale.z = HEIGHT
    marker.color.r, marker.color.g, marker.color.b, marker.color.a = 0.62, 0.58, 0.52, 1.0
    rows, columns = np.nonzero(world.filled)
    x = world.origin[0] + (columns + 0.5) * world.cell
    y = world.origin[1] + (rows + 0.5) * world.cell
    marker.points = [
        Point(x=px, y=py, z=0.5 * HEIGHT) for px, py in zip(x.tolist(), y.tolist(), strict=True)
    ]
    return MarkerArray(markers=[marker])


def disc_to_marker(stamp: int, frame: str, disc: Disc) -> Marker:
    """Return a round thing that moves about as a cylinder as high as the walls."""
    marker = Marker(header=header_to_msg(stamp, frame), ns='object', type=Marker.CYLINDER)
    marker.pose.position.x, marker.pose.position.y = disc.x, disc.y
    marker.pose.position.z = 0.5 * HEIGHT
    marker.pose.orientation.w = 1.0
    marker.scale.x = marker.scale.y = 2.0 * disc.radius
    marker.scale.z = HEIGHT
    marker.color.r, marker.color.g, marker.color.b, marker.color.a = 0.85, 0.33, 0.20, 1.0
    return marker
