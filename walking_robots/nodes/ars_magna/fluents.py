"""Publish the fluents of a robot of ARS MAGNA: values that stay, and pulses (§2.13)."""

from collections.abc import Mapping
from typing import Any

from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from walking_robots_interfaces.msg import ArsFluent

from walking_robots.ars_magna.agent.fluents import FLUENTS, Update, updates
from walking_robots.ars_magna.agent.messages import CommandReport, DesignatorReport
from walking_robots.nodes.ars_magna.conversions import attribute_to_msg, designator_to_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED

PULSE = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=10, reliability=ReliabilityPolicy.RELIABLE
)


class FluentTopics:
    """The topics ``fluent/NAME`` of a robot, and ``fluent/NAME_0`` of its parts."""

    def __init__(self, node: GraphNode, robot: str, counts: Mapping[str, int]) -> None:
        """Publish on ``node``; counts: how many parts there are of each kind."""
        self._counts: dict[tuple[str, int], int] = {}
        self._topics: dict[tuple[str, int], Any] = {}
        for name, fluent in FLUENTS.items():
            for index in range(counts.get(fluent.part, 1)):
                end = '' if fluent.part == 'robot' else f'_{index}'
                self._topics[name, index] = node.create_publisher(
                    ArsFluent, f'{robot}/fluent/{name}{end}', PULSE if fluent.is_pulse else LATCHED
                )

    def publish(self, report: CommandReport) -> None:
        """Publish what a report does to fluents."""
        for update in updates(report):
            key = update.name, update.part
            self._counts[key] = self._counts.get(key, 0) + 1
            message = ArsFluent(tick=report.tick, count=self._counts[key])
            _put(message, update)
            self._topics[key].publish(message)


def _put(message: ArsFluent, update: Update) -> None:
    """Fill in a value, in the field that its kind has."""
    value = update.value
    if isinstance(value, DesignatorReport):
        message.designators = [designator_to_msg(value)]
    elif update.name == 'camera_designators':
        message.designators = list(map(designator_to_msg, value))
    elif update.name == 'camera_views':
        message.view = value
    else:
        message.value = attribute_to_msg('', value)
