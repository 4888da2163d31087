"""The viewer's page of hexapods: its state from topics, and its controls."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from geometry_msgs.msg import Pose
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParametersAtomically
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import GaitState, LegStates, SwingPlan, TerrainPatch

from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.planned.planner import Planner
from walking_robots.geometry.pose import to_quaternion
from walking_robots.nodes.common.conversions import pose_to_msg
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.walk_page import WalkPage
from walking_robots.nodes.hexapod.conversions import Patches
from walking_robots.nodes.hexapod.page_conversions import (
    swing_marks_from_msg,
    view_state_from_msgs,
)
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.nodes.hexapod.robot import GAITS
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.urdf.description import articulated_description, robot_description
from walking_robots.viewer.hexapod.machine import HexapodMachine, free_machine
from walking_robots.viewer.hexapod.state import Controls

HOLD = 'periodic_gait/hold'
BODY: Mapping[str, Any] = {'odom': Odometry, 'joint_states': JointState}
GAIT: Mapping[str, Any] = {'legs/state': LegStates, 'gait/state': GaitState}


class HexapodPage(WalkPage):
    """Shows a hexapod and passes on the commands of a page."""

    def __init__(
        self, node: PageNode, machine: HexapodMachine, describe: Callable[[], str]
    ) -> None:
        """Prepare what a person may ask for; `describe` gives the URDF text of the robot."""
        super().__init__(node, 'hexapod_sim', BODY, GAIT)
        self._machine = machine
        self._describe = describe
        self._patches = Patches()
        self._posed = False
        self._plan: Any = None
        self._pose = node.create_publisher(Pose, 'body_pose', LOOP) if machine.body else None
        gait = 'periodic_gait' if machine.gaits else 'free_gait'
        for name in ('terrain', 'hexapod_sim', gait):
            node.offer(SetParametersAtomically, f'{name}/set_parameters_atomically')
        node.offer(Trigger, HOLD)

    def controls(self) -> Controls:
        """Return the controls of the page; they may be called from any thread."""
        ask = self._node.run_on_node
        return Controls(
            **self._walk_controls(),
            new_terrain=ask(self._new_terrain),
            horizon=ask(lambda horizon: self._set('free_gait', horizon=float(horizon))),
            gait=ask(self._step_by),
            body=ask(self._pose_body),
        )

    def open(self, controls: Controls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.hexapod.page import hexapod_page

        self._page = hexapod_page(self._describe(), self._machine, controls, host=host, port=port)
        self._listen()
        self._node.listen(TerrainPatch, 'terrain/elevation', self._ground, LATCHED)
        self._node.listen(SwingPlan, 'gait/plan', self._planned, LATCHED)
        return self._page

    # Requests of the page

    def _step_by(self, gait: str, period: float) -> None:
        self._set('periodic_gait', gait=gait, period=float(period))

    def _stop(self) -> None:
        super()._stop()
        self._hold()

    def halt(self) -> None:
        """Stop the robot and hold its body if they were moved from the page."""
        super().halt()
        self._hold()

    def _hold(self) -> None:
        if self._posed:
            self._posed = False
            self._node.call(HOLD, Trigger.Request())

    def _pose_body(self, *axes: float) -> None:
        if self._pose is not None:
            x, y, z, roll, pitch, yaw = axes
            pose = Posture(z, roll, pitch, x, y, yaw).pose()
            self._posed = True
            self._pose.publish(pose_to_msg(pose.position, to_quaternion(pose)))

    def _new_terrain(self, width: float, share: float, seed: int) -> None:
        self._velocity = None
        self._set(
            'terrain', self._reset,
            terrain_file='', ditch_width=float(width), forbidden_share=float(share),
            seed=int(seed),
        )  # fmt: skip

    # What is shown

    def _begin_run(self) -> None:
        super()._begin_run()
        self._fired: list[str] = []

    def _ground(self, message: Any) -> None:
        self._begin_run()
        self._page.show_terrain(self._patches.read(message))

    def _planned(self, message: Any) -> None:
        swing_marks_from_msg(message)
        self._plan = message

    def _moved(self, stamp: int) -> None:
        if stamp < self._stamp:
            self._velocity = None
        super()._moved(stamp)

    def _show(self, *messages: Any) -> None:
        if len(messages) > len(self._body):
            self._fired += [said for said in messages[-1].fired if said not in self._fired]
        if not self._is_due():
            return
        state = view_state_from_msgs(
            *messages, fired=self._fired, plan=self._plan, diagnostic=self._node.warning()
        )
        self._fired.clear()
        if np.isfinite(state.position).all():
            self._page.show(state)


def page_of_asv(node: PageNode) -> HexapodPage:
    """Return the page of the ASV."""
    machine = free_machine(ASV, 'Adaptive Suspension Vehicle', Planner(ASV).usual_horizon)
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
