"""What the pages of all walking robots do: walk, stop, and the time of the simulation."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from action_msgs.srv import CancelGoal
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool, Trigger

from walking_robots.nodes.common.conversions import stamp_from_msg
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.synchronizer import TimeSynchronizer

PERIOD = 0.02
"""Shortest wall time, s, between two states handed to the page."""

SILENT = 500_000_000
"""Time of the robot without an answer of its gait, ns, after which the body is shown alone."""


class WalkPage:
    """A page of a walking robot; a velocity is published again with every state."""

    def __init__(
        self, node: PageNode, simulation: str, body: Mapping[str, Any], gait: Mapping[str, Any]
    ) -> None:
        """Prepare what a person may ask for.

        simulation: name of the node that simulates; body, gait: kinds of messages by topic, of the
        robot (among them `odom`), and of what its gait decided in that state.
        """
        self._node = node
        self._simulation = simulation
        self._body, self._gait = body, gait
        self._stamp = -1
        self._begin_run()
        self._velocity: tuple[float, float, float] | None = None
        self._shown = 0.0
        self._page: Any = None
        node.offer_commands()
        node.offer(CancelGoal, 'walk/_action/cancel_goal')
        node.offer(SetBool, f'{simulation}/pause')
        node.offer(Trigger, f'{simulation}/step', f'{simulation}/reset')

    def halt(self) -> None:
        """Stop the robot if it was moved from the page."""
        if self._velocity is not None:
            self._node.command(0.0, 0.0, 0.0)

    def _walk_controls(self) -> dict[str, Callable[..., None]]:
        """Return the controls that every walking robot has; see `WalkControls`."""
        ask, call, name = self._node.run_on_node, self._node.call, self._simulation
        return {
            'walk': ask(self._walk),
            'stop': ask(self._stop),
            'pause': ask(lambda held: call(f'{name}/pause', SetBool.Request(data=held))),
            'step': ask(lambda: call(f'{name}/step', Trigger.Request())),
            'speed_of_time': ask(lambda factor: self._set(name, real_time_factor=factor)),
            'reset': ask(self._reset),
        }

    def _walk(self, vx: float, vy: float = 0.0, wz: float = 0.0) -> None:
        self._velocity = (float(vx), float(vy), float(wz))
        self._command()

    def _stop(self) -> None:
        self._velocity = None
        self._node.command(0.0, 0.0, 0.0)
        # A request that names no goal means every goal, whoever sent it.
        self._node.call('walk/_action/cancel_goal', CancelGoal.Request())

    def _reset(self) -> None:
        self._velocity = None
        self._node.call(f'{self._simulation}/reset', Trigger.Request())

    def _command(self) -> None:
        if self._velocity is not None:
            self._node.command(*self._velocity)

    def _set(self, node: str, then: Callable[[], None] | None = None, **values: Any) -> None:
        """Set parameters of a node, all or none."""
        parameters = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._node.call(f'{node}/set_parameters_atomically', request, then)

    # What is shown

    @abstractmethod
    def _show(self, *messages: Any) -> None:
        """Show messages of one stamp: of the body, and of the gait where it has answered."""

    def _listen(self) -> None:
        """Receive what is shown at one instant."""
        for topic, kind in {**self._body, **self._gait}.items():
            self._node.listen(kind, topic, partial(self._received, topic))

    def _begin_run(self) -> None:
        """Forget what was decided, for another place or another terrain."""
        self._inputs = TimeSynchronizer(*self._body, *self._gait)
        self._decided: int | None = None

    def _received(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if topic == 'odom':
            self._moved(stamp)
        found = self._inputs.add(topic, stamp, message)
        if found is not None:
            self._decided = stamp
            self._show(*found)
        elif topic in self._body and (self._decided is None or stamp > self._decided + SILENT):
            body = self._inputs.newest(*self._body)
            if body is not None:
                self._show(*body[1])
                # The answer of the gait may follow at once.
                self._shown = 0.0

    def _moved(self, stamp: int) -> None:
        if stamp < self._stamp:
            self._begin_run()
        self._stamp = stamp
        # Asked for on every state, a motion goes on at any speed of time.
        self._command()

    def _is_due(self) -> bool:
        """Return whether to hand over the next state, and count it as shown."""
        now = self._node.now()
        if now - self._shown < PERIOD:
            return False
        self._shown = now
        return True
