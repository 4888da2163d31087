"""The feet of a robot over the ground, by what their legs do."""

from collections.abc import Sequence
from typing import NamedTuple

from walking_robots.geometry.pose import Pose
from walking_robots.legs.states import LegReport, PlanState


class Feet(NamedTuple):
    """The feet of one step, m, by index of leg.

    ``standing`` are on the ground, ``firm`` those of them that are not about to lift; ``coming``
    are on their way down.
    """

    standing: dict[int, complex]
    firm: dict[int, complex]
    coming: dict[int, complex]

    @property
    def settled(self) -> bool:
        """Return whether no leg is about to lift or on its way down."""
        return self.standing == self.firm and not self.coming


def feet_of(reports: Sequence[LegReport], pose: Pose) -> Feet:
    """Sort the legs by what they do."""
    standing, firm, coming = {}, {}, {}
    for report in reports:
        leg = report.number - 1
        if report.control.carries:
            standing[leg] = complex(*(report.foothold or pose.apply(report.foot))[:2])
            if report.plan.carries:
                firm[leg] = standing[leg]
        elif report.plan is PlanState.PLANNED_CONTACT and report.foothold is not None:
            coming[leg] = complex(*report.foothold[:2])
    return Feet(standing, firm, coming)
