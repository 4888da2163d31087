"""The newest state of the executor of MDLe programs, for the page."""

import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from visualization_msgs.msg import Marker
from walking_robots_interfaces.msg import PlanEvent, PlanStatus, PlanTree

from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.conversions import FARTHEST
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.viewer.mdle.state import (
    Element,
    GuardReading,
    NamedPoint,
    Object,
    PlanLine,
    PlanView,
    Transition,
)
from walking_robots.viewer.mdle.way_state import WayView

OLD = 3.0
"""Wall time, s, for which a status is believed; one comes every second."""
LOG_LENGTH = 100

_NUMBER = r'([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)'
_POINT = re.compile(rf'\({_NUMBER}, {_NUMBER}\)')


class PlanStateCache:
    """Keeps the newest state of programs; returns the same view until something has changed."""

    def __init__(self, node: PageNode, executor: str, start: Callable[[], Pose2]) -> None:
        """Listen by the node ``node``; ``start``: where odom begins in map."""
        self._node, self._start = node, start
        self._heard = -math.inf
        self._status = PlanView()
        self._program = self._tree_of = ''
        self._log: deque[Transition] = deque(maxlen=LOG_LENGTH)
        # Fields of the view that are shown whatever the executor says.
        self._kept: dict[str, Any] = {}
        self._view = PlanView()
        self._known: tuple[Any, ...] | None = None
        node.listen(PlanStatus, f'{executor}/status', self._hear_status, LATCHED)
        node.listen(PlanEvent, f'{executor}/events', self._hear_event, RECORD)
        node.listen(PlanTree, f'{executor}/tree', self._hear_tree, LATCHED)
        node.listen(Marker, 'world/object', self._hear_object, LATCHED)

    @property
    def runs(self) -> bool:
        """Return whether a program has the robot, as far as is known."""
        return self._is_fresh() and self._status.runs

    def keep(self, **fields: Any) -> None:
        """Take fields of the view, such as the plans that can be chosen, or remarks."""
        self._kept |= fields
        self._known = None

    def _is_fresh(self) -> bool:
        return self._node.now() - self._heard < OLD

    def _hear_status(self, message: Any) -> None:
        plain = ('phase', 'entry', 'waiting', 'space', 'outcome', 'message')
        self._status = PlanView(
            **{name: getattr(message, name) for name in plain},
            time=_finite(message.time),
            active=tuple(map(_element, message.frames)),
            control=tuple(message.control),
            board=_named(message.board),
        )
        self._program = message.program
        self._heard = self._node.now()
        self._known = None

    def _hear_event(self, message: Any) -> None:
        transition = Transition(
            _finite(message.time),
            message.kind,
            message.path,
            message.cause,
            message.guard,
            _named(message.values),
            message.text,
        )
        if transition.kind == 'start':
            self._log.clear()
        self._log.append(transition)
        self.keep(log=tuple(self._log))

    def _hear_tree(self, message: Any) -> None:
        columns = (message.paths, message.kinds, message.texts, message.depths)
        if len({len(column) for column in columns}) != 1:
            raise ValueError('its columns have different lengths')
        self._tree_of = message.program
        self.keep(tree=tuple(map(PlanLine, *columns)), source=message.source)

    def _hear_object(self, message: Any) -> None:
        place, size = message.pose.position, message.scale
        numbers = (place.x, place.y, size.x, size.z)
        if not all(abs(value) <= FARTHEST for value in numbers):
            raise ValueError('the object is out of range')
        exists = message.action == Marker.ADD and size.x > 0.0 and size.z > 0.0
        self.keep(object=Object(place.x, place.y, 0.5 * size.x, size.z) if exists else None)

    def view(self, way: WayView) -> PlanView:
        """Return the present moment; ``way``: that of the planner."""
        known = (self._is_fresh(), self._node.warning(), self._start(), way)
        if known != self._known:
            self._known = known
            fresh, warning, start, way = known
            status = self._status if fresh else PlanView()
            points = board_points(status.board, start)
            view = replace(status, **self._kept, points=points, warning=warning, way=way)
            # A status that comes before the tree of its program says nothing of the old one.
            stale = status.runs and self._tree_of != self._program
            self._view = replace(view, tree=()) if stale else view
        return self._view


def board_points(board: tuple[tuple[str, str], ...], start: Pose2) -> tuple[NamedPoint, ...]:
    """Return the points among named values, (x, y) in odom, which begins at ``start`` in map."""
    found = []
    for name, value in board:
        match = _POINT.fullmatch(value)
        if match:
            try:
                x, y = map(float, match.groups())
            except ValueError:
                continue
            if max(abs(x), abs(y)) <= FARTHEST:
                place = start @ Pose2(x, y, 0.0)
                found.append(NamedPoint(name, place.x, place.y))
    return tuple(found)


def _named(values: Any) -> tuple[tuple[str, str], ...]:
    return tuple((item.name, item.value) for item in values)


def _element(frame: Any) -> Element:
    if len(frame.guards) != len(frame.readings):
        raise ValueError('guards and what they say differ in number')
    limit = frame.time_limit if frame.time_limit > 0.0 else math.inf
    return Element(
        frame.path,
        frame.iteration,
        _finite(frame.time),
        limit,
        tuple(map(GuardReading, frame.guards, frame.readings)),
    )


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError('a time is no finite number')
    return value
