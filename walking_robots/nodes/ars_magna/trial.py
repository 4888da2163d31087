"""A trial of ARS MAGNA in the real graph, composed or distributed: the same to the last bit."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rclpy.node import Node
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsMessage, ArsPicture
from walking_robots_interfaces.srv import ArsListThings

from walking_robots.ars_magna.agent.messages import CommandReport
from walking_robots.ars_magna.agent.radio import RadioChannel
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.simulation.messages import Message
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.parameters import LOCK_STEP
from walking_robots.nodes.ars_magna.remote import RemoteWorld
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.common.trial import How, Spin, graph_with
from walking_robots.trials.ars_magna.goals import Place
from walking_robots.trials.ars_magna.trial import (
    ArsResult,
    ArsTrial,
    TrialRun,
    design_of,
    noisy,
    prepare,
    result_of,
)


def run_in_graph(
    trial: ArsTrial,
    how: How,
    *,
    domain: int | None = None,
    record: Path | None = None,
    listen: Callable[[CommandReport], None] | None = None,
) -> ArsResult:
    """Run a trial in the graph and return the same result as the plain trial.

    The nodes live in a ROS domain, ``domain`` or one that nothing else on this machine uses, and
    in a namespace of their own. listen: is called with all reports to robots. Raises ValueError
    for a trial that cannot be, TrialError when a node ends, and TimeoutError when the graph is
    silent.
    """
    before = load_design(*trial.worlds)
    design, names = design_of(trial, before)
    if design is not before:
        raise ValueError(
            f'{design.name} has {len(before.robots)} robot(s) and the graph adds none; write '
            f'{len(names)} into its file'
        )
    team = prepare(trial, Simulator(design, trial.seed), names)
    overrides, channel = {'ars_magna': _values(trial)}, RadioChannel()

    def client(**options: Any) -> Node:
        return Node('trial', **options)

    with graph_with('ars_magna', overrides, client, how, domain=domain, record=record) as (
        node,
        turn,
    ):
        experimenter = _ExperimenterClient(node, turn)
        if trial.noise == 'clean':
            experimenter.ask(Trigger, 'admin/clean', Trigger.Request())
        world = RemoteWorld(node, turn)
        try:
            robots = [world.connect(course.robot) for course in team]
            for course, robot in zip(team, robots, strict=True):
                if listen is not None:
                    robot.listeners.append(listen)
                course.start(robot, channel)
            while not all(course.task.done for course in team) and robots[0].now < trial.ticks:
                world.advance()
            places = experimenter.positions(team)
            return result_of(team, robots[0].now, places, experimenter.messages())
        finally:
            world.close()


def _values(trial: ArsTrial) -> dict[str, Any]:
    """Return the parameters of the node: the noise, unless it is clean, among them."""
    values: dict[str, Any] = {
        'world': trial.worlds[0],
        'definitions': [*trial.worlds[1:], ''],
        'seed': trial.seed,
        'mode': LOCK_STEP,
    }
    if trial.noise != 'clean':
        before = load_design(*trial.worlds).parameters
        after = noisy(before, trial.noise)
        for field in fields(after):
            value = getattr(after, field.name)
            if value != getattr(before, field.name):
                values[field.name] = value
    return values


class _ExperimenterClient:
    """Asks the node for what only experimenters may know."""

    def __init__(self, node: Node, turn: Spin) -> None:
        self._node, self._turn = node, turn
        self._picture: Any = None
        self._heard: list[Any] = []
        node.create_subscription(ArsPicture, 'display/picture', self._see, LATCHED)
        node.create_subscription(ArsMessage, 'messages', self._heard.append, RECORD)

    def _see(self, message: Any) -> None:
        self._picture = message

    def ask(self, kind: Any, name: str, request: Any) -> Any:
        client: Any = self._node.create_client(kind, name)
        self._turn(client.service_is_ready)
        call = client.call_async(request)
        self._turn(call.done)
        self._node.destroy_client(client)
        return call.result()

    def positions(self, team: Sequence[TrialRun]) -> dict[str, Place]:
        """Return where the things of all targets are, by label, and the robots, by name, cells."""
        labels = dict.fromkeys(label for course in team for label in course.labels)
        answers = {
            label: self.ask(ArsListThings, 'admin/things', ArsListThings.Request(name=label))
            # Without things the answer still says of which tick the picture must be.
            for label in labels or [team[0].robot]
        }
        tick = max(answer.tick for answer in answers.values())
        self._turn(lambda: self._picture is not None and self._picture.tick >= tick)
        places = {one.name: (one.x, one.y) for one in self._picture.robots}
        for label, answer in answers.items():
            places.update((label, (thing.x, thing.y)) for thing in answer.things)
        return places

    def messages(self) -> list[Message]:
        """Return the messages up to the picture that `positions` used."""
        last = self._picture.messages[-1:]
        self._turn(lambda: all(message in self._heard for message in last))
        return [Message(one.severity, one.robot, one.text, one.tick) for one in self._heard]
