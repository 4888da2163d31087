"""The terrain: its map for people, and for the robot what vision sees of it."""

import json
import math
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from nav_msgs.msg import OccupancyGrid, Odometry
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import TerrainPatch

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.units import parse_length
from walking_robots.nodes.common.conversions import header_to_msg, stamp_from_msg, vector_from_msg
from walking_robots.nodes.common.health import OK, Health
from walking_robots.nodes.common.markers import terrain_markers
from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.hexapod.conversions import (
    TERRAIN,
    TRUTH,
    terrain_to_grid,
    terrain_to_msg,
)
from walking_robots.nodes.hexapod.robot import declare_robot
from walking_robots.simulation.hexapod.articulated import terrain_size
from walking_robots.simulation.hexapod.world_ground import ground_of
from walking_robots.terrain.cells import HOLE, KINDS, TernaryTerrain
from walking_robots.terrain.files import TerrainFileError, load_terrain, parse_terrain
from walking_robots.terrain.vision import look
from walking_robots.worlds.files import load_world

LARGEST_SEED = 2**31 - 1

DITCH_SHARE = 0.5
"""Share of the terrain before the near edge of a ditch."""


class Terrain(GraphNode):
    """Keeps the terrain; its parameters can be set at any time and make a new one."""

    def __init__(self, **options: Any) -> None:
        """Build the terrain and publish it."""
        super().__init__('terrain', **options)
        self._values: dict[str, Any] = {}
        self._declare()
        try:
            self._terrain = build(self._values)
        except TerrainFileError as error:
            raise ConfigurationError(f'terrain: {error}') from error
        self._candidate = self._terrain
        self._range = math.inf
        self._local: Any = None
        topics = self.parameter(
            'topics', TERRAIN, f'what its topics begin with: {TERRAIN}, or {TRUTH} where '
            'terrain_classifier publishes the terrain', check=one_of('topics', (TERRAIN, TRUTH)),
            fixed=True,
        )  # fmt: skip
        self._map = self.create_publisher(OccupancyGrid, f'{topics}/map', LATCHED)
        self._elevation = self.create_publisher(TerrainPatch, f'{topics}/elevation', LATCHED)
        self._markers = self.create_publisher(MarkerArray, f'{topics}/markers', LATCHED)
        self._seen = self.create_publisher(TerrainPatch, f'{topics}/local', LOOP)
        self._publish()
        self.listen(Odometry, 'odom', self._look)

    def _declare(self) -> None:
        def declare(name: str, default: Any, description: str, *unit: str, **more: Any) -> None:
            self._values[name] = self.parameter(name, default, description, *unit, **more)

        robot = declare_robot(self)
        rows, columns = (49, 49) if robot is None else terrain_size(robot)
        cell = '1ft' if robot is None else robot.cell
        ditch = '21ft' if robot is None else DITCH_SHARE * rows * robot.cell
        either: dict[str, Any] = {'any_type': True}
        declare('terrain_file', '', 'terrain file in YAML; empty: the parameters below')
        declare(
            'world', '', 'world, a file or the name of a shipped one, whose walls and steps are '
            'the terrain; empty: none',
        )  # fmt: skip
        declare('rows', rows, 'cells along x', low=1, high=1000)
        declare('columns', columns, 'cells along y', low=1, high=1000)
        declare('cell', cell, 'side of a cell', 'm, or text with a unit', **either)
        declare('profile', 'flat', 'elevation: flat or default')
        declare('slope', 0.0, 'angle of a ramp in place of the profile', 'rad, or text', **either)
        declare('forbidden_share', 0.0, 'share of forbidden cells', low=0.0, high=0.9)
        kinds = ', '.join(KINDS)
        declare('forbidden_kind', KINDS[HOLE], f'what random forbidden cells are: {kinds}')
        declare('seed', 123, 'seed of the forbidden cells', low=0, high=LARGEST_SEED)
        declare('ditch_width', 0.0, 'width of a ditch, 0: none', 'm, or text', **either)
        declare('ditch_location', ditch, 'near edge of the ditch', 'm, or text', **either)
        declare('ditch_angle', 0.0, 'turn of the ditch', 'rad, or text', **either)
        declare('vision_range', 0.0, 'how far vision sees, 0: everything', 'm', low=0.0, high=1e4)

    def changing(self, values: Mapping[str, Any]) -> None:
        """Build the terrain that the new values ask for; raise ValueError to refuse them."""
        wanted = self._values | {key: values[key] for key in values if key in self._values}
        if wanted != self._values:
            terrain = build(wanted)
            self._candidate = replace(terrain, revision=self._terrain.revision + 1)
            self._values = wanted

    def changed(self) -> None:
        """Publish the terrain that has been accepted."""
        if self._candidate is not self._terrain:
            self._terrain = self._candidate
            self._publish()

    def _publish(self) -> None:
        self._range = self._values['vision_range'] or math.inf
        patch = terrain_to_msg(self._terrain, 0)
        self._elevation.publish(patch)
        self._map.publish(terrain_to_grid(self._terrain, 0))
        self._markers.publish(terrain_markers(self._terrain))
        self._local = terrain_to_msg(self._terrain, 0)

    def _look(self, odom: Any) -> None:
        if not self._seen.get_subscription_count():
            return
        stamp = stamp_from_msg(odom)
        if math.isfinite(self._range):
            x, y, _ = vector_from_msg(odom.pose.pose.position, 'the position')
            self._local = terrain_to_msg(look(self._terrain, x, y, self._range), stamp)
        seen = copy(self._local)
        seen.header = header_to_msg(stamp, 'odom')
        self._seen.publish(seen)

    def health(self) -> Health:
        """Return which terrain there is."""
        rows, columns, revision = self._terrain.rows, self._terrain.columns, self._terrain.revision
        return OK, f'{rows} x {columns} cells, revision {revision}'


def build(values: Mapping[str, Any]) -> TernaryTerrain:
    """Build the terrain of a file or of parameters; raise TerrainFileError for a wrong one."""
    if values['terrain_file']:
        return load_terrain(values['terrain_file'])
    if values['world']:
        try:
            return ground_of(load_world(find_world(values['world'])), parse_length(values['cell']))
        except ValueError as error:
            raise TerrainFileError(str(error)) from error
    fields: dict[str, Any] = {
        'size': [values['rows'], values['columns']],
        'cell': values['cell'],
        'forbidden': values['forbidden_kind'],
        'random': {'share': values['forbidden_share'], 'seed': values['seed']},
    }
    fields |= {'slope': values['slope']} if values['slope'] else {'profile': values['profile']}
    if values['ditch_width']:
        fields['ditches'] = [
            {
                'near_edge': values['ditch_location'],
                'width': values['ditch_width'],
                'angle': values['ditch_angle'],
            }
        ]
    try:
        return parse_terrain(json.dumps(fields), 'the terrain parameters')
    except TerrainFileError as error:
        raise TerrainFileError(str(error).replace(', line 1:', ':', 1)) from None


def main() -> int:
    """Run the node as a process."""
    return run_node(Terrain)
