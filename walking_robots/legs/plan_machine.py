"""The plan machine: what the coordinator intends with a leg (asv.md §7.1)."""

from walking_robots.legs.states import ControlState, DecisionKind, PlanState


def next_plan(
    plan: PlanState,
    control: ControlState,
    decision: DecisionKind | None,
    *,
    permitted: bool,
) -> PlanState:
    """Return the next plan state.

    ``control`` is the state of the control machine at the end of the last step, ``decision``
    what was decided for the leg in this step, ``permitted`` the permission to lift.
    """
    if plan is PlanState.AVAILABLE and decision is DecisionKind.PLACE:
        return PlanState.PLANNED_CONTACT
    if plan is PlanState.PLANNED_CONTACT and control is ControlState.CONTACT:
        return PlanState.ELIGIBLE_TO_LIFT
    if plan is PlanState.ELIGIBLE_TO_LIFT:
        if decision is DecisionKind.LIFT:
            return PlanState.PLANNED_LIFT
        if decision is DecisionKind.EXCHANGE:
            return PlanState.PLANNED_EXCHANGE
    if plan in (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE):
        if decision is DecisionKind.CANCEL_LIFT:
            return PlanState.ELIGIBLE_TO_LIFT
        if permitted and control is ControlState.SUPPORT:
            return PlanState.ACTUAL_LIFT
    if plan is PlanState.ACTUAL_LIFT and control is ControlState.READY:
        return PlanState.AVAILABLE
    return plan
