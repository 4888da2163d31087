"""Drive a robot back: ``reverse element`` and ``reverse last`` (mdle.md §4.11).

``reverse element`` unfolds an open-loop element: its segments in reverse order, each negated.
``reverse last`` plays what was recorded of the step before, each control negated, the last one
first. Of all guards only those on contact stay, with front and rear exchanged.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.language import ast
from walking_robots.mdle.runtime.compiled_expression import Values, compiled, live
from walking_robots.mdle.runtime.events import Ending, RunError
from walking_robots.mdle.runtime.frames import EntryContext
from walking_robots.mdle.runtime.guards import LiveGuard
from walking_robots.mdle.runtime.leaves import (
    Leaf,
    SegmentPlayer,
    TimedControl,
    space_of,
    ticks_of,
)
from walking_robots.mdle.runtime.recording import ContactWatch, Driven, DrivenSpan

MOST_PARTS = 10_000
"""Segments of a way back: it is made within one tick, and each costs some 2 us."""
MOST_ELEMENTS = 1_000
"""Calls of elements, and guards of these, that a way back unfolds, repetitions aside: each costs
some 20 us."""
AHEAD, ASIDE, TURNED = 1.0, 4.0, 2.0
"""Gains of the correction to the recorded path, 1/s, 1/m^2 and 1/m."""


class ReversedSegment(NamedTuple):
    """A segment: on which space, what, for how long, s."""

    space: str
    control: tuple[float, ...]
    duration: float


class OpenLoop:
    """Unfolds an open-loop element to ``parts``, negated in the order written, and ``guards``."""

    def __init__(self, call: ast.Expression, entry: EntryContext) -> None:
        """Unfold what a call names.

        Raises RunError where the element has no way back that is known beforehand (E701), or one
        that is too long (E703).
        """
        self.guards: list[LiveGuard] = []
        self._unfolded = 0
        # The scales around the whole are for the frame; here only those within it count.
        self.parts = self._element(call, replace(entry, alpha=None, beta=1.0))

    def _element(self, call: ast.Expression, entry: EntryContext) -> list[ReversedSegment]:
        element, inner = entry.inside(call)
        guards = () if isinstance(element, PythonAtom) else element.guards
        self._unfolded += 1 + len(guards)
        _check_length(self._unfolded, MOST_ELEMENTS, 'elements and guards', call.place, entry)
        self.guards.extend(_contact_guards(guards, inner))
        if isinstance(element, ast.Atom) and not element.irreversible:
            if isinstance(element.control, ast.Segments):
                segments = element.control.segments
                _check_length(len(segments), MOST_PARTS, 'segments', call.place, entry)
                return _negated(element.space, segments, inner)
            if element.control is None or not space_of(inner, element.space).channels:
                return []
        if isinstance(element, ast.Encapsulation) and _is_counted(element.loop):
            return _repeated(self._steps(element.steps, inner), element.loop, call.place, entry)
        text = 'this has no way back that is known beforehand; drive it, then use reverse last'
        raise RunError('E701', text, call.place, entry.path)

    def _steps(self, steps: tuple[ast.Step, ...], entry: EntryContext) -> list[ReversedSegment]:
        parts: list[ReversedSegment] = []
        for step in steps:
            if not isinstance(step, ast.Run) or not _is_counted(step.times):
                raise RunError('E701', 'this cannot be reversed', step.place, entry.path)
            inner = entry.scaled(step.scale) if step.scale else entry
            run = self._element(step.call, inner) if step.call else self._steps(step.steps, inner)
            parts += _repeated(run, step.times, step.place, entry)
            _check_length(len(parts), MOST_PARTS, 'segments', step.place, entry)
        return parts


def _is_counted(loop: ast.Loop | None) -> bool:
    return loop is None or loop.kind == 'count'


def _check_length(
    length: int, most: int, what: str, place: ast.Place, entry: EntryContext
) -> None:
    if length > most:
        raise RunError('E703', f'this way back has more than {most} {what}', place, entry.path)


def _repeated(
    parts: list[ReversedSegment], loop: ast.Loop | None, place: ast.Place, entry: EntryContext
) -> list[ReversedSegment]:
    times = 1 if loop is None else loop.count
    # Counted before they are made.
    _check_length(len(parts) * times, MOST_PARTS, 'segments', place, entry)
    return parts * times


def _negated(
    space: str, segments: tuple[ast.Segment, ...], entry: EntryContext
) -> list[ReversedSegment]:
    """Return segments, each negated, in the order written."""
    bindings = entry.bindings(entry.core.now, entry.core.values)

    def number(expression: ast.Expression) -> float:
        return float(entry.value_now(compiled(expression, bindings), expression.place))

    return [
        ReversedSegment(
            space,
            entry.scale_vector(tuple([-number(u) for u in segment.vector]), segment.place),
            number(segment.duration) * entry.beta,
        )
        for segment in segments
    ]


def _contact_guards(guards: Iterable[ast.Guard], entry: EntryContext) -> Iterator[LiveGuard]:
    """Return the guards that watch contact alone, made ready, with front and rear exchanged."""
    core = entry.core
    for guard in guards:
        ready = LiveGuard(guard, entry.bindings(core.now, core.values))
        if core.watches_contact(ready):
            ready.exchange(core.spec.front_guard, core.spec.rear_guard)
            yield ready


class ReverseFrame(Leaf):
    """A leaf that drives back; guards of elements around it mind the other side meanwhile."""

    _turned: list[LiveGuard]

    def _begin(self, spaces: set[str], length: float, y: Values, now: int) -> Ending | None:
        """Enter, with a timer of 1.5 times a length, s; raises RunError for a wrong space."""
        if len(spaces) > 1:
            text = 'what is to be driven back uses several control spaces'
            raise RunError('E701', text, self.place, self.path)
        name = spaces.pop() if spaces else 'none'
        self.space = space_of(self.entry, name)
        if self.space.channels and not (self.space.symmetric and self.space.driftless):
            text = f"control space '{name}' cannot be reversed"
            raise RunError('E701', text, self.place, self.path)
        self.entered = now
        self.deadline = now + round(1.5e9 * length) + self.core.settings.period
        self._enter()
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Check the guards, the end, the timer, and the distance from the path."""
        ending = self._fired(y, now)
        if ending is None and self._over(now):
            ending = Ending('done', self.path)
        if ending is None and now >= self.deadline:
            ending = self._late(None)
        if ending is None and self._off(y) > self.core.settings.tube:
            ending = Ending('fail', self.path, self.place, text='left the path')
        if ending:
            self._exit(ending)
        return ending

    def _over(self, now: int) -> bool:
        raise NotImplementedError

    def _off(self, y: Values) -> float:
        """Return the distance from the path, m."""
        return 0.0

    def _enter(self) -> None:
        super()._enter()
        self._turned = []
        if not self.space.channels:
            return
        spec = self.core.spec
        sides = frozenset([spec.front_guard, spec.rear_guard])
        self._turned = [guard for guard in self._outer() if guard.reads_any(sides)]
        for guard in self._turned:
            guard.exchange(spec.front_guard, spec.rear_guard)

    def _exit(self, ending: Ending) -> None:
        super()._exit(ending)
        for guard in self._turned:
            guard.straighten()

    def _outer(self) -> Iterator[LiveGuard]:
        for frame in self.around():
            yield from frame.guards


class OpenLoopReverseFrame(ReverseFrame):
    """One run of ``reverse element``."""

    def __init__(self, entry: EntryContext, step: ast.Reverse) -> None:
        """Unfold the element."""
        super().__init__(entry, step.place)
        assert step.target is not None
        element = OpenLoop(step.target, entry)
        self._parts = element.parts[::-1]
        self.guards = tuple(element.guards)

    def start(self, y: Values, now: int) -> Ending | None:
        """Begin with the first segment."""
        settings, beta = self.core.settings, self.entry.beta
        stretches = [
            TimedControl(live(part.control).read, part.duration * beta) for part in self._parts
        ]
        period = settings.tick_period
        self._player = SegmentPlayer(stretches, period, settings.last_tick_rule)
        length = period * sum(ticks_of(stretch.duration, period) for stretch in stretches)
        return self._begin({part.space for part in self._parts}, length, y, now)

    def _over(self, now: int) -> bool:
        return self._player.over(now)

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        return self._player.control(y, now)


class RecordedReverseFrame(ReverseFrame):
    """One run of ``reverse last``.

    While the robot keeps to the recorded poses, the controls are exactly those recorded; where
    it strays, they are corrected, and beyond the tube the reversal fails.
    """

    def __init__(
        self,
        entry: EntryContext,
        step: ast.Reverse,
        record: list[Driven],
        watches: list[ContactWatch],
    ) -> None:
        """Take what was driven, in the order of driving, and what minded contact then."""
        # What was driven was scaled already.
        super().__init__(replace(entry, alpha=None), step.place)
        self._record = record
        self._next = len(record)
        self._watches = watches

    def start(self, y: Values, now: int) -> Ending | None:
        """Keep the guards of what was driven, in the order of entry, but for those around."""
        around = {id(outer.guard) for outer in self._outer()}
        self.guards = tuple(
            guard
            for watch in sorted(self._watches, key=lambda watch: watch.number)
            if id(watch.guard) not in around
            for guard in _contact_guards([watch.guard], watch.entry)
        )
        length = sum(driven.duration for driven in self._record)
        return self._begin({driven.space for driven in self._record}, length, y, now)

    def _over(self, now: int) -> bool:
        return self._next == 0

    def _goal(self) -> Pose2 | None:
        """Return the recorded pose at which this tick of the way back begins."""
        following = self._next
        return self._record[following].pose if following < len(self._record) else None

    def _off(self, y: Values) -> float:
        pose, goal = y.get('pose'), self._goal()
        if not self.core.settings.tracking or pose is None or goal is None:
            return 0.0
        return math.hypot(goal[0] - pose[0], goal[1] - pose[1])

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        pose, goal = y.get('pose'), self._goal()
        # A tick in which nothing is driven, as before a breakpoint, takes no control.
        self._next -= 1
        control = tuple(-u for u in self._record[self._next].control)
        if self.space.name != 'body2' or not self.core.settings.tracking:
            return control
        if pose is None or goal is None:
            return control
        dx, dy = goal[0] - pose[0], goal[1] - pose[1]
        ahead = dx * math.cos(pose[2]) + dy * math.sin(pose[2])
        aside = dy * math.cos(pose[2]) - dx * math.sin(pose[2])
        turned = wrap(goal[2] - pose[2])
        v, w = control
        # Tracking law of Kanayama et al. (1990); all its terms vanish on the recorded path.
        return v + AHEAD * ahead, w + ASIDE * v * aside + TURNED * abs(v) * math.sin(turned)


def recorded_reverse(
    step: ast.Reverse, entry: EntryContext, last: DrivenSpan | None
) -> RecordedReverseFrame:
    """Return the frame of ``reverse last``; ``last``: the span that the step before it drove.

    Raises RunError where there is nothing to drive back, or nobody knows it any more.
    """
    core, place = entry.core, step.place
    if last is None:
        raise RunError('E702', 'nothing was driven before', place, entry.path)
    if last.first < 0:
        text = 'what was driven before the checkpoint is not known'
        raise RunError('E809', text, place, entry.path)
    record = core.recording.during(last, core.now)
    if record is None:
        text = 'what was driven is too long ago or too much'
        raise RunError('E702', text, place, entry.path)
    watches = [watch for watch in core.recording.watches.values() if watch.number >= last.watches]
    return RecordedReverseFrame(entry, step, record, watches)
