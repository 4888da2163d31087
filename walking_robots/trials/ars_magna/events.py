"""Write what happens in a trial to a file, one event for each report to a robot."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from walking_robots.ars_magna.agent.messages import CommandReport
from walking_robots.ars_magna.agent.trace import plain
from walking_robots.documents.extras import extra_needed

JSONL, MCAP = '.jsonl', '.mcap'

_SCHEMA = {
    'type': 'object',
    'properties': {
        'tick': {'type': 'integer'},
        'robot': {'type': 'string'},
        'event': {'type': 'string'},
        'command': {'type': 'string'},
        'part': {'type': 'integer'},
        'number': {'type': 'integer'},
        'issued': {'type': 'integer'},
        'code': {'type': 'string'},
        'values': {'type': 'array'},
    },
}
_SECOND = 1_000_000_000
"""Nanoseconds; a tick is taken for one second."""


def event_of(report: CommandReport) -> dict[str, Any]:
    """Return a report as plain values; event: started or done; issued: tick of the request."""
    return {
        'tick': report.tick,
        'robot': report.robot,
        'event': report.kind,
        'command': report.command,
        'part': report.part,
        'number': report.number,
        'issued': report.issued,
        'code': report.code,
        'values': plain(report.values),
    }


@contextmanager
def event_file(path: Path) -> Iterator[Callable[[CommandReport], None]]:
    """Open a file for events and yield what writes them.

    A file that ends in .jsonl has one JSON object a line, one in .mcap a channel of JSON for each
    robot. Raises ValueError with one sentence for another suffix, or without the library.
    """
    if path.suffix not in (JSONL, MCAP):
        raise ValueError(f'{path.name} must end in {JSONL} or {MCAP}')
    with path.open('wb') as stream, _writer(path.suffix, stream) as write:
        yield write


@contextmanager
def _writer(suffix: str, stream: IO[bytes]) -> Iterator[Callable[[CommandReport], None]]:
    if suffix == JSONL:
        yield lambda report: _write_line(stream, report)
        return
    with extra_needed('mcap'):
        from mcap.writer import CompressionType, Writer

    writer = Writer(stream, compression=CompressionType.NONE)
    writer.start('', 'walking_robots')
    schema = writer.register_schema('ArsEvent', 'jsonschema', json.dumps(_SCHEMA).encode())
    channels: dict[str, int] = {}

    def write(report: CommandReport) -> None:
        if report.robot not in channels:
            topic = f'/{report.robot}/events'
            channels[report.robot] = writer.register_channel(topic, 'json', schema)
        time = report.tick * _SECOND
        data = json.dumps(event_of(report)).encode()
        writer.add_message(channels[report.robot], time, data, time)

    try:
        yield write
    finally:
        writer.finish()  # type: ignore[no-untyped-call]


def _write_line(stream: IO[bytes], report: CommandReport) -> None:
    stream.write(json.dumps(event_of(report)).encode() + b'\n')
