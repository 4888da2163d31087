"""The two state machines of a leg: what is planned for it and what it does (asv.md §7)."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from walking_robots.geometry.pose import Vector


class PlanState(IntEnum):
    """What the coordinator intends with a leg; one that has FAILED takes no part any more."""

    AVAILABLE = 0
    PLANNED_CONTACT = 1
    ELIGIBLE_TO_LIFT = 2
    PLANNED_LIFT = 3
    PLANNED_EXCHANGE = 4
    ACTUAL_LIFT = 5
    FAILED = 6

    @property
    def carries(self) -> bool:
        """Return whether the plan counts the leg as support."""
        return self in _PLANNED_SUPPORT


class ControlState(IntEnum):
    """What a leg does."""

    READY = 0
    ADVANCE = 1
    DESCENT = 2
    CONTACT = 3
    SUPPORT = 4
    LIFT = 5
    RETURN = 6

    @property
    def carries(self) -> bool:
        """Return whether the leg supports the body."""
        return self in _SUPPORT


# Looking up members takes longer than the rest of these questions, asked dozens of times a step.
_PLANNED_SUPPORT = (PlanState.PLANNED_CONTACT, PlanState.ELIGIBLE_TO_LIFT)
_SUPPORT = (ControlState.CONTACT, ControlState.SUPPORT)


class DecisionKind(IntEnum):
    """What a coordinator decides for a leg; CANCEL_LIFT withdraws a lift not yet begun."""

    LIFT = 1
    EXCHANGE = 2
    PLACE = 3
    CANCEL_LIFT = 4


class Decision(NamedTuple):
    """A decision for ``leg``; ``foothold`` (m, odometry frame) belongs to the leg placed.

    In an exchange ``partner`` is placed and ``leg`` is lifted as soon as the partner stands.
    """

    kind: DecisionKind
    leg: int
    partner: int = 0
    foothold: Vector | None = None
    reason: str = ''


class LegReport(NamedTuple):
    """The state of a leg as others see it; ``foothold`` is the one last assigned."""

    number: int
    plan: PlanState
    control: ControlState
    contact: bool
    foothold: Vector | None
    foot: Vector

    @property
    def liftable(self) -> bool:
        """Return whether the coordinator may decide to lift this leg."""
        return self.plan is PlanState.ELIGIBLE_TO_LIFT

    @property
    def placeable(self) -> bool:
        """Return whether the coordinator may decide to place this leg."""
        return self.plan is PlanState.AVAILABLE


def failed_legs(reports: Sequence[LegReport]) -> tuple[int, ...]:
    """Return the numbers of the legs that have failed."""
    return tuple(report.number for report in reports if report.plan is PlanState.FAILED)
