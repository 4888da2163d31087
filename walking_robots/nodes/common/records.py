"""Records of graphs: MCAP files, also those that were cut off."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from walking_robots.documents.extras import extra_needed

LARGEST = 256 * 2**20
"""Bytes that one part of a record may have."""


class RecordedMessage(NamedTuple):
    """A message: its topic, type such as ``nav_msgs/msg/Odometry``, time in ns, and bytes."""

    topic: str
    kind: str
    time: int
    data: bytes


def read_record(path: Path) -> Iterator[RecordedMessage]:
    """Yield the messages of a record in the order of their writing, up to where it was cut off.

    Raises ValueError, one sentence, for a file that is no record, and OSError where it cannot be
    read.
    """
    with extra_needed('mcap'):
        import lz4.frame  # noqa: F401
        from mcap.exceptions import InvalidMagic, McapError
        from mcap.records import Channel, Message, Schema
        from mcap.stream_reader import StreamReader
    schemas: dict[int, Schema] = {}
    channels: dict[int, Channel] = {}
    with path.open('rb') as stream:
        try:
            for record in StreamReader(stream, record_size_limit=LARGEST).records:
                if isinstance(record, Schema):
                    schemas[record.id] = record
                elif isinstance(record, Channel):
                    channels[record.id] = record
                elif isinstance(record, Message):
                    channel = channels[record.channel_id]
                    kind = schemas[channel.schema_id].name
                    yield RecordedMessage(channel.topic, kind, record.log_time, record.data)
        except InvalidMagic:
            if not channels:
                raise ValueError(f'{path} is no MCAP file; give one that was recorded') from None
        except (McapError, ValueError, KeyError, RuntimeError, EOFError, struct.error):
            # It was cut off here.
            return
