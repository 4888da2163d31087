"""Records of a graph: what is read back is what was sent, also where the file was cut."""

import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.graph

KINDS = ('nav_msgs/msg/Odometry', 'walking_robots_interfaces/msg/LegStates')


@pytest.fixture
def record(graph: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a record of 400 messages of two topics, one of them latched, and what was sent."""
    from nav_msgs.msg import Odometry
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from walking_robots_interfaces.msg import LegState, LegStates

    from walking_robots.nodes.common.qos import LATCHED, LOOP
    from walking_robots.nodes.recorder import GraphRecorder

    monkeypatch.setattr('walking_robots.nodes.recorder.FLUSH', 0.005)
    path = tmp_path / 'a.mcap'
    local = graph.LocalNodes()
    try:
        sender = Node('sender', context=local.context)
        publishers = [
            sender.create_publisher(Odometry, 'odom', LOOP),
            sender.create_publisher(LegStates, 'legs', LATCHED),
        ]
        recorder = GraphRecorder(
            context=local.context,
            parameter_overrides=[
                Parameter('file', value=str(path)), Parameter('topics', value='/odom|/legs')
            ],
        )  # fmt: skip
        local.add(sender, recorder)
        for publisher in publishers:
            local.until(lambda publisher=publisher: publisher.get_subscription_count() == 1)
        sent: dict[str, list[Any]] = {'/odom': [], '/legs': []}
        draw = random.Random(5)
        for number in range(200):
            odom = Odometry()
            odom.header.frame_id = 'odom' * draw.randrange(9)
            odom.pose.pose.position.x = draw.gauss(0.0, 1.0)
            legs = LegStates(legs=[LegState(leg=draw.randrange(7)) for _ in range(number % 9)])
            for publisher, message in zip(publishers, (odom, legs), strict=True):
                publisher.publish(message)
                sent[publisher.topic_name].append(message)
            local.until(lambda number=number: recorder._count == 2 * (number + 1))
        recorder.end()
    finally:
        local.close()
    return path, sent


def read(path: Path) -> dict[str, list[Any]]:
    from nav_msgs.msg import Odometry
    from rclpy.serialization import deserialize_message
    from walking_robots_interfaces.msg import LegStates

    from walking_robots.nodes.common.records import Record

    kinds = dict(zip(KINDS, (Odometry, LegStates), strict=True))
    found: dict[str, list[Any]] = {}
    for message in Record(path).messages():
        read_back = deserialize_message(message.data, kinds[message.kind])
        found.setdefault(message.topic, []).append(read_back)
    return found


def test_what_is_read_back_is_what_was_sent(record: Any) -> None:
    from mcap.reader import make_reader

    path, sent = record
    assert read(path) == sent
    with path.open('rb') as stream:
        reader = make_reader(stream)
        assert reader.get_header().profile == 'ros2'
        summary = reader.get_summary()
    assert summary.statistics.message_count == 400
    schemas = {schema.name: schema for schema in summary.schemas.values()}
    assert set(schemas) == set(KINDS)
    assert {schema.encoding for schema in schemas.values()} == {'ros2msg'}
    assert 'MSG: geometry_msgs/PoseWithCovariance\n' in schemas[KINDS[0]].data.decode()
    assert {channel.message_encoding for channel in summary.channels.values()} == {'cdr'}


def test_a_record_cut_at_any_byte_opens_up_to_there(record: Any, tmp_path: Path) -> None:
    from mcap.records import Chunk, Message
    from mcap.stream_reader import StreamReader, breakup_chunk

    path, sent = record
    content = path.read_bytes()
    cut, most = tmp_path / 'cut.mcap', 0
    with path.open('rb') as stream:
        chunks = [one for one in StreamReader(stream, emit_chunks=True).records
                  if isinstance(one, Chunk)]  # fmt: skip
    whole = list(accumulate(
        (sum(isinstance(one, Message) for one in breakup_chunk(chunk)) for chunk in chunks),
        initial=0,
    ))  # fmt: skip
    assert len(whole) > 10 and whole[-1] == 400
    for place in sorted(random.Random(7).sample(range(8, len(content)), 200)):
        cut.write_bytes(content[:place])
        found = read(cut)
        count = sum(map(len, found.values()))
        for topic, messages in found.items():
            assert messages == sent[topic][: len(messages)]
        # All whole chunks.
        assert count in whole and count >= most
        most = count
    assert most == 400


def test_wrong_files_are_one_sentence(graph: Any, tmp_path: Path) -> None:
    from rclpy.parameter import Parameter

    from walking_robots.nodes.common.node import ConfigurationError
    from walking_robots.nodes.recorder import GraphRecorder

    there = tmp_path / 'a.mcap'
    there.write_bytes(b'something else')
    with pytest.raises(ValueError, match=r'a\.mcap is no MCAP file; give one that was recorded'):
        read(there)
    local = graph.LocalNodes()
    try:
        for file, why in (
            (there, 'is there already'),
            (tmp_path / 'no' / 'b.mcap', 'no such file'),
        ):
            with pytest.raises(ConfigurationError, match=why):
                GraphRecorder(
                    context=local.context, parameter_overrides=[Parameter('file', value=str(file))]
                )
    finally:
        local.close()
    assert there.read_bytes() == b'something else'


@pytest.mark.parametrize('kind', KINDS)
def test_definitions_name_all_their_parts(kind: str) -> None:
    from walking_robots.nodes.common.message_definitions import BAR, definition_of

    text = definition_of(kind)
    parts = [part.splitlines()[0] for part in text.split(f'{BAR}\n')[1:]]
    assert 'MSG: std_msgs/Header' in parts and 'MSG: builtin_interfaces/Time' in parts
    assert len(parts) == len(set(parts))
    with pytest.raises(ValueError, match=r'nothing/msg/X is not installed'):
        definition_of('nothing/msg/X')
