"""What must hold in every step of every walk (asv.md §19.2)."""

import math
from collections.abc import Sequence

from walking_robots.gaits.free.ditch_crossing import CYCLES, DONE, LAST_CYCLE, START
from walking_robots.geometry.pose import Rates
from walking_robots.legs.states import ControlState
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.trials.hexapod.loop import LoopStep

DRIFT = 1e-3 / 1.4
"""Largest drift of a supporting foot on flat ground as a share of a lift: 0.001 of 1.4 ft (I2)."""

SPEED_CHANGE = 1.0 + 1e-3
"""Largest change of speed in a step, in steps of the largest acceleration (I7)."""


class InvariantMonitor:
    """Watches a walk step by step and collects what was violated.

    ``commanded`` is the operator's speed, m/s: I8 holds up to that of the recovery push. I12 is a
    property of two walks and is tested there; I13 (a foot on its way to where it waits or to its
    foothold does not touch the ground) is not of the specification. Footholds are checked where
    they truly are; body and feet follow odometry that drifts, so that I2 and I9 are not checked.
    """

    def __init__(self, model: HexapodModel, terrain: TernaryTerrain, commanded: float) -> None:
        """Begin with the robot's initial legs, whose first feet no search has chosen."""
        self._model = model
        self._terrain = terrain
        self._slow = commanded <= model.stability.push_speed * (1.0 + 1e-9)
        self._most_drift = DRIFT * model.timing.lift_height
        self._most_change = SPEED_CHANGE * model.velocity.max_acceleration * model.timing.dt
        self._flat = bool((terrain.heights == terrain.heights[0]).all())
        self._order = [(0, '')]
        self._rates = Rates()
        self.violations: list[str] = []

    def check(self, step: LoopStep, count: int) -> None:
        """Check one step; ``count`` is its number, from 1."""
        for name, fault in (
            ('I1', self._cells(step)),
            ('I2', self._drift(step)),
            ('I3', self._lifts(step)),
            ('I4', self._lift_margin(step)),
            ('I5', self._three_legs(step)),
            ('I6', self._shared_cells(step)),
            ('I7', self._speeds(step)),
            ('I8', self._stable(step)),
            ('I9', self._one_update(step)),
            ('I10', self._sequence(step)),
            ('I11', self._cycle_two(step)),
            ('I13', self._clear(step)),
        ):
            if fault:
                self.violations.append(f'{name} in step {count}: {fault}')

    def _cells(self, step: LoopStep) -> str:
        for decision in step.gait.decisions:
            if decision.foothold is None:
                continue
            x, y, _ = decision.foothold
            i, j = self._terrain.cell_of(x, y)
            cell = self._terrain.cell
            centred = math.hypot(x - (i + 0.5) * cell, y - (j + 0.5) * cell) < 1e-9
            if not centred or not self._terrain.permitted(*step.true(decision.foothold)[:2]):
                return f'leg {decision.partner or decision.leg} is sent to a bad cell ({i}, {j})'
        for report, leg in zip(step.reports, step.servo.legs, strict=True):
            if leg.control.carries and not report.control.carries:
                x, y, _ = step.after.pose.apply(step.after.feet[leg.number - 1])
                if not self._terrain.permitted(x, y):
                    i, j = self._terrain.cell_of(x, y)
                    return f'leg {leg.number} comes down on the bad cell ({i}, {j})'
        return ''

    def _drift(self, step: LoopStep) -> str:
        if not self._flat or step.drifts:
            return ''
        old, new = step.before.pose, step.gait.motion.pose
        for report, leg in zip(step.reports, step.servo.legs, strict=True):
            if report.control.carries and leg.control.carries:
                drift = math.dist(old.apply(report.foot), new.apply(leg.path.foot))
                if drift > self._most_drift:
                    return f'the foot of leg {leg.number} drifted {drift:.2g} m'
        return ''

    def _lifted(self, step: LoopStep) -> list[int]:
        return [
            leg.number
            for report, leg in zip(step.reports, step.servo.legs, strict=True)
            if leg.control is ControlState.LIFT and report.control is not ControlState.LIFT
        ]

    def _lifts(self, step: LoopStep) -> str:
        lifted = self._lifted(step)
        return f'legs {lifted} lift together' if len(lifted) > 1 else ''

    def _lift_margin(self, step: LoopStep) -> str:
        lifted = self._lifted(step)
        if not lifted:
            return ''
        pose = step.gait.motion.pose
        points = [
            report.foothold or pose.apply(report.foot)
            for report in step.reports
            if report.control.carries and report.number not in lifted
        ]
        margin = brute_margin([point[:2] for point in points], pose.position[:2])
        if margin < self._model.stability.lift - 1e-9:
            return f'leg {lifted[0]} lifts with a margin of {margin:.3f} m'
        return ''

    def _three_legs(self, step: LoopStep) -> str:
        standing = sum(leg.control.carries for leg in step.servo.legs)
        return f'{standing} legs support the body' if standing < 3 else ''

    def _shared_cells(self, step: LoopStep) -> str:
        cells: dict[tuple[int, int], int] = {}
        for leg in step.servo.legs:
            if leg.control.carries and leg.path.foothold is not None:
                cell = self._terrain.cell_of(*leg.path.foothold[:2])
                if cell in cells:
                    return f'legs {cells[cell]} and {leg.number} share cell {cell}'
                cells[cell] = leg.number
        return ''

    def _speeds(self, step: LoopStep) -> str:
        rates, limits = step.gait.motion.rates, self._model.command
        last, self._rates = self._rates, rates
        # The recovery push comes on top of the operator's command.
        push = self._model.stability.push_speed
        if (
            abs(rates.vx) > limits.forward + push + 1e-9
            or abs(rates.vy) > limits.lateral + push + 1e-9
            or abs(rates.wz) > limits.turn + 1e-9
        ):
            return f'the body moves at {rates}'
        jump = max(abs(rates.vx - last.vx), abs(rates.vy - last.vy))
        if jump > self._most_change:
            return f'the speed changed by {jump:.3f} m/s'
        return ''

    def _stable(self, step: LoopStep) -> str:
        if self._slow and step.gait.margin <= 0.0:
            return f'the stability margin is {step.gait.margin:.3f} m'
        return ''

    def _one_update(self, step: LoopStep) -> str:
        if step.drifts:
            return ''
        rates = step.gait.motion.rates
        expected = math.hypot(rates.vx, rates.vy, rates.vz) * self._model.timing.dt
        ordered = math.dist(step.before.position, step.gait.motion.pose.position)
        if abs(ordered - expected) > 1e-9:
            return f'the body was ordered {ordered:.5f} m instead of {expected:.5f} m'
        reached = math.dist(step.after.position, step.gait.motion.pose.position)
        if self._flat and reached > self._most_drift:
            return f'the body ended {reached:.5f} m from where it was ordered'
        return ''

    def _clear(self, step: LoopStep) -> str:
        if self._terrain.is_level:
            return ''
        for leg, foot in zip(step.servo.legs, step.after.feet, strict=True):
            if leg.control not in (ControlState.RETURN, ControlState.READY, ControlState.ADVANCE):
                continue
            x, y, z = step.after.pose.apply(foot)
            if z < self._terrain.height(x, y) + self._model.timing.contact_threshold:
                return f'the foot of leg {leg.number} touches the ground on its way'
        return ''

    def _sequence(self, step: LoopStep) -> str:
        here = (step.gait.cycle, step.gait.state)
        last = self._order[-1]
        if here == last:
            return ''
        self._order.append(here)
        if step.gait.mode == 'planned':
            # A crossing ends where planned footholds take its place.
            return ''
        return '' if here in _successors(last) else f'state {here} follows {last}'

    def _cycle_two(self, step: LoopStep) -> str:
        # The stop ordered in the last step of cycle 1 takes effect one step later.
        underway = step.gait.state in (START, CYCLES[2][0])
        if step.gait.cycle == 2 and not underway and not step.gait.stop_reason:
            return 'the body is free to move in cycle 2'
        return ''


def _successors(last: tuple[int, str]) -> set[tuple[int, str]]:
    cycle, state = last
    if cycle == 0:
        return {(1, CYCLES[1][0]), (1, CYCLES[1][1]), (1, START)}
    if state == START:
        # After the last cycle the mode ends, or begins anew where a ditch is still near.
        following = 1 if cycle == LAST_CYCLE else cycle + 1
        return {(0, ''), (cycle, START)} | _entries(cycle) | _entries(following)
    if state == DONE:
        return {(cycle, START)} | _entries(cycle + 1)
    states = (*CYCLES[cycle], DONE)
    return {(cycle, states[states.index(state) + 1])}


def _entries(cycle: int) -> set[tuple[int, str]]:
    if cycle not in CYCLES:
        return {(0, ''), (cycle, START)}
    states = (*CYCLES[cycle], DONE)
    return {(cycle, START), (cycle, states[0]), (cycle, states[1])}


def brute_margin(points: Sequence[Sequence[float]], centre: Sequence[float]) -> float:
    """Return the stability margin by an independent route, m; -1 outside.

    The margin is the smallest distance to any line through two feet that has all the feet on
    one side.
    """
    best = math.inf
    x, y = centre
    for a in range(len(points)):
        for b in range(len(points)):
            (ax, ay), (bx, by) = points[a], points[b]
            length = math.hypot(bx - ax, by - ay)
            if length == 0.0:
                continue
            sides = [((bx - ax) * (v - ay) - (by - ay) * (u - ax)) / length for u, v in points]
            if min(sides) < -1e-9 or max(sides) < 1e-9:
                continue
            best = min(best, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length)
    return best if math.isfinite(best) and best > 0.0 else -1.0
