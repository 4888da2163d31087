"""What the coordinator of planned footholds remembers."""

from dataclasses import dataclass
from enum import Enum

from walking_robots.gaits.planned.forecast import Forecast
from walking_robots.terrain.cells import TernaryTerrain


class Phase(Enum):
    """What the coordinator does: the rules walk, the body comes to rest or turns, or a route."""

    RULES = 'rules'
    SETTLING = 'settling'
    TURNING = 'turning'
    ROUTE = 'route'


@dataclass
class PlanMemory:
    """What is remembered beside the rules and the route.

    ``heading`` is the yaw, rad, that commands refer to; the body may be turned away from it, to
    ``turn_to``. ``line`` is a point, m, on the line of the command, ``wanted`` its direction and
    ``goal`` the place, m, to which it leads, if that is known.
    Along it, in m: the rules get on at least to ``forecast_to``; a forecast was last requested at
    ``forecast_at``, a route at ``requested_at``, and the body last turned at ``turned_at``.
    ``ending`` is the forecast by which the rules do not get on, ``failed`` the ground over which
    no route was found. ``blocked`` holds while no way round high ground is known.
    """

    phase: Phase
    heading: float
    turn_to: float
    wanted: complex = 0.0 + 0.0j
    line: complex = 0.0 + 0.0j
    goal: complex | None = None
    forecast_to: float = 0.0
    forecast_at: float = 0.0
    requested_at: float = 0.0
    turned_at: float = 0.0
    ending: Forecast | None = None
    failed: TernaryTerrain | None = None
    blocked: bool = False
    steps: int = 0
    plans: int = 0
    facts: tuple[str, ...] = ()

    def veer(self, here: complex, wanted: complex) -> None:
        """Take another direction, the body at a place, m; distances from it remain."""
        change = (here * (wanted - self.wanted).conjugate()).real
        self.wanted = wanted
        self.forecast_to += change
        self.forecast_at += change
        self.requested_at += change
        self.turned_at += change

    def lines(self) -> list[str]:
        """Write the facts that hold, or what is planned."""
        return list(self.facts)
