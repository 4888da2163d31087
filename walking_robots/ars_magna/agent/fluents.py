"""Fluents: values that stay and pulses that pass, made of reports (ars_magna.md §2.13)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.futures import Future, errors_of, raise_first
from walking_robots.ars_magna.agent.handles import Latest
from walking_robots.ars_magna.agent.messages import STARTED, CommandReport, DesignatorReport
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.inputs import shown


class Fluent(NamedTuple):
    """A fluent: its number in ars_magna.md §2.13, and of which kind of part there is one each."""

    id: str
    part: str
    is_pulse: bool
    meaning: str


FLUENTS: Mapping[str, Fluent] = {
    'robot_stopped': Fluent('F01', 'robot', True, 'the robot stopped moving, in whichever way'),
    'robot_movement_error': Fluent('F02', 'robot', False, 'code of the last movement'),
    'robot_angle_diff': Fluent('F03', 'robot', False, 'estimated angle of the last turn, rad'),
    'robot_arrived_at': Fluent('F04', 'robot', False, 'designator reached'),
    'robot_place_input': Fluent('F05', 'robot', True, 'the type of the place was sensed'),
    'robot_place': Fluent('F06', 'robot', False, 'last type of a place that was sensed'),
    'camera_input': Fluent('F07', 'camera', True, 'a view or a search has ended'),
    'camera_views': Fluent('F08', 'camera', False, 'latest view'),
    'camera_designators': Fluent('F09', 'camera', False, 'designators of the last search'),
    'camera_error': Fluent('F10', 'camera', False, 'last code of a view or a search'),
    'camera_tracking': Fluent('F11', 'camera', True, 'a track has started'),
    'camera_tracking_error': Fluent('F12', 'camera', False, 'last code of a track'),
    'camera_moved': Fluent('F13', 'camera', True, 'a movement of the camera has ended'),
    'camera_movement_error': Fluent('F14', 'camera', False, 'last code of a movement'),
    'hand_moved': Fluent('F15', 'hand', True, 'a movement of the hand has ended'),
    'hand_error': Fluent('F16', 'hand', False, 'last code'),
    'hand_lost': Fluent('F17', 'hand', True, 'the grip was lost'),
    'hand_inside': Fluent('F18', 'hand', False, 'what the hand is in'),
    'hand_grasping': Fluent('F19', 'hand', False, 'designator of what is grasped'),
    'hand_input': Fluent('F20', 'hand', True, 'the hand has felt'),
    'storage_bin_moved': Fluent('F21', 'bin', True, 'a movement of the lid has ended'),
    'storage_bin_error': Fluent('F22', 'bin', False, 'last code'),
    'storage_bin_jammer': Fluent('F23', 'bin', False, 'part of the robot that blocks the lid'),
}


class Update(NamedTuple):
    """A value that a fluent takes on, or with ``is_pulse`` its pulse; part: number of it."""

    name: str
    part: int
    value: Any = None
    is_pulse: bool = False


@dataclass(frozen=True)
class _Rule:
    """What the end of a command does to fluents.

    error: takes the code; value: takes what the command gives; pulse: comes last, so that who
    waits for it finds the values; kept: whether the value of a failure leaves the last one.
    """

    error: str = ''
    value: str = ''
    pulse: str = ''
    kept: bool = True


_MOVE = _Rule('robot_movement_error', '', 'robot_stopped')
_TURN = _Rule('robot_movement_error', 'robot_angle_diff', 'robot_stopped')
_SEARCH = _Rule('camera_error', 'camera_designators', 'camera_input', kept=False)
_CAMERA_MOVE = _Rule('camera_movement_error', '', 'camera_moved')
_LID = _Rule('storage_bin_error', 'storage_bin_jammer', 'storage_bin_moved')

_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(('set_speed', 'set_turn_angle'), _Rule('robot_movement_error')),
    **dict.fromkeys(('turn', 'align_place', 'turn_corner'), _TURN),
    **dict.fromkeys(('go_forward', 'goto_wall', 'follow_wall'), _MOVE),
    'goto_designator': _Rule('robot_movement_error', 'robot_arrived_at', 'robot_stopped'),
    'stop': _Rule(pulse='robot_stopped'),
    'place': _Rule('', 'robot_place', 'robot_place_input', kept=False),
    'camera_view': _Rule('camera_error', 'camera_views', 'camera_input'),
    **dict.fromkeys(('find_object', 'find_place'), _SEARCH),
    'camera_track': _Rule('camera_tracking_error'),
    **dict.fromkeys(
        (
            'camera_turn',
            'camera_align_robot',
            'camera_align_place',
            'camera_insert',
            'camera_remove',
        ),
        _CAMERA_MOVE,
    ),
    'hand_insert': _Rule('hand_error', 'hand_inside', 'hand_moved'),
    'hand_remove': _Rule('hand_error', '', 'hand_moved'),
    'hand_grasp': _Rule('hand_error', 'hand_grasping', 'hand_moved'),
    'hand_ungrasp': _Rule('hand_error', '', 'hand_moved'),
    'hand_grasp_check': _Rule('hand_error', '', 'hand_input'),
    'hand_track': _Rule('hand_error'),
    'bin_open': _Rule('storage_bin_error', '', 'storage_bin_moved'),
    'bin_close': _LID,
}
_CLEARED = {'hand_remove': 'hand_inside', 'hand_ungrasp': 'hand_grasping'}


def updates(report: CommandReport) -> Iterator[Update]:
    """Yield what a report does to the fluents of its robot, in order (Q04 to Q36)."""
    rule, index = _RULES.get(report.command), report.part
    if rule is None:
        return
    if rule.error:
        yield Update(rule.error, index, report.code)
    if report.kind == STARTED:
        if report.command == 'camera_track':
            yield Update('camera_tracking', index, is_pulse=True)
        return
    value = report.values[0] if report.values else None
    if rule.value == 'camera_designators':
        found = () if value is None else (value,) if isinstance(value, DesignatorReport) else value
        yield Update(rule.value, index, found)
    elif rule.value and not (value is None and rule.kept):
        yield Update(rule.value, index, value)
    elif report.code == Code.NIL and report.command in _CLEARED:
        yield Update(_CLEARED[report.command], index)
    pulse = 'hand_lost' if report.code == Code.GRASP_LOST else rule.pulse
    if pulse:
        yield Update(pulse, index, is_pulse=True)


class Fluents:
    """The fluents of a robot, for programs in plain Python.

    Values stay until the next one: set them to a known state before waiting for them.
    """

    def __init__(self, robot: Robot) -> None:
        """Listen to the reports of a robot."""
        self._robot = robot
        self._values: dict[tuple[str, int], Any] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._pulses: dict[tuple[str, int], list[Future[int]]] = {}
        self._waiting: dict[tuple[str, int], list[tuple[Callable[[Any], bool], Future[Any]]]] = {}
        robot.listeners.append(self._take)

    def value(self, name: str, index: int = 0) -> Any:
        """Return the value of a fluent, None before the first."""
        return self._values.get(_key(name, index, False))

    def latest(self, name: str, index: int = 0) -> Latest:
        """Return what stands for a fluent as an argument of commands: its value at that time.

        Of the designators that a search has found it is the first.
        """
        key = _key(name, index, False)

        def read() -> Any:
            value = self._values.get(key)
            return value[0] if name == 'camera_designators' and value else value

        return Latest(read)

    def set(self, name: str, value: Any, index: int = 0) -> None:
        """Set the value of a fluent; what waits for it continues."""
        key = _key(name, index, False)
        self._values[key] = value
        waiting = self._waiting.pop(key, [])
        raise_first(
            errors_of([partial(self._try, key, value, test, found) for test, found in waiting])
        )

    def _try(
        self, key: tuple[str, int], value: Any, test: Callable[[Any], bool], found: Future[Any]
    ) -> None:
        """Resolve a future if a value passes its test, or keep it waiting."""
        try:
            passed = test(value)
        except Exception as error:
            found.fail(error)
            raise
        if passed:
            found.resolve(value)
        else:
            self._waiting.setdefault(key, []).append((test, found))

    def until(self, name: str, test: Callable[[Any], bool], index: int = 0) -> Future[Any]:
        """Return a value that passes a test, at once if the present one does (wait-for)."""
        key = _key(name, index, False)
        found: Future[Any] = Future()
        if test(self._values.get(key)):
            found.resolve(self._values.get(key))
        else:
            self._waiting.setdefault(key, []).append((test, found))
        return found

    def pulse(self, name: str, index: int = 0) -> Future[int]:
        """Return the number of the next pulse when it comes."""
        found: Future[int] = Future()
        self._pulses.setdefault(_key(name, index, True), []).append(found)
        return found

    def count(self, name: str, index: int = 0) -> int:
        """Return how many pulses there were."""
        return self._counts.get(_key(name, index, True), 0)

    def _take(self, report: CommandReport) -> None:
        """Set the values of a report, then give its pulses."""
        raise_first(errors_of([partial(self._update, update) for update in updates(report)]))

    def _update(self, update: Update) -> None:
        name, index, value, is_pulse = update
        if not is_pulse:
            self.set(name, self._robot.known(value), index)
            return
        key = (name, index)
        self._counts[key] = count = self._counts.get(key, 0) + 1
        raise_first(errors_of([one.resolve for one in self._pulses.pop(key, [])], count))


def _key(name: str, index: int, is_pulse: bool) -> tuple[str, int]:
    """Check a name; raises ValueError for a fluent that there is not, or of the other kind."""
    found = FLUENTS.get(name)
    if found is None or found.is_pulse != is_pulse:
        kind = 'pulse' if is_pulse else 'value'
        known = ', '.join(name for name, fluent in FLUENTS.items() if fluent.is_pulse == is_pulse)
        raise ValueError(f'there is no fluent {shown(name)} with a {kind}; use one of {known}')
    return name, index
