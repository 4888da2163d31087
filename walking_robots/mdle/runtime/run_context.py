"""What all frames of a run share: the robot's channels, the clock, the log, who drives."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import NOWHERE, Guard, Place, Step
from walking_robots.mdle.robot import Observation, RobotSpec
from walking_robots.mdle.runtime.events import Ending, Event, EventLog, RunError
from walking_robots.mdle.runtime.guards import LiveGuard
from walking_robots.mdle.runtime.recording import DrivenSpan, MotionRecording
from walking_robots.mdle.runtime.settings import ExecutorSettings

FUTURE = 0.5
"""Time, s, by which the clock of a robot may be ahead."""


class ElementSite(NamedTuple):
    """What of the program itself runs an element, and the module that it is of, if any."""

    part: Any
    module: str = ''


@dataclass(eq=False, slots=True)
class RunContext:
    """The state of a run outside its frames.

    make: returns the frame of a step, from where ``reverse last`` of it finds what was driven;
    values, now, tick: channels, program's clock (ns) and number of this tick; suspects:
    channels that are stale or not a number, with why; board: the blackboard; driving: leaves
    that have a control; withheld: nothing may drive any more; lanes: elements that run side by
    side; halted: path of the breakpoint that was met; order: what leaves do in this tick,
    after a pause; default_guard: that of the entry; guarded: the element that has it; begun:
    the program's clock at its start, ns; names: those that the program itself knows; sites: of
    elements, by path; contacts: channels that report contact; limits: channels that never change.
    """

    spec: RobotSpec
    settings: ExecutorSettings
    log: EventLog
    make: Callable[[Step, Any, DrivenSpan | None], Any]
    services: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
    suspects: dict[str, str] = field(default_factory=dict)
    now: int = 0
    tick: int = 0
    board: dict[str, Any] = field(default_factory=dict)
    driving: list[Any] = field(default_factory=list)
    recording: MotionRecording = field(default_factory=MotionRecording)
    withheld: bool = False
    transitions: int = 0
    lanes: int = 1
    interrupts: int = 0
    halted: str = ''
    order: Literal['', 'restart_atom', 'fail'] = ''
    default_guard: Guard | None = None
    guarded: Any = None
    begun: int = 0
    names: Names | None = None
    sites: dict[str, ElementSite] = field(default_factory=dict)
    contacts: frozenset[str] = field(init=False)
    limits: Mapping[str, float] = field(init=False)

    def __post_init__(self) -> None:
        """Note the channels that report contact, and the robot's limits."""
        spec = self.spec
        self.limits = spec.limits()
        self.contacts = frozenset([spec.contact, spec.front_guard, spec.rear_guard])

    def note(self, kind: str, path: str, ending: Ending | None = None, text: str = '') -> None:
        """Log a transition."""
        if kind == 'enter' and path in self.settings.breakpoints:
            self.halted = path
        event = Event(self.tick, self.now, kind, path, text=text)
        if ending:
            text = text or ending.text
            event = event._replace(
                cause=ending.cause, name=ending.name, text=text, values=ending.values
            )
        self.log.add(event)

    def transition(self, path: str) -> None:
        """Count a change of element; too many in one tick are a loop that takes no time."""
        self.transitions += 1
        if self.transitions > self.settings.zeno_limit * self.lanes:
            text = f'{self.transitions - 1} transitions in one tick at {path}'
            raise RunError('E806', text, path=path)

    def watches_contact(self, guard: LiveGuard) -> bool:
        """Return whether a guard reads channels that report contact, and no others."""
        return bool(guard.channels) and all(name in self.contacts for name, _ in guard.channels)

    # Channels that cannot be trusted

    def observe(self, observation: Observation, now: int) -> None:
        """Take in the channels at a time of the host's clock, ns; those that are suspect too."""
        self.values, stamps = {**observation.values, **self.limits}, observation.stamps
        suspects = self.suspects = {}
        outputs = self.spec.outputs
        for name, value in observation.values.items():
            output = outputs.get(name)
            limit = output.stale if output else 0.5
            age = (now - stamps.get(name, 0)) * 1e-9
            if age > limit:
                suspects[name] = f'is {age:.2f} s old (limit {limit:g} s)'
            elif age < -FUTURE:
                suspects[name] = f'is of a time {-age:.2f} s ahead: do both clocks agree?'
            elif value != value or (isinstance(value, tuple) and _has_nan(value)):
                suspects[name] = 'nan'
        if not outputs.keys() <= self.values.keys():
            for name in outputs.keys() - self.values.keys():
                suspects[name] = 'was never received'

    def trouble(self, channel: str, place: Place, path: str, code: str = 'E803') -> str:
        """Return why a channel is stale, '' for a fresh one; raise RunError for no number."""
        trouble = self.suspects.get(channel, '')
        if trouble == 'nan':
            raise RunError(code, f'{channel} is not a number', place, path)
        return trouble

    def read_guard(self, guard: LiveGuard, path: str) -> bool:
        """Read a guard while some channels cannot be trusted (mdle.md §4.7, staleness)."""
        for channel, policy in sorted(guard.channels):
            trouble = self.trouble(channel, guard.guard.place, path)
            if not trouble:
                continue
            if not policy:
                spec = self.spec.outputs.get(channel)
                policy = 'false' if spec and not spec.safety else 'fault'
            if policy == 'fault':
                raise RunError('E804', f'{channel} {trouble}', guard.guard.place, path)
            return policy == 'true'
        return bool(guard.test(self.values, self.now))

    def rely_on(self, channel: str, place: Place, path: str) -> None:
        """Raise RunError where a value that is fixed now may not rest on a channel."""
        present, spec = channel in self.values, self.spec.outputs.get(channel)
        trouble = self.trouble(channel, place, path) or ('' if present else 'is not there')
        if trouble and (not present or spec is None or spec.safety):
            raise RunError('E804', f'{channel} {trouble}', place, path)

    def require(self, channels: frozenset[str], path: str) -> None:
        """Raise RunError where a control may not rely on a channel."""
        for channel in sorted(channels):
            trouble = self.trouble(channel, NOWHERE, path, 'E802')
            if trouble:
                raise RunError('E804', f'{channel} {trouble}', path=path)


def _has_nan(values: tuple[Any, ...]) -> bool:
    if not values or not isinstance(values[0], (int, float)):
        return False
    total = sum(values)
    # Infinities of both signs sum to NaN too, so that a wrong sum is examined closely.
    return total != total and any(math.isnan(item) for item in values)
