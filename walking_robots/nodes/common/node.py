"""The base of all nodes: declared parameters, checked messages, services, diagnostics."""

import math
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from difflib import get_close_matches
from functools import partial, wraps
from itertools import pairwise
from typing import Any

import yaml
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.parameter import Parameter
from rclpy.qos import QoSPolicyKind, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions

from walking_robots.nodes.common.guarded_node import GuardedNode
from walking_robots.nodes.common.health import ERROR, OK, WARN, Health
from walking_robots.nodes.common.qos import LOOP

REPORTED = 10.0
"""Wall time, s, for which an exception is reported."""


class ConfigurationError(Exception):
    """A wrong parameter or file, in one sentence; the exit code is 2."""


class GraphNode(GuardedNode):
    """A node that declares its parameters, publishes diagnostics and ends at rest."""

    def __init__(self, name: str, **options: Any) -> None:
        """Start a node; ``options`` are those of :class:`rclpy.node.Node`."""
        super().__init__(name, **options)
        self.closing: list[Callable[[], None]] = []
        self._single_topics: list[str] = []
        self._checks: dict[str, Callable[[Any], object]] = {}
        self._declaring = False
        self._diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self._reported, self._level = -math.inf, OK
        self.add_on_set_parameters_callback(self._refuse_or_accept)
        self.add_post_set_parameters_callback(self._after_set)
        self.ends_on_error = self.parameter(
            'exit_on_error', False, 'end after an exception in a callback; the robot halts anyway',
            fixed=True,
        )  # fmt: skip

    # Parameters

    def parameter(
        self,
        name: str,
        default: Any,
        description: str,
        unit: str = '',
        *,
        low: float | None = None,
        high: float | None = None,
        check: Callable[[Any], object] | None = None,
        fixed: bool = False,
        any_type: bool = False,
    ) -> Any:
        """Declare a parameter and give its value.

        ``low`` and ``high`` bound a number; ``check`` raises ValueError for a wrong value;
        a ``fixed`` one cannot change while the node runs; one of ``any_type`` takes a number
        or a text with a unit. Raise ConfigurationError for a wrong value.
        """
        descriptor = ParameterDescriptor(
            description=f'{description} [{unit}]' if unit else description,
            read_only=fixed,
            dynamic_typing=any_type,
        )
        if low is not None and high is not None:
            if isinstance(default, int):
                descriptor.integer_range = [
                    IntegerRange(from_value=int(low), to_value=int(high), step=0)
                ]
            else:
                descriptor.floating_point_range = [
                    FloatingPointRange(from_value=float(low), to_value=float(high), step=0.0)
                ]
        if check is not None or any_type:
            self._checks[name] = check or partial(_check_quantity, name)
        try:
            with self._declared_now():
                return self.declare_parameter(name, default, descriptor).value
        except InvalidParameterTypeException as error:
            sentence = f'{self.get_name()}: parameter {name!r} must be {_kind(default)}.'
            raise ConfigurationError(sentence) from error
        except InvalidParameterValueException as error:
            raise ConfigurationError(
                f'{self.get_name()}: {_reason(error, name, descriptor)}'
            ) from error

    def warn_of_unknown_parameters(self) -> None:
        """Warn of parameters that were given to the node but are not declared.

        ROS 2 gives the parameters below ``/**`` of a file to every node.
        """
        own = sorted(name for name in self._parameters if not name.startswith('qos_overrides.'))
        for name in sorted(self._parameter_overrides.keys() - self._parameters.keys()):
            near = get_close_matches(name, self._parameters, 1)
            instead = f'did you mean {near[0]!r}?' if near else f'it has {", ".join(own)}.'
            self.get_logger().warning(f'has no parameter {name!r}; {instead}')

    def warn_of_overruled_parameters(self, words: Sequence[str]) -> None:
        """Warn of parameters on the command line, ``words``, that a parameter file overrules.

        ROS 2 takes what a file says of a node by its name before what ``-p`` says of all nodes.
        """
        for flag, word in pairwise(words):
            name, given, text = word.partition(':=')
            if flag not in ('-p', '--param') or not given or name not in self._parameters:
                continue
            value = self._parameters[name].value
            if yaml.safe_load(text) != (list(value) if isinstance(value, array) else value):
                self.get_logger().warning(
                    f'-p {word} has no effect, because a parameter file names this node; '
                    f'write -p {self.get_name()}:{word}'
                )

    @contextmanager
    def _declared_now(self) -> Iterator[None]:
        """Treat parameters that are set meanwhile as initial values, without callbacks."""
        self._declaring = True
        try:
            yield
        finally:
            self._declaring = False

    def changing(self, values: Mapping[str, Any]) -> None:
        """Check new values that are set together; raise ValueError to refuse them."""

    def changed(self) -> None:
        """Act on values that have been set."""

    def _refuse_or_accept(self, parameters: 'Sequence[Parameter[Any]]') -> SetParametersResult:
        try:
            for parameter in parameters:
                if parameter.value is None and not self._declaring:
                    raise ValueError(f'parameter {parameter.name!r} cannot be removed')
                if not _is_finite(parameter.value):
                    raise ValueError(f'parameter {parameter.name!r} must be finite')
                if parameter.name in self._checks:
                    self._checks[parameter.name](parameter.value)
            if not self._declaring:
                self.changing({parameter.name: parameter.value for parameter in parameters})
        except ValueError as error:
            return SetParametersResult(successful=False, reason=str(error))
        except Exception as error:
            self.fail(error)
            return SetParametersResult(successful=False, reason=self.failure)
        return SetParametersResult(successful=True)

    def _after_set(self, parameters: 'Sequence[Parameter[Any]]') -> None:
        if not self._declaring:
            self.guard(self.changed)()

    # Messages

    def listen(
        self, kind: Any, topic: str, callback: Callable[..., None], qos: QoSProfile = LOOP
    ) -> None:
        """Subscribe; a message for which the callback raises ValueError is dropped with a warning.

        The callback takes the message, or the message and rclpy's MessageInfo.
        Sensors of real robots often publish best effort, which no reliable subscription hears:
        ROS 2's parameter ``qos_overrides.TOPIC.subscription.reliability`` makes it so.
        Raise ConfigurationError for a wrong one.
        """

        @wraps(callback)
        def checked(*message: Any) -> None:
            try:
                # The events executor passes a message and its info as one pair.
                callback(*(message[0] if isinstance(message[0], tuple) else message))
            except ValueError as error:
                self.warn_throttled(f'drops a message of {topic}: {error}')

        own = QoSOverridingOptions([QoSPolicyKind.RELIABILITY])
        try:
            with self._declared_now():
                # A copy, since what is overridden is written into the profile.
                self.create_subscription(
                    kind, topic, checked, copy(qos), qos_overriding_options=own
                )
        except (RuntimeError, InvalidParameterTypeException) as error:
            raise ConfigurationError(
                f'{self.get_name()}: the reliability of {topic!r} among qos_overrides must be '
                'reliable or best_effort.'
            ) from error

    def provide(self, kind: Any, name: str, act: Callable[[Any, Any], str | None]) -> None:
        """Provide a service by a function that fills the response to a request.

        ``act`` returns the message of its success, None for a response without one. A ValueError
        that it raises is the message of a refusal.
        """

        def answer(request: Any, response: Any) -> Any:
            message = act(request, response)
            if message is not None:
                response.success, response.message = True, message
            return response

        self.create_service(kind, name, answer)

    # Health

    def health(self) -> Health:
        """Return the health of the node; overridden by nodes that wait for others."""
        return OK, 'runs'

    def figures(self) -> Mapping[str, object]:
        """Return additional values for the diagnostics by name."""
        return {}

    def parts(self) -> Mapping[str, tuple[Health, Mapping[str, object]]]:
        """Return health and values of parts that have diagnostics of their own, by name."""
        return {}

    def expect_single(self, *topics: str) -> None:
        """Warn in the log and the diagnostics of topics that more than one node publishes."""
        self._single_topics.extend(topics)

    def _warn_of_rivals(self) -> None:
        for topic in map(self.resolve_topic_name, self._single_topics):
            found = self.get_publishers_info_by_topic(topic)
            if len(found) > 1:
                names = sorted(f'{each.node_namespace}/{each.node_name}' for each in found)
                nodes = ' and '.join(name.replace('//', '/') for name in names)
                remedy = 'give each a namespace or a ROS_DOMAIN_ID'
                self.warn_throttled(f'{topic} is published by {nodes}: {remedy}')

    def halt(self) -> None:
        """Leave the robot at rest before the node ends."""
        self.rest('the node ends')

    def end(self) -> None:
        """Halt the robot for good: what arrives afterwards moves nothing."""
        try:
            self.halt()
        finally:
            self.ended = True

    def destroy_node(self) -> None:
        """Destroy the node, after everything that would outlive it in the graph."""
        while self.closing:
            self.closing.pop()()
        super().destroy_node()

    def report_health(self) -> None:
        """Publish the diagnostics once a second, and at once where the node is worse than before.

        Others see within a second that a node has ended: it takes 0.5 s to be missed.
        """
        level, now = self.health()[0], self.now()
        if level > self._level or now - self._reported >= 1.0:
            self._reported = now
            self._publish_diagnostics()
        self._level = level

    def _publish_diagnostics(self) -> None:
        self._warn_of_rivals()
        level, message = self.health()
        if self.warning_now and level == OK:
            level, message = WARN, self.warning_now
        if self.now() - self.failed_at < REPORTED:
            level, message = ERROR, self.failure
        self.warning_now = ''
        name = self.get_fully_qualified_name().lstrip('/')
        found = {name: ((level, message), self.figures())}
        found |= {f'{name}: {part}': status for part, status in self.parts().items()}
        report = DiagnosticArray(
            status=[
                DiagnosticStatus(
                    level=health[0],
                    name=part,
                    message=health[1],
                    hardware_id='walking_robots',
                    values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
                )
                for part, (health, values) in found.items()
            ]
        )
        report.header.stamp = self.get_clock().now().to_msg()
        self._diagnostics.publish(report)


def one_of(name: str, known: Collection[str]) -> Callable[[Any], None]:
    """Return a check that a parameter is one of the ``known`` texts."""

    def check(value: Any) -> None:
        if value not in known:
            choices = ' or '.join(text or "''" for text in known)
            raise ValueError(f'{name} {value!r} is unknown; use {choices}')

    return check


def _check_quantity(name: str, value: Any) -> None:
    """Raise ValueError for a value that is set and neither a number nor a text."""
    if value is not None and not isinstance(value, int | float | str):
        raise ValueError(f'parameter {name!r} must be a number, or a text with a unit')


def _is_finite(value: Any) -> bool:
    """Return whether a number, or every number of a list, is finite; other values are."""
    many = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    return all(math.isfinite(each) for each in many if isinstance(each, float))


def _reason(error: Exception, name: str, descriptor: ParameterDescriptor) -> str:
    """Return the reason of a refusal as one sentence."""
    ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
    text = str(error)
    if ranges and 'range' in text:
        return f'parameter {name!r} must be from {ranges[0].from_value} to {ranges[0].to_value}.'
    # rclpy puts its own words before the reason, and the name behind it.
    reason = text.split('Reason: ', 1)[-1].removesuffix(f': {name}').rstrip('.')
    return f'{reason}.'


def _kind(default: Any) -> str:
    """Describe the type of a parameter with this default."""
    one = {bool: 'true or false', int: 'a whole number', float: 'a decimal such as 1.0'}
    if not isinstance(default, list):
        return one.get(type(default), 'a text')
    many = {float: 'decimals such as 1.0', str: "texts such as ['one']"}
    return f'a list of {many.get(type(default[0]), "whole numbers")}'
