"""Markers of the ground of ARS MAGNA, for RViz and for the page: floor, walls and places.

A marker's namespace says what it is of: floor, walls, or places/ and the type. Frames: messages
have y upwards, the ground has it downwards (ars_magna.md §1.9).
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import Point
from numpy.typing import NDArray
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from walking_robots.ars_magna.simulation.ground import GroundMap
from walking_robots.nodes.common.conversions import header_to_msg
from walking_robots.viewer.ars_magna import state
from walking_robots.viewer.ars_magna.colours import OTHER_PLACE, PLACES
from walking_robots.viewer.common.colours import Colour

FLOOR, WALLS, PLACES_OF = 'floor', 'walls', 'places/'
HEIGHT = 0.4
_LARGEST = 4096
"""Cells along a side that are shown at most."""
_PALEST, _DARKEST = 0.78, 0.22


def ground_to_markers(ground: GroundMap, frame: str) -> MarkerArray:
    """Return floor, walls in grey by their parameter, and places in the manual's colours."""
    rows, columns = ground.rows, ground.columns
    floor = new_marker(FLOOR, Marker.CUBE, frame, (columns, rows, 0.01), (250, 250, 247))
    floor.pose.position.x, floor.pose.position.y = 0.5 * (columns - 1), 0.5 * (rows - 1)
    floor.pose.position.z = -0.01
    walls = new_marker(WALLS, Marker.CUBE_LIST, frame, (1.0, 1.0, HEIGHT), (140, 140, 146))
    filled = ground.world.filled
    row, column = np.nonzero(filled)
    walls.points = _points(column, row, 0.5 * HEIGHT)
    walls.colors = [
        ColorRGBA(r=shade, g=shade, b=shade, a=1.0)
        for shade in _shades(ground.world.parameter[filled]).tolist()
    ]
    markers = [floor, walls]
    for index, place in enumerate(ground.types):
        row, column = np.nonzero(ground.places.kind == index)
        if len(row):
            colour = PLACES.get(place.name, OTHER_PLACE)
            marker = new_marker(
                PLACES_OF + place.name, Marker.CUBE_LIST, frame, (0.9, 0.9, 0.02), colour
            )
            marker.points = _points(column, rows - 1 - row, 0.01)
            markers.append(marker)
    return MarkerArray(markers=markers)


def ground_from_markers(message: Any) -> state.GroundView:
    """Read walls and places; raise ValueError for what makes no sense."""
    found = {marker.ns: marker for marker in message.markers}
    if FLOOR not in found or WALLS not in found:
        raise ValueError('there is no floor or there are no walls among the markers')
    size = found[FLOOR].scale
    if not all(0.5 < side < _LARGEST for side in (size.x, size.y)):
        raise ValueError('the floor is too small or too large')
    columns, rows = round(size.x), round(size.y)
    filled = np.zeros((rows, columns), dtype=bool)
    brightness = np.zeros((rows, columns))
    walls = found[WALLS]
    if len(walls.colors) != len(walls.points):
        raise ValueError('walls and their colours differ in number')
    for (column, row), colour in zip(_cells(walls, rows, columns), walls.colors, strict=True):
        filled[row, column] = True
        brightness[row, column] = (colour.r - _DARKEST) / (_PALEST - _DARKEST)
    places = tuple(
        state.PlacesView(name.removeprefix(PLACES_OF), tuple(_cells(marker, rows, columns)))
        for name, marker in found.items()
        if name.startswith(PLACES_OF)
    )
    return state.GroundView(filled, brightness, places)


def new_marker(
    name: str, kind: int, frame: str, size: Sequence[float], colour: Colour, stamp: int = 0
) -> Marker:
    """Return a marker at the origin of a frame; size: m; stamp: ns."""
    marker = Marker(header=header_to_msg(stamp, frame), ns=name, type=kind)
    marker.pose.orientation.w = 1.0
    marker.scale.x, marker.scale.y, marker.scale.z = map(float, size)
    red, green, blue = (part / 255.0 for part in colour)
    marker.color.r, marker.color.g, marker.color.b, marker.color.a = red, green, blue, 1.0
    return marker


def _points(column: NDArray[np.intp], row: NDArray[np.intp], height: float) -> list[Point]:
    """Return the centres of cells, with rows from below."""
    pairs = zip(column.tolist(), row.tolist(), strict=True)
    return [Point(x=float(x), y=float(y), z=height) for x, y in pairs]


def _shades(parameter: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return shades of grey, the larger the parameter the paler."""
    if not len(parameter):
        return parameter
    low, width = parameter.min(), np.ptp(parameter)
    share = (parameter - low) / width if width else np.full(len(parameter), 0.5)
    return np.asarray(_DARKEST + (_PALEST - _DARKEST) * share)


def _cells(marker: Any, rows: int, columns: int) -> list[tuple[int, int]]:
    """Read the cells of a marker, as (column, row) with rows from the top."""
    found = []
    for point in marker.points:
        if not (math.isfinite(point.x) and math.isfinite(point.y)):
            raise ValueError('a cell is nowhere')
        column, row = round(point.x), rows - 1 - round(point.y)
        if not (0 <= column < columns and 0 <= row < rows):
            raise ValueError('a cell lies beside the floor')
        found.append((column, row))
    return found
