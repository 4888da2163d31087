"""The terrain classifier: the elevation map in; the terrain as the gaits take it out."""

from typing import Any

from nav_msgs.msg import OccupancyGrid
from sensor_msgs.msg import PointCloud2
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import TerrainPatch

from walking_robots.nodes.common.clouds import map_from_msg
from walking_robots.nodes.common.conversions import stamp_from_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.markers import terrain_markers
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.hexapod.conversions import terrain_to_grid, terrain_to_msg
from walking_robots.nodes.hexapod.robot import declare_hexapod
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.classifier import TerrainClassifier


class TerrainClassifierNode(GraphNode):
    """Classifies every map; its messages are those of the node `terrain`."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first map."""
        super().__init__('terrain_classifier', **options)
        hexapod = declare_hexapod(self)
        # The noise is in the variances of the map.
        self._map_settings = hexapod.map_settings(noise=0.0)
        self._settings = hexapod.classifier_settings
        self._classifier = TerrainClassifier(self._settings)
        self._stamp = -1
        self._terrain: TernaryTerrain | None = None
        self._marked: TernaryTerrain | None = None
        self._elevation = self.create_publisher(TerrainPatch, 'terrain/elevation', LATCHED)
        self._grid = self.create_publisher(OccupancyGrid, 'terrain/map', LATCHED)
        self._markers = self.create_publisher(MarkerArray, 'terrain/markers', LATCHED)
        self._local = self.create_publisher(TerrainPatch, 'terrain/local', LOOP)
        self.expect_single('terrain/local')
        self.listen(PointCloud2, 'elevation_map', self._classify, LATCHED)

    def _classify(self, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if stamp < self._stamp:
            self._classifier, self._terrain = TerrainClassifier(self._settings), None
        if stamp != self._stamp or self._terrain is None:
            terrain = self._classifier.classify(map_from_msg(message, self._map_settings))
            if terrain is not self._terrain:
                self._terrain = terrain
                self._elevation.publish(terrain_to_msg(terrain, stamp))
                self._grid.publish(terrain_to_grid(terrain, stamp))
            self._stamp = stamp
        if self._marked is not self._terrain and self._markers.get_subscription_count():
            self._marked = self._terrain
            self._markers.publish(terrain_markers(self._terrain))
        self._local.publish(terrain_to_msg(self._terrain, stamp))

    def health(self) -> Health:
        """Return how much of the ground is known."""
        if self._terrain is None:
            return WARN, 'waits for elevation_map: is the elevation_map node running?'
        return OK, f'revision {self._terrain.revision}'


def main() -> int:
    """Run the node as a process."""
    return run_node(TerrainClassifierNode)
