# mypy: disable-error-code="attr-defined"
"""Robots of ARS MAGNA in a world elsewhere: programs run here as they do beside the world.

All is to be called from outside the executor's callbacks, since much of it spins.
"""

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsMessage, ArsReadings, ArsRobotInfo
from walking_robots_interfaces.srv import ArsStep, ArsUseOdometer

from walking_robots.ars_magna.agent.messages import (
    DONE,
    STARTED,
    CommandReport,
    CommandRequest,
    DesignatorReport,
)
from walking_robots.ars_magna.agent.port import Build, PortReadings
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.interval import Box, Interval
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.nodes.ars_magna.command_messages import (
    COMMAND_MESSAGES,
    REFUSED,
    SERVICES,
    report_from_msg,
)
from walking_robots.nodes.ars_magna.conversions import designator_from_msg, odometry_from_msg
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.common.trial import Spin

PATIENCE = 30.0
"""Wall time, s, after which waiting ends with an error."""

ATTEMPTS = 3
"""Subscriptions to a robot, one after the other: Fast DDS now and then gives a late subscription
nothing of what was published before (eProsima/Fast-DDS#3822)."""

STRAY = 5.0
"""Wall time, s, after which a missing report is skipped."""

SETTLE = 0.15
"""Wall time, s, for a service to find a client that has found it."""


class RemotePort:
    """A port to a robot: requests go out as goals, and reports are put in order as they come in.

    requests: numbered ones that the robot has had from here and before.
    """

    def __init__(self, node: Node, name: str, spin: Spin, clients: dict[str, Any]) -> None:
        """Wait for the robot; raise TimeoutError when there is none of that name.

        clients: those that ``node`` has, by topic; more are added.
        """
        self._node, self._name, self._spin = node, name, spin
        self._clients = clients
        self._news: Any = None
        self._readings: Any = None
        self._info: Any = None
        self._reset: dict[str, Any] = {}
        self._received: dict[int, CommandReport | str] = {}
        self._gap = self._alone = 0.0
        self._subscriptions = self._subscribe()
        info = self._info
        self.build = Build(
            info.name,
            tuple(zip(info.camera_fields_of_view, info.camera_resolutions, strict=True)),
            tuple(info.hand_strengths),
            tuple(info.bin_capacities),
        )
        self._meet_services()
        self._first = self.requests = int(self._readings.requests)
        self._taken = int(self._readings.reports)

    # What is known

    def _subscribe(self) -> list[Any]:
        """Return subscriptions by which the robot is known; raise TimeoutError without a robot."""
        node, name = self._node, self._name
        for left in reversed(range(ATTEMPTS)):
            found = [
                node.create_subscription(ArsReadings, f'{name}/readings', self._read, LATCHED),
                node.create_subscription(
                    ArsRobotInfo, f'{name}/robot_info', self._inform, LATCHED
                ),
            ]
            try:
                self.wait(self._is_known, f'robot {name!r}', PATIENCE / ATTEMPTS)
            except TimeoutError:
                for subscription in found:
                    node.destroy_subscription(subscription)
                if not left:
                    raise
            else:
                break
        return found

    def _is_known(self) -> bool:
        return self._readings is not None and self._info is not None

    def _read(self, message: Any) -> None:
        self._readings = message

    def _inform(self, message: Any) -> None:
        self._info = message

    @property
    def now(self) -> int:
        """Return the number of the last tick."""
        return int(self._readings.tick)

    def sighting(self, number: int) -> DesignatorReport | None:
        """Return a designator, None when it is no longer valid."""
        for message in self._readings.designators:
            if message.id == number:
                return designator_from_msg(message)
        return None

    @property
    def readings(self) -> PortReadings:
        """Return what the robot can read of itself."""
        found = self._readings
        return PortReadings(
            found.speed,
            found.turn_angle,
            tuple(found.camera_angles),
            tuple(tuple(view.pixels) for view in found.views),
            tuple(found.bins_closed),
            tuple(found.free_capacities),
        )

    def sensor_model(self) -> SensorModel:
        """Return how its cameras err, by the present parameters."""
        client = self._client(Trigger, f'{self._name}/sensor_model')
        answer = self.answer(client.call_async(Trigger.Request()), 'the sensor model')
        return SensorModel.from_json(answer.message)

    def say(self, severity: str, text: str) -> None:
        """Publish a message for people, beside those of the world."""
        if self._news is None:
            self._news = self._node.create_publisher(ArsMessage, 'messages', RECORD)
        self._news.publish(
            ArsMessage(severity=severity, robot=self._name, text=text, tick=self.now)
        )

    # Odometers

    def odometers(self) -> tuple[str, ...]:
        """Return the names of all odometers, the main one first."""
        names = [message.name for message in self._readings.odometers]
        return tuple(dict.fromkeys((*names, *self._reset)))

    def new_odometer(self, name: str) -> int:
        """Make an odometer, instead of one of the same name; give its generation."""
        return int(self._use('create', ArsUseOdometer.Request(name=name)).generation)

    def reset_odometer(self, name: str, generation: int, position: bool, angle: bool) -> None:
        """Make an odometer count from here; raise ValueError when it was replaced."""
        self.odometry(name, generation)
        self._use('reset', ArsUseOdometer.Request(name=name, position=position, angle=angle))

    def odometry(self, name: str, generation: int) -> tuple[Box, Interval]:
        """Read an odometer; raise ValueError when it was replaced."""
        found = {message.name: message for message in self._readings.odometers}.get(name)
        changed = self._reset.get(name)
        # PortReadings of the tick after which it was changed are from before that.
        if changed is not None and changed.tick >= self._readings.tick:
            found = changed
        if found is None:
            raise ValueError(f'there is no odometer {name!r}; make it first')
        if found.generation != generation:
            raise ValueError(f'odometer {name!r} was replaced by another of that name')
        return odometry_from_msg(found)

    def _use(self, how: str, request: Any) -> Any:
        client = self._client(ArsUseOdometer, f'{self._name}/odometer/{how}')
        answer = self.answer(client.call_async(request), f'odometer {request.name!r}')
        if not answer.success:
            raise ValueError(answer.message)
        self._reset[request.name] = answer.odometer
        return answer.odometer

    # Commands

    def issue(self, request: CommandRequest) -> None:
        """Send a command; raise ValueError with one sentence for one that cannot be sent.

        `deliver` raises for one that the robot refuses.
        """
        form = COMMAND_MESSAGES[request.command]
        topic = f'{self._name}/{form.topic(request.part)}'
        wire = self._first + request.number + 1
        if form.kind in SERVICES:
            goal = form.fill(form.kind.Request(), request, wire)
            call = self._client(form.kind, topic).call_async(goal)
            call.add_done_callback(lambda done: self._receive(done.result(), request, DONE))
        else:
            goal = form.fill(form.kind.Goal(), request, wire)
            sent = self._action(form.kind, topic).send_goal_async(
                goal,
                feedback_callback=lambda message: self._receive(
                    message.feedback, request, STARTED
                ),
            )
            sent.add_done_callback(lambda done: self._accepted(done.result(), request))
        self.requests += 1

    def _accepted(self, handle: Any, request: CommandRequest) -> None:
        result = handle.get_result_async()
        result.add_done_callback(lambda done: self._receive(done.result().result, request, DONE))

    def _receive(self, message: Any, request: CommandRequest, kind: str) -> None:
        is_refused = kind == DONE and message.code == REFUSED
        self._received[message.sequence] = (
            message.message if is_refused else report_from_msg(message, request, kind)
        )

    def has(self, reports: int, tick: int) -> bool:
        """Return whether so many reports are in, and the readings of a tick."""
        self._pass_over()
        return self.now >= tick and all(
            number in self._received for number in range(self._taken + 1, reports + 1)
        )

    def deliver(self, receive: Callable[[CommandReport], None]) -> None:
        """Pass on the reports that are next; raise ValueError when a command was refused."""
        self._pass_over()
        while self._taken + 1 in self._received:
            self._taken += 1
        # One that was passed over may still come, from a machine that is busy.
        for number in sorted(number for number in self._received if number <= self._taken):
            report = self._received.pop(number)
            if isinstance(report, str):
                raise ValueError(report)
            receive(report)

    def _pass_over(self) -> None:
        """Skip a report that does not come: it was for a program that is gone."""
        if self._taken + 1 in self._received or self._taken >= self._readings.reports:
            self._gap = 0.0
        elif not self._gap:
            self._gap = time.monotonic()
        elif time.monotonic() - self._gap > STRAY:
            self._taken, self._gap = self._taken + 1, 0.0

    def check_world(self) -> None:
        """Raise ValueError when nothing has been published on the robot for some time."""
        if self._node.count_publishers(f'{self._name}/readings'):
            self._alone = 0.0
        elif not self._alone:
            self._alone = time.monotonic()
        elif time.monotonic() - self._alone > STRAY:
            raise ValueError(f'{self._name} is gone, with its world')

    # Waiting

    def wait(self, done: Callable[[], Any], what: str, patience: float = PATIENCE) -> None:
        """Spin until something holds; raise TimeoutError if it does not within ``patience`` s."""
        end = time.monotonic() + patience

        def over() -> bool:
            if time.monotonic() > end:
                raise TimeoutError(f'no sign of {what}; is the node ars_magna running?')
            return bool(done())

        self._spin(over)

    def answer(self, call: Any, what: str) -> Any:
        """Spin until a service has answered and give the answer."""
        self.wait(call.done, what)
        return call.result()

    def _client(self, kind: Any, topic: str) -> Any:
        if topic not in self._clients:
            self._clients[topic] = self._node.create_client(kind, topic)
        client = self._clients[topic]
        if not client.service_is_ready():
            self.wait(client.service_is_ready, f'the service {topic}')
        return client

    def _meet_services(self) -> None:
        """Create the clients of all services, and wait until these find them."""
        for form in COMMAND_MESSAGES.values():
            if form.kind in SERVICES:
                for index in range(self.build.counts[form.command.part]):
                    self._client(form.kind, f'{self._name}/{form.topic(index)}')
        for how in ('create', 'reset'):
            self._client(ArsUseOdometer, f'{self._name}/odometer/{how}')
        self._client(Trigger, f'{self._name}/sensor_model')
        self._settle()

    def _settle(self) -> None:
        """Wait until servers have found their clients; a first answer would otherwise be lost."""
        settled = time.monotonic() + SETTLE
        self._spin(lambda: time.monotonic() > settled)

    def _action(self, kind: Any, topic: str) -> Any:
        if topic not in self._clients:
            client = self._clients[topic] = GoalClient(self._node, kind, topic)
            self.wait(client.server_is_ready, f'the action {topic}')
            self._settle()
        return self._clients[topic]

    def close(self) -> None:
        """Take the subscriptions away; the clients remain."""
        if self._news is not None:
            self._node.destroy_publisher(self._news)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)


class RemoteWorld:
    """Robots of a world elsewhere, in lock-step with their programs or free-running."""

    def __init__(self, node: Node, spin: Spin) -> None:
        """Begin without robots; ``spin`` runs the executor that ``node`` is on."""
        self._node, self._spin = node, spin
        self._robots: dict[str, tuple[RemotePort, Robot]] = {}
        self._step: Any = node.create_client(ArsStep, 'admin/step')
        self._ticks: dict[str, int] = {}
        self._clients: dict[str, Any] = {}

    def connect(self, name: str) -> Robot:
        """Return the handle of a robot; raise TimeoutError when there is none of that name."""
        port = RemotePort(self._node, name, self._spin, self._clients)
        robot = Robot(port)
        self._robots[name] = port, robot
        self._ticks[name] = port.now
        return robot

    def advance(self, ticks: int = 1) -> None:
        """Advance ticks in lock-step; programs continue after each.

        Raises ValueError when a command was refused, or no tick can pass.
        """
        port = next(iter(self._robots.values()))[0]
        port.wait(self._step.service_is_ready, 'the service admin/step')
        for _ in range(ticks):
            request = ArsStep.Request(
                ticks=1,
                robots=list(self._robots),
                requests=[port.requests for port, _ in self._robots.values()],
            )
            answer = port.answer(self._step.call_async(request), 'the answer to a step')
            if not answer.success:
                raise ValueError(answer.message)
            for (one, _), reports in zip(self._robots.values(), answer.reports, strict=True):
                one.wait(lambda: one.has(reports, answer.tick), 'reports of a tick')  # noqa: B023
            self.deliver()

    def follow(self, done: Callable[[], bool]) -> None:
        """Continue programs with a world that runs free, until something holds."""

        def over() -> bool:
            self.deliver()
            for port, _ in self._robots.values():
                port.check_world()
            return done()

        self._spin(over)

    def deliver(self) -> None:
        """Continue programs with the reports received; raise ValueError for a refused command."""
        for name, (port, robot) in self._robots.items():
            port.deliver(robot.receive)
            if port.now < self._ticks[name]:
                raise ValueError('the world has begun anew; so must the program')
            if port.now > self._ticks[name]:
                self._ticks[name] = port.now
                robot.ticked()

    def close(self) -> None:
        """Take subscriptions and the clients of actions away; the rest goes with the node."""
        self.disconnect()
        for client in self._clients.values():
            if isinstance(client, GoalClient):
                client.destroy()

    def disconnect(self) -> None:
        """Forget all robots, but keep the clients for those that are connected next."""
        for port, _ in self._robots.values():
            port.close()
        self._robots.clear()
        self._ticks.clear()
