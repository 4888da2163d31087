"""The viewer's part for ARS MAGNA: what a person can ask for, and the page."""

from functools import partial
from typing import Any

from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsAttribute
from walking_robots_interfaces.srv import ArsEditThing, ArsSetPose, ArsStep

from walking_robots.nodes.ars_magna.demo import PRESENTER, WORLDS
from walking_robots.nodes.ars_magna.page_state import ArsNews
from walking_robots.nodes.ars_magna.parameters import FREE_RUNNING, LOCK_STEP
from walking_robots.nodes.common.page_node import Desk
from walking_robots.viewer.ars_magna.state import ArsControls, NewThing

__all__ = ['ArsMagnaView']

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


class ArsMagnaView:
    """Shows a world of abstract robots, and changes it as an experimenter may."""

    def __init__(self, desk: Desk) -> None:
        """Prepare what a person may ask for."""
        self._desk = desk
        for kind, *names in _SERVICES:
            desk.offer(kind, *names)

    def controls(self) -> ArsControls:
        """Give the controls of the page; they may be called from any thread."""
        wish = self._desk.wish
        return ArsControls(
            start=wish(self._start),
            stop=wish(partial(self._ask, f'{PROGRAM}/stop')),
            move_thing=wish(self._move_thing),
            new_thing=wish(self._new_thing),
            place_robot=wish(lambda name, x, y: self._pose(robot=name, position=[x, y])),
            turn_robot=wish(lambda name, angle: self._pose(robot=name, angle=[angle])),
            hold=wish(self._hold),
            step=wish(lambda ticks: self._desk.call('admin/step', ArsStep.Request(ticks=ticks))),
            rate=wish(lambda factor: self._set(WORLD, real_time_factor=factor)),
            enter=wish(lambda world: self._set(PRESENTER, world=world)),
            clean=wish(lambda clean: self._ask('admin/clean' if clean else 'admin/dirty')),
        )

    def open(self, controls: ArsControls, host: str, port: int) -> Any:
        """Open the page and begin to listen; raise ImportError where its library is missing."""
        from walking_robots.viewer.ars_magna.page import ars_page

        page = ars_page(controls, host=host, port=port)
        news = ArsNews(self._desk, PROGRAM, page.show_terrain)

        def show() -> None:
            can_enter = self._desk.there(f'{PRESENTER}/set_parameters_atomically')
            page.show(news.view(WORLDS if can_enter else ()))

        self._desk.create_timer(SHOW, show, clock=self._desk.steady)
        return page

    def halt(self) -> None:
        """Leave all as it is: nobody has asked for a motion that only the page could end."""

    def _ask(self, name: str) -> None:
        self._desk.call(name, Trigger.Request())

    def _start(self, program: str, thing: str) -> None:
        self._set(PROGRAM, partial(self._ask, f'{PROGRAM}/start'), program=program, thing=thing)

    def _move_thing(self, label: str, x: float, y: float) -> None:
        self._desk.call('admin/move_thing', ArsEditThing.Request(thing=label, x=x, y=y))

    def _new_thing(self, thing: NewThing, x: float, y: float) -> None:
        attributes = [
            ArsAttribute(name='color', kind=ArsAttribute.SYMBOL, symbol=thing.color),
            ArsAttribute(name='size', kind=ArsAttribute.NUMBER, number=thing.size),
        ]
        request = ArsEditThing.Request(thing=thing.name, x=x, y=y, attributes=attributes)
        self._desk.call('admin/new_thing', request)

    def _pose(self, **values: Any) -> None:
        self._desk.call('admin/set_pose', ArsSetPose.Request(**values))

    def _hold(self, held: bool) -> None:
        self._set(WORLD, mode=LOCK_STEP if held else FREE_RUNNING)

    def _set(self, node: str, then: Any = None, **values: Any) -> None:
        parameters = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParametersAtomically.Request(parameters=parameters)
        self._desk.call(f'{node}/set_parameters_atomically', request, then)
