"""What all frames of a run share: the robot's channels, the clock, the log, who drives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from walking_robots.mdle.execution.endings import Ending, Event
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.guards import LiveGuard
from walking_robots.mdle.execution.recording import Recording, Span
from walking_robots.mdle.execution.settings import Settings
from walking_robots.mdle.execution.shape import Shape
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import Guard, Place, Step
from walking_robots.mdle.robot import RobotSpec, SpaceSpec

__all__ = ['Core', 'Drives', 'Site']


class Site(NamedTuple):
    """What of the program itself runs an element, and the module that it is of, if any."""

    part: Any
    module: str = ''


class Drives(Protocol):
    """A leaf that gives a control in every tick."""

    path: str

    @property
    def space(self) -> SpaceSpec:
        """The space of its control."""

    def control(self, y: Mapping[str, Any], now: int) -> tuple[float, ...]:
        """Give the control."""


@dataclass(eq=False, slots=True)
class Core:
    """The state of a run outside its frames.

    values, now: the channels and the program's clock, ns, of this tick; suspects: channels that
    are stale or not a number, with the words for it; board: the blackboard; driving: leaves that
    have a control; withheld: nothing may drive any more; lanes: elements that run side by side;
    make: gives the frame of a step, and where ``reverse last`` of it finds what was driven;
    halted: path of the breakpoint that was met; default_guard: that of the entry; level_guard:
    that of every atom, behavior and plan; shapes: of behaviors and plans, by identity; begun:
    the program's clock at its start, ns; names: those that the program itself knows; sites: of
    elements, by path.
    """

    spec: RobotSpec
    settings: Settings
    tell: Callable[[Event], None]
    make: Callable[[Step, Any, Span | None], Any]
    services: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
    stamps: Mapping[str, int] = field(default_factory=dict)
    suspects: dict[str, str] = field(default_factory=dict)
    now: int = 0
    tick: int = 0
    board: dict[str, Any] = field(default_factory=dict)
    driving: list[Drives] = field(default_factory=list)
    recording: Recording = field(default_factory=Recording)
    withheld: bool = False
    transitions: int = 0
    lanes: int = 1
    interrupts: int = 0
    halted: str = ''
    default_guard: Guard | None = None
    level_guard: Guard | None = None
    shapes: dict[int, Shape] = field(default_factory=dict)
    begun: int = 0
    names: Names | None = None
    sites: dict[str, Site] = field(default_factory=dict)

    def note(self, kind: str, path: str, ending: Ending | None = None, text: str = '') -> None:
        """Log a transition."""
        if kind == 'enter' and path in self.settings.breakpoints:
            self.halted = path
        if ending is None:
            self.tell(Event(self.tick, self.now, kind, path, text=text))
            return
        self.tell(
            Event(
                self.tick,
                self.now,
                kind,
                path,
                ending.cause,
                ending.name,
                text or ending.text,
                ending.values,
            )
        )

    def transition(self, path: str) -> None:
        """Count a change of element; too many in one tick are a loop that takes no time."""
        self.transitions += 1
        if self.transitions > self.settings.zeno_limit * self.lanes:
            raise RunError(
                'E806', f'{self.transitions - 1} transitions in one tick at {path}', path=path
            )

    @property
    def contacts(self) -> frozenset[str]:
        """The channels that tell of contact."""
        spec = self.spec
        return frozenset([spec.contact, spec.front_guard, spec.rear_guard])

    def watches_contact(self, guard: LiveGuard) -> bool:
        """Tell whether a guard reads channels that tell of contact, and no others."""
        return bool(guard.channels) and all(name in self.contacts for name, _ in guard.channels)

    def judged(self, guard: LiveGuard, path: str) -> bool:
        """Read a guard while some channels cannot be trusted (mdle.md §4.7, staleness)."""
        for channel, policy in sorted(guard.channels):
            trouble = self.suspects.get(channel)
            if trouble is None:
                continue
            if trouble == 'nan':
                raise RunError('E803', f'{channel} is not a number', guard.guard.place, path)
            if not policy:
                spec = self.spec.outputs.get(channel)
                policy = 'false' if spec and not spec.safety else 'fault'
            if policy == 'fault':
                raise RunError('E804', f'{channel} {trouble}', guard.guard.place, path)
            return policy == 'true'
        return bool(guard.test(self.values, self.now))

    def rely_on(self, channel: str, place: Place, path: str) -> None:
        """Make sure that a value that is fixed now may rest on a channel."""
        trouble = self.suspects.get(channel, '' if channel in self.values else 'is not there')
        spec = self.spec.outputs.get(channel)
        if trouble == 'nan':
            raise RunError('E803', f'{channel} is not a number', place, path)
        if trouble and (channel not in self.values or spec is None or spec.safety):
            raise RunError('E804', f'{channel} {trouble}', place, path)

    def require(self, channel: str, path: str) -> None:
        """Make sure that a control may rely on a channel."""
        trouble = self.suspects.get(channel)
        if trouble:
            text = 'is not a number' if trouble == 'nan' else trouble
            raise RunError('E802' if trouble == 'nan' else 'E804', f'{channel} {text}', path=path)
