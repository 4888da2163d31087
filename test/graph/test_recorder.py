"""Records of a graph: what is read back is what was sent, also where the file was cut."""

import json
import random
import subprocess
import sys
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


@pytest.fixture(scope='module')
def walk(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a recorded trial: its file, its steps and its result, and the result without file."""
    from dataclasses import replace

    from walking_robots.nodes.hexapod.trial_free import run_in_graph
    from walking_robots.robots.asv import ft
    from walking_robots.trials.hexapod.asv import AsvTrial, run

    path = tmp_path_factory.mktemp('walk') / 'walk.mcap'
    trial = AsvTrial(speed=ft(1.0), forbidden=0.2, goal=ft(10.0), seed=611)
    steps: list[Any] = []
    found = run_in_graph(trial, 'composed', record=path, watch=steps.append)
    assert replace(run(trial), plans=found.plans, plan_cpu_s=found.plan_cpu_s) == found
    return path, steps


def test_a_record_of_a_trial_has_all_its_steps(walk: Any) -> None:
    from rclpy.serialization import deserialize_message
    from walking_robots_interfaces.msg import GaitState

    from walking_robots.nodes.common.gait_conversions import gait_step_from_msg
    from walking_robots.nodes.common.records import Record
    from walking_robots.trials.hexapod.trace import Trace

    path, steps = walk
    record = Record(path)
    found = [deserialize_message(message.data, GaitState) for message in record.messages()
             if message.topic == '/gait/state']  # fmt: skip
    before, after = Trace(), Trace()
    for step, message in zip(steps, found, strict=True):
        before.add(step)
        after.add(gait_step_from_msg(message))
    assert before.hexdigest() == after.hexdigest()
    # By simulated time, from before the first step on.
    assert record.end - record.start == (len(steps) - 1) * 100_000_000
    assert json.loads(record.page)['system'] == 'asv'
    assert {'/terrain/elevation', '/tf_static'} <= record.latched < set(record.kinds)
    assert [message.topic for message in record.kept(record.end)].count('/terrain/elevation') == 1


def test_what_is_shown_of_a_record_is_what_it_holds(walk: Any, local: Any) -> None:
    from walking_robots.nodes.common.node import GraphNode
    from walking_robots.nodes.common.qos import LATCHED, LOOP
    from walking_robots.nodes.common.records import Record
    from walking_robots.nodes.replay import Replayer

    record = Record(walk[0])
    kinds = {topic: record.kinds[topic] for topic in ('/gait/state', '/terrain/elevation')}
    kept = [one for one in record.messages() if one.topic in kinds]
    listener = GraphNode('listener', context=local.context)
    seen: dict[str, list[Any]] = {topic: [] for topic in kinds}
    replayer = Replayer(record, context=local.context)
    replayer.held = True
    for topic in kinds:
        qos = LATCHED if topic in record.latched else LOOP
        listener.listen(message_class(kinds[topic]), topic, seen[topic].append, qos)
    local.add(listener, replayer)
    local.until(lambda: all(listener.count_publishers(topic) for topic in kinds))
    local.until(lambda: len(seen['/terrain/elevation']) == 1)
    local.until(lambda: replayer._publishers_of['/gait/state'].get_subscription_count() == 1)
    replayer.set_speed(10.0)
    replayer.pause(False)
    steps = [one for one in kept if one.topic == '/gait/state']
    local.until(lambda: replayer.held and len(seen['/gait/state']) == len(steps))
    assert list(map(repr, seen['/gait/state'])) == list(map(text_of, steps))
    assert len(seen['/terrain/elevation']) == 1

    # At its end it begins again.
    replayer.pause(False)
    local.until(lambda: seen['/gait/state'][-1].step < 5)
    local.until(lambda: replayer.held and seen['/gait/state'][-1].step == len(steps))

    # Back to a time: what was said in the half second before it, and no terrain that is there.
    seen['/gait/state'].clear()
    replayer.seek(2.0)
    until = record.start + 2_000_000_000
    wanted = [one for one in steps if until - 500_000_000 < one.time <= until]
    local.until(lambda: len(seen['/gait/state']) == len(wanted) == 5)
    assert list(map(repr, seen['/gait/state'])) == list(map(text_of, wanted))
    assert replayer.time == 2.0 and replayer.held and len(seen['/terrain/elevation']) == 1


def message_class(kind: str) -> Any:
    from importlib import import_module

    package, folder, name = kind.split('/')
    return getattr(import_module(f'{package}.{folder}'), name)


def text_of(message: Any) -> str:
    """Return a recorded message as text, in which nan equals nan."""
    from rclpy.serialization import deserialize_message

    return repr(deserialize_message(message.data, message_class(message.kind)))


@pytest.fixture
def bare(tmp_path: Path) -> Any:
    """Return a function that writes a record of one message of a type, without its page."""
    from mcap.writer import Writer

    from walking_robots.nodes.common.records import Record

    def write(kind: str, data: bytes = b'\0' * 8) -> Any:
        path = tmp_path / 'bare.mcap'
        with path.open('wb') as stream:
            writer = Writer(stream)
            writer.start('ros2', 'test')
            schema = writer.register_schema(kind, 'ros2msg', b'')
            writer.add_message(writer.register_channel('/a', 'cdr', schema), 5, data, 5)
            writer.finish()
        return Record(path), path

    return write


@pytest.mark.parametrize(
    ('kind', 'system'),
    [
        ('walking_robots_interfaces/msg/ArsPicture', 'ars_magna'),
        ('walking_robots_interfaces/msg/BipedLegs', 'biped'),
        ('walking_robots_interfaces/msg/PlanStatus', 'mdle'),
        ('walking_robots_interfaces/msg/Bumper', 'scout'),
        ('std_msgs/msg/String', ''),
    ],
)
def test_a_record_of_any_graph_shows_its_system(bare: Any, kind: str, system: str) -> None:
    from walking_robots.nodes.replay import page_of_record

    record, path = bare(kind)
    assert page_of_record(record, path, '') == {'system': system}


def test_hexapods_are_known_by_their_joints_or_named(walk: Any, bare: Any) -> None:
    from walking_robots.nodes.common.records import Record
    from walking_robots.nodes.replay import page_of_record

    assert page_of_record(Record(walk[0]), walk[0], '') == {'system': 'asv'}
    record, path = bare('walking_robots_interfaces/msg/LegStates')
    with pytest.raises(ValueError, match=r'bare\.mcap does not say which hexapod .* --robot'):
        page_of_record(record, path, '')
    assert page_of_record(record, path, 'insect18') == {'system': 'hexapod'}


@pytest.mark.parametrize(
    ('content', 'sentence'),
    [
        (b'', 'holds no message; give a record of a graph that ran'),
        (b'something else', 'is no MCAP file; give one that was recorded'),
        (b'\x89MCAP0\r\n', 'holds no message; give a record of a graph that ran'),
        (None, 'No such file'),
    ],
)
def test_a_file_that_cannot_be_shown_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, sentence: str
) -> None:
    from walking_robots.cli import main

    path = tmp_path / 'a.mcap'
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main(['replay', str(path)])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and said.count('\n') == 1 and sentence.lower() in said.lower()


def test_a_demo_is_recorded(tmp_path: Path) -> None:
    from walking_robots.nodes.common.records import Record

    path = tmp_path / 'demo.mcap'
    words = ('demo', 'ars_magna', '--once', '--port', '8467', '--record', str(path))
    done = subprocess.run(
        [sys.executable, '-m', 'walking_robots', *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    record = Record(path)
    assert json.loads(record.page)['system'] == 'ars_magna'
    ticks = [one for one in record.messages() if one.topic == '/display/picture']
    assert len(ticks) > 20 and record.end - record.start > 10**9
