"""Records of graphs: MCAP files, also those that were cut off."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from walking_robots.documents.extras import extra_needed

LARGEST = 256 * 2**20
"""Bytes that one part of a record may have."""

PAGE = 'page'
"""Name of the metadata of a record that say how to show it, as JSON."""

QOS = 'offered_qos_profiles'
"""Metadata of a topic: how its publishers offer it, as rosbag2 writes it."""


class RecordedMessage(NamedTuple):
    """A message: its topic, type such as ``nav_msgs/msg/Odometry``, time in ns, and bytes."""

    topic: str
    kind: str
    time: int
    data: bytes


class _Chunk(NamedTuple):
    """Messages that are compressed together, between two times, ns."""

    start: int
    end: int
    packed: Any


class Record:
    """A record of a graph, in memory as it is compressed in its file, up to where it was cut off.

    ``kinds`` are the types of the topics, ``latched`` those whose last message late subscribers
    get, ``start`` and ``end`` the times of the first and last message, ns; ``page`` is the JSON
    that says how to show it, or empty. A file that was cut off early holds no message.
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises ValueError, one sentence, for a file that is no record, and OSError where it cannot
        be read.
        """
        self.kinds: dict[str, str] = {}
        self.latched: set[str] = set()
        self.page = ''
        self._channels: dict[int, str] = {}
        self._schemas: dict[int, str] = {}
        self._chunks: list[_Chunk] = []
        self._kept: dict[str, list[tuple[int, _Chunk]]] = {}
        self._last: tuple[_Chunk | None, list[RecordedMessage]] = None, []
        self._read(path)
        self.start = min((chunk.start for chunk in self._chunks), default=0)
        self.end = max((chunk.end for chunk in self._chunks), default=0)

    def messages(self) -> Iterator[RecordedMessage]:
        """Yield all messages in the order of their writing."""
        for chunk in self._chunks:
            yield from self._unpacked(chunk)

    def between(self, after: int, until: int) -> Iterator[RecordedMessage]:
        """Yield the messages with ``after`` < time <= ``until``, ns, in the order of time."""
        chunks = [one for one in self._chunks if one.end > after and one.start <= until]
        found = (sorted((message for message in self._unpacked(chunk)
                         if after < message.time <= until), key=_time_of)
                 for chunk in chunks)  # fmt: skip
        yield from merge(*found, key=_time_of)

    def kept(self, until: int) -> list[RecordedMessage]:
        """Return the message that each latched topic holds at a time, ns, in the order of time.

        That is its first one at earlier times: a recorder that is busy gets it late.
        """
        found = []
        for topic, places in self._kept.items():
            count = bisect_right(places, until, key=lambda place: place[0])
            time, chunk = places[max(count, 1) - 1]
            found += [message for message in self._unpacked(chunk)
                      if (message.topic, message.time) == (topic, time)][-1:]  # fmt: skip
        return sorted(found, key=_time_of)

    def _read(self, path: Path) -> None:
        with extra_needed('mcap'):
            import zstandard
            from mcap.exceptions import InvalidMagic, McapError, UnsupportedCompressionError
            from mcap.records import Channel, Chunk, Message, Metadata, Schema
            from mcap.stream_reader import StreamReader
        with path.open('rb') as stream:
            records = StreamReader(stream, emit_chunks=True, record_size_limit=LARGEST).records
            try:
                for record in records:
                    if isinstance(record, Chunk):
                        self._take(
                            _Chunk(record.message_start_time, record.message_end_time, record)
                        )
                    elif isinstance(record, Message):
                        self._take(_Chunk(record.log_time, record.log_time, [record]))
                    elif isinstance(record, Schema | Channel):
                        self._name(record)
                    elif isinstance(record, Metadata) and record.name == PAGE:
                        self.page = record.metadata[PAGE]
            except InvalidMagic:
                if not self._channels:
                    raise ValueError(
                        f'{path} is no MCAP file; give one that was recorded'
                    ) from None
            except UnsupportedCompressionError as error:
                raise ValueError(
                    f'{path} cannot be read without the library {error.args[0].split()[-1]}; '
                    'install it'
                ) from None
            except (
                McapError,
                zstandard.ZstdError,
                ValueError,
                KeyError,
                RuntimeError,
                struct.error,
            ):
                # It was cut off here.
                return

    def _take(self, chunk: _Chunk) -> None:
        """Keep a chunk that can be read, and know where latched messages are."""
        found = self._unpacked(chunk)
        if found:
            self._chunks.append(chunk)
        for message in found:
            if message.topic in self.latched:
                self._kept.setdefault(message.topic, []).append((message.time, chunk))

    def _name(self, record: Any) -> None:
        """Take in a schema or a channel."""
        if hasattr(record, 'topic'):
            self._channels[record.id] = record.topic
            self.kinds[record.topic] = self._schemas[record.schema_id]
            profiles = yaml.safe_load(record.metadata.get(QOS) or '[]')
            # rosbag2 wrote numbers before it wrote names.
            if profiles and all(one['durability'] in ('transient_local', 1) for one in profiles):
                self.latched.add(record.topic)
        else:
            self._schemas[record.id] = record.name

    def _unpacked(self, chunk: _Chunk) -> list[RecordedMessage]:
        """Return the messages of a chunk, and keep them until another is unpacked."""
        if self._last[0] is not chunk:
            self._last = (
                chunk,
                [
                    RecordedMessage(topic, self.kinds[topic], record.log_time, record.data)
                    for record, topic in self._records(chunk.packed)
                ],
            )
        return self._last[1]

    def _records(self, packed: Any) -> Iterator[tuple[Any, str]]:
        from mcap.records import Message
        from mcap.stream_reader import breakup_chunk

        for record in packed if isinstance(packed, list) else breakup_chunk(packed, True):
            if isinstance(record, Message):
                yield record, self._channels[record.channel_id]
            else:
                self._name(record)


def _time_of(message: RecordedMessage) -> int:
    return message.time
