# mypy: disable-error-code="import-untyped"
"""The page in the browser: topics in, and what a person asks for out."""

import os
import queue
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np
from action_msgs.srv import CancelGoal
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.msg import GaitState, LegStates, TerrainPatch

from walking_robots.nodes import convert
from walking_robots.nodes.base import GraphNode, RefusedError
from walking_robots.nodes.convert_view import view_state
from walking_robots.nodes.health import OK, Health
from walking_robots.nodes.patches import Patches
from walking_robots.nodes.qos import LATCHED
from walking_robots.nodes.running import run_node
from walking_robots.robots.description import robot_description
from walking_robots.viewer.state import Controls

PERIOD = 0.02
"""Shortest wall time, s, between two states handed to the page."""

NEWS = 3.0
"""Wall time, s, for which a warning of a node is shown."""


def _page_class() -> Any:
    """Import the page, whose libraries no ROS distribution brings."""
    try:
        from walking_robots.viewer.page import Page
    except ImportError as error:
        raise RefusedError(
            f'viewer: the page needs {error.name}, which is not installed: '
            'pip install viser yourdfpy, or launch with viewer:=false.'
        ) from error
    return Page


class Viewer(GraphNode):
    """Shows what is on the topics; closing the page stops nothing."""

    def __init__(self, *, announce: bool = False, **options: Any) -> None:
        """Open the page; ``announce`` its address in the log."""
        super().__init__('viewer', **options)
        model = self.robot()
        port = self.parameter('port', 8080, 'port of the page', low=1, high=65535, fixed=True)
        host = self.parameter('host', '127.0.0.1', 'address the page is served at', fixed=True)
        self._stamped = self.parameter(
            'cmd_vel_stamped', True, 'cmd_vel is a TwistStamped, not a Twist', fixed=True
        )
        self._wishes: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._velocity: tuple[float, float, float] | None = None
        self._patches = Patches()
        self._messages: dict[str, Any] = {}
        self._fired: list[str] = []
        self._shown = 0.0
        self._warnings: dict[str, tuple[float, str]] = {}
        self.page = _page_class()(
            robot_description(model.name), self._controls(), host=host, port=port, model=model
        )
        if announce:
            self.get_logger().info(f'The page is at {self.page.url}')
        kind = TwistStamped if self._stamped else Twist
        self._commands = self.create_publisher(kind, 'cmd_vel', 10)
        self._clients_of: dict[str, Any] = {
            'walk/_action/cancel_goal': self.create_client(CancelGoal, 'walk/_action/cancel_goal'),
            'hexapod_sim/pause': self.create_client(SetBool, 'hexapod_sim/pause'),
            'hexapod_sim/step': self.create_client(Trigger, 'hexapod_sim/step'),
            'hexapod_sim/reset': self.create_client(Trigger, 'hexapod_sim/reset'),
        }
        for node in ('terrain', 'hexapod_sim'):
            name = f'{node}/set_parameters_atomically'
            self._clients_of[name] = self.create_client(SetParametersAtomically, name)
        self.listen(Odometry, 'odom', self._moved)
        for kind, topic in ((JointState, 'joint_states'), (LegStates, 'legs/state')):
            self.listen(kind, topic, partial(self._messages.__setitem__, topic))
        self.listen(GaitState, 'gait/state', self._decided)
        self.listen(TerrainPatch, 'terrain/elevation', self._ground, LATCHED)
        self.listen(DiagnosticArray, '/diagnostics', self._warned)
        self.create_timer(0.05, self._fulfil, clock=self.steady)

    # What a person asks for, from a thread of the page

    def _controls(self) -> Controls:
        def wish(act: Callable[..., None]) -> Callable[..., None]:
            return lambda *values: self._wishes.put(partial(act, *values))

        return Controls(
            walk=wish(self._walk),
            stop=wish(self._stop),
            new_terrain=wish(self._new_terrain),
            pause=wish(lambda held: self._call('hexapod_sim/pause', SetBool.Request(data=held))),
            step=wish(lambda: self._call('hexapod_sim/step', Trigger.Request())),
            speed_of_time=wish(lambda factor: self._set('hexapod_sim', real_time_factor=factor)),
            reset=wish(self._reset),
        )

    def _fulfil(self) -> None:
        while not self._wishes.empty():
            self._wishes.get()()

    def _walk(self, vx: float, vy: float, wz: float) -> None:
        self._velocity = (float(vx), float(vy), float(wz))
        self._command()

    def _stop(self) -> None:
        self._velocity = (0.0, 0.0, 0.0)
        self._command()
        self._velocity = None
        # A request that names no goal means every goal, whoever sent it.
        self._call('walk/_action/cancel_goal', CancelGoal.Request())

    def _reset(self) -> None:
        self._velocity = None
        self._call('hexapod_sim/reset', Trigger.Request())

    def _new_terrain(self, width: float, share: float, seed: int) -> None:
        self._velocity = None
        self._set(
            'terrain', self._reset,
            terrain_file='', ditch_width=float(width), forbidden_share=float(share),
            seed=int(seed),
        )  # fmt: skip

    def _command(self) -> None:
        if self._velocity is None:
            return
        vx, vy, wz = self._velocity
        twist = convert.twist((vx, vy, 0.0, 0.0, 0.0, wz))
        if self._stamped:
            stamp = self.get_clock().now().nanoseconds
            twist = TwistStamped(header=convert.header(stamp, 'base_link'), twist=twist)
        self._commands.publish(twist)

    def _set(self, node: str, then: Callable[[], None] | None = None, **values: Any) -> None:
        parameters = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._call(f'{node}/set_parameters_atomically', request, then)

    def _call(self, name: str, request: Any, then: Callable[[], None] | None = None) -> None:
        """Call a service without waiting; what it refuses is shown on the page."""
        client = self._clients_of[name]
        if not client.service_is_ready():
            self._warnings[name] = (self.now(), f'{name} is not there: is its node running?')
            return

        def answered(future: Any) -> None:
            result = getattr(future.result(), 'result', None)
            if result is not None and not result.successful:
                self._warnings[name] = (self.now(), result.reason)
            elif then is not None:
                then()

        client.call_async(request).add_done_callback(answered)

    # What is shown

    def _decided(self, message: Any) -> None:
        self._messages['gait/state'] = message
        self._fired += [said for said in message.fired if said not in self._fired]

    def _ground(self, message: Any) -> None:
        self.page.show_terrain(self._patches.read(message))

    def _warned(self, message: Any) -> None:
        for status in message.status:
            if status.level != OK:
                self._warnings[status.name] = (self.now(), f'{status.name} {status.message}')
            else:
                self._warnings.pop(status.name, None)

    def _moved(self, odom: Any) -> None:
        # Asked for on every state, a motion goes on at any speed of time.
        self._command()
        now = self.now()
        if now - self._shown < PERIOD or 'joint_states' not in self._messages:
            return
        self._shown = now
        recent = [text for at, text in self._warnings.values() if now - at < NEWS]
        state = view_state(odom, self._messages, tuple(self._fired), recent[0] if recent else '')
        self._fired.clear()
        if np.isfinite(state.position).all():
            self.page.show(state)

    def halt(self) -> None:
        """Ask for rest where a person has asked for motion, and close the page."""
        if self._velocity is not None:
            self._velocity = (0.0, 0.0, 0.0)
            self._command()
        self.page.close()

    def health(self) -> Health:
        """Tell where the page is."""
        return OK, f'the page is at {self.page.url}'


def main() -> NoReturn:
    """Run the node as a process."""
    code = run_node(partial(Viewer, announce=True))
    sys.stdout.flush()
    sys.stderr.flush()
    # All is closed; the interpreter would take most of a second to unload what drew the page.
    os._exit(code)


if __name__ == '__main__':
    main()
