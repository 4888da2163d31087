"""The recorder: all messages of a graph into an MCAP file."""

import re
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from walking_robots.documents.extras import extra_needed
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.message_definitions import definition_of
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.running import run_node

PERIOD = 0.2
"""Wall time, s, between two looks for new topics."""

CHUNK = 64 * 1024
"""Size of a chunk before compression, bytes: what a power cut may lose."""

NOT_RECORDED = ('/rosout', '/parameter_events')


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
        self._wanted = re.compile(topics)
        self._refused: set[str] = set()
        self._taken: set[str] = set()
        self._count = 0
        try:
            with extra_needed('mcap'):
                import lz4.frame  # noqa: F401
                from mcap.writer import CompressionType, Writer
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
        self._writer: Any = Writer(self._file, chunk_size=CHUNK, compression=CompressionType.LZ4)
        self._writer.start('ros2', 'walking_robots')
        self._schemas: dict[str, int] = {}
        self.closing.append(self._finish)
        self.create_timer(PERIOD, self._look, clock=self.steady)

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
        channel = self._writer.register_channel(topic, 'cdr', self._schemas[kind])
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

    def _write(self, channel: int, message: bytes) -> None:
        now = time.time_ns()
        self._writer.add_message(channel, now, bytes(message), now)
        self._count += 1

    def _finish(self) -> None:
        self._writer.finish()
        self._file.close()
        self.get_logger().info(f'{self._count} messages of {len(self._taken)} topics')

    def health(self) -> Health:
        """Return how much is recorded."""
        said = f'{self._count} messages of {len(self._taken)} topics'
        return (OK if self._count else WARN), said


def main() -> int:
    """Run the node as a process."""
    return run_node(GraphRecorder)
