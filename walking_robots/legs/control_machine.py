"""The control machine: what a leg physically does (asv.md §7.3)."""

from walking_robots.legs.states import ControlState, PlanState
from walking_robots.robots.model import TransferTiming


def next_control(
    control: ControlState,
    steps: int,
    plan: PlanState,
    timing: TransferTiming,
    *,
    contact: bool,
) -> tuple[ControlState, int]:
    """Return the next state and the steps spent in it, zero on entry.

    ``plan`` is the plan state after its transition in this step: it deploys the leg in
    PLANNED_CONTACT and recovers it in ACTUAL_LIFT. ``contact`` is the foot switch.
    """
    out_of_the_way = (ControlState.RETURN, ControlState.READY)
    if plan is PlanState.FAILED and control not in out_of_the_way:
        return (ControlState.RETURN, 0)
    if control is ControlState.READY:
        if plan is PlanState.PLANNED_CONTACT:
            return (ControlState.ADVANCE, 0)
    elif control is ControlState.ADVANCE:
        if steps + 1 >= timing.advance:
            return (ControlState.DESCENT, 0)
    elif control is ControlState.DESCENT:
        if contact:
            return (ControlState.CONTACT, 0)
    elif control is ControlState.CONTACT:
        if steps + 1 >= timing.contact:
            return (ControlState.SUPPORT, 0)
    elif control is ControlState.SUPPORT:
        if plan is PlanState.ACTUAL_LIFT:
            return (ControlState.LIFT, 0)
    elif control is ControlState.LIFT:
        if steps + 1 >= timing.lift:
            return (ControlState.RETURN, 0)
    elif control is ControlState.RETURN and steps + 1 >= timing.swing_back:
        return (ControlState.READY, 0)
    return (control, steps + 1)
