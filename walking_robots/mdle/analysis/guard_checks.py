"""Guards that cannot fire, fire at once, too late or too seldom, and contacts nobody watches for.

E601, E602, W603, W604 and W607 of guards where they run, E406 of their filters, W407 and W408.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.check_context import DiagnosticSite, figure, located
from walking_robots.mdle.analysis.implication import implies
from walking_robots.mdle.analysis.inlining import Filtered
from walking_robots.mdle.analysis.motion import (
    capped_control,
    control_parts,
    moves,
    space_of,
    speed_ahead,
)
from walking_robots.mdle.analysis.program_node import ScopedGuard
from walking_robots.mdle.analysis.references import channel_read
from walking_robots.mdle.analysis.values import (
    FALSE,
    TRUE,
    ValueInterval,
    as_number,
    hull,
    value_of,
)
from walking_robots.mdle.analysis.visits import Finding, Visit, is_contact, visit_check
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.robot import OutputSpec, RobotSpec

SLOWEST = 10.0
"""Ticks that a channel may take to be fresh again without a warning (mdle.md §7)."""

AHEAD = 0.5
"""Cosine from which a beam points where the robot goes: 60 degrees to each side."""


@visit_check('E601', 'guarded')
def check_never_true(visit: Visit) -> Iterator[Finding]:
    """Yield guards that are false on all values of their channels."""
    return _decided(visit, FALSE, 'can never fire')


@visit_check('E602', 'guarded')
def check_always_true(visit: Visit) -> Iterator[Finding]:
    """Yield guards that are true on all values of their channels."""
    return _decided(visit, TRUE, 'fires at once')


def _decided(visit: Visit, state: ValueInterval, what: str) -> Iterator[Finding]:
    for scoped in visit.node.guards:
        if scoped.state == state:
            text = f"'{scoped.text}' {what}{_reason(scoped, visit)}"
            yield Finding(scoped.place, text, 'change the condition')


def _reason(scoped: ScopedGuard, visit: Visit) -> str:
    """Return the condition and the ranges that decide it."""
    ranges, robot = [], visit.context.robot
    for name in sorted(scoped.reads):
        output = robot.outputs.get(name) if robot else None
        if output and output.type != 'bool':
            ranges.append(f'{name} in [{figure(output.low)}, {figure(output.high)}]')
    written = format_expression(scoped.interrupt.condition) if scoped.interrupt else ''
    parts = [part for part in (written, ', '.join(ranges)) if part]
    return f': {" with ".join(parts)}' if parts else ''


def _waits(visit: Visit) -> Iterator[tuple[ScopedGuard, ast.Filter, ValueInterval]]:
    """Yield the guards with filters that wait, and for how long."""
    for scoped in visit.node.guards:
        for item in scoped.condition.filters if isinstance(scoped.condition, Filtered) else ():
            if item.duration:
                yield scoped, item, as_number(value_of(item.duration, visit.context.robot))


@visit_check('E406', 'guarded')
def check_filter_durations(visit: Visit) -> Iterator[Finding]:
    """Yield filters that wait for a negative time, or for ever."""
    for scoped, item, wait in _waits(visit):
        if wait.high < 0.0 or wait.low == math.inf:
            text = f'a {item.kind} of {figure(wait.low, "s")}: it must be 0 or more, and finite'
            yield Finding(scoped.place, text, 'write a positive number of seconds')


@visit_check('W604', 'guarded')
def check_filters_in_time(visit: Visit) -> Iterator[Finding]:
    """Yield filters that wait longer than there is time."""
    for scoped, item, wait in _waits(visit):
        time = visit.node.bound.time
        if time <= wait.low < math.inf and wait.high >= 0.0:
            text = f"'{scoped.text}' cannot fire in time: {item.kind} {figure(wait.low, 's')}"
            text += f' in an element of at most {figure(time, "s")}'
            hint = f'shorten the {item.kind} or give the element more time'
            yield Finding(scoped.place, text, hint)


@visit_check('W607', 'guarded')
def check_periods(visit: Visit) -> Iterator[Finding]:
    """Yield guards that read a channel whose values come too seldom, the first of each channel."""
    robot, first = visit.context.robot, visit.context.slow_channels
    for scoped in visit.node.guards:
        for name in sorted(scoped.reads) if scoped.own else ():
            output = robot.outputs.get(name) if robot else None
            slowest = SLOWEST * visit.context.tick * (1.0 + 1e-9)
            if output is None or output.period <= slowest:
                continue
            if first.setdefault(name, scoped.guard) is scoped.guard:
                text = f"guard sees at most {figure(1.0 / output.period)} Hz of '{name}'"
                late = figure(output.period, 's')
                hint = f'a change is seen up to {late} late: leave room for it'
                yield Finding(scoped.place, text, hint)


@visit_check('W603', 'guarded')
def check_shadowed(visit: Visit) -> Iterator[Finding]:
    """Yield guards after an outer guard, or one written before, that fires whenever they would."""
    for index, scoped in enumerate(visit.node.guards):
        if scoped.state in (TRUE, FALSE):
            continue
        before = (*(() if visit.masked else visit.outers), *visit.node.guards[:index])
        for outer in before:
            # What reads something else cannot be implied; that is quickly seen.
            related = outer.state != FALSE and outer.reads <= scoped.reads and not outer.default
            if related and implies(scoped.normal, outer.normal):
                text = f"'{scoped.text}' is unreachable, shadowed by '{outer.text}'"
                text += f' at {located(outer.place)}'
                hint = 'the outermost guard wins, and of equals the first: remove one of them'
                yield Finding(scoped.place, text, hint)
                break


@visit_check('W408', 'atom', 'external')
def check_contact_guard(visit: Visit) -> Iterator[Finding]:
    """Yield atoms that move the robot where nothing watches for contact."""
    robot, node = visit.context.robot, visit.node
    if robot is None or not robot.real or visit.excused:
        return
    felt = robot.contact in robot.outputs
    read = (name for scoped in visit.guards for name in scoped.reads)
    if any(is_contact(n, robot) or (not felt and _is_range(n, robot)) for n in read):
        return
    if moves(node):
        where = 'what finally runs' if visit.tidying and not visit.outers else 'the plan'
        hint = f'write until y.{robot.contact} => fail "contact"; in {where}'
        if not felt:
            hint = f"robot '{robot.name}' feels no contact: keep it where nothing is in its way"
        text = f"'{node.name}' moves the robot with no contact guard on any level"
        yield Finding(visit.called, text, hint)


class WatchedDistance(NamedTuple):
    """A comparison that is true where something is nearer than ``limit``, m."""

    limit: float
    output: OutputSpec
    beams: tuple[int, ...]

    def faces(self, sign: float) -> bool:
        """Return whether one of its beams points ahead (1) or back (-1)."""
        directions = self.output.directions
        return not directions or any(
            sign * math.cos(directions[i]) >= AHEAD - 1e-9 for i in self.beams
        )


@visit_check('W407', 'atom')
def check_stopping_distance(visit: Visit) -> Iterator[Finding]:
    """Yield guards on distance that the robot passes before it has come to rest."""
    robot, node = visit.context.robot, visit.node
    if robot is None or not robot.real or not visit.guards:
        return
    space, braking = space_of(node.source.space, robot), robot.braking
    if space is None or not space.channels or braking <= 0.0:
        return
    controls = (capped_control(node, part, space) for part in control_parts(node))
    ahead = hull(ValueInterval(0.0, 0.0), *(speed_ahead(c, space.name) for c in controls))
    speeds = [(1.0, ahead.high), (-1.0, -ahead.low)]
    moving = [(sign, speed) for sign, speed in speeds if 0.0 < speed < math.inf]
    for scoped in visit.guards if moving else ():
        for distance in _distances(scoped.condition, robot):
            latency = distance.output.period + visit.context.tick + distance.output.latency
            for sign, speed in moving:
                needed = speed * latency + speed * speed / (2.0 * braking)
                if distance.limit < needed and distance.faces(sign):
                    text = f'{scoped.text} at {figure(speed, "m/s")} needs ≥ {needed:.3f} m'
                    text += f' (latency {latency:.2f} s)'
                    site = DiagnosticSite(visit.site.element) if scoped.own else visit.site
                    yield Finding(
                        scoped.place, text, 'drive slower, or use a greater distance', site
                    )


def _is_range(name: str, robot: RobotSpec) -> bool:
    output = robot.outputs.get(name)
    if output is None or output.type != 'm' or not math.isfinite(output.high):
        return False
    return bool(output.size) or 'range' in name or 'sonar' in name


def _distances(condition: Any, robot: RobotSpec) -> Iterator[WatchedDistance]:
    """Yield the comparisons of ranges with a limit in a condition."""
    match condition:
        case ast.Binary('and' | 'or', left, right):
            yield from _distances(left, robot)
            yield from _distances(right, robot)
        case ast.Binary('>' | '>=', limit, measured) | ast.Binary('<' | '<=', measured, limit):
            distance = as_number(value_of(limit, robot)).high
            parts = [measured]
            if isinstance(measured, ast.Call) and measured.base == ast.Name('min'):
                parts = [argument.value for argument in measured.arguments]
            for part in parts if math.isfinite(distance) else ():
                yield from _beams(part, distance, robot)
        case Filtered():
            yield from _distances(condition.condition, robot)


def _beams(measured: Any, distance: float, robot: RobotSpec) -> Iterator[WatchedDistance]:
    """Yield the beams that an expression reads."""
    chosen: list[ast.Expression] = []
    match measured:
        case ast.Call(ast.Name('sector'), (_, _, _)):
            base, *chosen = [argument.value for argument in measured.arguments]
        case ast.Index(base, index):
            chosen = [index]
        case ast.Slice(base, low, high):
            chosen = [low, high]
        case _:
            base = measured
    read = channel_read(base, (), robot)
    if not read or read.kind != 'now' or not read.spec or not _is_range(read.channel, robot):
        return
    beams = tuple(range(len(read.spec.directions)))
    known = [as_number(value_of(value, robot)) for value in chosen]
    if beams and known and all(k.known and math.isfinite(k.low) for k in known):
        at = [k.low for k in known]
        if isinstance(measured, ast.Call):
            beams = FUNCTIONS['sector'].apply(beams, *at)
        else:
            beams = tuple(i for i in beams if at[0] <= i <= at[-1])
    yield WatchedDistance(distance, read.spec, beams)
