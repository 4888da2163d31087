"""The viewer's part for ARS MAGNA: the page and its controls."""

from functools import partial
from typing import Any

from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsAttribute
from walking_robots_interfaces.srv import ArsEditThing, ArsSetPose, ArsStep

from walking_robots.nodes.ars_magna.demo import PRESENTER, WORLDS
from walking_robots.nodes.ars_magna.page_state import ArsStateCache
from walking_robots.nodes.ars_magna.parameters import FREE_RUNNING, LOCK_STEP
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.viewer.ars_magna.state import ArsControls, NewThingForm

WORLD, PROGRAM = 'ars_magna', 'ars_program'
SHOW = 0.05
"""Wall time, s, between two views handed to the page."""

_SERVICES: tuple[tuple[Any, ...], ...] = (
    (Trigger, 'admin/clean', 'admin/dirty', f'{PROGRAM}/start', f'{PROGRAM}/stop'),
    (ArsEditThing, 'admin/move_thing', 'admin/new_thing'),
    (ArsSetPose, 'admin/set_pose'),
    (ArsStep, 'admin/step'),
    (
        SetParametersAtomically,
        f'{WORLD}/set_parameters_atomically',
        f'{PROGRAM}/set_parameters_atomically',
        f'{PRESENTER}/set_parameters_atomically',
    ),
)


class ArsMagnaPage:
    """Shows a world of abstract robots, and changes it as an experimenter may."""

    def __init__(self, node: PageNode) -> None:
        """Offer the services that the controls call."""
        self._node = node
        for kind, *names in _SERVICES:
            node.offer(kind, *names)

    def controls(self) -> ArsControls:
        """Return the controls of the page; they may be called from any thread."""
        on_node = self._node.run_on_node
        return ArsControls(
            start=on_node(self._start),
            stop=on_node(partial(self._ask, f'{PROGRAM}/stop')),
            move_thing=on_node(self._move_thing),
            new_thing=on_node(self._new_thing),
            place_robot=on_node(lambda name, x, y: self._pose(robot=name, position=[x, y])),
            turn_robot=on_node(lambda name, angle: self._pose(robot=name, angle=[angle])),
            hold=on_node(self._hold),
            step=on_node(self._step),
            rate=on_node(lambda factor: self._set(WORLD, real_time_factor=factor)),
            enter=on_node(lambda world: self._set(PRESENTER, world=world)),
            clean=on_node(lambda clean: self._ask('admin/clean' if clean else 'admin/dirty')),
        )

    def open(self, controls: ArsControls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.ars_magna.page import ars_page

        page = ars_page(controls, host=host, port=port)
        news = ArsStateCache(self._node, PROGRAM, page.show_terrain)

        def show() -> None:
            can_enter = self._node.there(f'{PRESENTER}/set_parameters_atomically')
            page.show(news.view(WORLDS if can_enter else ()))

        self._node.create_timer(SHOW, show, clock=self._node.steady)
        return page

    def halt(self) -> None:
        """Leave all as it is: no motion depends on the page."""

    def _ask(self, name: str) -> None:
        self._node.call(name, Trigger.Request())

    def _start(self, program: str, thing: str) -> None:
        self._set(PROGRAM, partial(self._ask, f'{PROGRAM}/start'), program=program, thing=thing)

    def _move_thing(self, label: str, x: float, y: float) -> None:
        self._node.call('admin/move_thing', ArsEditThing.Request(thing=label, x=x, y=y))

    def _new_thing(self, thing: NewThingForm, x: float, y: float) -> None:
        attributes = [
            ArsAttribute(name='color', kind=ArsAttribute.SYMBOL, symbol=thing.color),
            ArsAttribute(name='size', kind=ArsAttribute.NUMBER, number=thing.size),
        ]
        request = ArsEditThing.Request(thing=thing.name, x=x, y=y, attributes=attributes)
        self._node.call('admin/new_thing', request)

    def _pose(self, **values: Any) -> None:
        self._node.call('admin/set_pose', ArsSetPose.Request(**values))

    def _step(self, ticks: int) -> None:
        self._node.call('admin/step', ArsStep.Request(ticks=ticks))

    def _hold(self, held: bool) -> None:
        self._set(WORLD, mode=LOCK_STEP if held else FREE_RUNNING)

    def _set(self, node: str, then: Any = None, **values: Any) -> None:
        parameters = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._node.call(f'{node}/set_parameters_atomically', request, then)
