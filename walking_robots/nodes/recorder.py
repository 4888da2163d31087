"""The recorder: all messages of a graph into an MCAP file."""

import json
import re
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message

from walking_robots.documents.extras import extra_needed
from walking_robots.nodes.common.composition import Composition, Overrides
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.message_definitions import definition_of
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.records import PAGE, QOS
from walking_robots.nodes.common.running import run_node

PERIOD = 0.2
"""Wall time, s, between two looks for new topics."""

FLUSH = 1.0
"""Wall time, s, between two chunks, which are compressed together: what a kill may lose."""

NOT_RECORDED = ('/rosout', '/parameter_events')

_FOREVER = {'sec': 9223372036, 'nsec': 854775807}
"""How rosbag2 writes that there is no limit."""


class GraphRecorder(GraphNode):
    """Writes the messages of all topics that there are, and of those that come."""

    def __init__(self, **options: Any) -> None:
        """Open the file; raise ConfigurationError where it cannot be written."""
        super().__init__('recorder', **options)
        path = self.parameter('file', 'record.mcap', 'MCAP file to write, a new one', fixed=True)
        topics = self.parameter(
            'topics', '.*', 'regular expression of the topics to record, such as /odom|/scan',
            check=re.compile, fixed=True,
        )  # fmt: skip
        page = self.parameter(
            'page', '', 'JSON: system and parameters of the page that shows the record', fixed=True
        )
        self._wanted = re.compile(topics)
        self._refused: set[str] = set()
        self._taken: set[str] = set()
        self._count = 0
        try:
            with extra_needed('mcap'):
                import zstandard  # noqa: F401
                from mcap.writer import Writer
            # It is open as long as the node.
            self._file = Path(path).open('xb')  # noqa: SIM115
        except FileExistsError:
            raise ConfigurationError(
                f'recorder: {path} is there already; choose another file.'
            ) from None
        except OSError as error:
            reason = (error.strerror or 'an error').lower()
            raise ConfigurationError(f'recorder: {path} cannot be written: {reason}.') from None
        except ValueError as error:
            raise ConfigurationError(f'recorder: {error}.') from None
        self._writer: Any = Writer(self._file)
        self._writer.start('ros2', 'walking_robots')
        if page:
            self._writer.add_metadata(PAGE, {PAGE: page})
        self._schemas: dict[str, int] = {}
        self.closing.append(self._finish)
        self.create_timer(PERIOD, self._look, clock=self.steady)
        self.create_timer(FLUSH, self._writer.flush, clock=self.steady)

    def has(self, topics: Iterable[str]) -> bool:
        """Return whether all of these topics are recorded, but for those that never are."""
        return self._taken.issuperset(set(topics).difference(NOT_RECORDED))

    def _look(self) -> None:
        """Subscribe to topics that are new."""
        for topic, kinds in self.get_topic_names_and_types():
            skipped = topic in NOT_RECORDED or '/_' in topic or topic in self._taken
            if skipped or topic in self._refused or not self._wanted.fullmatch(topic):
                continue
            publishers = self.get_publishers_info_by_topic(topic)
            if not publishers:
                continue
            try:
                self._record(topic, kinds[0], [found.qos_profile for found in publishers])
                self._taken.add(topic)
            except (ValueError, ImportError, AttributeError) as error:
                self._refused.add(topic)
                self.get_logger().warning(f'does not record {topic}: {error}')

    def _record(self, topic: str, kind: str, profiles: list[QoSProfile]) -> None:
        if kind not in self._schemas:
            text = definition_of(kind).encode()
            self._schemas[kind] = self._writer.register_schema(kind, 'ros2msg', text)
        package, folder, name = kind.split('/')
        message = getattr(import_module(f'{package}.{folder}'), name)
        reliable = all(one.reliability == ReliabilityPolicy.RELIABLE for one in profiles)
        latched = all(one.durability == DurabilityPolicy.TRANSIENT_LOCAL for one in profiles)
        offered = yaml.safe_dump([_qos(profile) for profile in profiles], sort_keys=False)
        channel = self._writer.register_channel(topic, 'cdr', self._schemas[kind], {QOS: offered})
        self.create_subscription(
            message, topic, partial(self._write, channel),
            QoSProfile(
                history=HistoryPolicy.KEEP_LAST,
                depth=1000,
                reliability=ReliabilityPolicy.RELIABLE
                if reliable else ReliabilityPolicy.BEST_EFFORT,
                durability=DurabilityPolicy.TRANSIENT_LOCAL
                if latched else DurabilityPolicy.VOLATILE,
            ),
            raw=True,
        )  # fmt: skip

    def _write(self, channel: int, message: Any) -> None:
        # Nodes of one process hand over the message itself.
        data = message if isinstance(message, bytes) else serialize_message(message)
        now = self.get_clock().now().nanoseconds
        self._writer.add_message(channel, now, data, now)
        self._count += 1

    def _finish(self) -> None:
        self._writer.finish()
        self._file.close()
        self.get_logger().info(f'{self._count} messages of {len(self._taken)} topics')

    def health(self) -> Health:
        """Return how much is recorded."""
        said = f'{self._count} messages of {len(self._taken)} topics'
        return (OK if self._count else WARN), said


def _qos(profile: QoSProfile) -> dict[str, Any]:
    """Return how a publisher offers its messages, as rosbag2 writes it."""
    return {
        'history': 'keep_last',
        'depth': profile.depth,
        'reliability': profile.reliability.name.lower(),
        'durability': profile.durability.name.lower(),
        'deadline': _FOREVER,
        'lifespan': _FOREVER,
        'liveliness': 'automatic',
        'liveliness_lease_duration': _FOREVER,
        'avoid_ros_namespace_conventions': False,
    }


def page_of_overrides(system: str, overrides: Overrides) -> str:
    """Return as JSON the system whose page shows a record, and the parameters of that page."""
    own = overrides.get('viewer', {})
    # A trial has no page, but its servo walks the same robot.
    servo = overrides.get('leg_servo', {})
    values = {name: servo[name] for name in ('robot', 'gait') if name in servo} | {
        name: value for name, value in own.items() if name not in ('host', 'port')
    }
    return json.dumps({'system': system, 'parameters': values})


def record_composition(
    graph: Composition, file: Path, page: str, *, simulated_time: bool = False
) -> None:
    """Record a composition from now on; ``page``: see the parameter of the recorder.

    simulated_time: whether messages are recorded at the times of ``/clock``. Raises
    ConfigurationError where the file cannot be written.
    """
    values = {'file': str(file), 'page': page, 'use_sim_time': simulated_time}
    recorder = graph.add('recorder', GraphRecorder, values=values)
    topics = {one.topic_name for node in graph.nodes.values() for one in node.publishers}
    graph.spin(lambda: recorder.has(topics))


def main() -> int:
    """Run the node as a process."""
    return run_node(GraphRecorder)
