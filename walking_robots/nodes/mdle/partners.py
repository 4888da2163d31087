"""What partners publish, as channels of this robot: ``y@name.channel``."""

from dataclasses import replace
from functools import partial
from typing import Any

from walking_robots_interfaces.msg import PlanOutputs

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.robot import Observation, OutputSpec, RobotSpec, StopMode
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.mdle.parameters import MdleParameters
from walking_robots.nodes.mdle.topic_robot import TopicRobot

SECOND = 1_000_000_000
PARTNER_STALE = 0.5
"""Age, s, from which values of a partner are not trusted."""
SIZES = {'pose': 3, 'point': 2, 'bool': 1}
"""Numbers of which a value consists, by type."""


class Partners:
    """A robot on topics with the channels of its partners beside its own."""

    def __init__(self, node: GraphNode, robot: TopicRobot, own: MdleParameters) -> None:
        """Listen to the partners that the parameters name."""
        self._node, self._robot = node, robot
        self._values: dict[str, Any] = {}
        self._stamps: dict[str, int] = {}
        outputs = dict(robot.spec.outputs)
        for name in own.partners:
            spec = OutputSpec('str', stale=PARTNER_STALE)
            outputs[f'@{name}.state'] = spec
            for channel, spec in robot.spec.outputs.items():
                outputs[f'@{name}.{channel}'] = replace(spec, stale=PARTNER_STALE, safety=True)
            topic = f'/{name}/mdle_executor/outputs'
            node.listen(PlanOutputs, topic, partial(self._told, name))
        self._spec = replace(robot.spec, outputs=outputs)

    @property
    def spec(self) -> RobotSpec:
        """What the robot and its partners offer."""
        return self._spec

    @property
    def control(self) -> tuple[str, tuple[float, ...]]:
        """The last control."""
        return self._robot.control

    def read(self, now: int) -> Observation:
        """Return what was heard up to ``now``, ns."""
        own = self._robot.read(now)
        if not self._values:
            return own
        return Observation({**own.values, **self._values}, {**own.stamps, **self._stamps})

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Drive the own robot."""
        self._robot.apply(space, control, valid_for)

    def stop(self, mode: StopMode = 'brake') -> None:
        """Stop the own robot."""
        self._robot.stop(mode)

    def stopped(self) -> bool:
        """Return whether the own robot rests."""
        return self._robot.stopped()

    def _told(self, name: str, message: Any) -> None:
        """Take in the channels of a partner; raises ValueError where they do not add up."""
        if len(message.sizes) != len(message.channels) or sum(message.sizes) != len(
            message.values
        ):
            raise ValueError('its sizes do not fit its values')
        stamp = message.stamp.sec * SECOND + message.stamp.nanosec
        values: dict[str, Any] = {'state': message.state}
        start = 0
        for channel, kind, size in zip(
            message.channels, message.types, message.sizes, strict=True
        ):
            numbers = tuple(message.values[start : start + size])
            start += size
            values[channel] = _value(kind, numbers)
        for channel, value in values.items():
            self._values[f'@{name}.{channel}'] = value
            self._stamps[f'@{name}.{channel}'] = stamp


def _value(kind: str, numbers: tuple[float, ...]) -> Any:
    """Return a value of a type of the language; raise ValueError for other numbers."""
    if len(numbers) != SIZES.get(kind, len(numbers)) or not numbers:
        raise ValueError(f'{len(numbers)} numbers are no {kind}')
    if kind == 'pose':
        return Pose2(*numbers)
    if kind == 'point':
        return numbers
    if kind == 'bool':
        return bool(numbers[0])
    return numbers[0] if len(numbers) == 1 else numbers
