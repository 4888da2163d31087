"""The coordinator for ternary terrain: one step from leg reports to decisions (asv.md §13)."""

import math
from collections.abc import Mapping, Sequence

from walking_robots.body.motion import BodyController, BodyMotion
from walking_robots.body.stability import StabilityMargin, recovery_push, stability_margin
from walking_robots.gaits.free import ditch_crossing
from walking_robots.gaits.free.body_plan import body_command, body_plan
from walking_robots.gaits.free.leg_plan import CHECK_KINEMATIC_LIMIT, LEG_PLAN
from walking_robots.gaits.free.memory import Memory, fresh
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.free.rule_engine import Firing, fire_first
from walking_robots.gaits.free.situation import Situation
from walking_robots.gaits.gait_step import Command, GaitStep, PlanAhead
from walking_robots.geometry.plane import fit_plane
from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.clearance import clear_heights, in_the_clear
from walking_robots.legs.foot_path import SLIPPED
from walking_robots.legs.foothold_search import Candidates, Cell, FootholdSearch
from walking_robots.legs.states import LegReport, PlanState, failed_legs
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.vision import DitchSighting, find_ditches

LOWERED = (0.25, 0.5, 0.75, 1.0)
"""How far the body may be lowered for ground that falls away, as shares of the room it has."""

RAISED = 0.05
"""How far it rises again each time that the support plane is estimated, as a share of the same."""


class TerrainCoordinator:
    """Coordinates legs and body over permitted, forbidden and ditch cells.

    ``memory`` is all it remembers; ``way`` is how far the body goes next, place by place (m,
    odom), where it goes round high ground. One coordinator is active at a time: the free gait, or
    the ditch crossing from the moment vision reports a ditch until all legs are across.
    """

    def __init__(
        self, model: HexapodModel, repairs: Repairs, pose: Pose, *, cross_ditches: bool = True
    ) -> None:
        """Begin with a body at rest at ``pose``; without ``cross_ditches`` only the free gait."""
        self.model = model
        self.repairs = repairs
        self.memory: Memory = fresh(pose, model.plane_period)
        self.goal: complex | None = None
        self.way: Sequence[complex] = ()
        self._cross_ditches = cross_ditches
        self._controller = BodyController(
            model,
            level_in_body=repairs.level_in_body,
            renew_third_column=repairs.renew_third_column,
        )
        self._search = FootholdSearch(model)
        self._reach = max(abs(y) for leg in model.legs for _, y in leg.template)
        self._sighted: tuple[TernaryTerrain | None, int, tuple[DitchSighting, ...]] = (None, 0, ())
        self._ordered: tuple[Command, int] = ((0.0, 0.0, 0.0), 0)
        self._volumes = {leg.number: WorkingVolume(leg) for leg in model.legs}

    def step(
        self,
        reports: Sequence[LegReport],
        pose: Pose,
        command: Command,
        terrain: TernaryTerrain,
    ) -> GaitStep:
        """Decide one step.

        ``reports`` are the legs at the end of the last step, ``pose`` the body then, ``command``
        the operator's (vx, vy, wz) in m/s and rad/s, ``terrain`` what vision sees.
        """
        entered = self._enter_ditch_mode(self._sight_ditches(terrain, pose))
        present = self._update_body(reports, pose, command)
        situation = self._look(reports, pose, terrain)
        fired: list[Firing] = []
        facts = self.memory.facts
        mode = 'ditch_crossing' if facts.ditch_mode else 'free_gait'
        if facts.ditch_mode:
            if entered and self.repairs.cancel_lifts_at_ditch:
                _cancel_lifts(situation, reports)
            cycle = facts.plan_cycle
            if not ditch_crossing.idle_step(situation):
                fire_first(ditch_crossing.STATES[facts.plan_state], situation, fired)
            state = facts.plan_state
        else:
            cycle, state = 0, ''
            fire_first(CHECK_KINEMATIC_LIMIT, situation, fired)
            fire_first(LEG_PLAN, situation, fired)
        body_plan(situation)
        self._lift_the_leg_at_its_limit(situation)
        self.memory.steps += 1
        body = self.memory.body
        return GaitStep(
            decisions=tuple(situation.decisions),
            motion=body.outlook.present,
            mode=mode,
            cycle=cycle,
            state=state,
            fired=tuple(fired),
            stop_reason=body.stop_reason(),
            deceleration=body.deceleration,
            margin=present.value,
            planned_margin=situation.planned_margin(situation.planned_support).value,
            kinematic_margins=tuple(
                [situation.kinematic_margins.get(leg.number) for leg in self.model.legs]
            ),
            footholds=tuple([self.memory.footholds[leg.number] for leg in self.model.legs]),
            support=tuple(situation.support),
            planned_support=tuple(situation.planned_support),
            failed=failed_legs(reports),
            clear_heights=()
            if terrain.is_level
            else clear_heights(
                self.model,
                reports,
                *body.outlook.present,
                situation.decisions,
                terrain,
            ),
        )

    def ahead(self, pose: Pose, terrain: TernaryTerrain) -> PlanAhead:
        """Return nothing: rules plan no swings ahead."""
        return PlanAhead()

    def reference(self, pose: Pose) -> Pose:
        """Return the pose that commands refer to: that of the body."""
        return pose

    def close(self) -> None:
        """Nothing is computed beside the steps."""

    def _sight_ditches(self, terrain: TernaryTerrain, pose: Pose) -> Sequence[DitchSighting]:
        """Find the ditches across the band that the legs sweep, anew when either changes."""
        column = math.floor(pose.position[1] / terrain.cell)
        seen, band, sightings = self._sighted
        if seen is not terrain or band != column:
            centre = (column + 0.5) * terrain.cell
            sightings = find_ditches(terrain, centre - self._reach, centre + self._reach)
            self._sighted = (terrain, column, sightings)
        return sightings

    def _enter_ditch_mode(self, ditches: Sequence[DitchSighting]) -> bool:
        """Hand over to the ditch crossing when the predicted body is before a ditch (R4)."""
        facts, ditch = self.memory.facts, self.model.ditch
        if facts.ditch_mode or not self._cross_ditches:
            return False
        ahead = self.memory.body.outlook.plan.pose.position[0]
        narrow = self.repairs.free_gait_over_narrow_ditches
        least = ditch.preferred_width if narrow else ditch.min_width
        for sighting in ditches:
            if sighting.width < least * (1.0 - 1e-9):
                continue
            near = (
                sighting.near_edge if self.repairs.ditch_from_terrain else ditch.default_location
            )
            if near - ditch.trigger <= ahead <= near + sighting.width:
                facts.ditch_mode = True
                return True
        return False

    def _update_body(
        self, reports: Sequence[LegReport], pose: Pose, command: Command
    ) -> StabilityMargin:
        """Set the body's flags from the present, then move and predict it (§13.2, 1 to 6)."""
        memory, body, model = self.memory, self.memory.body, self.model
        for report in reports:
            if report.plan is PlanState.FAILED:
                memory.footholds[report.number] = None
            elif not report.placeable or report.number not in memory.placeable:
                memory.footholds[report.number] = report.foothold or (
                    pose.apply(report.foot) if report.control.carries else None
                )
        memory.placeable = frozenset(report.number for report in reports if report.placeable)
        support = {
            report.number: memory.footholds[report.number] or pose.apply(report.foot)
            for report in reports
            if report.control.carries
        }
        memory.sunk = frozenset(
            report.number
            for report in reports
            if report.control.carries
            and support[report.number][2] - pose.apply(report.foot)[2]
            > SLIPPED * model.timing.lift_height
        )
        limit = model.kinematic_margin.present_limit
        margins = [
            self._kinematic_margin(leg, foothold, pose, body.rates)
            for leg, foothold in support.items()
        ]
        body.kinematic_stop = any(margin is None or margin < limit for margin in margins)
        present = stability_margin(support.values(), pose.position, model.stability)
        comfortable = present.value >= model.stability.comfort_present
        body.push = (0.0, 0.0) if comfortable else recovery_push(present, model.stability)
        self._estimate_plane(reports)
        if memory.facts.ditch_mode and self.repairs.limit_speed_in_ditch:
            fastest = model.ditch.max_speed
            command = (max(-fastest, min(fastest, command[0])), command[1], command[2])
        wanted, deceleration = body_command(body, command, pose, self.repairs, model.velocity)
        body.outlook = self._controller.outlook(
            BodyMotion(pose, body.rates), wanted, deceleration, body.resting_plane
        )
        self._ordered = (wanted, deceleration)
        body.rates = body.outlook.present.rates
        return present

    def _estimate_plane(self, reports: Sequence[LegReport]) -> None:
        """Estimate the support plane anew once in a period (asv.md §11)."""
        body = self.memory.body
        if body.plane_age >= self.model.plane_period:
            placed_only = self.repairs.plane_from_feet
            points = [
                foothold
                for report in reports
                if (foothold := self.memory.footholds[report.number]) is not None
                and (not placed_only or report.plan.carries or report.control.carries)
            ]
            body.plane = fit_plane(points) or body.plane
            body.plane_age = 0
        body.plane_age += 1

    def _look(
        self, reports: Sequence[LegReport], pose: Pose, terrain: TernaryTerrain
    ) -> Situation:
        """Search footholds and measure planning margins (§13.2, 7 and 8)."""
        memory, outlook = self.memory, self.memory.body.outlook
        limits = self.model.kinematic_margin
        held: dict[int, Cell] = {}
        placeable = []
        for report in reports:
            foothold = memory.footholds[report.number]
            if report.placeable:
                placeable.append(report.number)
            elif foothold is not None:
                held[report.number] = terrain.cell_of(foothold[0], foothold[1])
        rates = outlook.plan.rates
        candidates: Mapping[int, Candidates] = self._search.search(
            placeable, memory.body.plane, outlook.foothold.pose, rates, terrain, held
        )
        if not terrain.is_level:
            candidates = in_the_clear(self.model, reports, pose, self.way, candidates, terrain)
        if memory.body.plane_age == 1 and not terrain.is_level:
            short = [leg for leg in placeable if not candidates[leg]]
            memory.body.lowered = self._lowering(short, terrain, held)
        margins: dict[int, float | None] = {}
        for leg in placeable:
            best = candidates[leg].best(limits.accept)
            memory.footholds[leg] = None if best is None else best.point
            margins[leg] = None if best is None else best.margin
        for report in reports:
            foothold = memory.footholds[report.number]
            if report.plan.carries and foothold is not None:
                margins[report.number] = self._kinematic_margin(
                    report.number, foothold, outlook.plan.pose, rates
                )
        return Situation(
            self.model,
            self.repairs,
            memory,
            reports,
            candidates,
            margins,
            self._rest,
            self._volumes,
        )

    def _kinematic_margin(
        self, leg: int, foothold: Vector, pose: Pose, rates: Rates
    ) -> float | None:
        """Return how long, s, a leg can stand on its foothold; None where it cannot."""
        if leg in self.memory.sunk:
            # Leaning on the wall of a hole, it would hold the body back.
            return None
        return self._volumes[leg].kinematic_margin(
            pose.to_body(foothold), rates, self.model.kinematic_margin
        )

    def _lowering(
        self, legs: Sequence[int], terrain: TernaryTerrain, held: Mapping[int, Cell]
    ) -> float:
        """Return how far, m, the body has to be lowered for legs that find no ground below them.

        If none has to wait for that, the body rises again little by little.
        """
        body, posture = self.memory.body, self.model.posture
        range_ = posture.height_max - posture.height_min
        (x, y, z), rotation = body.outlook.foothold.pose
        for share in LOWERED:
            pose = Pose((x, y, z + body.lowered - share * range_), rotation)
            found = self._search.search(
                legs, body.plane, pose, body.outlook.plan.rates, terrain, held
            )
            if legs and all(found.values()):
                return max(body.lowered, share * range_)
        return max(0.0, body.lowered - RAISED * range_)

    def _rest(self) -> Pose:
        """Predict where the body would come to rest if it were stopped one step later."""
        body = self.memory.body
        plane = body.resting_plane
        motion = self._controller.step(body.outlook.present, *self._ordered, plane)
        return self._controller.rest(motion, plane)

    def _lift_the_leg_at_its_limit(self, situation: Situation) -> None:
        """Send the lift of the leg that was withheld, unless a rule restored it (R33)."""
        facts = self.memory.facts
        if facts.limit_leg:
            situation.lift(facts.limit_leg, 'check_tkm_limit')
            facts.limit_leg = 0


def _cancel_lifts(situation: Situation, reports: Sequence[LegReport]) -> None:
    """Withdraw lifts that have not begun, so that all legs can be placed (DEF-14)."""
    for report in reports:
        if report.plan in (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE):
            situation.cancel_lift(report.number, 'ditch_mode')
