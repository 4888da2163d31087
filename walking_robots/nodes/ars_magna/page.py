"""The viewer's part for ARS MAGNA: the page, its controls, and the newest state of the graph."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.msg import ArsAttribute, ArsPicture, PlanStatus
from walking_robots_interfaces.srv import ArsEditThing, ArsSetPose, ArsStep

from walking_robots.ars_magna.plans.programs import PROGRAMS
from walking_robots.nodes.ars_magna.conversions import value_from_msg
from walking_robots.nodes.ars_magna.demo import PRESENTER, WORLDS
from walking_robots.nodes.ars_magna.ground_conversions import ground_from_markers
from walking_robots.nodes.ars_magna.parameters import FREE_RUNNING, LOCK_STEP
from walking_robots.nodes.ars_magna.program import CANCELED, DONE, FAILED
from walking_robots.nodes.common.conversions import FARTHEST
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.viewer.ars_magna.state import (
    NO_RUN,
    ArsControls,
    ArsView,
    DesignatorView,
    GroundView,
    MessageView,
    NewThingForm,
    PartView,
    Phase,
    ProgramView,
    RobotView,
    RunView,
    ThingView,
    WorldPicture,
)

OLD = 3.0
"""Wall time, s, for which the state of a program is believed; one comes every second."""

_OUTCOMES: Mapping[str, Phase] = {DONE: 'done', FAILED: 'failed', CANCELED: 'stopped'}
_PROGRAMS = tuple(ProgramView(name, program.summary) for name, program in PROGRAMS.items())

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


class ArsStateCache:
    """Remembers the newest picture and state of a program."""

    def __init__(
        self, node: PageNode, program: str, show_ground: Callable[[GroundView], None]
    ) -> None:
        """Listen by the node ``node``; hand over the ground as soon as it is known."""
        self._node = node
        self._picture: WorldPicture | None = None
        self._heard = -math.inf
        self._run = NO_RUN
        self._view = ArsView()
        self._known: tuple[Any, ...] | None = None
        node.listen(ArsPicture, 'display/picture', self._seen, LATCHED)
        node.listen(PlanStatus, f'{program}/status', self._take_status, LATCHED)
        node.listen(
            MarkerArray, 'display/walls', lambda m: show_ground(ground_from_markers(m)), LATCHED
        )

    def view(self, worlds: tuple[str, ...]) -> ArsView:
        """Return the present moment, the same as before where nothing has changed."""
        fresh = self._node.now() - self._heard < OLD
        warning = self._node.warning()
        run = self._run if fresh else NO_RUN
        programs = _PROGRAMS if fresh else ()
        known = (self._picture, run, programs, worlds, warning)
        if known != self._known:
            self._known = known
            self._view = ArsView(*known)
        return self._view

    def _seen(self, message: Any) -> None:
        self._picture = picture_of(message)

    def _take_status(self, message: Any) -> None:
        phase = 'runs' if message.phase == 'RUNNING' else _OUTCOMES.get(message.outcome, '')
        thing = next((entry.value for entry in message.board if entry.name == 'thing'), '')
        run = RunView(message.entry, phase, message.tick, message.message, thing)
        self._heard = self._node.now()
        if run != self._run:
            self._run = run


def picture_of(message: Any) -> WorldPicture:
    """Read a picture; raise ValueError for one that makes no sense."""
    return WorldPicture(
        message.tick,
        tuple(map(_robot, message.robots)),
        tuple(_thing(thing) for thing in message.things if not thing.inside),
        tuple(MessageView(m.severity, m.robot, m.text, m.tick) for m in message.messages),
    )


def _robot(message: Any) -> RobotView:
    if len(message.designators) != len(message.denotations):
        raise ValueError('designators and what they mean differ in number')
    _place(message, 'a robot')
    if not math.isfinite(message.heading):
        raise ValueError('a heading is no number')
    parts: dict[str, list[PartView]] = {'camera': [], 'hand': [], 'bin': []}
    for part in message.parts:
        if part.kind not in parts:
            raise ValueError(f'there is no part of the kind {part.kind!r}')
        parts[part.kind].append(_part(part))
    return RobotView(
        message.name,
        message.x,
        message.y,
        message.heading,
        tuple(parts['camera']),
        tuple(parts['hand']),
        tuple(parts['bin']),
        tuple(
            DesignatorView(found.id, found.type, found.angle, means, _about(found))
            for found, means in zip(message.designators, message.denotations, strict=True)
        ),
    )


def _part(part: Any) -> PartView:
    if not (math.isfinite(part.angle) and math.isfinite(part.field_of_view)):
        raise ValueError('a camera looks nowhere')
    values = {name: getattr(part, name) for name in PartView._fields}
    return PartView(**{**values, 'view': tuple(part.view), 'contents': tuple(part.contents)})


def _about(found: Any) -> tuple[tuple[str, str], ...]:
    if found.place_type:
        return (('place', found.place_type),)
    return tuple((entry.name, _words(value_from_msg(entry))) for entry in found.attributes)


def _words(value: Any) -> str:
    """Put a value into words."""
    match value:
        case bool():
            return 'yes' if value else 'no'
        case float():
            return f'{value:.1f}'
        case (str(kind), float(parameter)):
            return f'{kind} {parameter:.0f}'
    return str(value)


def _thing(message: Any) -> ThingView:
    _place(message, 'a thing')
    return ThingView(
        message.label,
        message.x,
        message.y,
        message.size if math.isfinite(message.size) else 0.0,
        message.color,
        message.obsmove,
        message.obsview,
    )


def _place(message: Any, what: str) -> None:
    """Raise ValueError unless something is where one can draw it."""
    if not (abs(message.x) <= FARTHEST and abs(message.y) <= FARTHEST):
        raise ValueError(f'{what} is out of range')


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
        cache = ArsStateCache(self._node, PROGRAM, page.show_terrain)

        def show() -> None:
            can_enter = self._node.there(f'{PRESENTER}/set_parameters_atomically')
            page.show(cache.view(WORLDS if can_enter else ()))

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
