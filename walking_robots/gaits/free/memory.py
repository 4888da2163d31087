"""What a coordinator remembers from step to step."""

from dataclasses import dataclass, field

from walking_robots.body.motion import Outlook, still
from walking_robots.geometry.plane import LEVEL, Plane
from walking_robots.geometry.pose import Pose, Rates, Vector


@dataclass
class PlanFacts:
    """The fact base of the rules (asv.md §12.1); ``stops`` and ``moves`` count requests.

    ``stepped_aside`` is the leg that last made room for one at its limit.
    """

    ditch_mode: bool = False
    plan_cycle: int = 1
    plan_state: str = 'place_legs_in_the_air'
    lifted: frozenset[str] = frozenset()
    move_done: bool = False
    limit_leg: int = 0
    stepped_aside: int = 0
    reduce_speed: int = 0
    stops: int = 0
    moves: int = 0

    def lines(self) -> list[str]:
        """Write the facts that hold, in the notation of the paper."""
        held = [f'plan_cycle({self.plan_cycle})', f'plan_state({self.plan_state})']
        if self.ditch_mode:
            held.insert(0, 'ditch_mode(in)')
        held += [f'{row}_legs(lifted)' for row in sorted(self.lifted)]
        if self.move_done:
            held.append('move(done)')
        return held


@dataclass
class BodyMemory:
    """Flags and regulator states of the body (asv.md §6.1).

    ``push`` (m/s) is None when the body is unstable and must stop; ``planning_push`` serves
    the repair of DEF-1. ``plane_age`` counts the steps since the support plane was estimated.
    ``lowered`` is how far, m, the body is held lower for ground that falls away.
    """

    rates: Rates
    outlook: Outlook
    plane: Plane = LEVEL
    plane_age: int = 0
    lowered: float = 0.0
    deceleration: int = 0
    kinematic_stop: bool = False
    ordered_stop: bool = False
    push: tuple[float, float] | None = (0.0, 0.0)
    planning_push: tuple[float, float] = (0.0, 0.0)

    @property
    def resting_plane(self) -> Plane:
        """Return the plane over which the body is held at its height."""
        return Plane(self.plane.normal, self.plane.offset + self.lowered)

    @property
    def stopped(self) -> bool:
        """Return whether the body is commanded to rest."""
        return self.kinematic_stop or self.ordered_stop or self.push is None

    def stop_reason(self) -> str:
        """Say why the body is commanded to rest; empty while it is free."""
        if self.push is None:
            return 'the body is unstable'
        if self.kinematic_stop:
            return 'a supporting leg is at its kinematic limit'
        return 'the ditch coordinator holds the body' if self.ordered_stop else ''


@dataclass
class Memory:
    """All state of a coordinator: facts, body, and the foothold of every leg.

    ``sunk`` are the legs whose foot stands far below its foothold, as in a hole.
    """

    body: BodyMemory
    facts: PlanFacts = field(default_factory=PlanFacts)
    footholds: dict[int, Vector | None] = field(default_factory=dict)
    placeable: frozenset[int] = frozenset()
    sunk: frozenset[int] = frozenset()
    steps: int = 0

    def lines(self) -> list[str]:
        """Write the facts that hold, in the notation of the paper."""
        return self.facts.lines()


def fresh(pose: Pose, plane_period: int) -> Memory:
    """Return the memory of a coordinator that begins with a body at rest."""
    return Memory(BodyMemory(Rates(), still(pose), plane_age=plane_period))


def resumed(body: BodyMemory, plane_period: int) -> Memory:
    """Return the memory of a coordinator that takes over a moving body from another one."""
    return Memory(BodyMemory(body.rates, body.outlook, body.plane, plane_age=plane_period))
