"""Order of the free-gait rules, slowing down and body requests: A8, A17 of asv.md §19.1."""

import numpy as np
import pytest

from walking_robots.gaits.free.body_plan import body_command, less_along, speed_plan
from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.free.repairs import FAITHFUL, ORIGINAL, REPAIRED, Repairs
from walking_robots.geometry.pose import Pose
from walking_robots.legs.states import ControlState, DecisionKind, LegReport, PlanState
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.cells import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.generator import Ditch, build

POSE = Pose(ASV.start_position)
NOWHERE = TernaryTerrain(np.full((49, 49), FORBIDDEN), np.zeros(50), ft(1))
FORWARD = (ft(0.4), 0.0, 0.0)


def standing(*legs: int) -> tuple[LegReport, ...]:
    """Report some legs as standing and the others as ready."""
    reports = []
    for leg in ASV.legs:
        carries = leg.number in legs
        x, y, _ = POSE.apply(leg.start_foot)
        plan = PlanState.ELIGIBLE_TO_LIFT if carries else PlanState.AVAILABLE
        control = ControlState.SUPPORT if carries else ControlState.READY
        foot = leg.start_foot if carries else leg.ready_foot
        reports.append(LegReport(leg.number, plan, control, carries, (x, y, 0.0), foot))
    return tuple(reports)


def coordinator(repairs: Repairs = FAITHFUL) -> TerrainCoordinator:
    return TerrainCoordinator(ASV, repairs, POSE)


def test_a17_a_removable_leg_is_lifted_and_nothing_else_is_decided():
    step = coordinator().step(standing(1, 2, 3, 4, 5, 6), POSE, FORWARD, build())
    assert [decision.kind for decision in step.decisions] == [DecisionKind.LIFT]
    assert [firing.rule for firing in step.fired] == ['lift_a_leg']
    assert f'leg {step.decisions[0].leg} lifts' in step.fired[0].sentence


def test_a17_without_footholds_the_body_slows_and_the_leg_at_its_limit_stays():
    walker = coordinator()
    # Two legs do not hold the body, none can be placed, and leg 1 is out of its volume.
    reports = list(standing(1, 4))
    reports[0] = reports[0]._replace(foothold=(0.0, POSE.position[1] + 0.9, 0.0))
    step = walker.step(reports, POSE, FORWARD, NOWHERE)
    assert [firing.rule for firing in step.fired] == ['check_tkm_limit', 'wait_for_legs']
    assert step.decisions == ()
    assert walker.memory.body.deceleration == 1
    assert walker.memory.facts.limit_leg == 0


def test_a8_slowing_down_ends_at_twenty():
    walker = coordinator()
    for _ in range(25):
        walker.step(standing(1, 4), POSE, FORWARD, NOWHERE)
    assert walker.memory.body.deceleration == 20


@pytest.mark.parametrize(('depth', 'deep'), [(0.4, False), (0.6, True)])
def test_a_leg_deep_in_a_hole_is_lifted_while_the_body_waits(depth, deep):
    """Its shank leans on the wall of the hole, and insect18 tilted as its body went on."""
    reports = list(standing(1, 2, 3, 4, 5, 6))
    x, y, z = reports[3].foot
    reports[3] = reports[3]._replace(foot=(x, y, z - depth * ASV.timing.lift_height))
    step = coordinator().step(reports, POSE, FORWARD, build())
    lifted = {decision.leg for decision in step.decisions if decision.kind is DecisionKind.LIFT}
    assert (4 in lifted) is deep and bool(step.stop_reason) is deep


def test_exchange_replaces_the_leg_that_lasts_least():
    step = coordinator().step(standing(1, 4, 5), POSE, (ft(1), 0.0, 0.0), build())
    assert step.decisions[0].kind is DecisionKind.EXCHANGE
    assert step.fired[0].sentence == 'leg 3 replaces leg 1: its foothold lasts longer'


def test_an_unstable_plan_places_a_leg():
    step = coordinator().step(standing(1, 4), POSE, FORWARD, build())
    assert [decision.kind for decision in step.decisions] == [DecisionKind.PLACE]
    assert step.decisions[0].leg in (5, 6)
    assert step.fired[-1].rule == 'place_a_leg'


def test_the_body_stops_when_it_is_unstable():
    walker = coordinator()
    step = walker.step(standing(1, 2), POSE, FORWARD, build())
    assert step.stop_reason == 'the body is unstable'
    assert step.motion.rates.vx == 0.0


class Request:
    """Just what the speed plan looks at."""

    def __init__(self, walker: TerrainCoordinator) -> None:
        self.facts, self.memory = walker.memory.facts, walker.memory
        self.model, self.repairs = walker.model, walker.repairs


@pytest.mark.parametrize(('repairs', 'left'), [(ORIGINAL, 1), (REPAIRED, 0)])
def test_unused_body_requests_are_kept_by_the_original_only(repairs, left):
    request = Request(coordinator(repairs))
    request.facts.reduce_speed = request.facts.stops = 1
    speed_plan(request)
    assert request.facts.stops == left
    assert not request.memory.body.ordered_stop


FACING_LEFT = Pose((0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0))


def test_def_5_push_turns_into_body_axes():
    body = coordinator().memory.body
    body.push = (0.2, 0.0)
    for repairs, expected in (
        (ORIGINAL, (0.3, 0.0, 0.0)),
        (Repairs(push_in_body_axes=True), (0.1, -0.2, 0.0)),
    ):
        found, _ = body_command(body, (0.1, 0.0, 0.0), FACING_LEFT, repairs, ASV.velocity)
        assert found == pytest.approx(expected)


def test_def_21_slowing_down_leaves_the_push_alone():
    body = coordinator().memory.body
    body.push, body.deceleration = (0.0, 0.2), 2
    kept = body_command(body, (0.1, 0.0, 0.0), POSE, ORIGINAL, ASV.velocity)
    assert kept == ((0.1, 0.2, 0.0), 2)
    repairs = Repairs(push_at_full_strength=True)
    found, deceleration = body_command(body, (0.1, 0.0, 0.0), POSE, repairs, ASV.velocity)
    assert found == pytest.approx((0.025, 0.2, 0.0)) and deceleration == 0


def test_def_1_planning_push_never_fights_the_operator():
    assert less_along((1.0, 1.0), (2.0, 0.0)) == pytest.approx((0.0, 1.0))
    assert less_along((1.0, 1.0), (0.0, 0.0)) == (1.0, 1.0)


def test_a_restarted_coordinator_takes_footholds_from_the_feet():
    reports = [
        report._replace(foothold=None) if report.control.carries else report
        for report in standing(1, 4, 5)
    ]
    walker = coordinator()
    walker.step(reports, POSE, FORWARD, build())
    assert walker.memory.footholds[1] == pytest.approx(POSE.apply(ASV.legs[0].start_foot))


def test_the_memory_can_be_printed():
    walker = coordinator()
    walker.step(standing(1, 4, 5), POSE, FORWARD, build())
    assert walker.memory.steps == 1
    assert walker.memory.facts.lines() == ['plan_cycle(1)', 'plan_state(place_legs_in_the_air)']
    assert 'ditch_mode=False' in repr(walker.memory)


def test_def_14_lifts_that_have_not_begun_are_withdrawn_at_the_ditch():
    terrain = build(ditches=[Ditch(ft(13), ft(7))])
    reports = list(standing(1, 2, 4, 5))
    reports[0] = reports[0]._replace(plan=PlanState.PLANNED_LIFT)
    for repairs, expected in ((FAITHFUL, []), (REPAIRED, [(DecisionKind.CANCEL_LIFT, 1)])):
        step = coordinator(repairs).step(reports, POSE, FORWARD, terrain)
        assert (step.mode, step.cycle) == ('ditch_crossing', 1)
        withdrawn = [d[:2] for d in step.decisions if d.kind is DecisionKind.CANCEL_LIFT]
        assert withdrawn == expected
