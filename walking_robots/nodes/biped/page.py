"""The viewer's page of bipeds: its state from topics, and its controls."""

from collections.abc import Callable
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry, Path
from rcl_interfaces.srv import GetParameters, SetParametersAtomically
from rclpy.parameter import parameter_value_to_python
from sensor_msgs.msg import JointState
from visualization_msgs.msg import Marker
from walking_robots_interfaces.msg import BipedLegs, FootForces, GaitState
from walking_robots_interfaces.srv import Push

from walking_robots.gaits.biped.states import FALLEN
from walking_robots.nodes.biped.page_conversions import (
    biped_view_from_msgs,
    cells_from_msg,
    legs_from_msg,
    profile_from_msg,
    settings_from_parameters,
)
from walking_robots.nodes.common.conversions import stamp_from_msg
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.walk_page import WalkPage
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.robots.urdf.description import robot_description
from walking_robots.terrain.profile import HeightProfile
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.viewer.biped.state import BipedControls, CellGround, Left

INQUIRY = 1.0
"""Wall time, s, between two questions how simulation and gait are set."""

PUSH_TIME = 0.1
"""How long a push lasts, s (biped.md §15.7)."""

BODY = {'odom': Odometry, 'joint_states': JointState, 'feet/forces': FootForces}
GAIT = {'gait/legs': BipedLegs, 'gait/state': GaitState}
ASKED = {
    'biped_sim': ('robot', 'terrain', 'seed'),
    'biped_gait': ('robot', 'params', 'ground'),
}
"""The parameters that are shown."""


class BipedPage(WalkPage):
    """Shows a biped and passes on the commands of a page."""

    def __init__(self, node: PageNode) -> None:
        """Prepare what a person may ask for."""
        super().__init__(node, 'biped_sim', BODY, GAIT)
        self._settings_known: dict[str, dict[str, Any]] = {node: {} for node in ASKED}
        self._ground: HeightProfile | None = None
        self._slope = 0.0
        self._cells: CellGround | None = None
        self._push_force = 0.0
        node.offer(Push, 'biped_sim/push')
        for name in ASKED:
            node.offer(SetParametersAtomically, f'{name}/set_parameters_atomically')
            node.offer(GetParameters, f'{name}/get_parameters')

    def controls(self) -> BipedControls:
        """Return the controls of the page; they may be called from any thread."""
        ask = self._node.run_on_node
        return BipedControls(
            **self._walk_controls(),
            robot=ask(lambda letter: self._set_both(robot=letter)),
            params=ask(lambda choice: self._set_both(params=choice)),
            ground=ask(self._put_ground),
            push=ask(self._push),
        )

    def open(self, controls: BipedControls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.biped.page import biped_page

        names = {letter: robot.name for letter, robot in KWALKS.items()}
        names |= {letter: robot.name for letter, robot in SPATIAL_KWALKS.items()}
        descriptions = {letter: robot_description(name) for letter, name in names.items()}
        self._page = biped_page(descriptions, controls, host=host, port=port)
        self._listen()
        self._node.listen(Path, 'terrain/profile', self._grounded, LATCHED)
        self._node.listen(Marker, 'terrain/cells', self._celled, LATCHED)
        self._node.create_timer(INQUIRY, self._inquire, clock=self._node.steady)
        return self._page

    # Requests of the page

    def _push(self, force: float) -> None:
        request = Push.Request(force=force, duration=PUSH_TIME)
        self._node.call('biped_sim/push', request, partial(self._pushed, force))

    def _pushed(self, force: float) -> None:
        self._push_force, self._push_end = force, self._stamp + round(PUSH_TIME * 1e9)

    def _put_ground(self, words: str, seed: int) -> None:
        try:
            kind = find_spatial_ground(words, seed).kind
        except ValueError as error:
            self._node.warn('ground', str(error))
            return
        # The robot is blind: a person chooses the kind of ground it expects.
        self._keep_walking()
        there = partial(self._set, 'biped_sim', terrain=words, seed=seed)
        self._set('biped_gait', there, ground=kind)

    def _set_both(self, **values: Any) -> None:
        """Set parameters of gait and simulation, which then sets the robot up again."""
        self._keep_walking()
        self._set('biped_gait', partial(self._set, 'biped_sim', **values), **values)

    def _keep_walking(self) -> None:
        """Go on with a walk that somebody else has begun, who may yield now."""
        speed = self._legs.get('desired_speed')
        if self._velocity is None and speed:
            self._velocity = (speed, 0.0, 0.0)

    def _set(self, node: str, then: Callable[[], None] | None = None, **values: Any) -> None:
        super()._set(node, then or self._inquire, **values)

    def _inquire(self) -> None:
        """Ask how simulation and gait are set, by whomever."""
        for node, names in ASKED.items():
            service = f'{node}/get_parameters'
            if self._node.there(service):
                request = GetParameters.Request(names=list(names))
                self._node.ask(service, request, partial(self._answered, node))

    def _answered(self, node: str, answer: Any) -> None:
        values = [parameter_value_to_python(value) for value in answer.values]
        if len(values) == len(ASKED[node]):
            self._settings_known[node] = dict(zip(ASKED[node], values, strict=True))

    # What is shown

    def _begin_run(self) -> None:
        super()._begin_run()
        self._left: list[Left] = []
        self._legs: dict[str, Any] = {}
        self._slip = 0.0
        self._push_end = -1

    def _received(self, topic: str, message: Any) -> None:
        if topic == 'gait/legs':
            before, self._legs = self._legs.get('state'), legs_from_msg(message)
            if before not in (None, message.state):
                self._left.append(Left(stamp_from_msg(message) * 1e-9, before, message.why))
            self._slip = max(self._slip, message.slip)
        super()._received(topic, message)

    def _grounded(self, message: Any) -> None:
        self._ground = profile_from_msg(message)
        self._draw_ground()

    def _celled(self, message: Any) -> None:
        self._cells = cells_from_msg(message)
        self._draw_ground()

    def _draw_ground(self) -> None:
        """Show cells, or else the ground that is the same along y."""
        if self._cells is not None:
            self._page.show_terrain(self._cells)
        elif self._ground is not None:
            points = zip(self._ground.x, self._ground.z, strict=True)
            self._page.show_terrain(tuple(points))

    def _show(self, *messages: Any) -> None:
        if not self._is_due():
            return
        *shown, gait = messages if len(messages) > len(BODY) else (*messages, None)
        fallen = ''
        if gait is not None and shown[-1].state == FALLEN:
            fallen = gait.stop_reason if gait.stop_reason.startswith('fell') else 'has fallen'
        state, self._slope = biped_view_from_msgs(
            *shown,
            ground=self._ground,
            slope=self._slope,
            settings=settings_from_parameters(
                self._settings_known['biped_sim'], self._settings_known['biped_gait']
            ),
            left=tuple(self._left),
            felt_slip=self._slip,
            push=self._push_force if self._stamp < self._push_end else 0.0,
            fallen=fallen,
            diagnostic=self._node.warning(),
        )
        self._left.clear()
        self._slip = 0.0
        self._page.show(state)
