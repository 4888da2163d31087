"""Whether a robot that moves can stop in time, and feels what it runs into (W407, W408)."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from walking_robots.mdle.analysis.channels import reached
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.intervals import Interval
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.motion import ahead, capped, moves, space_of, stretches
from walking_robots.mdle.analysis.nodes import Watch
from walking_robots.mdle.analysis.ranges import inside, value_of
from walking_robots.mdle.analysis.scopes import Scope, number
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.analysis.wording import figure
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.ast import (
    Binary,
    Call,
    Expression,
    Index,
    Interrupt,
    Name,
    Slice,
)
from walking_robots.mdle.robot import OutputSpec, RobotSpec

__all__ = ['StoppingDistances', 'check_contact', 'is_contact']

AHEAD = 0.5
"""Cosine from which a beam looks where the robot goes: 60 degrees to each side."""


class Distance(NamedTuple):
    """A comparison that is true where something is nearer than ``limit``, m."""

    limit: float
    output: OutputSpec
    beams: tuple[int, ...]

    def looks(self, sign: float) -> bool:
        """Tell whether it looks ahead (1) or back (-1)."""
        directions = self.output.directions
        if not directions:
            return True
        return any(sign * math.cos(directions[i]) >= AHEAD - 1e-9 for i in self.beams)


def is_contact(channel: str, robot: RobotSpec) -> bool:
    """Tell whether a channel says that the robot touches something."""
    return channel in (robot.contact, robot.front_guard, robot.rear_guard) and bool(channel)


def check_contact(visit: Visit, facts: Facts) -> None:
    """W408: an atom that moves where nothing watches for contact."""
    robot = facts.robot
    if (
        robot is None
        or not robot.real
        or visit.excused
        or visit.node.kind
        not in (
            'atom',
            'external',
        )
    ):
        return
    felt = robot.contact in robot.outputs
    around = (*visit.outers, *visit.node.watches)
    if any(
        is_contact(name, robot) or (not felt and _is_range(name, robot))
        for watch in around
        for name in watch.reads
    ):
        return
    if moves(visit.node):
        name = visit.node.name
        where = 'what finally runs' if visit.tidying and not visit.outers else 'the plan'
        hint = f'write until y.{robot.contact} => fail "contact"; in {where}'
        if not felt:
            hint = f"robot '{robot.name}' feels no contact: keep it where nothing is in its way"
        text = f"'{name}' moves the robot with no contact guard on any level"
        facts.ledger.add(visit.site, 'W408', visit.called, text, hint, once=True)


class StoppingDistances:
    """The guards on distance of one program, each with the greatest speed that it has to stop."""

    def __init__(self, facts: Facts) -> None:
        """Begin with nothing seen."""
        self._facts = facts
        self._worst: dict[object, tuple[float, Site, Watch, float, float]] = {}

    def see(self, visit: Visit) -> None:
        """Look at one atom that runs under guards."""
        robot, node = self._facts.robot, visit.node
        watches = (*visit.outers, *node.watches)
        if robot is None or not robot.real or node.kind != 'atom' or not watches:
            return
        braking = robot.capabilities.braking
        space = space_of(node.source.space, robot)
        if space is None or not space.channels or braking <= 0.0:
            return
        speed = Interval(0.0, 0.0)
        for stretch in stretches(node):
            control = capped(stretch.control, visit.alpha, space, len(space.channels))
            here = ahead(control, space.name)
            speed = Interval(min(speed.low, here.low), max(speed.high, here.high))
        for sign, fastest in ((1.0, speed.high), (-1.0, -speed.low)):
            if 0.0 < fastest < math.inf:
                for watch in watches:
                    self._compare(watch, visit.site, sign, fastest, braking)

    def _compare(
        self, watch: Watch, site: Site, sign: float, speed: float, braking: float
    ) -> None:
        if 'distances' not in watch.found:
            watch.found['distances'] = list(_distances(watch.guard.condition, watch.scope))
        for distance in watch.found['distances']:
            output = distance.output
            latency = output.period + self._facts.tick + output.latency
            needed = speed * latency + speed * speed / (2.0 * braking)
            if distance.limit >= needed or not distance.looks(sign):
                continue
            key = watch.guard.condition.place if watch.own else site.outside
            if key not in self._worst or self._worst[key][0] < needed:
                self._worst[key] = (needed, site, watch, speed, latency)

    def tell(self) -> None:
        """W407: say which guards come too late."""
        for needed, site, watch, speed, latency in self._worst.values():
            text = f'{watch.text} at {figure(speed, "m/s")} needs ≥ {needed:.3f} m'
            text += f' (latency {latency:.2f} s)'
            hint = 'go slower, or look farther'
            place = watch.guard.condition.place
            if watch.own:
                site = Site(site.element)
            self._facts.ledger.add(site, 'W407', place, text, hint, once=True)


def _is_range(name: str, robot: RobotSpec) -> bool:
    output = robot.outputs.get(name)
    measured = output is not None and output.type == 'm' and math.isfinite(output.high)
    return measured and (bool(output and output.size) or 'range' in name or 'sonar' in name)


def _distances(condition: Expression, scope: Scope) -> Iterator[Distance]:
    """Give the comparisons of ranges with a limit in a condition."""
    if isinstance(condition, Binary):
        left, right, symbol = condition.left, condition.right, condition.operator
        if symbol in ('and', 'or'):
            yield from _distances(left, scope)
            yield from _distances(right, scope)
        elif symbol in ('>', '>='):
            yield from _nearer(right, left, scope)
        elif symbol in ('<', '<='):
            yield from _nearer(left, right, scope)
        return
    parts = spelled(condition)
    found = scope.names.find(*parts) if parts and parts[0] not in scope.variables else None
    if found and isinstance(found.element, Interrupt) and not scope.too_deep:
        yield from _distances(found.element.condition, inside(found, condition, scope))


def _nearer(measured: Expression, limit: Expression, scope: Scope) -> Iterator[Distance]:
    distance = number(value_of(limit, scope)).high
    robot = scope.robot
    if robot is None or not math.isfinite(distance):
        return
    if isinstance(measured, Call) and measured.base == Name('min') and measured.arguments:
        for argument in measured.arguments:
            yield from _beams(argument.value, distance, scope, robot)
    else:
        yield from _beams(measured, distance, scope, robot)


def _beams(
    measured: Expression, distance: float, scope: Scope, robot: RobotSpec
) -> Iterator[Distance]:
    """Give the beams that an expression looks at."""
    base, chosen = measured, None
    if isinstance(measured, Call) and measured.base == Name('sector'):
        values = [a.value for a in measured.arguments]
        if len(values) != 3:
            return
        base, chosen = values[0], values[1:]
    elif isinstance(measured, Index):
        base, chosen = measured.base, [measured.index]
    elif isinstance(measured, Slice):
        base, chosen = measured.base, [measured.low, measured.high]
    found = reached(base, scope.variables, robot)
    if not found or found.kind != 'now' or not found.spec or not _is_range(found.channel, robot):
        return
    size = len(found.spec.directions)
    beams = tuple(range(size))
    known = [number(value_of(value, scope)) for value in chosen or ()]
    if beams and known and all(k.known and math.isfinite(k.low) for k in known):
        at = [k.low for k in known]
        if isinstance(measured, Call):
            beams = FUNCTIONS['sector'].apply(beams, *at)
        else:
            beams = tuple(i for i in beams if at[0] <= i <= at[-1])
    yield Distance(distance, found.spec, beams)
