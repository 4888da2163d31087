"""Show a record of a graph on the page of its robot."""

import json
import math
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from walking_robots.documents.sentences import one_line
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.health import OK, Health
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.records import Record, RecordedMessage
from walking_robots.nodes.common.running import Stop
from walking_robots.robots.asv import ASV
from walking_robots.systems import SYSTEMS

PERIOD = 0.02
"""Wall time, s, between two looks for messages that are due."""

SHOWN = 0.2
"""Wall time, s, between two times shown on the page."""

LEAD = 500_000_000
"""Time before another one that is gone to, ns, from which messages are published."""

FIRST = 200_000_000
"""Time, ns, until which all topics of a robot have begun."""

AGAIN = 0.1
"""Wall time, s, after which what is held is published again: pages skip states that come fast."""

SIGNS = {
    'walking_robots_interfaces/msg/ArsPicture': 'ars_magna',
    'walking_robots_interfaces/msg/BipedLegs': 'biped',
    'walking_robots_interfaces/msg/PlanStatus': 'mdle',
    'walking_robots_interfaces/msg/LegStates': 'hexapod',
    'walking_robots_interfaces/msg/Bumper': 'scout',
}
"""Types of messages by which a record without a page shows its system, the first before others."""


class Replayer(GraphNode):
    """Publishes the messages of a record at their times; ``held``: time does not pass.

    ``visited`` says whether somebody looks; before, nothing is published.
    """

    def __init__(self, record: Record, **options: Any) -> None:
        """Publish what latched topics hold at the beginning."""
        super().__init__('replay', **options)
        self._record = record
        self.held = False
        self._speed, self._again = 1.0, math.inf
        self._kinds: dict[str, Any] = {}
        self._publishers_of: dict[str, Any] = {}
        self._sent: dict[str, int] = {}
        for topic, kind in record.kinds.items():
            package, folder, name = kind.split('/')
            try:
                found = getattr(import_module(f'{package}.{folder}'), name)
            except (ImportError, AttributeError):
                self.get_logger().warning(f'does not show {topic}: {kind} is not installed')
                continue
            qos = LATCHED if topic in record.latched else LOOP
            self._kinds[topic] = found
            self._publishers_of[topic] = self.create_publisher(found, topic, qos)
        self._time = record.start
        self._looked = self.now()
        self._publish_kept()
        self.create_timer(PERIOD, self._go_on, clock=self.steady)

    @property
    def time(self) -> float:
        """Return the time from the beginning of the record, s."""
        return (self._time - self._record.start) * 1e-9

    def seek(self, time: float) -> None:
        """Go to a time, s from the beginning."""
        self._time = self._record.start + round(time * 1e9)
        self._publish_kept()
        for message in self._lately():
            self._publish(message)
        self._again = self.now() + AGAIN

    def pause(self, held: bool) -> None:
        """Hold the record, or go on; at its end, from the beginning."""
        self.held = held
        self._again = self.now() + AGAIN
        if not held and self._time >= self._record.end:
            self.seek(0.0)

    def set_speed(self, speed: float) -> None:
        """Set the speed, s of the record for each second."""
        self._speed = speed

    def wait(self) -> None:
        """Have no time pass, as nobody looks."""
        self._looked = self.now()

    def _go_on(self) -> None:
        now = self.now()
        passed, self._looked = now - self._looked, now
        if self.held:
            if now > self._again:
                self._again = math.inf
                for message in {one.topic: one for one in self._lately()}.values():
                    self._publish(message)
            return
        before, self._time = self._time, self._time + round(passed * self._speed * 1e9)
        # The first one is at the start.
        for message in self._record.between(before - (before == self._record.start), self._time):
            self._publish(message)
        if self._time >= self._record.end:
            self._time = self._record.end
            self.pause(True)

    def _lately(self) -> list[RecordedMessage]:
        """Return what was published in the last half second."""
        until = max(self._time, self._record.start + FIRST)
        return [message for message in self._record.between(until - LEAD, until)
                if message.topic not in self._record.latched]  # fmt: skip

    def _publish_kept(self) -> None:
        """Publish what latched topics hold now."""
        for message in self._record.kept(self._time):
            self._publish(message)

    def _publish(self, message: RecordedMessage) -> None:
        """Publish a message, of a latched topic if it holds another one."""
        topic = message.topic
        held = topic in self._record.latched and self._sent.get(topic) == message.time
        if topic in self._kinds and not held:
            self._sent[topic] = message.time
            read = deserialize_message(message.data, self._kinds[topic])
            self._publishers_of[topic].publish(read)

    def health(self) -> Health:
        """Return where the record is."""
        return OK, f'{self.time:.1f} s of the record'


def run_replay(
    file: Path,
    *,
    system: str = '',
    robot: str = '',
    port: int | None = None,
    open_to_network: bool = False,
) -> int:
    """Show a record in the browser until Ctrl-C and return the exit code.

    It begins with the first visitor. system, robot: those of the page, where the record does not
    say; the rest as in `run_demo`. Raises ValueError for a file that is no record, or whose system
    is unknown, and OSError where it cannot be read.
    """
    record = Record(file)
    if not record.end:
        raise ValueError(f'{file} holds no message; give a record of a graph that ran')
    page = json.loads(record.page or '{}')
    if system and system != page.get('system'):
        page = {'system': system}
    page = page or page_of_record(record, file, robot)
    if page.get('system') not in SYSTEMS:
        raise ValueError(f'{file} does not say of which system it is; name it by --system')
    shown: str = page['system']
    values: dict[str, Any] = dict(page.get('parameters', {}))
    values |= {'robot': robot} if robot else {}
    values |= {'port': port} if port is not None else {}
    values |= {'host': '0.0.0.0'} if open_to_network else {}
    others = [name for name in SYSTEMS[shown].nodes if name != 'viewer']
    stay_on_this_machine()
    stop = Stop()
    graph: Composition | None = None
    try:
        with free_domain() as domain:
            graph = Composition(shown, {'viewer': values}, without=others, domain=domain)
            viewer: Any = graph.nodes['viewer']
            replayer = graph.add('replay', partial(Replayer, record))
            # The libraries of the page are there, since the viewer is.
            from walking_robots.viewer.common.timeline import TimelineControls

            run = viewer.run_on_node
            controls = TimelineControls(
                run(replayer.seek), run(replayer.pause), run(replayer.set_speed)
            )
            timeline = viewer.page.offer_timeline((record.end - record.start) * 1e-9, controls)
            if viewer.page.detour:
                print(f'Note: {viewer.page.detour}.', flush=True)
            print(f'Open {viewer.page.url} in a browser. Ctrl-C ends.', flush=True)
            if viewer.page.warning:
                print(f'Note: {viewer.page.warning}', flush=True)

            def over() -> bool:
                if not viewer.page.is_visited():
                    replayer.wait()
                timeline.show(replayer.time, replayer.held)
                return stop.requested

            graph.spin(over)
            return 0
    except ConfigurationError as error:
        print(one_line(str(error)), file=sys.stderr)
        return 2
    finally:
        if graph is not None:
            graph.close()
        stop.release()


def page_of_record(record: Record, file: Path, robot: str) -> dict[str, Any]:
    """Return the system of a record by its types of messages, and the ASV by its joints.

    Raises ValueError where the hexapod is not known and ``robot`` does not name it.
    """
    kinds = set(record.kinds.values())
    system = next((system for kind, system in SIGNS.items() if kind in kinds), '')
    if system != 'hexapod' or robot:
        return {'system': system}
    first = next((message for message in record.messages()
                  if message.kind == 'sensor_msgs/msg/JointState'), None)  # fmt: skip
    joints = deserialize_message(first.data, JointState).name if first is not None else ()
    if {*ASV.joint_names()} <= {*joints}:
        return {'system': 'asv'}
    raise ValueError(f'{file} does not say which hexapod it is of; name it by --robot')
