"""The leg layer: six legs, their queue for lifting, and one step of all of them (asv.md §7)."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.control_machine import next_control
from walking_robots.legs.foot_path import FOLLOWING, SAME, FootState, Touch, is_too_low, move
from walking_robots.legs.plan_machine import next_plan
from walking_robots.legs.states import (
    ControlState,
    Decision,
    DecisionKind,
    LegReport,
    PlanState,
)
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HexapodModel


class LegState(NamedTuple):
    """Everything the servo remembers of one leg."""

    number: int
    plan: PlanState
    control: ControlState
    steps: int
    path: FootState
    partner: int = 0

    def report(self, *, contact: bool) -> LegReport:
        """Show the leg as the coordinator sees it."""
        return LegReport(
            self.number, self.plan, self.control, contact, self.path.foothold, self.path.foot
        )


class ServoState(NamedTuple):
    """The legs, leg 1 first, and the legs that wait for the permission to lift, head first.

    ``drift`` is how far, m, odometry has drifted since the servo began, as standing feet tell.
    """

    legs: tuple[LegState, ...]
    lift_queue: tuple[int, ...] = ()
    drift: Vector = (0.0, 0.0, 0.0)

    def reports(self, contacts: Sequence[bool]) -> tuple[LegReport, ...]:
        """Show all legs, with their foot switches."""
        return tuple(
            leg.report(contact=contact) for leg, contact in zip(self.legs, contacts, strict=True)
        )

    def bearing(self, contacts: Sequence[bool]) -> tuple[bool, ...]:
        """Return which feet have to be where they are commanded, by their foot switches.

        Where a leg has failed, the body tilts, and the others come as near as they can, as does
        a foot that looks for ground.
        """
        sound = all(leg.plan is not PlanState.FAILED for leg in self.legs)
        return tuple(
            sound and contact and leg.control.carries
            for leg, contact in zip(self.legs, contacts, strict=True)
        )

    def feet(self) -> tuple[Vector, ...]:
        """Return the foot positions, m, body frame."""
        return tuple(leg.path.foot for leg in self.legs)


def initial_state(model: HexapodModel, pose: Pose, bears: Sequence[bool]) -> ServoState:
    """Return the posture in which a robot starts: legs that bear it, and the others ready.

    The ready legs keep the point below their foot as a first foothold (asv.md §3.3).
    """
    legs = []
    for leg, bearing in zip(model.legs, bears, strict=True):
        x, y, z = pose.apply(leg.start_foot)
        plan, control = (
            (PlanState.ELIGIBLE_TO_LIFT, ControlState.SUPPORT)
            if bearing
            else (PlanState.AVAILABLE, ControlState.READY)
        )
        foot = leg.start_foot if bearing else leg.ready_foot
        legs.append(
            LegState(leg.number, plan, control, 0, FootState(foot, leg.ready_foot, (x, y, z)))
        )
    return ServoState(tuple(legs))


def recovered_state(
    model: HexapodModel, feet: Sequence[Vector], contacts: Sequence[bool]
) -> ServoState:
    """Take over legs found as they are, after a restart: feet (m, body frame) and switches.

    A foot on the ground carries; a foot in the air becomes ready where it is.
    """
    legs = []
    for leg, foot, contact in zip(model.legs, feet, contacts, strict=True):
        if contact:
            path = FootState(foot, (leg.ready_foot[0], leg.ready_foot[1], leg.ready_foot[2]))
            legs.append(
                LegState(leg.number, PlanState.ELIGIBLE_TO_LIFT, ControlState.SUPPORT, 0, path)
            )
        else:
            path = FootState(foot, leg.ready_foot)
            legs.append(LegState(leg.number, PlanState.ACTUAL_LIFT, ControlState.RETURN, 0, path))
    return ServoState(tuple(legs))


def reported_state(model: HexapodModel, reports: Sequence[LegReport], pose: Pose) -> ServoState:
    """Return what a servo that reports so may remember: each leg at the beginning of its state.

    A leg that waits for a partner to stand lifts without waiting.
    """
    legs = []
    for leg, report in zip(model.legs, reports, strict=True):
        place = pose.apply(report.foot)
        path = FootState(
            report.foot,
            leg.ready_foot,
            report.foothold,
            place if report.control.carries else None,
            place[2],
        )
        exchanges = report.plan is PlanState.PLANNED_EXCHANGE
        plan = PlanState.PLANNED_LIFT if exchanges else report.plan
        legs.append(LegState(leg.number, plan, report.control, 0, path))
    waiting = (leg.number for leg in legs if leg.plan is PlanState.PLANNED_LIFT)
    return ServoState(tuple(legs), tuple(waiting))


class LegServo:
    """Moves the legs by decisions and body motion; ``state`` is all it remembers."""

    def __init__(self, model: HexapodModel, state: ServoState, *, pin_stance: bool = True) -> None:
        """Start from a state; ``pin_stance`` keeps supporting feet from drifting in turns."""
        self._model = model
        self._pin_stance = pin_stance
        self._places = {leg.number: index for index, leg in enumerate(model.legs)}
        self.state = state

    def fail(
        self, failed: Sequence[int], contacts: Sequence[bool], places: Sequence[Vector]
    ) -> None:
        """Take legs, counted from 0, out of the walk for ever, and raise them as far as they go.

        Others on which the body has come down then stand: ``contacts`` are the foot switches, and
        ``places`` where the feet are measured, m, odometry frame.
        """
        legs = list(self.state.legs)
        for place in failed:
            x, y, z = self._model.legs[place].ready_foot
            links = self._model.kinematics
            raised = (
                links.legs[place].raised_foot
                if isinstance(links, ArticulatedHexapod)
                else (x, y, z + self._model.timing.lift_height)
            )
            path = legs[place].path._replace(ready=raised)
            legs[place] = legs[place]._replace(plan=PlanState.FAILED, path=path)
        for place, leg in enumerate(legs):
            down = contacts[place] and not leg.control.carries
            if down and leg.plan is not PlanState.FAILED:
                path = leg.path._replace(foothold=places[place], stance=places[place])
                legs[place] = LegState(
                    leg.number, PlanState.ELIGIBLE_TO_LIFT, ControlState.SUPPORT, 0, path
                )
        plans = {leg.number: leg.plan for leg in legs}
        waiting = (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE)
        queue = tuple(leg for leg in self.state.lift_queue if plans[leg] in waiting)
        self.state = self.state._replace(legs=tuple(legs), lift_queue=queue)

    def follow_odometry(self, contacts: Sequence[bool], places: Sequence[Vector]) -> None:
        """Take standing feet to be as far off as odometry has drifted.

        It has where they are all measured beside their places, since feet slip one by one. The
        body has to be taken to be as far off (`BodyReference`), or its legs would push it.
        ``contacts`` are the foot switches, ``places`` where the feet are measured, m, odometry
        frame.
        """
        beside = [
            (place[0] - stance[0], place[1] - stance[1])
            for leg, contact, place in zip(self.state.legs, contacts, places, strict=True)
            if leg.control.carries and contact and (stance := leg.path.stance) is not None
        ]
        if not beside:
            return
        dx, dy = (sum(axis) / len(beside) / FOLLOWING for axis in zip(*beside, strict=True))
        if FOLLOWING * math.hypot(dx, dy) <= SAME * self._model.timing.lift_height:
            return
        legs = list(self.state.legs)
        for index, leg in enumerate(legs):
            if leg.path.stance is not None:
                x, y, z = leg.path.stance
                path = leg.path._replace(stance=(x + dx, y + dy, z))
                legs[index] = leg._replace(path=path)
        x, y, _ = self.state.drift
        self.state = self.state._replace(legs=tuple(legs), drift=(x + dx, y + dy, 0.0))

    def step(
        self,
        decisions: Iterable[Decision],
        pose: Pose,
        rates: Rates,
        contacts: Sequence[bool],
        clear: Sequence[float] = (),
        places: Sequence[Vector] = (),
    ) -> ServoState:
        """Advance all legs by one step and return the new state.

        ``pose`` and ``rates`` are the body's motion of this step, ``contacts`` the foot
        switches at its beginning. ``clear`` gives the height (m, odometry frame) that each foot
        in the air has to keep, leg 1 first; without it they keep that of a lift. ``places`` are
        where the feet are measured, m, odometry frame; without them they are where they were sent.
        """
        legs, queue = list(self.state.legs), list(self.state.lift_queue)
        orders = self._receive(decisions, legs, queue)
        # Where odometry drifts, a foot stands beside its foothold in the frame of the pose.
        standing = {
            leg.number: leg.path.stance or leg.path.foothold or pose.apply(leg.path.foot)
            for leg, contact in zip(legs, contacts, strict=True)
            if leg.control.carries and contact
        }
        may_lift = True
        for index, leg in enumerate(legs):
            wants = leg.plan in (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE)
            permitted = (
                wants
                and may_lift
                # A foot that has lost its ground is missed by none, and waits for none.
                and (not contacts[index] or queue[:1] == [leg.number])
                and (leg.plan is PlanState.PLANNED_LIFT or contacts[self._places[leg.partner]])
                and self._stable_without(leg.number, standing, pose)
            )
            # One grant a step, even when the leg is not yet ready to use it.
            may_lift = may_lift and not permitted
            plan = next_plan(leg.plan, leg.control, orders.get(leg.number), permitted=permitted)
            if permitted and plan is PlanState.ACTUAL_LIFT:
                queue.remove(leg.number)
            control, steps = next_control(
                leg.control, leg.steps, plan, self._model.timing, contact=contacts[index]
            )
            height = clear[index] if clear else -math.inf
            path = move(
                leg.path,
                control,
                steps,
                pose,
                rates,
                self._model.timing,
                pinned=self._pin_stance,
                touch=Touch(contacts[index], places[index] if places else None),
                clear=height,
            )
            if is_too_low(leg.path, control, pose, self._model.timing, height):
                # Its time on the way begins, or goes on, once it is high enough.
                steps = leg.steps if control is leg.control else -1
            legs[index] = LegState(leg.number, plan, control, steps, path, leg.partner)
        self.state = self.state._replace(legs=tuple(legs), lift_queue=tuple(queue))
        return self.state

    def _receive(
        self, decisions: Iterable[Decision], legs: list[LegState], queue: list[int]
    ) -> dict[int, DecisionKind]:
        """Assign footholds and partners, update the queue, and give each leg's order."""
        orders: dict[int, DecisionKind] = {}
        for kind, number, partner, foothold, _ in decisions:
            orders[number] = kind
            if kind in (DecisionKind.LIFT, DecisionKind.EXCHANGE):
                queue.append(number)
            elif kind is DecisionKind.CANCEL_LIFT and number in queue:
                queue.remove(number)
            placed = number if kind is DecisionKind.PLACE else partner
            if kind is DecisionKind.EXCHANGE:
                orders[partner] = DecisionKind.PLACE
                index = self._places[number]
                legs[index] = legs[index]._replace(partner=partner)
            if placed and foothold is not None:
                index = self._places[placed]
                path = legs[index].path._replace(foothold=foothold)
                legs[index] = legs[index]._replace(path=path)
        return orders

    def _stable_without(self, number: int, standing: dict[int, Vector], pose: Pose) -> bool:
        """Return whether the other supporting legs hold the body with the margin for lifting."""
        others = [(foot[0], foot[1]) for leg, foot in standing.items() if leg != number]
        inside = depth(convex_hull(others), (pose.position[0], pose.position[1]))
        return inside is not None and inside.distance >= self._model.stability.lift
