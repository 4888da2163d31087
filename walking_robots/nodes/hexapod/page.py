"""The viewer's page of hexapods: its state from topics, and its controls."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from geometry_msgs.msg import Pose
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParametersAtomically
from sensor_msgs.msg import BatteryState, JointState, PointCloud2
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import FootForces, GaitState, LegStates, SwingPlan, TerrainPatch

from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.planned.planner import Planner
from walking_robots.geometry.pose import to_quaternion
from walking_robots.nodes.common.clouds import map_from_msg
from walking_robots.nodes.common.conversions import charge_from_msg, pose_to_msg
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.common.walk_page import WalkPage
from walking_robots.nodes.hexapod.conversions import TERRAIN, TRUTH, Patches
from walking_robots.nodes.hexapod.page_conversions import (
    forces_from_msg,
    rays_from_msg,
    swing_marks_from_msg,
    view_state_from_msgs,
)
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.nodes.hexapod.robot import FREE, GAITS, Hexapod, declare_sensor
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.urdf.description import articulated_description, robot_description
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.viewer.hexapod.machine import HexapodMachine, free_machine
from walking_robots.viewer.hexapod.state import Belief, Controls

HOLD = 'periodic_gait/hold'
BODY: Mapping[str, Any] = {'odom': Odometry, 'joint_states': JointState}
MAP_PERIOD = 0.2
"""Wall time, s, between two maps that are shown."""

GAIT: Mapping[str, Any] = {'legs/state': LegStates, 'gait/state': GaitState}


class HexapodPage(WalkPage):
    """Shows a hexapod and passes on the commands of a page."""

    def __init__(
        self,
        node: PageNode,
        hexapod: Hexapod,
        machine: HexapodMachine,
        describe: Callable[[], str],
    ) -> None:
        """Prepare what a person may ask for; `describe` gives the URDF text of the robot.

        Raise ConfigurationError for an unknown sensor.
        """
        super().__init__(node, 'hexapod_sim', BODY, GAIT)
        pattern = declare_sensor(node, hexapod)
        self._hexapod = hexapod
        self._mounts = [] if pattern is None else [mount.pose() for mount in pattern.mounts]
        self._machine = replace(machine, sees=pattern is not None)
        self._describe = describe
        self._patches, self._classes = Patches(), Patches()
        self._seen: TernaryTerrain | None = None
        self._due = 0.0
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
        # A robot with eyes makes its own terrain/elevation.
        ground = TRUTH if self._machine.sees else TERRAIN
        self._node.listen(TerrainPatch, f'{ground}/elevation', self._ground, LATCHED)
        self._node.listen(SwingPlan, 'gait/plan', self._planned, LATCHED)
        self._note(FootForces, 'feet/forces', 'forces', forces_from_msg)
        self._note(BatteryState, 'battery_state', 'battery', charge_from_msg)
        if self._machine.sees:
            rays = partial(rays_from_msg, mounts=self._mounts)
            self._note(PointCloud2, 'points', 'rays', rays)
            self._node.listen(TerrainPatch, f'{TERRAIN}/elevation', self._classified, LATCHED)
            self._node.listen(PointCloud2, 'elevation_map', self._mapped, LATCHED)
        return self._page

    def _note(self, kind: Any, topic: str, field: str, read: Callable[[Any], Any]) -> None:
        """Keep what was read of the last message of a topic for a field of the ViewState."""

        def take(message: Any) -> None:
            if self._page.is_visited():
                self._measured[field] = read(message)

        self._node.listen(kind, topic, take)

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
        self._measured: dict[str, Any] = {}

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
            *messages, fired=self._fired, plan=self._plan, diagnostic=self._node.warning(),
            **self._measured,
        )  # fmt: skip
        self._fired.clear()
        if np.isfinite(state.position).all():
            self._page.show(state)

    def _classified(self, message: Any) -> None:
        self._seen = self._classes.read(message)

    def _mapped(self, message: Any) -> None:
        now = self._node.now()
        if self._seen is None or now < self._due or not self._page.is_visited():
            return
        self._due = now + MAP_PERIOD
        window = map_from_msg(message, self._hexapod.map_settings(noise=0.0))
        self._measured['belief'] = Belief(window, self._seen)


def page_of_asv(node: PageNode) -> HexapodPage:
    """Return the page of the ASV."""
    machine = free_machine(ASV, 'Adaptive Suspension Vehicle', Planner(ASV).usual_horizon)
    describe = partial(robot_description, ASV.name)
    return HexapodPage(node, Hexapod(FREE, None), machine, describe)


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
    describe = partial(articulated_description, robot)
    return HexapodPage(node, Hexapod(gait, robot), machine, describe)
