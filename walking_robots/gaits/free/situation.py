"""What the rules see and may do in one step: the bridge between rules and vehicle.

The functions are those of asv.md §12.3 and §12.6, in the field's words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from walking_robots.body.stability import StabilityMargin, stability_margin
from walking_robots.gaits.free.memory import Memory
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.legs.foothold_search import TIE, Candidates, Foothold
from walking_robots.legs.states import Decision, DecisionKind, LegReport, PlanState
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.model import HexapodModel

LEAST = -1000.0
"""Kinematic margin, s, that stands for an undefined one when legs are compared."""


class Situation:
    """Legs, footholds and margins of one step, and the decisions made in it.

    ``kinematic_margins`` are planning margins in s, None where undefined; ``leg`` and
    ``partner`` are bound by the conditions of a rule.
    """

    def __init__(
        self,
        model: HexapodModel,
        repairs: Repairs,
        memory: Memory,
        reports: Sequence[LegReport],
        candidates: Mapping[int, Candidates],
        kinematic_margins: dict[int, float | None],
        rest: Callable[[], Pose],
        volumes: Mapping[int, WorkingVolume],
    ) -> None:
        """Sort the legs by what may be done with them; ``rest`` predicts the stopped body."""
        self.model = model
        self.repairs = repairs
        self.memory = memory
        self.facts = memory.facts
        self.reports = {report.number: report for report in reports}
        self.outlook = memory.body.outlook
        self.liftable = [report.number for report in reports if report.liftable]
        self.placeable = [report.number for report in reports if report.placeable]
        self.planned_support = [report.number for report in reports if report.plan.carries]
        self.support = [report.number for report in reports if report.control.carries]
        self.kinematic_margins = kinematic_margins
        self.decisions: list[Decision] = []
        self.leg = 0
        self.partner = 0
        self._candidates = candidates
        self._remaining: dict[int, list[Foothold]] | None = None
        self._margins: dict[tuple[int, ...], StabilityMargin] = {}
        self._limits = model.stability
        self._centre = self.outlook.plan.pose.position
        self._rest = rest
        self._volumes = volumes

    # Stability of the plan, one second ahead.

    def planned_margin(self, legs: Iterable[int]) -> StabilityMargin:
        """Measure the stability margin of some legs at the planning horizon."""
        key = tuple(legs)
        margin = self._margins.get(key)
        if margin is None:
            feet = [foot for leg in key if (foot := self.memory.footholds[leg]) is not None]
            margin = stability_margin(feet, self._centre, self._limits)
            self._margins[key] = margin
        return margin

    def stable(self) -> bool:
        """Return whether the planned support keeps the planning margin."""
        return self.planned_margin(self.planned_support).value >= self._limits.plan

    def stable_without(self, leg: int) -> bool:
        """Return whether the planned support keeps the planning margin without a leg."""
        others = [other for other in self.planned_support if other != leg]
        return self.planned_margin(others).value >= self._limits.plan

    def would_rest_well(self, legs: Sequence[int]) -> bool:
        """Return whether the body, if stopped one step later, would rest well on some legs.

        Every one of them must be inside its working volume there, and together they must keep
        the planning stability margin (asv.md §20.9).
        """
        pose = self._rest()
        feet = {leg: foot for leg in legs if (foot := self.foothold(leg)) is not None}
        margin = stability_margin(feet.values(), pose.position, self._limits)
        return margin.value >= self._limits.plan and all(
            self._volumes[leg].contains(pose.to_body(foot)) for leg, foot in feet.items()
        )

    def stands_without(self, leg: int) -> bool:
        """Return whether the other standing legs hold the body with the margin for lifting."""
        feet = [foot for other in self.support if other != leg and (foot := self.foothold(other))]
        centre = self.outlook.present.pose.position
        return stability_margin(feet, centre, self._limits).value >= self._limits.lift

    def rearmost(self, legs: Iterable[int]) -> int:
        """Return the leg whose foothold lies rearmost under the body, 0 of none."""
        pose = self.outlook.present.pose
        behind = [
            (pose.to_body(foot)[0], leg)
            for leg in legs
            if (foot := self.foothold(leg)) is not None
        ]
        return min(behind)[1] if behind else 0

    # Queries about legs.

    def margin_of(self, leg: int) -> float | None:
        """Return the planning kinematic margin of a leg, s."""
        return self.kinematic_margins.get(leg)

    def leg_at_limit(self) -> int:
        """Return the first lift-able leg at its planning limit, 0 if there is none."""
        limit = self.model.kinematic_margin.plan_limit
        for leg in self.liftable:
            margin = self.margin_of(leg)
            if margin is None or margin < limit:
                return leg
        return 0

    def withhold(self, leg: int) -> None:
        """Take a leg out of the planned support and the lift-able legs for this step."""
        self.planned_support = [other for other in self.planned_support if other != leg]
        self.liftable = [other for other in self.liftable if other != leg]

    def least_margin_leg(self) -> int:
        """Return the lift-able leg of the smallest kinematic margin, 0 if there is none."""
        best, least = 0, 0.0
        for leg in self.liftable:
            margin = self.margin_of(leg)
            value = LEAST if margin is None else margin
            if not best or value < least - TIE:
                best, least = leg, value
        return best

    def best_leg_to_place(self, without: int = 0) -> int:
        """Return the place-able leg whose foothold adds most stability, 0 if none suffices.

        ``without`` names a leg that no longer counts as support.
        """
        support = [leg for leg in self.planned_support if leg != without]
        best, largest = 0, 0.0
        for leg in self.placeable:
            if self.memory.footholds[leg] is None:
                continue
            margin = self.planned_margin((leg, *support)).value
            if not best or margin > largest + TIE:
                best, largest = leg, margin
        return best if best and largest >= self._limits.plan else 0

    def has_more_margin(self, leg: int, other: int) -> bool:
        """Return whether a leg has more kinematic margin than another; undefined loses first."""
        mine, theirs = self.margin_of(leg), self.margin_of(other)
        if theirs is None:
            return True
        return mine is not None and mine > theirs

    def all_wait(self) -> bool:
        """Return whether the body rests and no leg is on its way."""
        if not self.outlook.present.rates.at_rest:
            return False
        settled = (PlanState.ELIGIBLE_TO_LIFT, PlanState.AVAILABLE, PlanState.FAILED)
        return all(report.plan in settled for report in self.reports.values())

    def leg_that_waits_in_vain(self) -> int:
        """Return a leg whose lift is planned but not stable where the body rests, or 0."""
        if not self.outlook.present.rates.at_rest:
            return 0
        waiting = (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE)
        settled = (
            PlanState.ELIGIBLE_TO_LIFT,
            PlanState.AVAILABLE,
            PlanState.FAILED,
            *waiting,
        )
        plans = {leg: report.plan for leg, report in self.reports.items()}
        if not set(plans.values()) <= set(settled):
            return 0
        stuck = (
            leg for leg, plan in plans.items() if plan in waiting and not self.stands_without(leg)
        )
        return next(stuck, 0)

    def leg_to_step_aside(self) -> int:
        """Return the next leg that can be spared while the leg at its limit stays, or 0."""
        count = len(self.model.legs)
        support = [*self.planned_support, self.facts.limit_leg]
        for k in range(count):
            leg = (self.facts.stepped_aside + k) % count + 1
            others = [other for other in support if other != leg]
            if leg in self.liftable and self.planned_margin(others).value >= self._limits.plan:
                return leg
        return 0

    # Alternative footholds.

    def _choose(self, leg: int, foothold: Foothold) -> None:
        self.memory.footholds[leg] = foothold.point
        self.kinematic_margins[leg] = foothold.margin
        self._margins.clear()

    def _alternatives(self) -> dict[int, list[Foothold]]:
        if self._remaining is None:
            self._remaining = {
                leg: self._candidates[leg].footholds()[::-1]
                if self.memory.footholds[leg] is not None
                else []
                for leg in self.placeable
            }
        return self._remaining

    def _switch_footholds(self) -> bool:
        """Return every place-able leg its next best alternative; False when none has any."""
        switched = False
        for leg, footholds in self._alternatives().items():
            if footholds:
                best = footholds[0]
                for foothold in footholds:
                    if foothold.margin > best.margin + TIE:
                        best = foothold
                footholds.remove(best)
                self._choose(leg, best)
                switched = True
        return switched

    def leg_with_alternative(self) -> int:
        """Try other footholds until some leg restores stability; give that leg or 0.

        The original switches all footholds once more after it has found a leg, so that the
        leg is placed on a foothold that was not tested (DEF-11).
        """
        repaired = self.repairs.test_then_keep_foothold
        switched = self._switch_footholds()
        while switched:
            leg = self.best_leg_to_place()
            if leg and repaired:
                return leg
            switched = self._switch_footholds()
            if leg:
                return leg
        return 0

    def leg_to_recover(self) -> int:
        """Put the first place-able leg that has one back on its best foothold; give it or 0."""
        accept = self.model.kinematic_margin.accept
        for leg in self.placeable:
            best = self._candidates[leg].best(accept)
            if best is not None:
                self._choose(leg, best)
                return leg
        return 0

    def take_rearmost_foothold(self, leg: int) -> None:
        """Choose the rearmost, innermost candidate of a leg (place_back)."""
        self._choose(leg, self._candidates[leg].foothold(-1))

    # Decisions.

    def lift(self, leg: int, reason: str) -> None:
        """Decide to lift a leg."""
        self.decisions.append(Decision(DecisionKind.LIFT, leg, reason=reason))

    def cancel_lift(self, leg: int, reason: str) -> None:
        """Decide that a leg whose lift is planned stays on the ground."""
        self.decisions.append(Decision(DecisionKind.CANCEL_LIFT, leg, reason=reason))

    def place(self, leg: int, reason: str) -> None:
        """Decide to place a leg on its foothold."""
        foothold = self.memory.footholds[leg]
        self.decisions.append(Decision(DecisionKind.PLACE, leg, 0, foothold, reason))

    def exchange(self, leg: int, partner: int, reason: str) -> None:
        """Decide to place a partner and to lift a leg as soon as the partner stands."""
        foothold = self.memory.footholds[partner]
        self.decisions.append(Decision(DecisionKind.EXCHANGE, leg, partner, foothold, reason))

    def foothold(self, leg: int) -> Vector | None:
        """Return the foothold of a leg, m, odometry frame."""
        return self.memory.footholds[leg]
