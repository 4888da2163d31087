"""The viewer's page of hexapods: its state from topics, and its controls."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import Pose
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.msg import GaitState, LegStates, TerrainPatch

from walking_robots.gaits.periodic.posture import Posture
from walking_robots.geometry.pose import to_quaternion
from walking_robots.nodes.common.conversions import pose_to_msg, stamp_from_msg
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.hexapod.conversions import Patches
from walking_robots.nodes.hexapod.page_conversions import view_state_from_msgs
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.nodes.hexapod.robot import GAITS
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.urdf.description import articulated_description, robot_description
from walking_robots.viewer.hexapod.machine import HexapodMachine, free_machine
from walking_robots.viewer.hexapod.state import Controls

PERIOD = 0.02
"""Shortest wall time, s, between two states handed to the page."""


class HexapodPage:
    """Shows a hexapod; a motion that is asked for is asked for again with every state."""

    def __init__(
        self, node: PageNode, machine: HexapodMachine, describe: Callable[[], str]
    ) -> None:
        """Prepare what a person may ask for; `describe` gives the URDF text of the robot."""
        self._node = node
        self._machine = machine
        self._describe = describe
        self._velocity: tuple[float, float, float] | None = None
        self._patches = Patches()
        self._messages: dict[str, Any] = {}
        self._fired: list[str] = []
        self._shown = 0.0
        self._stamp = -1
        self._page: Any = None
        node.offer(CancelGoal, 'walk/_action/cancel_goal')
        node.offer(SetBool, 'hexapod_sim/pause')
        node.offer(Trigger, 'hexapod_sim/step', 'hexapod_sim/reset')
        self._body = node.create_publisher(Pose, 'body_pose', LOOP) if machine.body else None
        for name in ('terrain', 'hexapod_sim', *(('periodic_gait',) if machine.gaits else ())):
            node.offer(SetParametersAtomically, f'{name}/set_parameters_atomically')

    def controls(self) -> Controls:
        """Return the controls of the page; they may be called from any thread."""
        ask, call = self._node.run_on_node, self._node.call
        return Controls(
            walk=ask(self._walk),
            stop=ask(self._stop),
            new_terrain=ask(self._new_terrain),
            pause=ask(lambda held: call('hexapod_sim/pause', SetBool.Request(data=held))),
            step=ask(lambda: call('hexapod_sim/step', Trigger.Request())),
            speed_of_time=ask(lambda factor: self._set('hexapod_sim', real_time_factor=factor)),
            reset=ask(self._reset),
            gait=ask(self._step_by),
            body=ask(self._hold),
        )

    def open(self, controls: Controls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.hexapod.page import hexapod_page

        self._page = hexapod_page(self._describe(), self._machine, controls, host=host, port=port)
        listen = self._node.listen
        listen(Odometry, 'odom', self._moved)
        for kind, topic in ((JointState, 'joint_states'), (LegStates, 'legs/state')):
            listen(kind, topic, partial(self._messages.__setitem__, topic))
        listen(GaitState, 'gait/state', self._decided)
        listen(TerrainPatch, 'terrain/elevation', self._ground, LATCHED)
        return self._page

    # What a person asks for

    def _walk(self, vx: float, vy: float, wz: float) -> None:
        self._velocity = (float(vx), float(vy), float(wz))
        self._command()

    def _stop(self) -> None:
        self._velocity = None
        self._node.command(0.0, 0.0, 0.0)
        # A request that names no goal means every goal, whoever sent it.
        self._node.call('walk/_action/cancel_goal', CancelGoal.Request())

    def _reset(self) -> None:
        self._velocity = None
        self._node.call('hexapod_sim/reset', Trigger.Request())

    def _step_by(self, gait: str, period: float) -> None:
        self._set('periodic_gait', gait=gait, period=float(period))

    def _hold(self, *axes: float) -> None:
        if self._body is not None:
            x, y, z, roll, pitch, yaw = axes
            pose = Posture(z, roll, pitch, x, y, yaw).pose()
            self._body.publish(pose_to_msg(pose.position, to_quaternion(pose)))

    def _new_terrain(self, width: float, share: float, seed: int) -> None:
        self._velocity = None
        self._set(
            'terrain', self._reset,
            terrain_file='', ditch_width=float(width), forbidden_share=float(share),
            seed=int(seed),
        )  # fmt: skip

    def _command(self) -> None:
        if self._velocity is not None:
            self._node.command(*self._velocity)

    def _set(self, node: str, then: Callable[[], None] | None = None, **values: Any) -> None:
        parameters = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._node.call(f'{node}/set_parameters_atomically', request, then)

    def halt(self) -> None:
        """Ask for rest where a person has asked for motion."""
        if self._velocity is not None:
            self._node.command(0.0, 0.0, 0.0)

    # What is shown

    def _decided(self, message: Any) -> None:
        self._messages['gait/state'] = message
        self._fired += [said for said in message.fired if said not in self._fired]

    def _ground(self, message: Any) -> None:
        self._page.show_terrain(self._patches.read(message))

    def _moved(self, odom: Any) -> None:
        stamp = stamp_from_msg(odom)
        if stamp < self._stamp:
            self._velocity = None
        self._stamp = stamp
        # Asked for on every state, a motion goes on at any speed of time.
        self._command()
        now = self._node.now()
        if now - self._shown < PERIOD or 'joint_states' not in self._messages:
            return
        self._shown = now
        state = view_state_from_msgs(
            odom, self._messages, tuple(self._fired), self._node.warning()
        )
        self._fired.clear()
        if np.isfinite(state.position).all():
            self._page.show(state)


def page_of_asv(node: PageNode) -> HexapodPage:
    """Return the page of the ASV."""
    machine = free_machine(ASV, 'Adaptive Suspension Vehicle')
    return HexapodPage(node, machine, partial(robot_description, ASV.name))


def page_of_hexapod(node: PageNode) -> HexapodPage:
    """Return the page of the hexapod that the node's parameters ``robot`` and ``gait`` name."""
    name = node.get_parameter('robot').value
    gait = node.parameter(
        'gait', 'tripod', 'the gait it begins with', check=one_of('gait', GAITS), fixed=True
    )
    try:
        robot = find_hexapod(name)
        machine = hexapod_machine(robot, gait)
    except ValueError as error:
        raise ConfigurationError(f'viewer: {str(error).rstrip(".")}.') from error
    return HexapodPage(node, machine, partial(articulated_description, robot))
